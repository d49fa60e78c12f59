package encode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/float16"
)

// lintIndexes checks everything that says what values the chunk and its pages have.
func (c *lintedChunk) lintIndexes() error {
	if err := c.lintOffsetIndex(); err != nil {
		return fmt.Errorf("offset index: %w", err)
	}
	if err := c.lintColumnIndex(); err != nil {
		return fmt.Errorf("column index: %w", err)
	}
	if err := c.lintStatistics(); err != nil {
		return fmt.Errorf("statistics: %w", err)
	}
	if err := c.lintSizeStatistics(); err != nil {
		return fmt.Errorf("size statistics: %w", err)
	}
	return nil
}

func (c *lintedChunk) lintOffsetIndex() error {
	if c.meta.OffsetIndexOffset == 0 {
		return errors.New("it is missing")
	}
	v, err := c.takeIndex("OffsetIndex", moduleOffsetIndex, c.meta.OffsetIndexOffset, c.meta.OffsetIndexBytes)
	if err != nil {
		return err
	}
	locations, _ := v.field(1)
	if len(locations.list) != len(c.pages) {
		return fmt.Errorf("%d pages of %d", len(locations.list), len(c.pages))
	}
	for i, l := range locations.list {
		p := c.pages[i]
		got := pageLocation{l.int(1), int32(l.int(2)), l.int(3)}
		if want := (pageLocation{p.offset, int32(p.size), p.firstRecord}); got != want {
			return fmt.Errorf("page %d is %+v, not %+v", i, got, want)
		}
	}
	var unencoded []int64
	if c.leaf.Type == typeByteArray {
		for _, p := range c.pages {
			unencoded = append(unencoded, byteCount(p.values))
		}
	}
	if got := each(v, 2, numOf); !slices.Equal(got, unencoded) || v.has(2) != (unencoded != nil) {
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

// lintColumnIndex checks the column index, which must be there unless a page has only values without an order.
func (c *lintedChunk) lintColumnIndex() error {
	ordered := true
	for _, p := range c.pages {
		ordered = ordered && (len(p.values) == 0 || len(c.leaf.ordered(p.values)) > 0)
	}
	if have := c.meta.ColumnIndexOffset != 0; have != ordered {
		return fmt.Errorf("it is there: %v, it can be there: %v", have, ordered)
	}
	if !ordered {
		return nil
	}
	v, err := c.takeIndex("ColumnIndex", moduleColumnIndex, c.meta.ColumnIndexOffset, c.meta.ColumnIndexBytes)
	if err != nil {
		return err
	}
	nullPages := each(v, 1, func(v thriftValue) bool { return v.typ == thriftTrue })
	blobs := func(v thriftValue) []byte { return v.bytes }
	low, high := each(v, 2, blobs), each(v, 3, blobs)
	if n := len(c.pages); len(nullPages) != n || len(low) != n || len(high) != n {
		return fmt.Errorf("null pages, bounds of %d, %d and %d pages, there are %d", len(nullPages), len(low), len(high), n)
	}
	for i, p := range c.pages {
		if nullPages[i] != (len(p.values) == 0) {
			return fmt.Errorf("page %d, of %d values, is a null page: %v", i, len(p.values), nullPages[i])
		}
		if nullPages[i] {
			if len(low[i])+len(high[i]) > 0 {
				return fmt.Errorf("page %d is null and has bounds", i)
			}
		} else if err := c.leaf.lintBounds(p.values, low[i], high[i], nil); err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
	}
	if got, want := boundaryOrder(v.int(4)), c.leaf.boundaryOrder(nullPages, low, high); got != want {
		return fmt.Errorf("boundary order %d, the bounds are in order %d", got, want)
	}
	return c.lintPageCounts(v)
}

// lintPageCounts checks the lists of the column index that count something in every page.
func (c *lintedChunk) lintPageCounts(v thriftValue) error {
	var nulls, nans, rep, def []int64
	for _, p := range c.pages {
		nulls = append(nulls, int64(p.nulls()))
		if c.leaf.isFloat() {
			nans = append(nans, int64(len(p.values)-len(c.leaf.numbers(p.values))))
		}
		rep = append(rep, histogram(p.rep, c.leaf.maxRep)...)
		def = append(def, histogram(p.def, c.leaf.maxDef)...)
	}
	for _, l := range []struct {
		name string
		id   int16
		want []int64
	}{{"null counts", 5, nulls}, {"repetition levels", 6, rep}, {"definition levels", 7, def}, {"NaN counts", 8, nans}} {
		if got := each(v, l.id, numOf); !slices.Equal(got, l.want) || v.has(l.id) != (l.want != nil) {
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

func (c *lintedChunk) lintStatistics() error {
	s := c.meta.Statistics
	if s == nil {
		return errors.New("they are missing")
	}
	all := c.levels()
	numbers := c.leaf.numbers(all.values)
	if want := int64(len(all.def) - len(all.values)); s.NullCount != want {
		return fmt.Errorf("%d nulls, the pages have %d", s.NullCount, want)
	}
	if s.HasNaNCount != c.leaf.isFloat() || s.NaNCount != int64(len(all.values)-len(numbers)) {
		return fmt.Errorf("%d NaNs (%v), the pages have %d", s.NaNCount, s.HasNaNCount, len(all.values)-len(numbers))
	}
	if n := len(c.leaf.ordered(all.values)); s.HasMinMax != (n > 0) {
		return fmt.Errorf("bounds (%v) of %d values", s.HasMinMax, n)
	}
	if s.HasMinMax {
		if err := c.leaf.lintBounds(all.values, s.Min, s.Max, []bool{s.MinExact, s.MaxExact}); err != nil {
			return err
		}
	}
	if s.DistinctCount == -1 {
		return nil
	}
	distinct := map[string]bool{}
	for _, v := range all.values {
		if c.leaf.isFloat() && c.leaf.number(v) == 0 {
			v = make([]byte, len(v))
		} else if c.leaf.isFloat() && math.IsNaN(c.leaf.number(v)) {
			v = nil
		}
		distinct[string(v)] = true
	}
	if s.DistinctCount != int64(len(distinct)) {
		return fmt.Errorf("%d distinct values, there are %d", s.DistinctCount, len(distinct))
	}
	return nil
}

func (c *lintedChunk) lintSizeStatistics() error {
	s := c.meta.SizeStatistics
	if s == nil {
		return errors.New("they are missing")
	}
	all := c.levels()
	want := sizeStatistics{-1, histogram(all.rep, c.leaf.maxRep), histogram(all.def, c.leaf.maxDef)}
	if c.leaf.Type == typeByteArray {
		want.UnencodedBytes = byteCount(all.values)
	}
	if s.UnencodedBytes != want.UnencodedBytes || !slices.Equal(s.Repetition, want.Repetition) || !slices.Equal(s.Definition, want.Definition) {
		return fmt.Errorf("%+v, the pages have %+v", *s, want)
	}
	return nil
}

// lintBounds checks the bounds of values. exact says of either bound whether it is flagged to be a value; nil if there
// is no such flag.
func (l *lintedLeaf) lintBounds(values [][]byte, low, high []byte, exact []bool) error {
	numbers := l.ordered(values)
	if len(numbers) == 0 {
		return errors.New("bounds without a value that has an order")
	}
	if n := len(numbers[0]); l.Type != typeByteArray && (len(low) != n || len(high) != n) {
		return fmt.Errorf("bounds %x and %x of values of %d bytes", low, high, n)
	}
	smallest := slices.MinFunc(numbers, l.compare)
	largest := slices.MaxFunc(numbers, l.compare)
	if l.compare(low, smallest) > 0 || l.compare(high, largest) < 0 {
		return fmt.Errorf("bounds %x and %x, values from %x to %x", low, high, smallest, largest)
	}
	if len(l.numbers([][]byte{low, high})) < 2 {
		return fmt.Errorf("bounds %x and %x: a NaN", low, high)
	}
	if l.isFloat() && (l.number(low) == 0 && !math.Signbit(l.number(low)) || l.number(high) == 0 && math.Signbit(l.number(high))) {
		return fmt.Errorf("bounds %x and %x leave a zero out", low, high)
	}
	if err := l.lintBound(low, smallest, exact == nil || exact[0], exact == nil); err != nil {
		return fmt.Errorf("smallest: %w", err)
	}
	if err := l.lintBound(high, largest, exact == nil || exact[1], exact == nil); err != nil {
		return fmt.Errorf("largest: %w", err)
	}
	return nil
}

// lintBound checks a bound against the value that it stands for: it is the value if it is flagged as exact, and cut to
// about 64 bytes if it is not. Without a flag it may be either.
func (l *lintedLeaf) lintBound(bound, value []byte, exact, unflagged bool) error {
	same := l.compare(bound, value) == 0
	switch {
	case same && !exact:
		return fmt.Errorf("%x is a value and not flagged as exact", bound)
	case same:
		return nil
	case exact && !unflagged:
		return fmt.Errorf("%x is flagged as exact, the value is %x", bound, value)
	case l.Type != typeByteArray || len(value) <= 64:
		return fmt.Errorf("%x is not the value %x, which is short", bound, value)
	case len(bound) > 64:
		return fmt.Errorf("%x is cut to %d bytes", bound, len(bound))
	case l.Logical.Kind == logicalString && utf8.Valid(value) && !utf8.Valid(bound):
		return fmt.Errorf("%x is not UTF-8", bound)
	}
	return nil
}

// boundaryOrder returns the order that the bounds of the pages with values are in.
func (l *lintedLeaf) boundaryOrder(null []bool, low, high [][]byte) boundaryOrder {
	var a, b [][]byte
	for i := range null {
		if !null[i] {
			a, b = append(a, low[i]), append(b, high[i])
		}
	}
	descending := func(x, y []byte) int { return l.compare(y, x) }
	switch {
	case slices.IsSortedFunc(a, l.compare) && slices.IsSortedFunc(b, l.compare):
		return boundaryAscending
	case slices.IsSortedFunc(a, descending) && slices.IsSortedFunc(b, descending):
		return boundaryDescending
	}
	return boundaryUnordered
}

func (l *lintedLeaf) isFloat() bool {
	return l.Type == typeFloat || l.Type == typeDouble || l.Logical.Kind == logicalFloat16
}

// numbers returns the values without the NaNs.
func (l *lintedLeaf) numbers(values [][]byte) [][]byte {
	if !l.isFloat() {
		return values
	}
	var numbers [][]byte
	for _, v := range values {
		if !math.IsNaN(l.number(v)) {
			numbers = append(numbers, v)
		}
	}
	return numbers
}

// ordered returns the values that can be compared: intervals cannot, nor NaNs.
func (l *lintedLeaf) ordered(values [][]byte) [][]byte {
	if l.Logical.Kind == logicalInterval {
		return nil
	}
	return l.numbers(values)
}

// number returns a float of any width.
func (l *lintedLeaf) number(v []byte) float64 {
	switch l.Type {
	case typeFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(v)))
	case typeDouble:
		return math.Float64frombits(binary.LittleEndian.Uint64(v))
	}
	return float64(float16.FromBits(binary.LittleEndian.Uint16(v)).Float32())
}

// compare orders two values by the leaf's logical type (LogicalTypes.md), or else its physical one.
func (l *lintedLeaf) compare(a, b []byte) int {
	switch {
	case l.isFloat():
		x, y := l.number(a), l.number(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	case l.Type == typeInt32 || l.Type == typeInt64:
		return l.integer(reversed(a)).Cmp(l.integer(reversed(b)))
	case l.Logical.Kind == logicalDecimal:
		return l.integer(a).Cmp(l.integer(b))
	}
	return bytes.Compare(a, b)
}

// integer returns a big-endian integer: two's complement, unless the logical type is an unsigned one.
func (l *lintedLeaf) integer(v []byte) *big.Int {
	n := new(big.Int).SetBytes(v)
	unsigned := l.Logical.Kind == logicalInteger && !l.Logical.Signed
	if !unsigned && v[0]>>7 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
	}
	return n
}

func reversed(v []byte) []byte {
	r := slices.Clone(v)
	slices.Reverse(r)
	return r
}
