package encode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/sluice-io/sluice/integration/lint"
)

// pagesOf names the encodings of a chunk's pages in order, each with the number of pages in a row.
func pagesOf(c *lint.Chunk) (s []string) {
	names := map[lint.Encoding]string{lint.Plain: "plain", lint.RLEDictionary: "indices", lint.DeltaBinaryPacked: "delta"}
	for i := 0; i < len(c.Pages); {
		n := 1
		for i+n < len(c.Pages) && c.Pages[i+n].Encoding == c.Pages[i].Encoding {
			n++
		}
		s = append(s, fmt.Sprint(n, " ", names[c.Pages[i].Encoding]))
		i += n
	}
	return s
}

// Pages of indices are kept as far as they and their entries are smaller than the same values without a dictionary. A
// dictionary has room for 1,000 values here, a page for 500.
func TestDictionaryAsFarAsItPays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	distinct := func(i int) any { return int64(i) * 1_000_003 }
	for _, c := range []struct {
		name    string
		n       int
		value   source
		entries int
		want    string
	}{
		{"few", 10_000, cyclic(10), 10, "[20 indices]"},
		{"distinct", 10_000, distinct, 0, "[20 plain]"},
		{"few, then distinct", 10_000, func(i int) any {
			if i < 5000 {
				return int64(i % 10)
			}
			return distinct(i)
		}, 10, "[10 indices 10 plain]"},
		// 3,333 entries would be needed, each for two bytes of an index in place of 24.
		{"three times each", 10_000, func(i int) any { return distinct(i / 3) }, 1000, "[6 indices 14 plain]"},
		{"once or twice each", 10_000, func(i int) any { return distinct(i * 9 / 10) }, 0, "[20 plain]"},
		{"round and round", 10_000, func(i int) any { return distinct(i % 800) }, 800, "[20 indices]"},
		{"drawn from what just fits", 20_000, func(int) any { return distinct(r.IntN(1000)) }, 1000, "[40 indices]"},
		{"nulls, then few", 10_000, func(i int) any {
			if i < 5000 {
				return nil
			}
			return int64(i % 10)
		}, 10, "[20 indices]"},
		{"nulls", 10_000, func(int) any { return nil }, 0, "[20 plain]"},
		{"few, and one at the end", 10_001, func(i int) any {
			if i == 10_000 {
				return distinct(i)
			}
			return int64(i % 10)
		}, 11, "[21 indices]"},
		{"some, and distinct ones at the end", 10_000, func(i int) any {
			if i < 9500 {
				return int64(i % 200)
			}
			return distinct(i)
		}, 200, "[19 indices 1 plain]"},
		{"twenty times each, more than it has room for", 30_000, func(i int) any {
			return int64((i + 250) / 20)
		}, 1000, "[40 indices 21 plain]"},
		{"one page of few", 100, cyclic(10), 10, "[1 indices]"},
		{"one page of distinct ones", 100, distinct, 0, "[1 plain]"},
		{"one value", 1, distinct, 0, "[1 plain]"},
	} {
		o := &Options{Compression: "none", DictionaryBytes: 8000, DataPageRecords: 500}
		batch := columnTable(of.Int64, c.n, c.value)
		data := mustWrite(t, o, batch.Schema(), batch)
		if err := checkFile(data, o, batch.Schema(), batch); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f := mustLint(t, data)
		chunk := f.RowGroups[0][0]
		if got := fmt.Sprint(pagesOf(chunk)); got != c.want || len(chunk.Dictionary) != c.entries {
			t.Errorf("%s: %d entries, %s, want %d, %s", c.name, len(chunk.Dictionary), got, c.entries, c.want)
		}
		for _, n := range []int64{1, 777} {
			if err := sameFile(mustWrite(t, o, batch.Schema(), slicesOf(batch, n)...), data); err != nil {
				t.Errorf("%s: in batches of %d: %v", c.name, n, err)
			}
		}
		var table bytes.Buffer
		if _, err := WriteTable(&table, batch.Schema(), slicesOf(batch, 333), o); err != nil {
			t.Errorf("%s: as a table: %v", c.name, err)
		} else if err := sameFile(table.Bytes(), data); err != nil {
			t.Errorf("%s: as a table: %v", c.name, err)
		}
	}
}

// What a dictionary is measured against is the encoding that would take its place.
func TestDictionaryOrCompact(t *testing.T) {
	// Each value stands four times: two bytes of dictionary and one and a half of an index against eight in plain, and
	// against half a byte of delta.
	batch := columnTable(of.Int64, 10_000, func(i int) any { return int64(i / 4) })
	for profile, want := range map[string]string{
		"compatible": "[20 indices]", "compact": "[20 delta]", "delta_binary_packed": "[20 delta]",
	} {
		o := &Options{Compression: "none", DataPageRecords: 500, Encoding: profile}
		f := mustLint(t, mustWrite(t, o, batch.Schema(), batch))
		if got := fmt.Sprint(pagesOf(f.RowGroups[0][0])); got != want {
			t.Errorf("%s: %s, want %s", profile, got, want)
		}
	}
}

// The encoding "dictionary" is one until it is full, whether it pays or not.
func TestDictionaryAlways(t *testing.T) {
	batch := (&dataset{"", func(n int) []arrow.Array {
		return []arrow.Array{slotsOf(of.Int64, n, cyclic(n)), slotsOf(texts.String, n, counted("%d", n))}
	}}).table(10_000)
	o := &Options{DictionaryBytes: 10_000, DataPageRecords: 500, Encoding: "dictionary"}
	data := mustWrite(t, o, batch.Schema(), batch)
	if err := checkFile(data, o, batch.Schema(), batch); err != nil {
		t.Error(err)
	}
	f := mustLint(t, data)
	for i, want := range []string{"[3 indices 18 plain]", "[3 indices 18 plain]"} {
		if got := fmt.Sprint(pagesOf(f.RowGroups[0][i])); got != want {
			t.Errorf("column %d: %s, want %s", i, got, want)
		}
	}
}

// Pages that wait for the dictionary to pay take no more memory than a few dictionaries, however long it takes.
func TestWaitingPagesMemory(t *testing.T) {
	r := random()
	for name, value := range map[string]source{
		"few, then distinct": func(i int) any {
			if i < 200_000 {
				return int64(i % 3)
			}
			return int64(r.Uint64())
		},
		"hardly pays":    func(int) any { return r.Int64N(200_000) },
		"one and a half": func(i int) any { return int64(i * 2 / 3) },
		"nulls, then values": func(i int) any {
			if i < 200_000 {
				return nil
			}
			return r.Int64N(100_000)
		},
	} {
		most := int64(0)
		batch := columnTable(of.Int64, 400_000, value)
		w, err := NewWriter(new(bytes.Buffer), batch.Schema(), &Options{Compression: "snappy"})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range slicesOf(batch, 10_000) {
			if err := w.Write(b); err != nil {
				t.Fatal(err)
			}
			most = max(most, w.fields[0].columns[0].ledger.held())
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if most > 5*defaultDictionaryBytes {
			t.Errorf("%s: the pages that wait take up to %d bytes", name, most)
		}
	}
}

// A page's encoding changes with the data.
func TestEncodingFollowsData(t *testing.T) {
	r := random()
	batch := columnTable(of.Int64, 60_000, func(i int) any {
		if i < 30_000 {
			return int64(i)
		}
		return int64(r.Uint64())
	})
	for _, codec := range []string{"none", "snappy"} {
		o := &Options{Compression: codec, DataPageRecords: 500, Encoding: "compact", DictionaryBytes: -1}
		data := mustWrite(t, o, batch.Schema(), batch)
		if err := checkFile(data, o, batch.Schema(), batch); err != nil {
			t.Fatal(err)
		}
		f := mustLint(t, data)
		got := pagesOf(f.RowGroups[0][0])
		if len(got) != 2 || got[0] < "60 delta" || !slices.Contains([]string{"59 plain", "60 plain", "58 plain"}, got[1]) {
			t.Errorf("%s: %s", codec, got)
		}
	}
}

// Pages that wait are plain or indices, as the storage has it. The file is the same.
func TestScreenSameInEveryForm(t *testing.T) {
	const n = 150_000
	r := random()
	drawn := make([]int, n)
	for i := range drawn {
		drawn[i] = r.IntN(140_000)
	}
	for name, pick := range map[string]func(i int) int{
		"distinct":        func(i int) int { return i },
		"round and round": func(i int) int { return i % 65_536 },
		"round in a page": func(i int) int { return i % onePercent },
		"drawn":           func(i int) int { return drawn[i] },
		"few":             func(i int) int { return i % 7 },
	} {
		for _, dt := range []arrow.DataType{of.Int64, texts.String, fixed16} {
			value := func(i int) any {
				switch dt.ID() {
				case arrow.INT64:
					return int64(i) * 1_000_003
				case arrow.STRING:
					return fmt.Sprint(i * 7919)
				}
				return fmt.Sprintf("%016d", i)
			}
			dense := slotsOf(dt, n, func(i int) any { return value(pick(i)) })
			large := pickedFrom(slotsOf(dt, n, value), n, pick)
			forms := []arrow.Array{dense, large, runEndsOf(dense, always(1)), runEndsOf(large, always(1))}
			var want []byte
			for i, a := range forms {
				s := dataset{make: func(int) []arrow.Array { return []arrow.Array{a} }}
				batch := s.table(n)
				data := mustWrite(t, nil, batch.Schema(), slicesOf(batch, 33_333)...)
				if i == 0 {
					want = data
				}
				if !bytes.Equal(unread(data).beforeFooter(), unread(want).beforeFooter()) {
					t.Errorf("%s of %s: form %d is another file than form 0", name, dt, i)
				}
			}
		}
	}
}
