package encode

import (
	"bytes"
	"context"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// readBack reads a file with arrow-go.
func readBack(t testing.TB, data []byte) arrow.Table {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(parquet.NewReaderProperties(memory.DefaultAllocator)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fr, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	tbl, err := fr.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}

// writeAll writes batches to a file in memory.
func writeAll(t testing.TB, o *Options, schema *arrow.Schema, batches ...arrow.RecordBatch) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, schema, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if sum.Bytes != int64(buf.Len()) {
		t.Fatalf("the summary says %d bytes, there are %d", sum.Bytes, buf.Len())
	}
	return buf.Bytes()
}

func TestSmoke(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "i", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range 50000 {
		b.Field(0).(*array.Int64Builder).Append(int64(i % 1000))
		if i%7 == 0 {
			b.Field(1).AppendNull()
		} else {
			b.Field(1).(*array.StringBuilder).Append(string(rune('a'+i%26)) + "xyz")
		}
		lb := b.Field(2).(*array.ListBuilder)
		if i%5 == 4 {
			lb.AppendNull()
			continue
		}
		lb.Append(true)
		for j := range i % 4 {
			lb.ValueBuilder().(*array.Int32Builder).Append(int32(i + j))
		}
	}
	rec := b.NewRecordBatch()
	for _, o := range []*Options{nil, {Compression: "none"}, {Compression: "zstd", DictionaryBytes: -1}, {DataPageBytes: 1000, RowGroupRecords: 777}} {
		data := writeAll(t, o, schema, rec)
		got := readBack(t, data)
		want := array.NewTableFromRecords(schema, []arrow.RecordBatch{rec})
		for i := range schema.NumFields() {
			a, _ := array.Concatenate(want.Column(i).Data().Chunks(), memory.DefaultAllocator)
			g, _ := array.Concatenate(got.Column(i).Data().Chunks(), memory.DefaultAllocator)
			if !array.Equal(a, g) {
				t.Errorf("options %+v: column %d differs", o, i)
			}
		}
		t.Logf("%d bytes", len(data))
	}
}
