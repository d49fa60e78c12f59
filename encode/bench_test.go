package encode

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

const benchRecords = 1 << 20

// benchArray makes one column of benchRecords records, of which the given share is null.
func benchArray(dt arrow.DataType, nulls float64, value func(r *rand.Rand, b array.Builder, i int)) arrow.Array {
	r := rand.New(rand.NewPCG(42, 0))
	b := array.NewBuilder(memory.DefaultAllocator, dt)
	defer b.Release()
	b.Reserve(benchRecords)
	for i := range benchRecords {
		if r.Float64() < nulls {
			b.AppendNull()
		} else {
			value(r, b, i)
		}
	}
	return b.NewArray()
}

func arrayBytes(data arrow.ArrayData) (n int64) {
	for _, b := range data.Buffers() {
		if b != nil {
			n += int64(b.Len())
		}
	}
	for _, c := range data.Children() {
		n += arrayBytes(c)
	}
	return n
}

// benchWrite writes the column as one file a round, in batches of 64 K records, into nothing.
func benchWrite(b *testing.B, a arrow.Array, o *Options) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: a.NullN() > 0}}, nil)
	var batches []arrow.RecordBatch
	for at := int64(0); at < int64(a.Len()); at += 1 << 16 {
		part := array.NewSlice(a, at, min(at+1<<16, int64(a.Len())))
		batches = append(batches, array.NewRecordBatch(schema, []arrow.Array{part}, int64(part.Len())))
	}
	benchWriteBatches(b, schema, o, batches...)
}

// cpuTime returns the processor time that the process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchWriteBatches writes batches as one file a round into nothing, and reports the least processor time of a round.
func benchWriteBatches(b *testing.B, schema *arrow.Schema, o *Options, batches ...arrow.RecordBatch) {
	records, bytes := int64(0), int64(0)
	for _, batch := range batches {
		records += batch.NumRows()
		for _, a := range batch.Columns() {
			bytes += arrayBytes(a.Data())
		}
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	var size int64
	least := time.Duration(math.MaxInt64)
	for b.Loop() {
		started := cpuTime(b)
		w, err := NewWriter(io.Discard, schema, o)
		if err != nil {
			b.Fatal(err)
		}
		for _, batch := range batches {
			if err := w.Write(batch); err != nil {
				b.Fatal(err)
			}
		}
		sum, err := w.Close()
		if err != nil {
			b.Fatal(err)
		}
		size = sum.Bytes
		least = min(least, cpuTime(b)-started)
	}
	b.ReportMetric(float64(least)/float64(records), "cpu-ns/record")
	b.ReportMetric(float64(size), "file-bytes")
}

func BenchmarkWrite(b *testing.B) {
	text := make([]byte, 400)
	for i := range text {
		text[i] = 'a' + byte(i*7%26)
	}
	leaves := []struct {
		name  string
		dt    arrow.DataType
		value func(r *rand.Rand, b array.Builder, i int)
	}{
		{"bool", arrow.FixedWidthTypes.Boolean, func(r *rand.Rand, b array.Builder, i int) {
			b.(*array.BooleanBuilder).Append(r.IntN(4) > 0)
		}},
		{"int32", arrow.PrimitiveTypes.Int32, func(r *rand.Rand, b array.Builder, i int) {
			b.(*array.Int32Builder).Append(int32(r.Uint32()))
		}},
		{"int64", arrow.PrimitiveTypes.Int64, func(r *rand.Rand, b array.Builder, i int) {
			b.(*array.Int64Builder).Append(int64(r.Uint64()))
		}},
		{"int64_1k", arrow.PrimitiveTypes.Int64, func(r *rand.Rand, b array.Builder, i int) {
			b.(*array.Int64Builder).Append(int64(r.IntN(1000)))
		}},
		{"float64", arrow.PrimitiveTypes.Float64, func(r *rand.Rand, b array.Builder, i int) {
			b.(*array.Float64Builder).Append(r.Float64())
		}},
		{"string_8", arrow.BinaryTypes.String, func(r *rand.Rand, b array.Builder, i int) {
			b.(*array.StringBuilder).Append(fmt.Sprintf("%08d", i))
		}},
		{"string_200", arrow.BinaryTypes.String, func(r *rand.Rand, b array.Builder, i int) {
			k := r.IntN(100)
			b.(*array.StringBuilder).Append(fmt.Sprint(i) + string(text[k:k+r.IntN(300)]))
		}},
		{"string_100_distinct", arrow.BinaryTypes.String, func(r *rand.Rand, b array.Builder, i int) {
			b.(*array.StringBuilder).Append(fmt.Sprintf("category-%08d", r.IntN(100)))
		}},
		{"list_int32", arrow.ListOf(arrow.PrimitiveTypes.Int32), func(r *rand.Rand, b array.Builder, i int) {
			lb := b.(*array.ListBuilder)
			lb.Append(true)
			for range r.IntN(5) {
				lb.ValueBuilder().(*array.Int32Builder).Append(int32(r.Uint32()))
			}
		}},
	}
	for _, leaf := range leaves {
		for _, nulls := range []float64{0, 0.25, 0.99} {
			var a arrow.Array
			b.Run(fmt.Sprintf("leaf=%s/nulls=%.0f", leaf.name, nulls*100), func(b *testing.B) {
				if a == nil {
					a = benchArray(leaf.dt, nulls, leaf.value)
				}
				benchWrite(b, a, &Options{Compression: "none", NoPageChecksum: true})
			})
		}
	}
}
