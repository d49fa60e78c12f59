package encode

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/sluice-io/sluice/integration/lint"
)

// Two versions of a table, with records put in, taken out and changed: a store that keeps equal pages once keeps most of
// the second version's already.
func TestContentChunksDeduplicate(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	first := make([]any, 100_000)
	for i := range first {
		first[i] = strings.Repeat("w", r.IntN(20)) + fmt.Sprint(r.Uint64())
	}
	second := slices.Concat(first[:20_000], []any{"one", "two", nil, "three"}, first[20_000:60_000], first[60_100:80_000], []any{"new"}, first[80_001:])
	types := map[string]func(values []any) arrow.Array{
		"text": func(values []any) arrow.Array {
			return arrayOf(arrow.BinaryTypes.String, len(values), func(i int) any { return values[i] })
		},
		"lists": func(values []any) arrow.Array {
			return listsOf(arrayOf(arrow.BinaryTypes.String, len(values)/4*4, func(i int) any { return values[i] }), 4)
		},
	}
	for name, column := range types {
		for _, chunks := range []*ContentChunks{nil, {MinBytes: 8 << 10, MaxBytes: 32 << 10}} {
			o := &Options{DictionaryBytes: -1, DataPageBytes: 32 << 10, ContentChunks: chunks}
			kept, again := map[string]bool{}, 0
			before := chunkedPages(t, o, column(first))
			for _, page := range before {
				kept[page] = true
			}
			after := chunkedPages(t, o, column(second))
			for _, page := range after {
				if kept[page] {
					again++
				}
			}
			share := float64(again) / float64(len(after))
			if chunks == nil && share > 0.7 || chunks != nil && share < 0.9 {
				t.Errorf("%s, content chunks %v: %d of %d pages are the first version's", name, chunks, again, len(after))
			}
			t.Logf("%s, content chunks %v: %d of %d pages are the first version's", name, chunks, again, len(after))
		}
	}
}

// chunkedPages returns the data pages of a column, without their headers, in the file's order.
func chunkedPages(t *testing.T, o *Options, a arrow.Array) (pages []string) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: true}}, nil)
	data := mustWrite(t, o, schema, array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len())))
	f, err := lintFile(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.RowGroups[0][0].Pages {
		pages = append(pages, string(data[p.Offset:p.Offset+p.Size]))
	}
	return pages
}

// Pages are of the sizes that were asked for, whatever NormLevel says, and nearer to their mean the higher it is: the mean
// excess is rounded down to a power of two.
func TestContentChunkSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	a := arrayOf(arrow.PrimitiveTypes.Int64, 500_000, func(int) any { return int64(r.Uint64()) })
	spread := map[int]float64{}
	for _, level := range []int{-1, 0, 1} {
		o := &Options{Compression: "none", DictionaryBytes: -1, ContentChunks: &ContentChunks{MinBytes: 4 << 10, MaxBytes: 16 << 10, NormLevel: level}}
		sizes := chunkedPages(t, o, a)
		mean, squares := 0.0, 0.0
		for _, page := range sizes[:len(sizes)-1] {
			if n := len(page); n < 4<<10 || n > 17<<10 {
				t.Fatalf("level %d: a page of %d bytes", level, n)
			}
			mean += float64(len(page)) / float64(len(sizes)-1)
		}
		for _, page := range sizes[:len(sizes)-1] {
			squares += (float64(len(page)) - mean) * (float64(len(page)) - mean) / float64(len(sizes)-1)
		}
		spread[level] = squares
		if level == 0 && (mean < 6<<10 || mean > 12<<10) {
			t.Errorf("pages of %.0f bytes in the mean, the middle is %d", mean, 10<<10)
		}
	}
	if spread[1] > spread[0] || spread[0] > spread[-1] {
		t.Errorf("variances by level: %v", spread)
	}
}

// contentEnds returns the records of each page, one word after another by the definition of the hash.
func contentEnds(pages []*lint.Page, leaf *leafColumn, limits ContentChunks, least uint64) (records []int) {
	var hash uint64
	rounds, size, n, matched := uint64(0), 0, 0, false
	word := func(b []byte) {
		var padded [8]byte
		copy(padded[:], b)
		if n := len(b); 4 < n && n < 8 {
			copy(padded[4:], b[n-4:])
		} else if n == 4 {
			copy(padded[4:], b)
		} else if n == 1 {
			padded[1], padded[2] = b[0], b[0]
		} else if n == 2 {
			padded[2] = b[1]
		}
		hi, lo := bits.Mul64(binary.LittleEndian.Uint64(padded[:])^rounds*contentRound, contentMix)
		hash = hash<<1 + (hi ^ lo)
		matched = matched || hash < least*uint64(len(b))
	}
	for _, p := range pages {
		value := 0
		for i, def := range p.Def {
			if p.Rep[i] == 0 {
				if matched {
					rounds, matched = rounds+1, false
				}
				if rounds == contentRounds || size >= limits.MaxBytes {
					records = append(records, n)
					hash, rounds, size, n, matched = 0, 0, 0, 0, false
				}
				n++
			}
			if size >= limits.MinBytes && (leaf.MaxDef > 0 || leaf.MaxRep > 0) {
				hash = hash<<1 + (uint64(p.Rep[i])<<8|uint64(def)+1)*contentMix
			}
			if def < leaf.MaxDef {
				continue
			}
			v := p.Values[value]
			value++
			size += len(v)
			if leaf.Physical == typeByteArray {
				size += 4
			}
			if size < limits.MinBytes {
				continue
			}
			if leaf.Physical == typeByteArray {
				hi, lo := bits.Mul64(uint64(len(v))^rounds*contentRound, contentMix)
				hash = hash<<1 + (hi ^ lo)
				matched = matched || hash < least*4
			}
			for w := range slices.Chunk(v, 8) {
				word(w)
			}
		}
	}
	return append(records, n)
}

// Pages end where the hash says so, of all families of values, with and without levels, however batches are cut.
func TestContentChunkEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	limits := ContentChunks{MinBytes: 3000, MaxBytes: 9000}
	text := func(longest int) func(int) any {
		return func(int) any { return strings.Repeat(fmt.Sprint(r.IntN(1000)), r.IntN(longest)) }
	}
	number := func(int) any { return int64(r.Uint64()) }
	bit := func(int) any { return r.IntN(3) == 0 }
	sometimes := func(share float64, value func(int) any) func(int) any {
		return func(i int) any {
			if r.Float64() < share {
				return nil
			}
			return value(i)
		}
	}
	texts, ints, bools := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.FixedWidthTypes.Boolean
	few := arrayOf(texts, 50, text(20))
	for name, a := range map[string]arrow.Array{
		"int64":         arrayOf(ints, 30_000, number),
		"int64 nulls":   arrayOf(ints, 30_000, sometimes(0.3, number)),
		"int64 few":     arrayOf(ints, 30_000, func(i int) any { return int64(i % 100) }),
		"dictionary":    pickedFrom(few, 30_000, func(int) int { return r.IntN(50) - 1 }),
		"fixed":         arrayOf(&arrow.FixedSizeBinaryType{ByteWidth: 3}, 30_000, func(i int) any { return []byte{byte(i), byte(i >> 8), byte(r.Uint32())} }),
		"bool":          arrayOf(bools, 100_000, bit),
		"bool nulls":    arrayOf(bools, 100_000, sometimes(0.9, bit)),
		"string":        arrayOf(texts, 10_000, text(20)),
		"string nulls":  arrayOf(texts, 10_000, sometimes(0.5, text(20))),
		"string long":   arrayOf(texts, 200, text(5000)),
		"string view":   arrayOf(arrow.BinaryTypes.StringView, 10_000, text(20)),
		"lists":         listsOf(arrayOf(ints, 30_000, sometimes(0.1, number)), 3),
		"lists of bits": listsOf(arrayOf(bools, 90_000, bit), 3),
		"long lists":    listsOf(arrayOf(texts, 30_000, text(10)), 5000),
		"runs":          runsOfTen(arrayOf(texts, 3000, text(20))),
		"runs of lists": runsOfTen(listsOf(arrayOf(ints, 9000, number), 3)),
		"runs of texts": runsOfTen(listsOf(arrayOf(texts, 3000, sometimes(0.2, text(20))), 3)),
		"in turn":       listsInTurn(runsOfTen(arrayOf(ints, 3000, sometimes(0.1, number))), 60_000, []int{1, 0}),
		"texts in turn": listsInTurn(runsOfTen(arrayOf(texts, 2000, text(20))), 30_000, []int{1, 0, 1}),
		"all null":      arrayOf(ints, 10_000, func(int) any { return nil }),
	} {
		for _, nullable := range []bool{true, false} {
			if !nullable && a.NullN() > 0 {
				continue
			}
			for _, dictionaryBytes := range []int{-1, 1 << 20} {
				o := &Options{
					Compression: "none", DictionaryBytes: dictionaryBytes, DataPageRecords: 1 << 20, ContentChunks: &limits,
				}
				schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: nullable}}, nil)
				cut := int64(r.IntN(a.Len()))
				parts := []arrow.Array{array.NewSlice(a, 0, cut), array.NewSlice(a, cut, int64(a.Len()))}
				var batches []arrow.RecordBatch
				for _, part := range parts {
					batches = append(batches, array.NewRecordBatch(schema, []arrow.Array{part}, int64(part.Len())))
				}
				f := mustLint(t, mustWrite(t, o, schema, batches...))
				var got []int
				for _, p := range f.RowGroups[0][0].Pages {
					got = append(got, p.Records)
				}
				w, err := NewWriter(io.Discard, schema, o)
				if err != nil {
					t.Fatal(err)
				}
				c := w.fields[0].columns[0]
				if want := contentEnds(f.RowGroups[0][0].Pages, c.leaf, limits, c.chunker.hash.least); !slices.Equal(got, want) {
					t.Errorf("%s, nullable %v, dictionaries of %d bytes: pages of %v records, want %v", name, nullable, dictionaryBytes, got, want)
				}
			}
		}
	}
}

func TestContentChunksRefused(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Int64}}, nil)
	for _, c := range []ContentChunks{{MinBytes: -1}, {MinBytes: 10, MaxBytes: 10}, {MaxBytes: 100}, {MaxBytes: 1<<30 + 1}, {NormLevel: 4}} {
		if _, err := NewWriter(nil, schema, &Options{ContentChunks: &c}); err == nil || !strings.Contains(err.Error(), "ContentChunks") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// runsOfTen has each value ten times in a row.
func runsOfTen(values arrow.Array) arrow.Array {
	ends := make([]int32, values.Len())
	for i := range ends {
		ends[i] = int32(10 * (i + 1))
	}
	return array.NewRunEndEncodedArray(int32Array(ends), values, 10*values.Len(), 0)
}
