package encode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/sluice-io/sluice/integration/lint"
)

// pagesWritten writes a table of one column and returns the pages of its one chunk, after a check of the file.
func pagesWritten(t *testing.T, table arrow.RecordBatch, o *Options) []*lint.Page {
	t.Helper()
	data := mustWrite(t, o, table.Schema(), slicesOf(table, 1000)...)
	if err := checkFile(data, o, table.Schema(), table); err != nil {
		t.Fatal(err)
	}
	return mustLint(t, data).RowGroups[0][0].Pages
}

// A value that is larger than a page has one of its own.
func TestHugeValue(t *testing.T) {
	text := columnTable(texts.String, 21, func(i int) any {
		if i == 10 {
			return strings.Repeat("huge", 1<<20)
		}
		return fmt.Sprint("small", i)
	})
	for _, o := range []Options{{}, {DictionaryBytes: -1}, {DictionaryBytes: -1, Encoding: "compact", DataPageVersion: 2}} {
		records := []int{}
		for _, p := range pagesWritten(t, text, &o) {
			records = append(records, p.Records)
		}
		if got := fmt.Sprint(records); got != "[10 1 10]" {
			t.Errorf("options %+v: pages of %s records", o, got)
		}
	}
}

// A page's indices are as wide as its largest one takes, though the first ones would take less.
func TestIndexWidthOfPage(t *testing.T) {
	table := columnTable(of.Int64, 3000, func(i int) any {
		if i < 1000 {
			return int64(i % 3)
		}
		return int64(i % 300)
	})
	pages := pagesWritten(t, table, &Options{Compression: "none", DataPageRecords: 500, DataPageVersion: 2})
	for i, want := range []byte{2, 2, 9, 9, 9, 9} {
		levels := 3 // an RLE run of 500
		if got := pages[i].Stored[levels]; got != want || pages[i].Encoding != lint.RLEDictionary {
			t.Errorf("page %d: indices of %d bits, want %d, encoding %d", i, got, want, pages[i].Encoding)
		}
	}
}

// Pages of version 2 are left as they are where compression does not pay, those of version 1 are not.
func TestPagesLeftUncompressed(t *testing.T) {
	r := random()
	table := columnTable(of.Int64, 4000, func(i int) any {
		if i < 2000 {
			return int64(i)
		}
		return int64(r.Uint64())
	})
	for _, codec := range []string{"snappy", "zstd", "lz4", "gzip", "brotli"} {
		for version, want := range map[int]string{1: "[smaller smaller larger larger]", 2: "[smaller smaller same same]"} {
			o := &Options{Compression: codec, DictionaryBytes: -1, DataPageRecords: 1000, DataPageVersion: version}
			sizes := []string{}
			for _, p := range pagesWritten(t, table, o) {
				switch {
				case p.Size < p.PlainBytes:
					sizes = append(sizes, "smaller")
				case p.Size == p.PlainBytes:
					sizes = append(sizes, "same")
				default:
					sizes = append(sizes, "larger")
				}
			}
			if got := fmt.Sprint(sizes); got != want {
				t.Errorf("%s, version %d: pages are %s than before compression, want %s", codec, version, got, want)
			}
		}
	}
}

// A page starts where a record does, and a record of any length is in one page.
func TestPagesStartWithRecords(t *testing.T) {
	lists := dataset{make: func(n int) []arrow.Array {
		return []arrow.Array{listsBy(n, func(i int) int { return i % 7 * (i % 7) * (i % 7) }, func(n int) arrow.Array {
			return slotsOf(of.Int64, n, cyclic(n))
		})}
	}}
	for _, o := range []Options{{DataPageBytes: 1000}, {DataPageBytes: 1000, DictionaryBytes: -1}, {DataPageRecords: 10}} {
		pages := pagesWritten(t, lists.table(700), &o)
		if len(pages) < 70 {
			t.Errorf("options %+v: %d pages", o, len(pages))
		}
		for i, p := range pages {
			if p.Rep[0] != 0 {
				t.Errorf("options %+v: page %d starts in a record", o, i)
			}
		}
	}
}
