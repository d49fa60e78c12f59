package main

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sluice-io/sluice/integration/tools"
)

// sources are what is not in Go.
//
//go:embed rust/writer/Cargo.toml rust/writer/src rust/generator/Cargo.toml rust/generator/src python/*.py
var sources embed.FS

// digest names the contents of a directory of sources, and what else a name shall depend on.
func digest(dir string, others ...string) (string, error) {
	sum := sha256.New()
	for _, other := range others {
		fmt.Fprintf(sum, "%s\n", other)
	}
	err := fs.WalkDir(sources, dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := sources.ReadFile(name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:6]), err
}

// unpack writes a directory of sources to another one.
func unpack(dir, to string) error {
	tree, err := fs.Sub(sources, dir)
	if err != nil {
		return err
	}
	return os.CopyFS(to, tree)
}

// rustWriter is the Rust writer's process.
func rustWriter(log *progress) ([]string, error) {
	program, err := rustProgram("writer", log)
	return []string{program}, err
}

// rustProgram returns the path of the program whose sources are in rust/name, built on first use: some minutes, all of
// which one core is busy.
func rustProgram(name string, log *progress) (string, error) {
	version, err := exec.Command("rustc", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("the Rust writer and the data need Rust 1.88 or newer (rustc and cargo in PATH): %w", err)
	}
	dir := "rust/" + name
	sum, err := digest(dir, string(version))
	if err != nil {
		return "", err
	}
	made, err := tools.Cached("compare-"+name+"-"+sum, func(into string) error {
		log.say("cargo builds %s, once: that takes minutes", dir)
		return buildRust(name, into)
	})
	return filepath.Join(made, name), err
}

// buildRust builds rust/name and leaves the program alone in a directory. What cargo made of the crates stays in the
// cache, for the next version of the sources.
func buildRust(name, into string) error {
	crate := filepath.Join(into, "crate")
	if err := unpack("rust/"+name, crate); err != nil {
		return err
	}
	target := filepath.Join(filepath.Dir(into), "compare-cargo-"+name)
	cargo := exec.Command("cargo", "build", "--release", "--manifest-path", filepath.Join(crate, "Cargo.toml"))
	cargo.Env = append(os.Environ(), "CARGO_TARGET_DIR="+target)
	if output, err := cargo.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cargo.Args, " "), err, output)
	}
	if err := os.RemoveAll(crate); err != nil {
		return err
	}
	program, err := os.ReadFile(filepath.Join(target, "release", name))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(into, name), program, 0o755)
}

// pythonScript returns the command of a script of ours, in the integration tests' environment.
func pythonScript(name string) ([]string, error) {
	environment, err := tools.FindPython()
	if err != nil {
		return nil, err
	}
	sum, err := digest("python")
	if err != nil {
		return nil, err
	}
	dir, err := tools.Cached("compare-python-"+sum, func(into string) error { return unpack("python", into) })
	// Without -B it would write __pycache__ there.
	return []string{environment.Interpreter, "-B", filepath.Join(dir, name)}, err
}

func pythonWriter(*progress) ([]string, error) { return pythonScript("arrowcpp.py") }
