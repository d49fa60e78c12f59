package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// meanGoal is what the project wants of a geometric mean.
type meanGoal struct {
	title string
	limit float64
	holds func(shape string) bool
	peers []string
	ratio func(b *board, shape, settings, our string) (float64, bool)
}

var meanGoals = []meanGoal{
	{"time over fastest, no runs", 0.5, func(s string) bool { return !hasRuns(s) }, counted, (*board).overFastest},
	{"time over Rust, runs", 0.05, hasRuns, counted, (*board).overRust},
	{"memory over Rust", 0.14, func(string) bool { return true }, counted[:1], (*board).overRustPeak},
}

// unlisted is the name of the group of shapes that no group has.
const unlisted = "others"

// inGroups splits shapes by group, of which the first counts that has a shape, but for the short list.
func (b *board) inGroups() (names []string, shapes map[string][]string) {
	shapes = map[string][]string{}
	for _, s := range b.shapes {
		name := unlisted
		for _, g := range groups {
			if g.name != "short" && slices.Contains(shapeNames(g.shapes), s) {
				name = g.name
				break
			}
		}
		if shapes[name] == nil {
			names = append(names, name)
		}
		shapes[name] = append(shapes[name], s)
	}
	return names, shapes
}

// writeMeans writes the geometric means by group and settings, a column for each goal and peer; and over the cases of
// which the Rust suite measures memory, which are a group of their own for that.
func (b *board) writeMeans(w *strings.Builder) {
	head := []string{"group", "settings"}
	for _, g := range meanGoals {
		for _, p := range g.peers {
			head = append(head, fmt.Sprintf("%s: %s", g.title, p))
		}
	}
	goal := []string{"*goal*", ""}
	for _, g := range meanGoals {
		for range g.peers {
			goal = append(goal, "*"+ratio(g.limit)+"*")
		}
	}
	rows := [][]string{goal}
	names, shapes := b.inGroups()
	for _, name := range names {
		for _, settings := range b.settings {
			if row := b.meanRow(shapes[name], []string{settings}); row != nil {
				rows = append(rows, append([]string{name, settings}, row...))
			}
		}
		if row := b.meanRow(shapes[name], b.settings); row != nil && len(b.settings) > 1 {
			rows = append(rows, append([]string{"**" + name + "**", "all"}, row...))
		}
	}
	if mean, n := b.mean(meanGoals[2], shapeNames(groupOf("memory")), memorySettings, ourPeer); n > 0 {
		row := slices.Repeat([]string{""}, len(head))
		row[0], row[1], row[len(row)-1] = "memory", strings.Join(memorySettings, ", "), fmt.Sprintf("%s (%d)", ratio(mean), n)
		rows = append(rows, row)
	}
	w.WriteByte('\n')
	writeRows(w, head, rows)
}

// meanRow returns the cells of the means of shapes; nil if nothing was measured.
func (b *board) meanRow(shapes, settings []string) (row []string) {
	measured := false
	for _, g := range meanGoals {
		for _, p := range g.peers {
			mean, n := b.mean(g, shapes, settings, p)
			if n == 0 {
				row = append(row, "")
				continue
			}
			measured = true
			row = append(row, fmt.Sprintf("%s (%d)", ratio(mean), n))
		}
	}
	if !measured {
		return nil
	}
	return row
}

// mean returns the geometric mean of n cases.
func (b *board) mean(g meanGoal, shapes, settings []string, our string) (mean float64, n int) {
	sum := 0.0
	for _, s := range shapes {
		for _, with := range settings {
			if r, found := g.ratio(b, s, with, our); found && g.holds(s) {
				sum, n = sum+math.Log(r), n+1
			}
		}
	}
	return math.Exp(sum / float64(n)), n
}
