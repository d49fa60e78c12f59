package encode

import (
	"fmt"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// A column whose encoding is chosen is hardly larger than in any encoding that could be.
const (
	autoMost  = 1.02 // times the smallest
	autoBytes = 128  // and so many more, for headers of pages
)

// chunkBytes writes a table and returns the bytes of each leaf column's chunks.
func chunkBytes(t testing.TB, table arrow.RecordBatch, o *Options) []int64 {
	t.Helper()
	w, err := NewWriter(io.Discard, table.Schema(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(table); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	bytes := make([]int64, len(w.file.Leaves))
	for _, g := range w.rowGroups {
		for i, c := range g.Columns {
			bytes[i] += c.CompressedBytes
		}
	}
	return bytes
}

// fixedChoices are options that leave the columns of a table no choice: one encoding of a profile for each, by name.
func fixedChoices(t testing.TB, leaves []leafColumn, profile, codec string) map[string]*Options {
	choices := map[string]*Options{}
	option := func(name, leaf, encoding string, dictionaryBytes int) {
		o := choices[name]
		if o == nil {
			o = &Options{Compression: codec}
			choices[name] = o
		}
		o.Columns = append(o.Columns, ColumnOptions{Path: leaf, Encoding: encoding, DictionaryBytes: dictionaryBytes})
	}
	for i := range leaves {
		leaf := &leaves[i]
		candidates, err := candidateEncodings(leaf, profile)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 3 {
			e, dictionaryBytes := candidates[min(k, len(candidates)-1)], -1
			if e.id == encodingDeltaByteArray { // without a dictionary it has other pages
				dictionaryBytes = 0
			}
			option(fmt.Sprint("encoding ", k), leaf.String(), e.name, dictionaryBytes)
		}
		if leaf.Physical == typeBoolean {
			option("dictionary", leaf.String(), "plain", 0)
		} else {
			option("dictionary", leaf.String(), "dictionary", 0)
		}
	}
	return choices
}

// checkAuto writes a table with each fixed choice and with the profile's own, and complains about columns that are
// larger than they could be.
func checkAuto(t *testing.T, table arrow.RecordBatch, profile, codec string) {
	file, err := newSchema(table.Schema())
	if err != nil {
		t.Fatal(err)
	}
	auto := chunkBytes(t, table, &Options{Compression: codec, Encoding: profile})
	for name, o := range fixedChoices(t, file.Leaves, profile, codec) {
		for i, fixed := range chunkBytes(t, table, o) {
			if float64(auto[i]) > autoMost*float64(fixed)+autoBytes {
				t.Errorf("%s, %s: column %s takes %d bytes, %.1f %% more than the %d of %s (%s)", profile, codec,
					file.Leaves[i].String(), auto[i], 100*float64(auto[i]-fixed)/float64(fixed), fixed, o.Columns[i].Encoding, name)
			}
		}
	}
}

func TestAuto(t *testing.T) {
	records := 45_000
	if *long {
		records = benchRecords
	}
	for _, s := range datasets() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			table := s.table(records)
			for _, codec := range []string{"none", "snappy", "zstd"} {
				for _, profile := range []string{"compatible", "compact"} {
					checkAuto(t, table, profile, codec)
				}
			}
		})
	}
}
