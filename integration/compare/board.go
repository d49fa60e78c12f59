package main

import "slices"

// board is results, by what they are of.
type board struct {
	results  map[cell]result
	settings []string // that have results, in their usual order
	peers    []aPeer  // that have results, in the order of columns
	shapes   []string // in the order in which they came
}

type cell struct{ shape, settings, peer string }

func newBoard(results []result) *board {
	b := &board{results: map[cell]result{}}
	for _, r := range results {
		b.results[cell{r.Shape, r.Settings, r.Peer}] = r
		if !slices.Contains(b.shapes, r.Shape) {
			b.shapes = append(b.shapes, r.Shape)
		}
	}
	for _, s := range allSettings {
		if slices.ContainsFunc(results, func(r result) bool { return r.Settings == s }) {
			b.settings = append(b.settings, s)
		}
	}
	for _, p := range allPeers {
		if slices.ContainsFunc(results, func(r result) bool { return r.Peer == p.name }) {
			b.peers = append(b.peers, p)
		}
	}
	return b
}

func (b *board) get(shape, settings, peer string) (result, bool) {
	r, found := b.results[cell{shape, settings, peer}]
	return r, found
}

// shapesWith returns the shapes that have results with the settings.
func (b *board) shapesWith(settings string) (shapes []string) {
	for _, s := range b.shapes {
		if slices.ContainsFunc(b.peers, func(p aPeer) bool { _, found := b.get(s, settings, p.name); return found }) {
			shapes = append(shapes, s)
		}
	}
	return shapes
}

// least returns the result with the least of what value returns, of the other writers in the mode of one of ours; those
// without that value do not count.
func (b *board) least(shape, settings, our string, value func(result) int64) (best result, found bool) {
	for _, p := range b.peers {
		r, measured := b.get(shape, settings, p.name)
		if p.ours || p.mode != modeOf(our) || !measured || value(r) == 0 {
			continue
		}
		if !found || value(r) < value(best) {
			best, found = r, true
		}
	}
	return best, found
}

func (b *board) fastest(shape, settings, our string) (result, bool) {
	return b.least(shape, settings, our, cpuNS)
}

func cpuNS(r result) int64     { return r.CPUNS }
func fileBytes(r result) int64 { return r.Bytes }
func peakBytes(r result) int64 { return r.PeakBytes }

func modeOf(name string) mode {
	for _, p := range allPeers {
		if p.name == name {
			return p.mode
		}
	}
	return batches
}
