package tools

import (
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"testing"
)

// goTool returns the path of a command that the go command builds from a package at one version, built on first use.
// Its name is the package's last element.
func goTool(t testing.TB, pkg, version string) string {
	t.Helper()
	name := path.Base(pkg)
	dir, err := Cached(fmt.Sprintf("%s-%s-%s", name, version, runtime.Version()), func(dir string) error {
		cmd := exec.Command("go", "install", pkg+"@"+version)
		// The module and flags of whoever runs the tests have no say in it.
		cmd.Dir = dir
		cmd.Env = environment("GOBIN="+dir, "GOFLAGS=", "GOWORK=off", "GOOS=", "GOARCH=", "CGO_ENABLED=0")
		return run(cmd)
	})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}
