package tools

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Server is a running sluice: the command that a user starts, as a process of its own.
type Server struct {
	*Process
	URL     string // grpc://HOST:PORT
	Address string // HOST:PORT
}

// ServerOptions sets how a server is started. The zero value of every field is its default.
type ServerOptions struct {
	Args []string // after "serve --listen … --bucket …"
	Env  []string // NAME=VALUE, added to this process's environment
}

// StartServer starts a server over a bucket on a free port and waits until it listens.
func StartServer(t testing.TB, bucketURL string, o *ServerOptions) *Server {
	t.Helper()
	if o == nil {
		o = &ServerOptions{}
	}
	binary, err := serverBinary()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--bucket", bucketURL}, o.Args...)
	cmd := exec.Command(binary, args...)
	cmd.Env = environment(o.Env...)
	// Files that a server makes unasked would be beside the test's own.
	cmd.Dir = t.TempDir()
	s := &Server{Process: Start(t, "sluice", cmd)}
	if s.URL, err = s.AwaitLine("listening on "); err != nil {
		t.Fatal(err)
	}
	s.Address = strings.TrimPrefix(s.URL, "grpc://")
	return s
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
