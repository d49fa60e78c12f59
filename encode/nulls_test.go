package encode

import (
	"bytes"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/sluice-io/sluice/integration/lint"
)

// Nulls cost their pages, not their rows, and need no buffers of values: it would take days to look at each of these.
func TestNullsByThePage(t *testing.T) {
	const records = 1 << 40
	buffers := make([]*memory.Buffer, 3)
	nulls := func(dt arrow.DataType, buffers []*memory.Buffer, children ...arrow.ArrayData) *array.Data {
		return array.NewData(dt, records, buffers, children, records, 0)
	}
	key := dictionary32(arrow.BinaryTypes.String)
	keyed := array.NewDataWithDictionary(key, records, buffers[:2], records, 0, counting(arrow.BinaryTypes.String, 0, 0))
	integer := arrow.Field{Name: "i", Type: arrow.PrimitiveTypes.Int64}
	one := array.NewData(arrow.Null, 1, nil, nil, 1, 0)
	ends := array.NewData(arrow.PrimitiveTypes.Int64, 1, []*memory.Buffer{nil, memory.NewBufferBytes(plain64(records))}, nil, 0, 0)
	for _, data := range []*array.Data{
		nulls(arrow.Null, buffers[:1]),
		nulls(arrow.Null, nil),
		nulls(arrow.PrimitiveTypes.Int64, buffers[:2]),
		nulls(arrow.FixedWidthTypes.Boolean, buffers[:2]),
		nulls(arrow.FixedWidthTypes.Date64, buffers[:2]),
		nulls(arrow.BinaryTypes.BinaryView, buffers[:2]),
		nulls(arrow.FixedWidthTypes.MonthInterval, buffers[:2]),
		keyed,
		nulls(arrow.StructOf(integer), buffers[:1], nulls(arrow.PrimitiveTypes.Int64, buffers[:2])),
		nulls(arrow.ListOfField(integer), buffers[:2], array.NewData(arrow.PrimitiveTypes.Int64, 0, buffers[:2], nil, 0, 0)),
		array.NewData(arrow.RunEndEncodedOf(ends.DataType(), arrow.Null), records, buffers[:1], []arrow.ArrayData{ends, one}, 0, 0),
	} {
		schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: data.DataType(), Nullable: true}}, nil)
		o := &Options{DataPageRecords: math.MaxInt32, DataPageBytes: 1 << 30, RowGroupRecords: records}
		file := mustWrite(t, o, schema, array.NewRecordBatch(schema, []arrow.Array{array.MakeFromData(data)}, records))
		checkNullPages(t, data.DataType(), file, records)
	}
}

// checkNullPages checks what the footer and the column index say of a column of so many nulls.
func checkNullPages(t *testing.T, dt arrow.DataType, file []byte, records int64) {
	t.Helper()
	chunk := footerOf(t, file).RowGroups[0].Columns[0]
	s := chunk.Statistics
	if chunk.NumValues != records || s.NullCount != records || s.HasMinMax {
		t.Errorf("%s: %d values, statistics %+v", dt, chunk.NumValues, *s)
	}
	index := parseThrift(t, "ColumnIndex", file[chunk.ColumnIndexOffset:][:chunk.ColumnIndexBytes])
	nulls, _ := index.Field(1)
	bounds, _ := index.Field(2)
	pages := int((records + math.MaxInt32 - 1) / math.MaxInt32)
	var nullPages []bool
	var low [][]byte
	for i := range nulls.List {
		nullPages, low = append(nullPages, nulls.List[i].Type == lint.ThriftTrue), append(low, bounds.List[i].Bytes)
	}
	if len(nullPages) != pages || bytes.Count(boolBytes(nullPages), []byte{1}) != pages || len(bytes.Join(low, nil)) > 0 {
		t.Errorf("%s: %d pages of %d, null: %v, bounds %x", dt, len(nullPages), pages, nullPages, low)
	}
}

func boolBytes(flags []bool) (b []byte) {
	for _, f := range flags {
		b = append(b, byte(oneIf(f)))
	}
	return b
}
