package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress shows how far something has come: on a terminal as a bar that moves, elsewhere as a line for each quarter.
type progress struct {
	w       io.Writer
	total   int64
	started time.Time
	moving  bool
	shown   time.Time // when the bar was last drawn
	quarter int64     // that was last written
}

const (
	barWidth   = 30
	redrawTime = 50 * time.Millisecond
)

func newProgress(w io.Writer, total int64) *progress {
	return &progress{w: w, total: total, started: time.Now(), moving: isTerminal(w)}
}

// show says that rows rows and bytes bytes are done.
func (p *progress) show(rows, bytes int64) {
	now := time.Now()
	rate := float64(bytes) / 1e6 / max(now.Sub(p.started).Seconds(), 1e-9)
	percent := 100
	if p.total > 0 {
		percent = int(rows * 100 / p.total)
	}
	line := fmt.Sprintf("%3d %%  %*s rows  %4.0f MB/s", percent, len(formatCount(p.total)), formatCount(rows), rate)
	switch {
	case !p.moving:
		if quarter := int64(percent / 25); quarter > p.quarter {
			p.quarter = quarter
			fmt.Fprintln(p.w, line)
		}
	case now.Sub(p.shown) >= redrawTime || rows == p.total:
		p.shown = now
		full := barWidth * percent / 100
		fmt.Fprintf(p.w, "\r[%s%s] %s", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), line)
	}
}

// end leaves the bar's line.
func (p *progress) end() {
	if p.moving {
		fmt.Fprintln(p.w)
	}
}
