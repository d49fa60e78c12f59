package tools

import (
	"strings"
	"sync"
)

// transcript collects what a process prints. It may be written and read at the same time.
type transcript struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{} // closed by the next write
}

func newTranscript() *transcript { return &transcript{more: make(chan struct{})} }

func (l *transcript) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	close(l.more)
	l.more = make(chan struct{})
	return len(p), nil
}

// next returns the text so far and a channel that is closed when there is more.
func (l *transcript) next() (text string, more <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String(), l.more
}

func (l *transcript) String() string {
	text, _ := l.next()
	return text
}
