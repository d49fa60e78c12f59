package encode

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/sluice-io/sluice/integration/lint"
)

// statisticsTable has texts and floats with nulls.
func statisticsTable() (*arrow.Schema, arrow.RecordBatch) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "number", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}, nil)
	const n = 30
	text := arrayOf(schema.Field(0).Type, n, func(i int) any {
		if i%7 == 0 {
			return nil
		}
		return strings.Repeat("é", 10) + fmt.Sprint(i)
	})
	number := arrayOf(schema.Field(1).Type, n, func(i int) any {
		if i%5 == 0 {
			return nil
		}
		return float64(i)
	})
	return schema, array.NewRecordBatch(schema, []arrow.Array{text, number}, n)
}

// What is left out is left out of just the columns that it should, and what is there is right.
func TestStatisticsLevels(t *testing.T) {
	schema, batch := statisticsTable()
	for _, c := range []struct {
		o       Options
		bounds  [2]bool // of the two columns' chunks
		columns [2]bool // have a column index
		offsets bool
	}{
		{Options{}, [2]bool{true, true}, [2]bool{true, true}, true},
		{Options{Statistics: "chunk"}, [2]bool{true, true}, [2]bool{}, true},
		{Options{Statistics: "none"}, [2]bool{}, [2]bool{}, true},
		{Options{NoPageIndex: true}, [2]bool{true, true}, [2]bool{}, false},
		{Options{Statistics: "none", Columns: []ColumnOptions{{Path: "text", Statistics: "page"}}},
			[2]bool{true, false}, [2]bool{true, false}, true},
		{Options{Columns: []ColumnOptions{{Path: "text", Statistics: "chunk"}, {Path: "number", Statistics: "none"}}},
			[2]bool{true, false}, [2]bool{}, true},
	} {
		o := c.o
		o.DataPageRecords, o.RowGroupRecords = 4, 16
		data := mustWrite(t, &o, schema, batch)
		f, err := lint.Read(bytes.NewReader(data), int64(len(data)), &lint.Options{
			Omitted: []lint.Rule{lint.Bounds, lint.ColumnIndexes, lint.OffsetIndexes}})
		if err != nil {
			t.Errorf("%+v: %v", c.o, err)
			continue
		}
		for g, group := range f.RowGroups {
			for i, chunk := range group {
				m := &chunk.Meta
				if m.Statistics.HasMinMax != c.bounds[i] || m.Statistics.NullCount == 0 {
					t.Errorf("%+v: row group %d, column %d: statistics %+v", c.o, g, i, m.Statistics)
				}
				if (m.ColumnIndexOffset != 0) != c.columns[i] || (m.OffsetIndexOffset != 0) != c.offsets {
					t.Errorf("%+v: row group %d, column %d: indexes at %d and %d", c.o, g, i, m.ColumnIndexOffset, m.OffsetIndexOffset)
				}
			}
		}
		sameTable(t, &o, schema, batch, data)
	}
}

// Bounds are cut to the length that is asked for, between code points of text, and stay bounds.
func TestStatisticsBytes(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, c := range []struct {
		dt         arrow.DataType
		value      string
		bytes      int
		low, high  string
		exact      bool
		exactUpper bool
	}{
		{arrow.BinaryTypes.String, long, 0, strings.Repeat("é", 32), strings.Repeat("é", 31) + "ê", false, false},
		{arrow.BinaryTypes.String, long, -1, long, long, true, true},
		{arrow.BinaryTypes.String, long, 200, long, long, true, true},
		{arrow.BinaryTypes.String, long, 199, strings.Repeat("é", 99), strings.Repeat("é", 98) + "ê", false, false},
		{arrow.BinaryTypes.String, long, 3, "é", "ê", false, false},
		{arrow.BinaryTypes.String, long, 1, "", long, false, true},
		{arrow.BinaryTypes.Binary, long, 1, "\xc3", "\xc4", false, false},
		{arrow.BinaryTypes.Binary, "\xff\xffa", 2, "\xff\xff", "\xff\xffa", false, true},
		{arrow.BinaryTypes.String, "abc", 2, "ab", "ac", false, false},
	} {
		schema, batch := tableOf(arrayOf(c.dt, 2, func(int) any { return c.value }))
		for _, dictionary := range []int{-1, 0} {
			o := &Options{StatisticsBytes: c.bytes, DictionaryBytes: dictionary}
			data := mustWrite(t, o, schema, batch)
			limits := &lint.Options{BoundBytes: c.bytes}
			if c.bytes < 0 {
				limits.BoundBytes = 1 << 20
			}
			f, err := lint.Read(bytes.NewReader(data), int64(len(data)), limits)
			if err != nil {
				t.Errorf("%d bytes of %.10q: %v", c.bytes, c.value, err)
				continue
			}
			s := f.RowGroups[0][0].Meta.Statistics
			if string(s.Min) != c.low || string(s.Max) != c.high || s.MinExact != c.exact || s.MaxExact != c.exactUpper {
				t.Errorf("%d bytes of %.10q: bounds %q (%v) and %q (%v)", c.bytes, c.value, s.Min, s.MinExact, s.Max, s.MaxExact)
			}
		}
	}
}
