package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// measure is what a table shows.
type measure struct {
	title string
	value func(result) int64
	show  func(int64) string
	// over returns how many times what it is compared with one of ours is; false if either was not measured.
	over func(b *board, shape, settings, our string) (float64, bool)
}

var measures = []measure{
	{"Processor time of a write, ms", cpuNS, showMS, (*board).overFastest},
	{"Bytes of the file", fileBytes, showBytes, (*board).overRustFile},
	{"Peak of memory, MiB", peakBytes, showMiB, (*board).overLeastPeak},
}

func showMS(n int64) string    { return significant(float64(n) / 1e6) }
func showBytes(n int64) string { return fmt.Sprint(n) }
func showMiB(n int64) string   { return significant(float64(n) / (1 << 20)) }

// report writes what a run measured as Markdown: of each settings a table of times, of bytes and of memory, and what
// failed; then the losses and the means.
func report(w io.Writer, results []result) error {
	b := newBoard(results)
	var text strings.Builder
	text.WriteString("# Writers of Parquet, compared\n\n" + howToRead)
	for _, s := range b.settings {
		fmt.Fprintf(&text, "\n## %s\n", s)
		for _, m := range measures {
			b.writeTable(&text, s, m)
		}
		b.writeErrors(&text, s)
	}
	text.WriteString("\n## Losses\n")
	b.writeLosses(&text)
	text.WriteString("\n## Geometric means\n")
	b.writeMeans(&text)
	_, err := io.WriteString(w, text.String())
	return err
}

// significant shows a number with three digits.
func significant(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// ratio shows how many times another number a number is.
func ratio(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// writeTable writes a measure of each peer, a row for each shape; nothing if there is none.
func (b *board) writeTable(w *strings.Builder, settings string, m measure) {
	head := []string{"shape"}
	for _, p := range b.peers {
		head = append(head, p.name)
		if p.ours {
			head = append(head, "×")
		}
	}
	var rows [][]string
	measured := false
	for _, s := range b.shapesWith(settings) {
		row := []string{s}
		for _, p := range b.peers {
			text := b.cell(s, settings, p.name, m)
			row, measured = append(row, text), measured || text != "" && text != failed
			if p.ours {
				row = append(row, b.over(s, settings, p.name, m))
			}
		}
		rows = append(rows, row)
	}
	if measured {
		fmt.Fprintf(w, "\n### %s\n\n", m.title)
		writeRows(w, head, rows)
	}
}

// failed is in the cells of a peer that could not write the shape.
const failed = "error"

// cell shows a measure; empty if there is none.
func (b *board) cell(shape, settings, peer string, m measure) string {
	r, _ := b.get(shape, settings, peer)
	switch {
	case r.Error != "":
		return failed
	case m.value(r) == 0:
		return ""
	}
	return m.show(m.value(r))
}

// over shows how one of ours compares; empty if there is nothing to compare.
func (b *board) over(shape, settings, our string, m measure) string {
	if x, found := m.over(b, shape, settings, our); found {
		return ratio(x)
	}
	return ""
}

// writeErrors writes why shapes could not be written, a row for each reason.
func (b *board) writeErrors(w *strings.Builder, settings string) {
	var reasons []string
	peers, shapes := map[string][]string{}, map[string][]string{}
	for _, s := range b.shapesWith(settings) {
		for _, p := range b.peers {
			r, _ := b.get(s, settings, p.name)
			if r.Error == "" {
				continue
			}
			reason := inCell(r.Error)
			if !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
			if !slices.Contains(peers[reason], p.name) {
				peers[reason] = append(peers[reason], p.name)
			}
			if !slices.Contains(shapes[reason], s) {
				shapes[reason] = append(shapes[reason], s)
			}
		}
	}
	var rows [][]string
	leftOut := map[string][]string{}
	for _, p := range b.peers {
		if reason := p.refuses[settings]; reason != "" && !p.ours {
			leftOut[reason] = append(leftOut[reason], p.name)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(leftOut)) {
		rows = append(rows, []string{reason, strings.Join(leftOut[reason], ", "), "all, so it is left out"})
	}
	for _, reason := range reasons {
		rows = append(rows, []string{reason, strings.Join(peers[reason], ", "), strings.Join(shapes[reason], ", ")})
	}
	if len(rows) > 0 {
		w.WriteString("\nCould not be written:\n\n")
		writeRows(w, []string{"because", "by", "shapes"}, rows)
	}
}

// inCell makes an error fit into a cell of a table, without the parameters of types, so that one reason is one text.
func inCell(text string) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	if i := strings.IndexByte(text, '<'); i >= 0 {
		text = text[:i] + "…"
	}
	const most = 160
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

func writeRows(w *strings.Builder, head []string, rows [][]string) {
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}
