package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// progress says what is being done: on a terminal in a line that changes, and everywhere in a line for each case that
// is done.
type progress struct {
	w          io.Writer
	moving     bool
	started    time.Time
	total      int
	done       int
	gone, left float64 // what the cases weigh that are done, and those to come
	weigh      func(aCase) float64
}

func newProgress(w io.Writer) *progress { return &progress{w: w, moving: isTerminal(w)} }

// begin says which cases there will be, of which streams, and that the first one begins.
func (p *progress) begin(cases []aCase, streams string) {
	p.total, p.done, p.gone, p.left, p.started = len(cases), 0, 0, 0, time.Now()
	p.weigh = func(c aCase) float64 { return weight(c, streams) }
	for _, c := range cases {
		p.left += p.weigh(c)
	}
}

// weight is about in proportion to the time that a case takes: a part that all have, which is worth as much as writing
// 32 MiB, and one for its bytes.
func weight(c aCase, streams string) float64 {
	const fixed = 32 << 20
	info, err := os.Stat(filepath.Join(streams, c.shape.name+streamSuffix))
	if err != nil {
		return fixed // the peers will say what is wrong
	}
	parts := 0.0
	if c.time {
		parts++
	}
	if c.memory {
		parts += 0.25
	}
	if compressed(c.settings) {
		parts *= 2
	}
	return parts * (fixed + float64(info.Size()))
}

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
	p.gone, p.left = p.gone+p.weigh(c), p.left-p.weigh(c)
	left := time.Duration(float64(time.Since(p.started)) / max(p.gone, 1) * max(p.left, 0))
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
