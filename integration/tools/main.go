package tools

import (
	"fmt"
	"os"
	"testing"
)

// scratch is the directory of what is made once for a test binary: the sluice binary.
var scratch string

// Run runs a package's tests; TestMain passes its result to os.Exit. Without it the server cannot be started.
func Run(m *testing.M) (code int) {
	if err := lookAtSources(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "sluice-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "tools:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	scratch = dir
	return m.Run()
}
