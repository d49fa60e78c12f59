package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// loss is a case in which one of ours is beyond another writer or a limit.
type loss struct {
	cell
	ours, other int64 // in the unit of its kind
	what        string
	ratio       float64
	allowed     bool // slower than another writer, but as the goal allows it
}

// lossKind finds the losses of one measure.
type lossKind struct {
	title, than string
	show        func(int64) string
	find        func(b *board, at cell) (loss, bool)
}

var lossKinds = []lossKind{
	{"Time, ms", "fastest writer of the mode", showMS, (*board).timeLoss},
	{"Bytes", "limit", showBytes, (*board).bytesLoss},
	{"Peak of memory, MiB", "limit", showMiB, (*board).memoryLoss},
}

// counted are those of ours that goals are for.
var counted = []string{ourPeer, ourTable}

// losses returns those of a kind, worst first.
func (b *board) losses(kind lossKind) (found []loss, cases int) {
	for _, settings := range b.settings {
		for _, shape := range b.shapesWith(settings) {
			for _, our := range counted {
				l, measured := kind.find(b, cell{shape, settings, our})
				if !measured {
					continue
				}
				cases++
				if l.ratio = float64(l.ours) / float64(l.other); l.ratio > 1 {
					found = append(found, l)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(x, y loss) int { return cmp.Compare(y.ratio, x.ratio) })
	return found, cases
}

// timeLoss compares with the fastest other writer of the mode. With a codec, the goal is arrow-go's time, and the Rust
// writer's where the codec takes less than half of that.
func (b *board) timeLoss(at cell) (loss, bool) {
	our, fastest := b.results[at], result{}
	fastest, found := b.fastest(at.shape, at.settings, at.peer)
	if our.CPUNS == 0 || !found {
		return loss{}, false
	}
	l := loss{cell: at, ours: our.CPUNS, other: fastest.CPUNS, what: fastest.Peer}
	l.allowed = compressed(at.settings) && our.CPUNS <= b.codecGoal(at)
	return l, true
}

// codecGoal is the time that the goal allows with a codec.
func (b *board) codecGoal(at cell) int64 {
	arrowGo := arrowGoPeer
	if modeOf(at.peer) == table {
		arrowGo += "-table"
	}
	goal := b.results[cell{at.shape, at.settings, arrowGo}].CPUNS
	rust := b.results[cell{at.shape, at.settings, rustPeer}].CPUNS
	plain := b.results[cell{at.shape, uncompressed(at.settings), rustPeer}].CPUNS
	if codecIsMost := rust > 2*plain; goal == 0 || rust > 0 && plain > 0 && !codecIsMost && rust < goal {
		goal = rust
	}
	return goal
}

// allowedBytes is what our file may have, for one of another writer's.
func allowedBytes(n int64) int64 { return n + n/100 + 4<<10 }

// truncating are the shapes of date64 within a day, which Arrow C++ and arrow-go cut to days.
var truncating = []string{"primitive", "primitive_non_null", "primitive_sparse_99pct_null", "primitive_all_null"}

// bytesLoss compares with the Rust writer's file, and with that of Arrow C++ if it has the same values.
func (b *board) bytesLoss(at cell) (loss, bool) {
	our, limit := b.results[at].Bytes, loss{cell: at}
	for _, other := range []string{rustPeer, cppPeer} {
		n := b.results[cell{at.shape, at.settings, other}].Bytes
		if n == 0 || other == cppPeer && slices.Contains(truncating, at.shape) {
			continue
		}
		if limit.other == 0 || allowedBytes(n) < limit.other {
			limit.other, limit.what = allowedBytes(n), other+" + 1 % + 4 KiB"
		}
	}
	limit.ours = our
	return limit, our > 0 && limit.other > 0
}

// memoryLoss compares with all limits of memory.
func (b *board) memoryLoss(at cell) (loss, bool) {
	our := b.results[at]
	if our.PeakBytes == 0 {
		return loss{}, false
	}
	limit := loss{cell: at, ours: our.PeakBytes, other: our.Bytes*115/100 + 4<<20, what: "1.15 × file + 4 MiB"}
	others, slack, more := []string{rustPeer, arrowGoPeer}, int64(4<<20), " + 4 MiB"
	if modeOf(at.peer) == table {
		others, slack, more = []string{cppPeer}, 0, ""
	}
	for _, other := range others {
		peak := b.results[cell{at.shape, at.settings, other}].PeakBytes
		if peak > 0 && peak+slack < limit.other {
			limit.other, limit.what = peak+slack, other+more
		}
	}
	return limit, true
}

// writeLosses writes a table of each kind.
func (b *board) writeLosses(w *strings.Builder) {
	for _, kind := range lossKinds {
		losses, cases := b.losses(kind)
		if cases == 0 {
			continue
		}
		fmt.Fprintf(w, "\n### %s: %d of %d\n", kind.title, len(losses), cases)
		var rows [][]string
		for _, l := range losses {
			times := ratio(l.ratio)
			if l.allowed {
				times += " (codec)"
			}
			rows = append(rows, []string{l.shape, l.settings, l.peer, kind.show(l.ours), kind.show(l.other), l.what, times})
		}
		if len(rows) > 0 {
			w.WriteByte('\n')
			writeRows(w, []string{"shape", "settings", "ours", "", kind.than, "", "×"}, rows)
		}
	}
}
