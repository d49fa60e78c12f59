package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/parquet-go/parquet-go/bloom"

	"github.com/sluice-io/sluice/integration/lint"
)

// bloomReaders look a value, in plain encoding without a length, up in a chunk's Bloom filter: arrow-go finds the
// filter on its own, parquet-go gets its bits.
type bloomReaders struct {
	arrowGo metadata.BloomFilter
	bits    []byte
	kind    physicalType
}

// openBloom opens the filter of a chunk; ok is false if there is none.
func openBloom(data []byte, group, leaf int, kind physicalType, bits []byte) (r bloomReaders, ok bool, err error) {
	f, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		return r, false, err
	}
	defer f.Close()
	g, err := f.GetBloomFilterReader().RowGroup(group)
	if err != nil {
		return r, false, err
	}
	r = bloomReaders{bits: bits, kind: kind}
	r.arrowGo, err = g.GetColumnBloomFilter(leaf)
	return r, r.arrowGo != nil, err
}

// has says whether the readers, which must agree, find a value.
func (r bloomReaders) has(v []byte) (bool, error) {
	var x bloom.XXH64
	var hash uint64
	switch r.kind {
	case typeInt32, typeFloat:
		hash = x.Sum64Uint32(binary.LittleEndian.Uint32(v))
	case typeInt64, typeDouble:
		hash = x.Sum64Uint64(binary.LittleEndian.Uint64(v))
	default:
		hash = x.Sum64(v)
	}
	a := r.arrowGo.CheckHash(r.arrowGo.Hasher().Sum64(v))
	p, err := bloom.CheckSplitBlock(bytes.NewReader(r.bits), int64(len(r.bits)), hash)
	if err == nil && a != p {
		err = fmt.Errorf("value %x: arrow-go finds it: %v, parquet-go: %v", v, a, p)
	}
	return a, err
}

// Other readers find every value, and what they find of others is what the linter does.
func TestBloomReaders(t *testing.T) {
	filters := 0
	for seed := range uint64(100) {
		c := rand.New(rand.NewPCG(seed, 15))
		rc := newRandomCase(c)
		rc.options.BloomFilterFPP, rc.options.BloomFilterBytes = 0.01, 0
		data := mustWrite(t, &rc.options, rc.schema, rc.someBatches(&layouter{c, memory.DefaultAllocator})...)
		f, err := lintFile(data)
		if err != nil {
			t.Fatal(err)
		}
		for g, chunks := range f.RowGroups {
			for l, chunk := range chunks {
				n, err := checkBloomReaders(chunk, data, g, l)
				if err != nil {
					t.Fatalf("seed %d: row group %d, column %q: %v", seed, g, chunk.Leaf.String(), err)
				}
				filters += n
			}
		}
	}
	if filters < 300 {
		t.Errorf("%d filters", filters)
	}
}

func checkBloomReaders(c *lint.Chunk, data []byte, group, leaf int) (filters int, err error) {
	r, ok, err := openBloom(data, group, leaf, physicalType(c.Leaf.Type), c.Bloom)
	if err != nil || ok != (c.Bloom != nil) {
		return 0, fmt.Errorf("a filter in other readers: %v, error %w", ok, err)
	}
	if !ok {
		return 0, nil
	}
	for _, v := range c.Stream().Values {
		if found, err := r.has(v); err != nil || !found {
			return 0, fmt.Errorf("value %x: found %v, error %w", v, found, err)
		}
		other := bytes.Clone(v)
		for i := range other {
			other[i] ^= 0x55
		}
		if found, err := r.has(other); err != nil || found != c.Bloom.Contains(other) {
			return 0, fmt.Errorf("value %x: found %v, error %w", other, found, err)
		}
	}
	return 1, nil
}

// int64Column makes a column of n numbers.
func int64Column(n int, value func(i int) int64) arrow.Array {
	return arrayOf(arrow.PrimitiveTypes.Int64, n, func(i int) any { return value(i) })
}

// oneColumn makes a batch of a column "c".
func oneColumn(a arrow.Array) arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: true}}, nil)
	return array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len()))
}

// farApart numbers are far apart and differ.
func farApart(i int) int64 { return int64(uint64(i+1) * 0x9e3779b97f4a7c15) }

// A filter has the size that its values need, whatever way they went to it, and its rate of false positives.
func TestBloomSizes(t *testing.T) {
	for _, c := range []struct {
		distinct, records int
		fpp               float64
		bytes             int
	}{
		{0, 10, 0.01, 32}, {1, 1, 0.01, 32}, {1, 100_000, 0.01, 32}, {10, 1000, 0.01, 32},
		{100, 100, 0.01, 256}, {100, 100_000, 0.01, 256}, {100, 100, 0.5, 64}, {100, 100, 1e-6, 1024}, {1000, 1000, 0.01, 2 << 10}, {10_000, 10_000, 0.01, 16 << 10},
		{bloomSetHashes, 40_000, 0.01, 32 << 10}, {bloomSetHashes + 1, 40_000, 0.01, 32 << 10},
		{100_000, 300_000, 0.01, 256 << 10}, {1_000_000, 1_000_000, 0.01, 2 << 20}, {1_000_000, 1_000_000, 0.1, 1 << 20},
	} {
		a := int64Column(c.records, func(i int) int64 { return farApart(i % max(1, c.distinct)) })
		if c.distinct == 0 {
			a = arrayOf(a.DataType(), c.records, func(int) any { return nil })
		}
		var first []byte
		for _, dictionaryBytes := range []int{-1, 100, 8000, 0, 1 << 30} {
			o := Options{BloomFilterFPP: c.fpp, DictionaryBytes: dictionaryBytes}
			batch := oneColumn(a)
			data := mustWrite(t, &o, batch.Schema(), batch)
			got := bloomOf(t, data)
			if first == nil {
				first = got
				checkBloomRate(t, data, c.distinct, c.fpp)
			}
			if len(got) != c.bytes || !bytes.Equal(got, first) {
				t.Errorf("%d distinct of %d, rate %g, dictionary %d: %d bytes, want %d; as without a dictionary: %v",
					c.distinct, c.records, c.fpp, dictionaryBytes, len(got), c.bytes, bytes.Equal(got, first))
			}
		}
	}
}

// bloomOf returns the bits of the only filter of a file.
func bloomOf(t *testing.T, data []byte) []byte {
	t.Helper()
	chunk := footerOf(t, data).RowGroups[0].Columns[0]
	if chunk.BloomOffset == 0 {
		return nil
	}
	_, bits, err := lint.ReadThrift("BloomFilterHeader", data[chunk.BloomOffset:][:chunk.BloomBytes])
	if err != nil {
		t.Fatal(err)
	}
	return bits
}

// checkBloomRate looks all values up, and others, in another reader.
func checkBloomRate(t *testing.T, data []byte, distinct int, fpp float64) {
	t.Helper()
	r, ok, err := openBloom(data, 0, 0, typeInt64, bloomOf(t, data))
	if err != nil || !ok {
		t.Fatalf("%v, error %v", ok, err)
	}
	find := func(i int) bool { return r.arrowGo.CheckHash(r.arrowGo.Hasher().Sum64(plain64(farApart(i)))) }
	for i := range distinct {
		if !find(i) {
			t.Fatalf("value %d of %d is not found", i, distinct)
		}
	}
	const others = 200_000
	found := 0
	for i := range others {
		found += int(oneIf(find(distinct + i)))
	}
	if rate := float64(found) / others; rate > fpp*1.02+1e-5 {
		t.Errorf("%d distinct: %g of other values are found, asked were %g", distinct, rate, fpp)
	}
}

// A filter is no larger than allowed, is left out if it would tell nothing, and takes no more memory than it says.
func TestBloomLimits(t *testing.T) {
	batch := oneColumn(int64Column(90_000, farApart))
	for _, c := range []struct {
		limit int
		want  int
	}{{1 << 20, 128 << 10}, {128 << 10, 128 << 10}, {64 << 10, 64 << 10}, {16 << 10, 0}, {32, 0}} {
		var buf bytes.Buffer
		o := &Options{BloomFilterFPP: 0.01, BloomFilterBytes: c.limit, DictionaryBytes: -1}
		w, err := NewWriter(&buf, batch.Schema(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range slicesOf(batch, 5000) {
			if err := w.Write(part); err != nil {
				t.Fatal(err)
			}
			if most := w.fields[0].columns[0].hashes.held(); most > max(int64(c.limit), 16*bloomSetHashes) {
				t.Errorf("limit %d: %d bytes held", c.limit, most)
			}
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := len(bloomOf(t, buf.Bytes())); got != c.want {
			t.Errorf("limit %d: a filter of %d bytes, want %d", c.limit, got, c.want)
		}
	}
}

// Folding gives the filter that the hashes would have made at the smaller size, and never a lower rate.
func TestBloomFolding(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{0, 1, 7, 300, 20_000} {
		hashes := make([]uint64, n)
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		last := 0.0
		for size := 1 << 16; size >= 32; size /= 2 {
			f, whole := newBloomFilter(size), newBloomFilter(1<<16)
			f.add(hashes)
			whole.add(hashes)
			rate := f.rate()
			folded := whole.foldedTo(rate)
			smallest := newBloomFilter(len(folded) * bloomBlockBytes)
			if smallest.add(hashes); len(folded) > len(f) || !slices.Equal(folded, smallest) {
				t.Errorf("%d hashes: folded to %d blocks, want at most %d, as the hashes make them", n, len(folded), len(f))
			}
			if naive := lint.Bloom(bytesOf(f)).Rate(); rate < last || math.Abs(rate-naive) > 1e-12 {
				t.Errorf("%d hashes in %d bytes: rate %g, of twice as many %g, counted naively %g", n, size, rate, last, naive)
			}
			last = rate
			for _, h := range hashes {
				if !f.has(h) {
					t.Fatalf("%d hashes in %d bytes: one is not found", n, size)
				}
			}
		}
	}
}

// A reader that looks for a float finds what is equal to it, if its bits are others.
func TestBloomOfEqualFloats(t *testing.T) {
	minus0, nan := math.Float64bits(math.Copysign(0, -1)), math.Float64bits(math.NaN())&^1
	for _, c := range []struct {
		dt    arrow.DataType
		width int
		value []uint64 // of these one is in the file
		find  []uint64
		miss  []uint64
	}{
		{arrow.PrimitiveTypes.Float64, 8, []uint64{0, minus0}, []uint64{0, minus0}, []uint64{nan, 1}},
		{arrow.PrimitiveTypes.Float64, 8, []uint64{nan, nan | 77, ^uint64(0)}, []uint64{nan}, []uint64{0, minus0, nan | 1}},
		{arrow.PrimitiveTypes.Float32, 4, []uint64{0, 1 << 31}, []uint64{0, 1 << 31}, []uint64{0x7fc00000, 1}},
		{arrow.PrimitiveTypes.Float32, 4, []uint64{0x7fc00000, 0xffc00001}, []uint64{0x7fc00000}, []uint64{0, 1 << 31}},
		{arrow.FixedWidthTypes.Float16, 2, []uint64{0, 1 << 15}, []uint64{0, 1 << 15}, []uint64{0x7e00, 1}},
		{arrow.FixedWidthTypes.Float16, 2, []uint64{0x7e00, 0xfe03}, []uint64{0x7e00}, []uint64{0, 1 << 15}},
	} {
		for _, v := range c.value {
			rc := &randomCase{schema: arrow.NewSchema([]arrow.Field{{Name: "c", Type: c.dt}}, nil), records: 1}
			rc.columns = [][]any{{plain64(int64(v))[:c.width]}}
			for _, dictionaryBytes := range []int{0, -1} {
				o := &Options{BloomFilterFPP: 1e-9, DictionaryBytes: dictionaryBytes}
				l := &layouter{rand.New(rand.NewPCG(1, 1)), memory.DefaultAllocator}
				got := lint.Bloom(bloomOf(t, mustWrite(t, o, rc.schema, rc.batches(l)...)))
				for _, find := range append(c.find, v) {
					if !got.Contains(plain64(int64(find))[:c.width]) {
						t.Errorf("%s %x: %x is not found", c.dt, v, find)
					}
				}
				for _, miss := range c.miss {
					if got.Contains(plain64(int64(miss))[:c.width]) {
						t.Errorf("%s %x: %x is found", c.dt, v, miss)
					}
				}
			}
		}
	}
}

func TestBloomOptions(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "yes", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "no", Type: arrow.Null, Nullable: true},
		{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32)},
	}, nil)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{BloomFilterFPP: 0.01}, ""},
		{Options{BloomFilterFPP: -1, Columns: []ColumnOptions{{Path: "l", BloomFilterFPP: 0.01, BloomFilterBytes: 64}}}, ""},
		{Options{Columns: []ColumnOptions{{Path: "*", BloomFilterFPP: 0.1}, {Path: "yes", BloomFilterFPP: -1}}}, ""},
		{Options{Columns: []ColumnOptions{{Path: "yes", BloomFilterFPP: 0.1}}},
			`field "yes": BloomFilterFPP: values of type bool have no Bloom filter`},
		{Options{Columns: []ColumnOptions{{Path: "no", BloomFilterFPP: 0.1}}}, `field "no": BloomFilterFPP: values of type null`},
		{Options{BloomFilterFPP: 1}, "BloomFilterFPP: 1"},
		{Options{BloomFilterFPP: math.NaN()}, "BloomFilterFPP: NaN"},
		{Options{BloomFilterBytes: 48}, "BloomFilterBytes: 48"},
		{Options{BloomFilterBytes: 16}, "BloomFilterBytes: 16"},
		{Options{BloomFilterBytes: 256 << 20}, "BloomFilterBytes: 268435456"},
		{Options{BloomFilterBytes: -1}, "BloomFilterBytes: -1"},
		{Options{Columns: []ColumnOptions{{Path: "l", BloomFilterBytes: -1}}}, `field "l.list.element": BloomFilterBytes: -1`},
		{Options{Columns: []ColumnOptions{{Path: "l", BloomFilterFPP: 2}}}, `field "l.list.element": BloomFilterFPP: 2`},
	} {
		_, err := NewWriter(&bytes.Buffer{}, schema, &c.o)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: error %v, want %q", c.o, err, c.want)
		}
	}
}

// The size that a number of values asks for is the smallest one that keeps the rate.
func TestBloomFilterSize(t *testing.T) {
	for _, c := range []struct {
		values int64
		fpp    float64
		want   int
	}{
		{1, 0.5, 32}, {1000, 0.01, 2048}, {1 << 20, 0.05, 1 << 20}, {1 << 20, 0.01, 2 << 20},
		{math.MaxInt64, 0.01, 128 << 20}, {1 << 20, 5e-324, 128 << 20}, {1, math.Nextafter(1, 0), 32},
	} {
		if n := BloomFilterSize(c.values, c.fpp); n != c.want || !validBloomBytes(n) {
			t.Errorf("%d values at %g: %d bytes, want %d", c.values, c.fpp, n, c.want)
		}
	}
}
