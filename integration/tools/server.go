package tools

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-io/sluice/integration/lint/linttest"
)

// Server is a running sluice: the command that a user starts, as a process of its own.
type Server struct {
	*Process
	URL string // grpc://HOST:PORT
}

// ServerOptions sets how a server is started. The zero value of every field is its default.
type ServerOptions struct {
	Args []string // after "serve --listen … --bucket …"
	Env  []string // NAME=VALUE, added to this process's environment
}

// StartServer starts a server over a bucket on a free port and waits until it listens. Once it has ended, the Parquet
// files of a bucket that is a directory are linted.
func StartServer(t testing.TB, bucketURL string, o *ServerOptions) *Server {
	t.Helper()
	if o == nil {
		o = &ServerOptions{}
	}
	cmd := Sluice(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--bucket", bucketURL}, o.Args...)...)
	cmd.Env = append(cmd.Env, o.Env...)
	s := &Server{}
	t.Cleanup(func() { // after the process has ended
		if info, err := os.Stat(bucketURL); err == nil && info.IsDir() {
			linttest.Dir(t, bucketURL)
		}
		// Whatever a client does, an error in the log is a fault of the server.
		if s.Process != nil && strings.Contains(s.Log(), " ERR ") {
			t.Errorf("the server logged an error:\n%s", s.Log())
		}
	})
	s.Process = Start(t, "sluice", cmd)
	var err error
	if s.URL, err = s.AwaitLine("listening on "); err != nil {
		t.Fatal(err)
	}
	return s
}

// Sluice returns a command that runs sluice with these arguments in an empty directory.
func Sluice(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	binary, err := serverBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, args...)
	// What users have set for a server of their own is not for this one.
	cmd.Env = slices.DeleteFunc(environment(), func(variable string) bool { return strings.HasPrefix(variable, "SLUICE_") })
	cmd.Dir = t.TempDir()
	return cmd
}

// serverBinary builds the server once for a test binary.
var serverBinary = sync.OnceValues(func() (path string, err error) {
	if scratch == "" {
		return "", errors.New("tools: a package that starts servers needs a TestMain that calls tools.Run")
	}
	root, err := ModuleRoot()
	if err != nil {
		return "", err
	}
	path = filepath.Join(scratch, "sluice")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = root
	return path, run(cmd)
})
