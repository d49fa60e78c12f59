package lint

import (
	"fmt"
	"math"
	"slices"
)

// checkSorting checks that the records of a row group are in the order that it claims.
func (f *Contents) checkSorting(g *RowGroup, chunks []*Chunk) error {
	var keys []SortKey
	for _, s := range g.SortingColumns {
		if s.Leaf < 0 || int(s.Leaf) >= len(f.Leaves) || f.Leaves[s.Leaf].MaxRep > 0 {
			return fmt.Errorf("sorted by leaf %d", s.Leaf)
		}
		if slices.ContainsFunc(keys, func(k SortKey) bool { return k.Leaf == s.Leaf }) {
			return fmt.Errorf("sorted by leaf %d twice", s.Leaf)
		}
		keys = append(keys, SortKey{s, &f.Leaves[s.Leaf], chunks[s.Leaf].Stream().ByRecord(&f.Leaves[s.Leaf])})
	}
	for i := 1; i < int(g.NumRows); i++ {
		if c, key := CompareRecords(keys, i-1, i); c > 0 {
			return fmt.Errorf("record %d is out of order by column %q", i, key.Column.String())
		}
	}
	return nil
}

// ByRecord returns the value of each record of a leaf without lists, nil for a null.
func (s Stream) ByRecord(l *Leaf) (values [][]byte) {
	next := 0
	for _, d := range s.Def {
		if d < l.MaxDef {
			values = append(values, nil)
			continue
		}
		values = append(values, append([]byte{}, s.Values[next]...))
		next++
	}
	return values
}

// SortKey is a column by which records are sorted.
type SortKey struct {
	SortingColumn
	Column *Leaf
	Values [][]byte // by record; nil for a null
}

// CompareRecords compares record a with record b, and says which key tells them apart.
func CompareRecords(keys []SortKey, a, b int) (c int, key *SortKey) {
	for i := range keys {
		k := &keys[i]
		if c := k.compare(k.Values[a], k.Values[b]); c != 0 {
			return c, k
		}
	}
	return 0, nil
}

func (k *SortKey) compare(a, b []byte) int {
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
	c := k.Column.compareAll(a, b)
	if k.Descending {
		return -c
	}
	return c
}

// compareAll is compare with NaN above all other floats.
func (l *Leaf) compareAll(a, b []byte) int {
	if l.IsFloat() {
		switch x, y := math.IsNaN(l.Number(a)), math.IsNaN(l.Number(b)); {
		case x && y:
			return 0
		case x:
			return 1
		case y:
			return -1
		}
	}
	return l.compare(a, b)
}
