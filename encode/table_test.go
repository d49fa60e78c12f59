package encode

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// A table's pages go out as they end: the most that the writer holds is far below what it has written.
func TestTableMemory(t *testing.T) {
	n := 400_000
	numbers := arrayOf(arrow.PrimitiveTypes.Float64, n, func(i int) any { return float64(i) * 1.7 })
	ints := arrayOf(arrow.PrimitiveTypes.Int64, n, func(i int) any { return int64(i) })
	schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: numbers.DataType()}, {Name: "b", Type: ints.DataType()}}, nil)
	batch := array.NewRecordBatch(schema, []arrow.Array{numbers, ints}, int64(n))
	o := &Options{Compression: "none", DataPageBytes: 64 << 10, DictionaryBytes: -1}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak := &peakWriter{}
	sum, err := WriteTable(peak, schema, []arrow.RecordBatch{batch}, o)
	if err != nil {
		t.Fatal(err)
	}
	if held := int64(peak.most) - int64(before.HeapAlloc); held > 2<<20 || sum.Bytes < 6<<20 {
		t.Errorf("%d bytes of memory for a file of %d", held, sum.Bytes)
	}
}

// peakWriter looks at the live heap with each write.
type peakWriter struct{ most uint64 }

func (p *peakWriter) Write(b []byte) (int, error) {
	if len(b) > 10_000 {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		p.most = max(p.most, now.HeapAlloc)
	}
	return len(b), nil
}

func TestTableErrors(t *testing.T) {
	batch := encodingTable(1000)
	other := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int32}}, nil)
	if _, err := WriteTable(io.Discard, other, []arrow.RecordBatch{batch}, nil); err == nil {
		t.Error("a batch of another schema was written")
	}
	var whole bytes.Buffer
	o := &Options{DataPageRecords: 100}
	if _, err := WriteTable(&whole, batch.Schema(), []arrow.RecordBatch{batch}, o); err != nil {
		t.Fatal(err)
	}
	for room := 0; room < whole.Len(); room += 1 + room/100 {
		out := &limitedWriter{limit: room}
		_, err := WriteTable(out, batch.Schema(), []arrow.RecordBatch{batch}, o)
		if !errors.Is(err, errDisk) || out.after > 0 {
			t.Fatalf("with room for %d bytes: %v, %d writes after that", room, err, out.after)
		}
	}
	if sum, err := WriteTable(io.Discard, batch.Schema(), nil, nil); err != nil || sum.Records != 0 || sum.RowGroups != 0 {
		t.Errorf("no batches: %+v, %v", sum, err)
	}
}
