package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// PythonEnvironment is an interpreter that has the packages of integration/requirements.txt.
type PythonEnvironment struct {
	Interpreter string // path of the executable
	scripts     string // directory of the test scripts
}

// Python returns the environment, made on first use. Without Python the test fails.
func Python(t testing.TB) *PythonEnvironment {
	t.Helper()
	env, err := python()
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// FindPython is Python for a program that is no test.
func FindPython() (*PythonEnvironment, error) { return python() }

const noPython = "the tests with real clients need Python 3.11 or newer with its venv module as python3 in PATH " +
	"(Debian: apt-get install python3 python3-venv)"

var python = sync.OnceValues(func() (*PythonEnvironment, error) {
	root, err := ModuleRoot()
	if err != nil {
		return nil, err
	}
	requirements := filepath.Join(root, "integration", "requirements.txt")
	pins, err := os.ReadFile(requirements)
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	version, err := exec.Command("python3", "-c", "import platform; print(platform.python_version())").Output()
	if err != nil {
		return nil, fmt.Errorf("tools: run python3: %w: %s", err, noPython)
	}
	sum := sha256.Sum256(pins)
	name := "python-" + strings.TrimSpace(string(version)) + "-" + hex.EncodeToString(sum[:6])
	dir, err := Cached(name, func(dir string) error { return makeEnvironment(dir, requirements) })
	if err != nil {
		return nil, err
	}
	return &PythonEnvironment{
		Interpreter: filepath.Join(dir, "bin", "python"),
		scripts:     filepath.Join(root, "integration", "testdata", "python"),
	}, nil
})

func makeEnvironment(dir, requirements string) error {
	if err := run(exec.Command("python3", "-m", "venv", dir)); err != nil {
		return fmt.Errorf("%w: %s", err, noPython)
	}
	return run(exec.Command(filepath.Join(dir, "bin", "python"), "-m", "pip", "install",
		"--no-input", "--disable-pip-version-check", "--requirement", requirements))
}

// run runs a command; its error holds all that the command printed.
func run(cmd *exec.Cmd) error {
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, output)
	}
	return nil
}

// Command returns a command that runs a script: the name of one of the test scripts, or the path of another one.
// Standard error is not set.
func (p *PythonEnvironment) Command(script string, args ...string) *exec.Cmd {
	if filepath.Base(script) == script {
		script = filepath.Join(p.scripts, script)
	}
	// Without -B each run would write __pycache__ into the source tree.
	return exec.Command(p.Interpreter, append([]string{"-B", script}, args...)...)
}

// Output runs a script to its end and returns what it printed to standard output. The test fails when the script does,
// and shows what it printed to standard error.
func (p *PythonEnvironment) Output(t testing.TB, script string, args ...string) string {
	t.Helper()
	output, err := p.Command(script, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%s %s: %v\n%s%s", script, strings.Join(args, " "), err, output, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	return string(output)
}
