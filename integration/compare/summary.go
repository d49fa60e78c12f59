package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// goal is what the project wants of each shape.
type goal struct {
	name string
	// holds says whether the goal is one of these settings and peer.
	holds func(settings, peer string) bool
	// ratio returns what was measured over what the goal allows; false if either was not measured.
	ratio func(b *board, shape, settings, our string) (float64, bool)
}

var goals = []goal{
	{"no slower than the fastest writer in the same mode", uncompressedOf(ourPeer, ourTable), (*board).overFastest},
	{"no more bytes than the Rust writer's file + 1 % + 4 KiB", uncompressedOf(ourPeer, ourTable),
		(*board).overRustBytes},
	{"zstd: no slower than arrow-go", zstdOf(ourPeer, ourTable), (*board).overArrowGo},
	{"peak of memory of 1.15 × the file + 4 MiB", anyOf(ourPeer, ourTable), (*board).overFile},
}

// meanGoal is what the project wants of the geometric mean of shapes.
type meanGoal struct {
	name  string
	limit float64
	runs  bool // of shapes with runs, or of those without
	ratio func(b *board, shape, settings, our string) (float64, bool)
}

var meanGoals = []meanGoal{
	{"time over the fastest writer's in the same mode, shapes without runs", 0.5, false, (*board).overFastest},
	{"time over the Rust writer's, shapes with runs", 0.05, true, (*board).overRust},
}

func anyOf(peers ...string) func(settings, peer string) bool {
	return func(_, peer string) bool { return slices.Contains(peers, peer) }
}

func uncompressedOf(peers ...string) func(settings, peer string) bool {
	return func(settings, peer string) bool { return !compressed(settings) && slices.Contains(peers, peer) }
}

func zstdOf(peers ...string) func(settings, peer string) bool {
	return func(settings, peer string) bool { return compressed(settings) && slices.Contains(peers, peer) }
}

// miss is a shape that a goal is not met of.
type miss struct {
	shape string
	ratio float64
}

func (b *board) writeSummary(w *strings.Builder) {
	w.WriteString("\n## Goals\n")
	b.writeMeans(w)
	var rows [][]string
	var missed strings.Builder
	for _, g := range goals {
		for _, settings := range b.settings {
			for _, p := range b.peers {
				if !g.holds(settings, p.name) {
					continue
				}
				ratios, misses := b.check(g, settings, p.name)
				if len(ratios) == 0 {
					continue
				}
				met := fmt.Sprintf("%d of %d", len(ratios)-len(misses), len(ratios))
				rows = append(rows, []string{g.name, settings, p.name, met, ratio(geometricMean(ratios))})
				writeMisses(&missed, fmt.Sprintf("%s, %s, %s", g.name, settings, p.name), misses)
			}
		}
	}
	if len(rows) > 0 {
		w.WriteString("\n")
		head := []string{"of each shape", "settings", "peer", "met", "geometric mean of measured over allowed"}
		writeRows(w, head, rows)
	}
	w.WriteString(missed.String())
}

// check returns measured over allowed of all shapes, and those above 1, worst first.
func (b *board) check(g goal, settings, our string) (ratios []float64, misses []miss) {
	for _, s := range b.shapesWith(settings) {
		r, found := g.ratio(b, s, settings, our)
		if !found {
			continue
		}
		ratios = append(ratios, r)
		if r > 1 {
			misses = append(misses, miss{s, r})
		}
	}
	slices.SortStableFunc(misses, func(x, y miss) int { return cmp.Compare(y.ratio, x.ratio) })
	return ratios, misses
}

func writeMisses(w *strings.Builder, title string, misses []miss) {
	if len(misses) == 0 {
		return
	}
	fmt.Fprintf(w, "\n### Missed: %s\n\n", title)
	for _, m := range misses {
		fmt.Fprintf(w, "- %s ×%s\n", m.shape, ratio(m.ratio))
	}
}

func (b *board) writeMeans(w *strings.Builder) {
	var rows [][]string
	for _, g := range meanGoals {
		for _, settings := range b.settings {
			for _, p := range b.peers {
				if p.name != ourPeer && p.name != ourTable {
					continue
				}
				var ratios []float64
				for _, s := range b.shapesWith(settings) {
					if r, found := g.ratio(b, s, settings, p.name); found && hasRuns(s) == g.runs {
						ratios = append(ratios, r)
					}
				}
				if len(ratios) > 0 {
					rows = append(rows, []string{g.name, settings, p.name, fmt.Sprint(len(ratios)),
						ratio(geometricMean(ratios)), ratio(g.limit)})
				}
			}
		}
	}
	if len(rows) > 0 {
		w.WriteString("\n")
		writeRows(w, []string{"geometric mean of", "settings", "peer", "shapes", "measured", "goal"}, rows)
	}
}
