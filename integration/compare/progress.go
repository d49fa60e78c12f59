package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// progress says what is being done: on a terminal in a line that changes, and everywhere in a line for each case that
// is done.
type progress struct {
	w       io.Writer
	moving  bool
	total   int
	done    int
	started time.Time
}

func newProgress(w io.Writer) *progress { return &progress{w: w, moving: isTerminal(w)} }

// begin says how many cases there will be, and that the first one begins.
func (p *progress) begin(cases int) { p.total, p.done, p.started = cases, 0, time.Now() }

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// clearLine moves to the begin of the line and empties it.
const clearLine = "\r\x1b[K"

// doing shows what is being done, on a terminal alone.
func (p *progress) doing(format string, args ...any) {
	if p.moving {
		fmt.Fprintf(p.w, clearLine+format, args...)
	}
}

// say writes a line that stays.
func (p *progress) say(format string, args ...any) {
	if p.moving {
		fmt.Fprint(p.w, clearLine)
	}
	fmt.Fprintf(p.w, format+"\n", args...)
}

// finish writes the line of a case that is done.
func (p *progress) finish(c aCase, outcome string) {
	p.done++
	elapsed := time.Since(p.started)
	left := elapsed / time.Duration(p.done) * time.Duration(p.total-p.done)
	p.say("%*d/%d  %-44s %s; %v left", len(fmt.Sprint(p.total)), p.done, p.total, c, outcome, left.Round(time.Second))
}

// outcome says in few words how ours compare.
func outcome(c aCase, results []result) string {
	b := newBoard(results)
	var words []string
	for _, p := range []string{ourPeer, ourTable} {
		our, _ := b.get(c.shape.name, c.settings, p)
		switch {
		case our.Error != "":
			words = append(words, p+": "+our.Error)
		case our.CPUNS > 0:
			text := fmt.Sprintf("%s %s ms", p, significant(float64(our.CPUNS)/1e6))
			if fastest, found := b.fastest(c.shape.name, c.settings, p); found {
				text += fmt.Sprintf(" (%s × %s)", ratio(float64(our.CPUNS)/float64(fastest.CPUNS)), fastest.Peer)
			}
			words = append(words, text)
		case our.PeakBytes > 0:
			words = append(words, fmt.Sprintf("%s %s MiB", p, significant(float64(our.PeakBytes)/(1<<20))))
		}
	}
	return strings.Join(words, ", ")
}
