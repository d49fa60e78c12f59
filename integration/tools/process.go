package tools

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Process is a child process that ends with its test.
type Process struct {
	name  string
	cmd   *exec.Cmd
	log   *transcript
	ended chan struct{} // closed when the process has ended
	err   error         // of Wait; to be read once ended is closed
}

// Start starts cmd, whose standard error, and standard output if cmd does not direct it elsewhere, are kept and put
// into the log of a test that fails. The test's cleanup kills the process when it still runs.
func Start(t testing.TB, name string, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{name: name, cmd: cmd, log: newTranscript(), ended: make(chan struct{})}
	cmd.Stderr = p.log
	if cmd.Stdout == nil {
		cmd.Stdout = p.log
	}
	endWithParent(cmd)
	started := make(chan error)
	go p.wait(started)
	if err := <-started; err != nil {
		t.Fatalf("start %s: %v", name, err)
	}
	t.Cleanup(func() {
		p.Kill()
		if t.Failed() {
			t.Logf("%s printed:\n%s", name, p.log)
		}
	})
	return p
}

// wait starts the process and waits for it. Linux ends a child when the thread that started it dies, so this goroutine
// keeps its thread for as long as the child lives.
func (p *Process) wait(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	close(p.ended)
}

// Kill ends the process as a crash does (SIGKILL) and waits for its end. A process that has ended stays ended.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // the one error is that the process has ended
	<-p.ended
}

// Terminate asks the process to end (SIGTERM), without waiting.
func (p *Process) Terminate(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("stop %s: %v", p.name, err)
	}
}

// Stop asks the process to end and fails the test unless it does, with exit status 0.
func (p *Process) Stop(t testing.TB) {
	t.Helper()
	p.Terminate(t)
	p.WantEnd(t)
}

// WantEnd waits for the end of the process and fails the test unless it is with exit status 0.
func (p *Process) WantEnd(t testing.TB) {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.Kill()
		t.Fatalf("%s did not end within %v", p.name, patience)
	}
	if p.err != nil {
		t.Fatalf("%s ended with: %v", p.name, p.err)
	}
}

// Log returns what the process has printed so far.
func (p *Process) Log() string { return p.log.String() }

// AwaitLine waits for a line that starts with prefix and returns the rest of it.
func (p *Process) AwaitLine(prefix string) (rest string, err error) {
	rest, err = p.await(p.log, func(text string) (string, bool) { return findLine(text, prefix) })
	if err != nil {
		return "", fmt.Errorf("wait for %s to print %q: %w", p.name, prefix, err)
	}
	return rest, nil
}

// Await waits until the process has printed a text.
func (p *Process) Await(text string) error {
	_, err := p.await(p.log, func(log string) (string, bool) { return "", strings.Contains(log, text) })
	if err != nil {
		return fmt.Errorf("wait for %s to print %q: %w", p.name, text, err)
	}
	return nil
}

// await calls find with all that the process has printed to log until it finds something.
func (p *Process) await(log *transcript, find func(text string) (found string, ok bool)) (found string, err error) {
	deadline := time.After(patience)
	for ended := false; ; {
		text, more := log.next()
		if found, ok := find(text); ok {
			return found, nil
		}
		if ended {
			return "", fmt.Errorf("it ended: %v", p.err)
		}
		select {
		case <-more:
		case <-p.ended:
			ended = true // what it printed last is still to be looked at
		case <-deadline:
			return "", fmt.Errorf("nothing within %v", patience)
		}
	}
}

func findLine(text, prefix string) (rest string, found bool) {
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, prefix); found && strings.HasSuffix(line, "\n") {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// awaitPort waits until the process listens on a TCP address.
func (p *Process) awaitPort(address string) error {
	return poll(func() error {
		select {
		case <-p.ended:
			return stop{fmt.Errorf("%s ended: %v\n%s", p.name, p.err, p.log)}
		default:
		}
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			return err
		}
		return conn.Close()
	})
}

// environment returns this process's environment with the given variables set, each as NAME=VALUE.
func environment(variables ...string) []string { return append(os.Environ(), variables...) }
