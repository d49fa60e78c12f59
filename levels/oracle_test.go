package levels

import (
	"fmt"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// column is what one leaf column is made of, one int a level.
type column struct {
	def, rep []int
	slots    []int // storage slot of every level that has the leaf's maximum definition level
}

// nullError is a null in a field that is not nullable.
type nullError struct {
	path   string
	record int64
}

// oracle shreds records one at a time, as the Dremel paper defines it, over the arrays of arrow-go. It is the
// reference for Walk and is written to be read, not to be fast. A type that Walk learns is one case more in visit.
type oracle struct {
	columns []column
	nulls   []nullError // in the order of the records
	record  int64
}

// shred returns the columns of records from to from+n-1 of arr, and the nulls that the fields do not allow; record is
// the number of the first of them.
func shred(f arrow.Field, arr arrow.Array, from, n int, record int64) *oracle {
	o := &oracle{columns: make([]column, countLeaves(f.Type))}
	for i := range n {
		o.record = record + int64(i)
		o.visit(place{field: f, path: f.Name}, arr, from+i)
	}
	return o
}

// place is where the oracle stands: a field, the number of its first leaf, the levels so far and the number of lists
// above.
type place struct {
	field    arrow.Field
	path     string
	leaf     int
	rep, def int
	lists    int
}

// below returns the place of a child field.
func (p place) below(f arrow.Field) place {
	p.field, p.path = f, p.path+"."+f.Name
	return p
}

// visit shreds slot i of arr, which stands at p.
func (o *oracle) visit(p place, arr arrow.Array, i int) {
	arr = inside(arr)
	if a, ok := arr.(*array.RunEndEncoded); ok { // nothing by itself: its value counts, as nullable as it is
		p.field.Type = a.DataType().(*arrow.RunEndEncodedType).Encoded()
		o.visit(p, a.Values(), runOf(a, i))
		return
	}
	if a, ok := arr.(*array.Dictionary); ok && !plain(a.Dictionary().DataType()) && !a.IsNull(i) { // likewise
		p.field.Type = a.DataType().(*arrow.DictionaryType).ValueType
		o.visit(p, a.Dictionary(), a.GetValueIndex(i))
		return
	}
	if isNull(arr, i) {
		if !p.field.Nullable {
			o.nulls = append(o.nulls, nullError{p.path, o.record})
		}
		o.absent(p)
		return
	}
	if p.field.Nullable {
		p.def++
	}
	switch a := arr.(type) {
	case *array.Struct:
		o.visitStruct(p, a, i)
	case *array.Map: // ListValues and not Keys, which forgets the offset of the entries
		start, end := a.ValueOffsets(i)
		entries := arrow.Field{Name: "key_value", Type: a.DataType().(*arrow.MapType).Elem()}
		o.visitList(p, entries, a.ListValues(), int(start), int(end))
	case array.ListLike:
		start, end := a.ValueOffsets(i)
		o.visitList(p, a.DataType().(arrow.ListLikeType).ElemField(), a.ListValues(), int(start), int(end))
	default:
		c := &o.columns[p.leaf]
		c.def, c.rep = append(c.def, p.def), append(c.rep, p.rep)
		c.slots = append(c.slots, arr.Data().Offset()+i)
	}
}

func (o *oracle) visitStruct(p place, a *array.Struct, i int) {
	for k, f := range a.DataType().(*arrow.StructType).Fields() {
		o.visit(p.below(f), a.Field(k), i)
		p.leaf += countLeaves(f.Type)
	}
}

func (o *oracle) visitList(p place, elem arrow.Field, values arrow.Array, start, end int) {
	if start == end {
		o.absent(p)
		return
	}
	e := p.below(elem)
	e.def++
	e.lists++
	for j := start; j < end; j++ {
		o.visit(e, values, j)
		e.rep = e.lists
	}
}

// absent gives every leaf below p one level without a value.
func (o *oracle) absent(p place) {
	for k := range countLeaves(p.field.Type) {
		c := &o.columns[p.leaf+k]
		c.def, c.rep = append(c.def, p.def), append(c.rep, p.rep)
	}
}

// inside takes the extensions off an array.
func inside(arr arrow.Array) arrow.Array {
	if ext, ok := arr.(array.ExtensionArray); ok {
		return inside(ext.Storage())
	}
	return arr
}

// isNull reports whether slot i is null, by its own bit or because it refers to a value that is null.
func isNull(arr arrow.Array, i int) bool {
	switch a := inside(arr).(type) {
	case *array.Null:
		return true
	case *array.RunEndEncoded:
		return isNull(a.Values(), runOf(a, i))
	case *array.Dictionary:
		return a.IsNull(i) || isNull(a.Dictionary(), a.GetValueIndex(i))
	}
	return arr.IsNull(i)
}

// runOf returns the run that slot i of an array lies in.
func runOf(a *array.RunEndEncoded, i int) int {
	ends := a.RunEndsArr()
	return sort.Search(ends.Len(), func(run int) bool { return runEnd(ends, run) > a.Data().Offset()+i })
}

func runEnd(ends arrow.Array, run int) int {
	switch ends := ends.(type) {
	case *array.Int16:
		return int(ends.Value(run))
	case *array.Int32:
		return int(ends.Value(run))
	}
	return int(ends.(*array.Int64).Value(run))
}

func countLeaves(dt arrow.DataType) int {
	switch dt := dt.(type) {
	case arrow.ExtensionType:
		return countLeaves(dt.StorageType())
	case *arrow.StructType:
		n := 0
		for _, f := range dt.Fields() {
			n += countLeaves(f.Type)
		}
		return n
	case *arrow.RunEndEncodedType:
		return countLeaves(dt.Encoded())
	case *arrow.DictionaryType:
		return countLeaves(dt.ValueType)
	case arrow.ListLikeType: // of a map, the entries
		return countLeaves(dt.Elem())
	}
	return 1
}

// String renders a column for a failure's message.
func (c column) String() string {
	return fmt.Sprintf("\tdef   %v\n\trep   %v\n\tslots %v", c.def, c.rep, c.slots)
}
