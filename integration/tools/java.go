package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const noJava = "the tests with -long need Java 17 or newer and Maven as java and mvn in PATH " +
	"(Debian: apt-get install openjdk-17-jdk-headless maven)"

// Java returns a command that runs a program of testdata/java with the libraries of its pom.xml, which Maven gets on
// first use. Standard error is not set. Without Java the test fails.
func Java(t testing.TB, source string) *exec.Cmd {
	t.Helper()
	root, err := ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	sources := filepath.Join(root, "integration", "testdata", "java")
	pom, err := os.ReadFile(filepath.Join(sources, "pom.xml"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(pom)
	jars, err := Cached("java-"+hex.EncodeToString(sum[:6]), func(dir string) error {
		cmd := exec.Command("mvn", "--batch-mode", "--quiet", "--file", filepath.Join(sources, "pom.xml"),
			"dependency:copy-dependencies", "-DoutputDirectory="+dir)
		if err := run(cmd); err != nil {
			return fmt.Errorf("%w: %s", err, noJava)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command("java", "-cp", filepath.Join(jars, "*"), filepath.Join(sources, source))
}
