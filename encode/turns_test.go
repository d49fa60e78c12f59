package encode

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// listsInTurn makes n lists whose numbers of elements come in turn.
func listsInTurn(values arrow.Array, n int, sizes []int) arrow.Array {
	offsets, end := []byte{0, 0, 0, 0}, 0
	for i := range n {
		end += sizes[i%len(sizes)]
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(end))
	}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(offsets)}
	dt := arrow.ListOf(values.DataType())
	return array.MakeFromData(array.NewData(dt, n, buffers, []arrow.ArrayData{values.Data()}, 0, 0))
}

// Lists of runs that come in turn give the pages of dense lists, wherever among them a page ends. Beside them is a column
// that is not nested.
func TestSameFileOfRecordsInTurn(t *testing.T) {
	const records, length = 2500, 210
	for _, test := range []struct {
		sizes []int // of lists, in turn
		null  []bool
	}{
		{[]int{2, 1}, []bool{false}},
		{[]int{3}, []bool{false, true}},
		{[]int{0, 4, 1}, []bool{false, false, true}},
		{[]int{1}, []bool{false, true, false, false}},
	} {
		for _, form := range []struct {
			dt    arrow.DataType
			value func(i int) any
		}{
			{arrow.PrimitiveTypes.Int32, func(i int) any { return int32(i % 5) }},
			{arrow.BinaryTypes.String, func(i int) any { return fmt.Sprintf("%0*d", i%5, i%3) }},
			{arrow.FixedWidthTypes.Boolean, func(i int) any { return i%3 == 0 }},
		} {
			orNull := func(i int) any {
				if i%7 == 6 {
					return nil
				}
				return form.value(i)
			}
			table := func(inRuns bool) arrow.RecordBatch {
				slots := func(n int, dt arrow.DataType, value func(i int) any) arrow.Array {
					if inRuns {
						return array.NewSlice(runEndsOf(arrayOf(dt, (n+length-1)/length, value), always(length)), 0, int64(n))
					}
					return arrayOf(dt, n, func(i int) any { return value(i / length) })
				}
				lists := withNulls(listsInTurn(slots(4*records, form.dt, orNull), records, test.sizes),
					func(i int) bool { return test.null[i%len(test.null)] })
				flat := slots(records, arrow.PrimitiveTypes.Int32, func(i int) any { return int32(i) })
				dt := arrow.StructOf(arrow.Field{Name: "lists", Type: lists.DataType(), Nullable: true},
					arrow.Field{Name: "flat", Type: flat.DataType(), Nullable: true})
				return oneColumn(array.MakeFromData(array.NewData(dt, records, []*memory.Buffer{nil},
					[]arrow.ArrayData{lists.Data(), flat.Data()}, 0, 0)))
			}
			dense, runs := table(false), table(true)
			options := []Options{
				{}, {DataPageBytes: 300, DataPageRecords: 701}, {DictionaryBytes: -1, DataPageBytes: 1000},
				{DataPageRecords: 1}, {DictionaryBytes: 20, DataPageRecords: 300},
				{ContentChunks: &ContentChunks{MinBytes: 200, MaxBytes: 1000}},
				{SortingColumns: []SortingColumn{{Column: "c.flat"}}},
			}
			if form.dt.ID() == arrow.STRING {
				options = append(options, Options{DictionaryBytes: -1, DataPageBytes: 300, Encoding: "delta_byte_array",
					Columns: []ColumnOptions{{Path: "c.flat", Encoding: "plain"}}})
			}
			for _, o := range options {
				want := mustLint(t, mustWrite(t, &o, dense.Schema(), dense))
				got := mustWrite(t, &o, runs.Schema(), slicesOf(runs, 1666)...)
				if err := checkFile(got, &o, runs.Schema(), runs); err != nil {
					t.Errorf("%v, %v, options %+v: %v", form.dt, test, o, err)
				}
				if err := sameData(mustLint(t, got), want); err != nil {
					t.Errorf("%v, %v, options %+v: %v", form.dt, test, o, err)
				}
			}
		}
	}
}
