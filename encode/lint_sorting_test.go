package encode

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// lintSorting checks that the records of a row group are in the order that it claims.
func (f *lintedFile) lintSorting(g *rowGroup, chunks []*lintedChunk) error {
	var keys []lintedKey
	for _, s := range g.SortingColumns {
		if s.Leaf < 0 || int(s.Leaf) >= len(f.leaves) || f.leaves[s.Leaf].maxRep > 0 {
			return fmt.Errorf("sorted by leaf %d", s.Leaf)
		}
		if slices.ContainsFunc(keys, func(k lintedKey) bool { return k.Leaf == s.Leaf }) {
			return fmt.Errorf("sorted by leaf %d twice", s.Leaf)
		}
		keys = append(keys, lintedKey{s, &f.leaves[s.Leaf], chunks[s.Leaf].levels().byRecord(&f.leaves[s.Leaf])})
	}
	for i := 1; i < int(g.NumRows); i++ {
		if c, key := compareRecords(keys, i-1, i); c > 0 {
			return fmt.Errorf("record %d is out of order by column %q", i, key.leaf.String())
		}
	}
	return nil
}

// byRecord returns the value of each record of a leaf without lists, nil for a null.
func (s stream) byRecord(l *lintedLeaf) (values [][]byte) {
	next := 0
	for _, d := range s.def {
		if d < l.maxDef {
			values = append(values, nil)
			continue
		}
		values = append(values, append([]byte{}, s.values[next]...))
		next++
	}
	return values
}

// lintedKey is a column by which records are sorted.
type lintedKey struct {
	sortingColumn
	leaf   *lintedLeaf
	values [][]byte // by record
}

// compareRecords compares record a with record b, and says which key tells them apart.
func compareRecords(keys []lintedKey, a, b int) (c int, key *lintedKey) {
	for i := range keys {
		k := &keys[i]
		if c := k.compare(k.values[a], k.values[b]); c != 0 {
			return c, k
		}
	}
	return 0, nil
}

func (k *lintedKey) compare(a, b []byte) int {
	last := 1 // where nulls go
	if k.NullsFirst {
		last = -1
	}
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return last
	case b == nil:
		return -last
	}
	c := k.leaf.compareAll(a, b)
	if k.Descending {
		return -c
	}
	return c
}

// compareAll is compare with NaN above all other floats.
func (l *lintedLeaf) compareAll(a, b []byte) int {
	if l.isFloat() {
		x, y := math.IsNaN(l.number(a)), math.IsNaN(l.number(b))
		return bytes.Compare([]byte{byte(oneIf(x))}, []byte{byte(oneIf(y))})*2 + l.compare(a, b)
	}
	return l.compare(a, b)
}
