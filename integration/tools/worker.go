package tools

import (
	"io"
	"strings"
	"testing"
)

// Worker is a test script that answers each line of its standard input with a line.
type Worker struct {
	*Process
	requests io.Writer
	replies  *transcript
	read     int // bytes of replies that were returned
}

// StartWorker starts a script as Python's Command does.
func StartWorker(t testing.TB, name, script string, args ...string) *Worker {
	t.Helper()
	cmd := Python(t).Command(script, args...)
	requests, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{requests: requests, replies: newTranscript()}
	cmd.Stdout = w.replies
	w.Process = Start(t, name, cmd)
	return w
}

// Ask sends a line and returns the next reply.
func (w *Worker) Ask(t testing.TB, request string) (reply string) {
	t.Helper()
	if _, err := io.WriteString(w.requests, request+"\n"); err != nil {
		t.Fatalf("ask the %s %s: %v", w.name, request, err)
	}
	reply, err := w.await(w.replies, func(text string) (string, bool) {
		line, _, ok := strings.Cut(text[w.read:], "\n")
		return line, ok
	})
	if err != nil {
		t.Fatalf("wait for the reply of the %s to %s: %v", w.name, request, err)
	}
	w.read += len(reply) + 1
	return reply
}
