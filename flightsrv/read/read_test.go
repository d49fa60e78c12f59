package read

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/integration/lint/linttest"
	"github.com/sluice-io/sluice/sink"
)

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "price", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}},
	{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Millisecond}},
}, nil)

// stored puts batches of the given lengths, with ids that count on, and opens the object.
func stored(t *testing.T, lengths ...int) *File {
	t.Helper()
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		linttest.Bucket(t, bucket)
		bucket.Close()
	})
	s, err := sink.New(bucket, nil)
	if err != nil {
		t.Fatal(err)
	}
	put, err := s.Begin(t.Context(), "d", schema, sink.Settings{File: sink.FileOptions{RowGroupRecords: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	id := int64(0)
	for _, n := range lengths {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range n {
			b.Field(0).(*array.Int64Builder).Append(id)
			if id%2 == 1 {
				b.Field(1).AppendNull()
			} else {
				b.Field(1).(*array.StringBuilder).Append("line\nbreak " + strings.Repeat("ü", int(id%40)))
			}
			b.Field(2).(*array.Decimal128Builder).Append(decimal128.FromI64(id * 10))
			b.Field(3).(*array.TimestampBuilder).Append(arrow.Timestamp(1_700_000_000_000 + id*500))
			id++
		}
		if err := put.Write(t.Context(), b.NewRecordBatch()); err != nil {
			t.Fatal(err)
		}
	}
	receipt, err := put.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file, err := Open(t.Context(), bucket, receipt.Objects[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestHead(t *testing.T) {
	file := stored(t, 1500, 1500)
	if file.Records() != 3000 || file.RowGroups() != 3 || file.Codec() != "SNAPPY" {
		t.Errorf("%d records, %d row groups, codec %s", file.Records(), file.RowGroups(), file.Codec())
	}
	for _, n := range []int64{0, 1, 1024, 1025, 2500, 3000, 5000} {
		rows, err := file.Head(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(n, 3000); rows.NumRows() != want {
			t.Errorf("%d rows, want %d", rows.NumRows(), want)
		}
		for i, id := range rows.Column(0).(*array.Int64).Values() {
			if id != int64(i) {
				t.Fatalf("row %d has id %d", i, id)
			}
		}
		rows.Release()
	}
}

func TestHeadOfNothing(t *testing.T) {
	file := stored(t)
	rows, err := file.Head(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Release()
	if rows.NumRows() != 0 || rows.NumCols() != 4 {
		t.Errorf("got %v", rows)
	}
	if file.Codec() != "" {
		t.Errorf("codec %q of no column chunk", file.Codec())
	}
}

func TestWriteTable(t *testing.T) {
	rows, err := stored(t, 30).Head(t.Context(), 30)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Release()
	var out bytes.Buffer
	if err := WriteTable(&out, rows.NewSlice(26, 29)); err != nil {
		t.Fatal(err)
	}
	const want = "" +
		"id  name                              price  at\n" +
		"--  --------------------------------  -----  ---------------------\n" +
		"26  line break üüüüüüüüüüüüüüüüüüüü…   2.60  2023-11-14 22:13:33\n" +
		"27  null                               2.70  2023-11-14 22:13:33.5\n" +
		"28  line break üüüüüüüüüüüüüüüüüüüü…   2.80  2023-11-14 22:13:34\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestOpenErrors(t *testing.T) {
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	if _, err := Open(t.Context(), bucket, "none.parquet"); !cloud.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
	object, err := bucket.Create(t.Context(), "text", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := object.Write([]byte("this is no Parquet file")); err != nil {
		t.Fatal(err)
	}
	if err := object.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), bucket, "text"); err == nil || !strings.Contains(err.Error(), `"text"`) {
		t.Errorf("got %v", err)
	}
}
