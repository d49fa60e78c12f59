package main

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// howToRead explains the numbers of every report.
const howToRead = "One thread, into nothing; times are of the processor, garbage collection included. × is ours over the least of\n" +
	"the other writers in the same mode: batch by batch (`sluice`; arrow-rs, arrow-go, parquet-go) or the whole table at\n" +
	"once (`sluice-table`; arrow-cpp, arrow-go-table). × of bytes is over the Rust writer's file. Below 1 is better.\n"

// notes is what a page says beyond its numbers.
//
//go:embed notes.md
var notes string

// writePage writes RESULTS.md: what measured, losses, means, all cases a line each, and notes.
func writePage(w io.Writer, results []result) error {
	b := newBoard(results)
	var text strings.Builder
	text.WriteString("# Sluice beside the other writers of Parquet\n\n" +
		"Printed by `go run ./integration/compare --report FILE`; the package comment says what is measured, and how.\n" +
		howToRead)
	writeProvenance(&text, results)
	text.WriteString("\n## Losses\n\n" +
		"Every case in which ours is slower than the fastest other writer of the mode, or over a limit, worst first. Where\n" +
		"it says (codec), the goal allows it: zstd is Go's, so the goal is arrow-go's time, and the Rust writer's where the\n" +
		"codec takes less than half of that.\n")
	b.writeLosses(&text)
	text.WriteString("\n## Geometric means, beside their goals\n\n" +
		"In brackets the number of shapes. A shape is in the first group that has it.\n")
	b.writeMeans(&text)
	text.WriteString("\n## All cases\n")
	for _, s := range b.settings {
		fmt.Fprintf(&text, "\n### %s\n\n", s)
		b.writeLines(&text, s)
		b.writeErrors(&text, s)
	}
	fmt.Fprintf(&text, "\n## Notes\n\n%s", notes)
	_, err := io.WriteString(w, text.String())
	return err
}

// writeProvenance says on what machine, of which commit and against which versions results are, and how many rounds
// they took.
func writeProvenance(w *strings.Builder, results []result) {
	var runs, versions []string
	var loads []float64
	rounds := map[int]int{}
	for _, r := range results {
		if r.Run != "" && !slices.Contains(runs, r.Run) {
			runs = append(runs, r.Run)
		}
		if v := r.Peer + " " + r.Version; r.Version != "" && !isOurs(r.Peer) && !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
		if r.Load > 0 {
			loads = append(loads, r.Load)
		}
		if r.CPUNS > 0 {
			rounds[r.Rounds]++
		}
	}
	w.WriteByte('\n')
	for _, run := range runs {
		fmt.Fprintf(w, "- %s\n", run)
	}
	if len(versions) > 0 {
		fmt.Fprintf(w, "- Others: %s\n", strings.Join(versions, ", "))
	}
	if len(loads) > 0 {
		slices.Sort(loads)
		fmt.Fprintf(w, "- Load of the machine, the comparison's own process among it: median %.1f, most %.1f\n",
			loads[len(loads)/2], loads[len(loads)-1])
	}
	var counts []string
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(rounds))) {
		counts = append(counts, fmt.Sprintf("%d of %d", rounds[n], n))
	}
	if len(counts) > 0 {
		fmt.Fprintf(w, "- Times that are the least of so many rounds: %s\n\n%s", strings.Join(counts, ", "), earlyStop())
	}
}

func isOurs(name string) bool {
	return slices.ContainsFunc(allPeers, func(p aPeer) bool { return p.ours && p.name == name })
}

// writeLines writes a line for each shape of the settings: times and bytes, and memory if it was measured of any.
func (b *board) writeLines(w *strings.Builder, settings string) {
	shapes := b.shapesWith(settings)
	remembered := slices.ContainsFunc(shapes, func(s string) bool {
		r, _ := b.get(s, settings, ourPeer)
		return r.PeakBytes > 0
	})
	head := []string{"shape", "batch ms", "fastest", "×", "table ms", "fastest", "×", "with CRC", "bytes", "×"}
	if remembered {
		head = append(head, "batch MiB", "least", "×", "table MiB", "least", "×")
	}
	var rows [][]string
	for _, s := range shapes {
		row := []string{s}
		for _, our := range counted {
			row = append(row, b.against(s, settings, our, measures[0])...)
		}
		row = append(row, b.overWithoutChecksum(s, settings), b.cell(s, settings, ourPeer, measures[1]),
			b.over(s, settings, ourPeer, measures[1]))
		if remembered {
			for _, our := range counted {
				row = append(row, b.against(s, settings, our, measures[2])...)
			}
		}
		rows = append(rows, row)
	}
	writeRows(w, head, rows)
}

// overWithoutChecksum shows what checksums cost us.
func (b *board) overWithoutChecksum(shape, settings string) string {
	with, _ := b.get(shape, settings, ourChecksum)
	without, _ := b.get(shape, settings, ourPeer)
	if x, found := quotient(with.CPUNS, without.CPUNS); found {
		return ratio(x)
	}
	return ""
}

// against returns three cells: ours, the best of the others and its name, and how they compare.
func (b *board) against(shape, settings, our string, m measure) []string {
	best, found := b.least(shape, settings, our, m.value)
	other := ""
	if found {
		other = m.show(m.value(best)) + " " + best.Peer
	}
	return []string{b.cell(shape, settings, our, m), other, b.over(shape, settings, our, m)}
}
