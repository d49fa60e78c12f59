package lint

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// checkOffsetIndex checks where pages lie and which records they begin with.
func (c *Chunk) checkOffsetIndex() error {
	if c.Meta.OffsetIndexOffset == 0 && c.file.omits(OffsetIndexes) {
		return nil
	} else if c.Meta.OffsetIndexOffset == 0 {
		return errors.New("it is missing")
	}
	v, err := c.takeIndex("OffsetIndex", ModuleOffsetIndex, c.Meta.OffsetIndexOffset, c.Meta.OffsetIndexBytes)
	if err != nil {
		return err
	}
	locations, _ := v.Field(1)
	if len(locations.List) != len(c.Pages) {
		return fmt.Errorf("%d pages of %d", len(locations.List), len(c.Pages))
	}
	for i, l := range locations.List {
		p := c.Pages[i]
		got := [3]int64{l.Int(1), l.Int(2), l.Int(3)}
		if want := ([3]int64{p.Offset, p.Size, p.FirstRecord}); got != want {
			return fmt.Errorf("page %d has offset, size and first record %d, not %d", i, got, want)
		}
	}
	var unencoded []int64
	if c.Leaf.Type == ByteArray {
		for _, p := range c.Pages {
			unencoded = append(unencoded, byteCount(p.Values))
		}
	}
	if got := each(v, 2, numOf); !slices.Equal(got, unencoded) || v.Has(2) != (unencoded != nil) {
		return fmt.Errorf("unencoded bytes are %v, not %v", got, unencoded)
	}
	return nil
}

func byteCount(values [][]byte) (n int64) {
	for _, v := range values {
		n += int64(len(v))
	}
	return n
}

// checkColumnIndex checks the column index, which must be there unless a page has only values without an order.
func (c *Chunk) checkColumnIndex() error {
	ordered := true
	for _, p := range c.Pages {
		ordered = ordered && (len(p.Values) == 0 || p.extremes != nil)
	}
	if c.Meta.ColumnIndexOffset == 0 && c.file.omits(ColumnIndexes) {
		return nil
	}
	if have := c.Meta.ColumnIndexOffset != 0; have != ordered {
		return fmt.Errorf("it is there: %v, it can be there: %v", have, ordered)
	}
	if !ordered {
		return nil
	}
	v, err := c.takeIndex("ColumnIndex", ModuleColumnIndex, c.Meta.ColumnIndexOffset, c.Meta.ColumnIndexBytes)
	if err != nil {
		return err
	}
	nullPages := each(v, 1, func(v Value) bool { return v.Type == ThriftTrue })
	blobs := func(v Value) []byte { return v.Bytes }
	low, high := each(v, 2, blobs), each(v, 3, blobs)
	if n := len(c.Pages); len(nullPages) != n || len(low) != n || len(high) != n {
		return fmt.Errorf("null pages, bounds of %d, %d and %d pages, there are %d", len(nullPages), len(low), len(high), n)
	}
	for i, p := range c.Pages {
		if nullPages[i] != (len(p.Values) == 0) {
			return fmt.Errorf("page %d, of %d values, is a null page: %v", i, len(p.Values), nullPages[i])
		}
		if nullPages[i] {
			if len(low[i])+len(high[i]) > 0 {
				return fmt.Errorf("page %d is null and has bounds", i)
			}
		} else if err := c.Leaf.checkBounds(p.extremes, low[i], high[i], nil); err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
	}
	if got, want := BoundaryOrder(v.Int(4)), c.Leaf.boundaryOrder(nullPages, low, high); got != want {
		return fmt.Errorf("boundary order %d, the bounds are in order %d", got, want)
	}
	return c.checkPageCounts(v)
}

// checkPageCounts checks the lists of the column index that count something in every page.
func (c *Chunk) checkPageCounts(v Value) error {
	var nulls, nans, rep, def []int64
	for _, p := range c.Pages {
		nulls = append(nulls, int64(p.Nulls()))
		if c.Leaf.IsFloat() {
			nans = append(nans, c.Leaf.countNaN(p.Values))
		}
		rep = append(rep, histogram(p.Rep, c.Leaf.MaxRep)...)
		def = append(def, histogram(p.Def, c.Leaf.MaxDef)...)
	}
	for _, l := range []struct {
		name string
		id   int16
		want []int64
	}{{"null counts", 5, nulls}, {"repetition levels", 6, rep}, {"definition levels", 7, def}, {"NaN counts", 8, nans}} {
		if got := each(v, l.id, numOf); !slices.Equal(got, l.want) || v.Has(l.id) != (l.want != nil) {
			return fmt.Errorf("%s %v, the pages have %v", l.name, got, l.want)
		}
	}
	return nil
}

// histogram counts the levels; there is none for levels that are all 0.
func histogram(levels []int, highest int) []int64 {
	if highest == 0 {
		return nil
	}
	counts := make([]int64, highest+1)
	for _, l := range levels {
		counts[l]++
	}
	return counts
}

func (c *Chunk) checkStatistics() error {
	s := c.Meta.Statistics
	if s == nil {
		return errors.New("they are missing")
	}
	all := c.Stream()
	nans := c.Leaf.countNaN(all.Values)
	if want := int64(len(all.Def) - len(all.Values)); s.NullCount != want {
		return fmt.Errorf("%d nulls, the pages have %d", s.NullCount, want)
	}
	if s.HasNaNCount != c.Leaf.IsFloat() || s.NaNCount != nans {
		return fmt.Errorf("%d NaNs (%v), the pages have %d", s.NaNCount, s.HasNaNCount, nans)
	}
	values := c.extremes()
	if s.HasMinMax != (values != nil) && (s.HasMinMax || !c.file.omits(Bounds)) {
		return fmt.Errorf("there are bounds: %v, there are values that have an order: %v", s.HasMinMax, values != nil)
	}
	if s.HasMinMax {
		if err := c.Leaf.checkBounds(values, s.Min, s.Max, []bool{s.MinExact, s.MaxExact}); err != nil {
			return err
		}
	}
	if s.DistinctCount == -1 {
		return nil
	}
	distinct := map[string]bool{}
	for _, v := range all.Values {
		if c.Leaf.IsFloat() && c.Leaf.Number(v) == 0 {
			v = make([]byte, len(v))
		} else if c.Leaf.IsFloat() && math.IsNaN(c.Leaf.Number(v)) {
			v = nil
		}
		distinct[string(v)] = true
	}
	if s.DistinctCount != int64(len(distinct)) {
		return fmt.Errorf("%d distinct values, there are %d", s.DistinctCount, len(distinct))
	}
	return nil
}

func (c *Chunk) checkSizeStatistics() error {
	s := c.Meta.SizeStatistics
	if s == nil {
		return errors.New("they are missing")
	}
	all := c.Stream()
	want := SizeStatistics{-1, histogram(all.Rep, c.Leaf.MaxRep), histogram(all.Def, c.Leaf.MaxDef)}
	if c.Leaf.Type == ByteArray {
		want.UnencodedBytes = byteCount(all.Values)
	}
	same := slices.Equal(s.Repetition, want.Repetition) && slices.Equal(s.Definition, want.Definition)
	if s.UnencodedBytes != want.UnencodedBytes || !same {
		return fmt.Errorf("%+v, the pages have %+v", *s, want)
	}
	return nil
}
