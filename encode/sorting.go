package encode

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/levels"
)

// SortingColumn is one key of the order that records are in.
type SortingColumn struct {
	// Column is the path of a leaf column as in ColumnOptions, without a "*". No list is above it, and it is no interval.
	Column string
	// Descending puts the largest value first. Values compare as their logical type says; NaN is the largest float, and
	// both zeros are the same.
	Descending bool
	// NullsFirst puts nulls before all values, and not behind them. A record has a null where a field above is null too.
	NullsFirst bool
}

// sortKey compares each record of a column with the one before it. Records come in spans, one column after another or
// several at once; only when all keys are there the first of two records that are out of order can be told: where the
// keys before are the same. So a key keeps two bits a record.
type sortKey struct {
	SortingColumn
	leaf   int
	column *column
	values sortedValues

	n       int      // records since the last check
	after   []uint64 // a bit each: it sorts before the record before it
	same    []uint64 // a bit each: it sorts as the record before it does
	begun   bool     // there is a record before
	present bool     // it has a value
}

// sortStep is the most records that are written between two checks.
const sortStep = 1 << 20

// newSortKeys finds the columns that the options name.
func newSortKeys(o *Options, leaves []leafColumn) ([]*sortKey, error) {
	if len(o.SortingColumns) == 0 {
		return nil, nil
	}
	var keys []*sortKey
	paths := map[string]int{}
	for i, l := range slices.Backward(leaves) {
		paths[strings.Join(l.Path, ".")] = i
	}
	seen := map[int]bool{}
	for _, sc := range o.SortingColumns {
		leaf, found := paths[sc.Column]
		refuse := func(format string, a ...any) ([]*sortKey, error) {
			return nil, optionError("SortingColumns", "column %.300q: %s", sc.Column, fmt.Sprintf(format, a...))
		}
		switch {
		case !found:
			return refuse("there is none: write the names from the top down to a leaf with dots between")
		case leaves[leaf].MaxRep > 0:
			return refuse("it is below a list, so a record may have any number of its values")
		case leaves[leaf].Order == orderUndefined || leaves[leaf].Logical.Kind == logicalUnknown:
			return refuse("values of type %s have no order", leaves[leaf].meaning())
		case seen[leaf]:
			return refuse("it is there twice")
		}
		seen[leaf] = true
		keys = append(keys, &sortKey{SortingColumn: sc, leaf: leaf})
	}
	return keys, nil
}

// startOrder makes the columns that the options name hand their spans to the keys.
func (w *Writer) startOrder() (err error) {
	if w.sorting, err = newSortKeys(&w.options, w.file.Leaves); err != nil {
		return err
	}
	for leaf, c := range w.columns() {
		if i := slices.IndexFunc(w.sorting, func(k *sortKey) bool { return k.leaf == leaf }); i >= 0 {
			c.sorted = w.sorting[i]
			c.sorted.column = c
			c.sorted.values.init(c, c.sorted.Descending)
		}
	}
	return nil
}

// put takes the records of a span.
func (k *sortKey) put(s *levels.Span) error {
	if s.Times == nil {
		return k.putRecords(s)
	}
	rest := *s
	for s.Each > 1 && rest.NumLevels > 0 {
		once := rest.TakeOnce()
		if err := k.putRecords(&once); err != nil {
			return err
		}
	}
	tiles := rest.AppendTiles(nil, len(rest.Times))
	for i := range tiles {
		record := rest.TakeTiles(tiles[i : i+1])
		if err := k.putRecords(&record); err != nil {
			return err
		}
		k.appendSame(record.Repeat() - 1)
	}
	return nil
}

// putRecords takes each record of a span once.
func (k *sortKey) putRecords(s *levels.Span) error {
	v := &k.values
	v.reset()
	if err := k.column.bindFor(s); err != nil {
		return err
	}
	if s.NumValues > 0 {
		if err := v.read(s); err != nil {
			return k.column.valueError(err, s)
		}
	}
	value := 0
	for i := 0; i < s.NumLevels; i += 64 {
		n := min(64, s.NumLevels-i)
		present := k.valueWord(s, i) & lowBits(n)
		k.append(present, v.after.spread(present, value), v.same.spread(present, value), n)
		value += bits.OnesCount64(present)
	}
	return nil
}

// valueWord has a bit set for each of the 64 records from level i on that has a value: its definition level is the
// highest.
func (k *sortKey) valueWord(s *levels.Span, i int) uint64 {
	highest := k.column.leaf.MaxDef
	if s.Def.Planes == nil {
		if s.Def.Uniform == highest {
			return ^uint64(0)
		}
		return 0
	}
	w := ^uint64(0)
	for p, plane := range s.Def.Planes {
		word := plane.Word(s.Def.First + i)
		if highest>>p&1 == 0 {
			word = ^word
		}
		w &= word
	}
	return w
}

// append takes n records: which of them have a value, and how these compare to the values before them.
func (k *sortKey) append(present, after, same uint64, n int) {
	if !k.begun {
		k.begun, k.present = true, present&1 != 0
	}
	before := present << 1
	if k.present {
		before |= 1
	}
	nulls := ^present & lowBits(n)
	after, same = after&before, same&before|nulls&^before
	if k.NullsFirst {
		after |= nulls & before
	} else {
		after |= present &^ before
	}
	k.present = present>>(n-1)&1 != 0
	k.grow(n)
	at, shift := k.n>>6, k.n&63
	k.after[at] |= after << shift
	k.same[at] |= same << shift
	if shift+n > 64 {
		k.after[at+1] = after >> (64 - shift)
		k.same[at+1] = same >> (64 - shift)
	}
	k.n += n
}

// appendSame takes n records that are as the one before.
func (k *sortKey) appendSame(n int) {
	for n > 0 {
		m := min(64, n)
		var present uint64
		if k.present {
			present = lowBits(m)
		}
		k.append(present, 0, present, m)
		n -= m
	}
}

// grow makes room for n more records.
func (k *sortKey) grow(n int) {
	for len(k.after)*64 < k.n+n {
		k.after, k.same = append(k.after, 0), append(k.same, 0)
	}
}

// checkOrder refuses the first of the records since the last check, counted from the given one on, that does not come
// where the keys want it.
func (w *Writer) checkOrder(first int64) error {
	keys := w.sorting
	if len(keys) == 0 {
		return nil
	}
	for i := range keys[0].after {
		tie := ^uint64(0)
		at, wrong := 64, 0
		for j := range keys {
			if k := bits.TrailingZeros64(tie & keys[j].after[i]); k < at {
				at, wrong = k, j
			}
			tie &= keys[j].same[i]
		}
		if at < 64 {
			return w.errOrder(keys[wrong], first+int64(i*64+at))
		}
	}
	for _, k := range keys {
		k.n, k.after, k.same = 0, k.after[:0], k.same[:0]
	}
	return nil
}

// errOrder names the key that tells that a record is out of order.
func (w *Writer) errOrder(wrong *sortKey, record int64) error {
	var order []string
	for _, k := range w.sorting {
		s := fmt.Sprintf("%q", k.column.leaf)
		if k.Descending {
			s += " descending"
		}
		if k.NullsFirst {
			s += " nulls first"
		}
		order = append(order, s)
	}
	return fmt.Errorf("encode: field %q: record %d sorts before record %d by the sorting columns %s: send sorted records, "+
		"or leave the option out", wrong.column.leaf, record, record-1, strings.Join(order, ", "))
}

// endOrder lets the next row group begin with any record, and says what order this one is in.
func (w *Writer) endOrder() (columns []sortingColumn) {
	for _, k := range w.sorting {
		k.begun = false
		k.values.begun = false
		columns = append(columns, sortingColumn{int32(k.leaf), k.Descending, k.NullsFirst})
	}
	return columns
}
