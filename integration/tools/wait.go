package tools

import (
	"net"
	"os/exec"
	"testing"
	"time"
)

// patience bounds each wait for a process: it is much more than any takes, even on a busy machine.
const patience = 2 * time.Minute

// Eventually calls check until it returns nil, and fails the test with check's last error when it never does. It is
// for what another process does in its own time and tells nobody about.
func Eventually(t testing.TB, check func() error) {
	t.Helper()
	if err := poll(check); err != nil {
		t.Fatalf("within %v: %v", patience, err)
	}
}

// stop is an error of a check that no more waiting can mend.
type stop struct{ error }

func poll(check func() error) error {
	deadline := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		err := check()
		if _, final := err.(stop); err == nil || final || time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// freeAddress returns a loopback address on which nothing listens now. Another process may take it before it is used.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// startOnFreePort starts the process that command returns for an address and waits until it listens there. A port that
// was lost to somebody else is worth another try.
func startOnFreePort(t testing.TB, name string, command func(address string) *exec.Cmd) (p *Process, address string) {
	t.Helper()
	var err error
	for range 3 {
		if address, err = freeAddress(); err != nil {
			t.Fatal(err)
		}
		p = Start(t, name, command(address))
		if err = p.awaitPort(address); err == nil {
			return p, address
		}
		p.Kill()
	}
	t.Fatalf("start %s: %v", name, err)
	return nil, ""
}
