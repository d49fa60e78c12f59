package encode

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
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

func TestContentChunksRefused(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Int64}}, nil)
	for _, c := range []ContentChunks{{MinBytes: -1}, {MinBytes: 10, MaxBytes: 10}, {MaxBytes: 100}, {MaxBytes: 1<<30 + 1}, {NormLevel: 4}} {
		if _, err := NewWriter(nil, schema, &Options{ContentChunks: &c}); err == nil || !strings.Contains(err.Error(), "ContentChunks") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
