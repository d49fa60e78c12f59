package encode

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// distinctCounts returns the distinct counts of a file's chunks.
func distinctCounts(t *testing.T, data []byte) (counts []int64) {
	t.Helper()
	for _, g := range footerOf(t, data).RowGroups {
		for _, c := range g.Columns {
			counts = append(counts, c.Statistics.DistinctCount)
		}
	}
	return counts
}

// Values are counted exactly, in the dictionary and behind it, and each row group counts its own.
func TestDistinctCounts(t *testing.T) {
	const records = 150_000
	for _, distinct := range []int{1, 100, 40_000, 100_000} {
		batch := oneColumn(int64Column(records, func(i int) int64 { return farApart(i % distinct) }))
		for _, dictionaryBytes := range []int{-1, 100, 100_000, 0} {
			for _, fpp := range []float64{0, 0.01} {
				o := &Options{DistinctCounts: true, BloomFilterFPP: fpp, DictionaryBytes: dictionaryBytes}
				o.RowGroupRecords = 100_000
				got := distinctCounts(t, mustWrite(t, o, batch.Schema(), slicesOf(batch, 7777)...))
				if got[0] != int64(distinct) || got[1] != int64(min(distinct, 50_000)) {
					t.Errorf("%d values, dictionary of %d bytes: %d are counted", distinct, dictionaryBytes, got)
				}
			}
		}
	}
}

// Values that are equal count as one, whatever their bits.
func TestDistinctCountsOfEqualValues(t *testing.T) {
	f64 := func(v float64) any { return plain64(int64(math.Float64bits(v))) }
	f32 := func(bits uint32) any { return plain32(int32(bits)) }
	f16 := func(bits uint16) any { return binary.LittleEndian.AppendUint16(nil, bits) }
	nan, minus0 := math.NaN(), math.Copysign(0, -1)
	yes, no := []byte{1}, []byte{0}
	for _, c := range []struct {
		dt     arrow.DataType
		values []any
		want   int64
	}{
		{arrow.PrimitiveTypes.Float64, []any{f64(0), f64(minus0), f64(1), nil}, 2},
		{arrow.PrimitiveTypes.Float64, []any{f64(minus0), f64(minus0)}, 1},
		{arrow.PrimitiveTypes.Float64, []any{f64(nan), plain64(-1), plain64(-2), f64(1), f64(math.Inf(1))}, 3},
		{arrow.PrimitiveTypes.Float32, []any{f32(0), f32(1 << 31), f32(0x7fc00000), f32(0xffffffff), f32(1)}, 3},
		{arrow.FixedWidthTypes.Float16, []any{f16(0), f16(1 << 15), f16(0x7e00), f16(0xfe00), f16(1)}, 3},
		{arrow.BinaryTypes.String, []any{[]byte(""), []byte("a"), []byte(""), nil}, 2},
		{arrow.PrimitiveTypes.Int32, []any{nil, nil}, 0},
		{arrow.Null, []any{nil, nil}, 0},
		{arrow.FixedWidthTypes.Boolean, []any{yes, no, nil}, 2},
		{arrow.FixedWidthTypes.Boolean, []any{yes, yes}, 1},
		{arrow.FixedWidthTypes.Boolean, []any{no, nil}, 1},
		{arrow.FixedWidthTypes.Boolean, []any{nil}, 0},
	} {
		rc := &randomCase{schema: arrow.NewSchema([]arrow.Field{{Name: "c", Type: c.dt, Nullable: true}}, nil)}
		rc.columns, rc.records = [][]any{c.values}, len(c.values)
		batch := rc.batches(&layouter{rand.New(rand.NewPCG(1, 1)), memory.DefaultAllocator})[0]
		for _, dictionaryBytes := range []int{-1, 8, 0} {
			o := &Options{DistinctCounts: true, DictionaryBytes: dictionaryBytes}
			if got := distinctCounts(t, mustWrite(t, o, rc.schema, batch)); got[0] != c.want {
				t.Errorf("%s %x, dictionary of %d bytes: %d are counted, want %d", c.dt, c.values, dictionaryBytes, got[0], c.want)
			}
		}
	}
}

// Counting takes the memory that it says.
func TestDistinctCountsMemory(t *testing.T) {
	batch := oneColumn(int64Column(200_000, farApart))
	o := &Options{DistinctCounts: true, DictionaryBytes: -1}
	w, err := NewWriter(&limitedWriter{limit: math.MaxInt}, batch.Schema(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(batch); err != nil {
		t.Fatal(err)
	}
	if held := w.fields[0].columns[0].hashes.held(); held < 16*200_000 || held > 32*200_000 || w.Buffered() < held {
		t.Errorf("%d bytes are held, %d buffered", held, w.Buffered())
	}
	w.Abort()
	if held := w.Buffered(); held != 0 {
		t.Errorf("%d bytes are held", held)
	}
}

// A dictionary that is written out before the chunk ends does not know how many values come behind it.
func TestDistinctCountsOfTable(t *testing.T) {
	values := []any{"a", "b", "a", "b", nil, nil, strings.Repeat("c", 200), "d"}
	batch := oneColumn(arrayOf(arrow.BinaryTypes.String, len(values), func(i int) any { return values[i] }))
	for _, count := range []bool{false, true} {
		o := &Options{DataPageRecords: 4, DataPageBytes: 64, DictionaryBytes: 100, DistinctCounts: count}
		var table bytes.Buffer
		if _, err := WriteTable(&table, batch.Schema(), []arrow.RecordBatch{batch}, o); err != nil {
			t.Fatal(err)
		}
		if err := checkFile(table.Bytes(), o, batch.Schema(), batch); err != nil {
			t.Errorf("counted %v: %v", count, err)
		}
		if data := mustWrite(t, o, batch.Schema(), batch); !bytes.Equal(data, table.Bytes()) {
			t.Errorf("counted %v: another file than batch by batch", count)
		}
	}
}
