package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// process is a peer's process.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr strings.Builder
	over   bool // it has ended, or must not be spoken to any more
}

// event is a line of a peer's standard output.
type event struct {
	Event     string `json:"event"`
	Version   string `json:"version"`
	Records   int64  `json:"records"`
	CPUNS     int64  `json:"cpu_ns"`
	Writes    int64  `json:"writes"`
	Bytes     int64  `json:"bytes"`
	PeakBytes int64  `json:"peak_bytes"`
	Error     string `json:"error"`
}

// oneThread makes writers that would use more than one thread use one.
var oneThread = []string{"GOMAXPROCS=1", "OMP_NUM_THREADS=1", "ARROW_IO_THREADS=1"}

// start starts a peer that loads a stream for a task. Its first event is yet to be read.
func start(command []string, settings, stream string, task ...string) (*process, error) {
	args := append(command[1:len(command):len(command)], settings, stream)
	p := &process{cmd: exec.Command(command[0], append(args, task...)...)}
	p.cmd.Env = append(os.Environ(), oneThread...)
	p.cmd.Stderr = &p.stderr
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.stdin, p.stdout = stdin, bufio.NewReader(stdout)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// next waits for the next event; io.EOF says that the process has none any more.
func (p *process) next() (e event, err error) {
	line, err := p.stdout.ReadBytes('\n')
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, fmt.Errorf("%q: %w", line, err)
	}
	return e, nil
}

// read waits for the next event, which must be of the given kind.
func (p *process) read(kind string) (event, error) {
	e, err := p.next()
	switch {
	case errors.Is(err, io.EOF):
		return e, p.died()
	case err != nil:
		p.over = true
		return e, err
	case e.Event == kind:
		return e, nil
	}
	return e, e.unwanted()
}

// unwanted is the error of an event that is none of those that were waited for.
func (e event) unwanted() error {
	if e.Event == "error" {
		return errors.New(e.Error)
	}
	return fmt.Errorf("an event %q that was not asked for", e.Event)
}

// died says how a process ended that should not have.
func (p *process) died() error {
	p.over = true
	err := p.cmd.Wait()
	if err == nil {
		err = errors.New("exit status 0")
	}
	return fmt.Errorf("the process ended: %w: %s", err, lastLine(p.stderr.String()))
}

// lastLine is where a program that failed says why.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// round has the shape written n times with settings.
func (p *process) round(n int64, settings string) (event, error) {
	if _, err := fmt.Fprintln(p.stdin, n, settings); err != nil {
		return event{}, p.died()
	}
	return p.read("round")
}

// end waits for the end of a process, which has nothing more to say.
func (p *process) end() error {
	switch e, err := p.next(); {
	case err == nil:
		return e.unwanted()
	case !errors.Is(err, io.EOF):
		return err
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%w: %s", err, lastLine(p.stderr.String()))
	}
	return nil
}

// close ends the process and waits for its end.
func (p *process) close() {
	p.stdin.Close()
	_ = p.cmd.Process.Kill() // it has ended if not
	_ = p.cmd.Wait()         // killed
}
