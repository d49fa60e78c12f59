package encode

import (
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// TestPeakMemory holds what a file takes in memory while its row group is open: hardly more than its bytes, whatever
// dictionaries there are or have been. What lives is looked at after each batch, and as the row group is about to be
// written.
func TestPeakMemory(t *testing.T) {
	const records, batches = 1 << 16, 8
	drawn := func(of int) func(r *rand.Rand, i int) int64 {
		return func(r *rand.Rand, _ int) int64 { return int64(r.IntN(of)) * 7919 }
	}
	half := func(r *rand.Rand, i int) int64 { // a dictionary gets full of the other half
		if r.IntN(2) == 0 {
			return -1
		}
		return int64(r.Uint64() >> 1)
	}
	for _, test := range []struct {
		name    string
		columns int
		value   func(r *rand.Rand, i int) int64
	}{
		{"distinct in pairs", 1, func(_ *rand.Rand, i int) int64 { return int64(i/2) * 7919 }},
		{"half the same", 3, half},
		{"dictionaries nearly full", 3, drawn(100_000)},
		{"many columns", 20, drawn(300)},
	} {
		t.Run(test.name, func(t *testing.T) {
			batch := numbersBatch(records, test.columns, test.value)
			base := liveBytes()
			out := &watchedWriter{}
			w, err := NewWriter(out, batch[0].Schema(), &Options{Compression: "none"})
			if err != nil {
				t.Fatal(err)
			}
			most := int64(0)
			look := func() { most = max(most, liveBytes()-base) }
			for i := range batches {
				if err := w.Write(batch[i%len(batch)]); err != nil {
					t.Fatal(err)
				}
				look()
			}
			out.first = look
			sum, err := w.Close()
			if err != nil {
				t.Fatal(err)
			}
			if limit := sum.Bytes + sum.Bytes*15/100 + 4<<20; most > limit {
				t.Errorf("%d bytes live while a file of %d is written, want %d at most", most, sum.Bytes, limit)
			}
			t.Logf("a file of %d bytes, %d live", sum.Bytes, most)
		})
	}
}

// numbersBatch makes batches of so many records, of columns of int64.
func numbersBatch(records, columns int, value func(r *rand.Rand, i int) int64) (batches []arrow.RecordBatch) {
	fields := make([]arrow.Field, columns)
	for i := range fields {
		fields[i] = arrow.Field{Name: string(rune('a' + i)), Type: arrow.PrimitiveTypes.Int64}
	}
	schema := arrow.NewSchema(fields, nil)
	for k := range 8 {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for i := range fields {
			r := rand.New(rand.NewPCG(uint64(k), uint64(i)))
			for j := range records {
				b.Field(i).(*array.Int64Builder).Append(value(r, k*records+j))
			}
		}
		batches = append(batches, b.NewRecordBatch())
		b.Release()
	}
	return batches
}

// liveBytes returns what lives in the heap. It takes two collections for pools to let go of what nobody took.
func liveBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// watchedWriter drops what is written, and calls first before the first data.
type watchedWriter struct {
	first func()
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	if w.first != nil {
		w.first()
		w.first = nil
	}
	return io.Discard.Write(p)
}
