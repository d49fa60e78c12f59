package encode

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/sluice-io/sluice/integration/lint"
)

// tamperCases are encrypted files in which every change must be noticed.
func tamperCases() map[string]*Options {
	own := []EncryptedColumn{{Path: "id"}, {Path: "salary", Key: testKey(1, 16)}, {Path: "tags", Key: testKey(1, 16)}}
	o := func(checksums bool, e Encryption) *Options {
		e.FooterKey, e.FooterKeyMetadata, e.AADPrefix = testKey(0, 16), []byte("k"), []byte("p")
		o := secretOptions(&e)
		o.NoPageChecksum = !checksums
		return o
	}
	return map[string]*Options{
		"GCM":                      o(false, Encryption{Columns: own}),
		"GCM, plaintext footer":    o(false, Encryption{Columns: own, PlaintextFooter: true}),
		"CTR with page checksums":  o(true, Encryption{Columns: own, Algorithm: algorithmGCMCTR}),
		"GCM, with the footer key": o(false, Encryption{PlaintextFooter: true}),
	}
}

// Whatever byte of an encrypted file has a bit flipped, it is noticed.
func TestEncryptionNoticesEveryByte(t *testing.T) {
	schema, batch := secretTable()
	batch = batch.NewSlice(20, 26)
	for name, o := range tamperCases() {
		o.RowGroupRecords, o.DataPageRecords = 4, 2
		data := mustWrite(t, o, schema, batch)
		keys := keysOf(o.Encryption, leafPaths(t, schema))
		if f, err := lintEncrypted(data, keys); err != nil || checkCrypto(f, o.Encryption) != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range data {
			bit := i * 5 % 8
			data[i] ^= 1 << bit
			// What tells how to get hold of the key has no tag.
			if f, err := lintEncrypted(data, keys); err == nil && checkCrypto(f, o.Encryption) == nil {
				t.Errorf("%s: bit %d of byte %d of %d: not noticed", name, bit, i, len(data))
			}
			data[i] ^= 1 << bit
		}
	}
}

// exchangeable is where in a file a thing lies that can stand in for another: a page, its body, a part of the page
// index.
type exchangeable struct {
	what     string
	at, size int64
}

// places returns what of an encrypted file can be exchanged. Pages without their headers are only authenticated by GCM.
func (f *lintedFile) places() (places []exchangeable) {
	for g, chunks := range f.RowGroups {
		for _, c := range chunks {
			m := &c.Meta
			for i, p := range c.Pages {
				what := fmt.Sprintf("page %d of column %q, row group %d", i, c.Leaf.String(), g)
				places = append(places, exchangeable{what, p.Offset, p.Size})
				if !f.Crypto.Algorithm.CTR {
					body := int64(len(p.Stored) + 32)
					places = append(places, exchangeable{"body of " + what, p.Offset + p.Size - body, body})
				}
			}
			what := fmt.Sprintf(" index of column %q, row group %d", c.Leaf.String(), g)
			places = append(places, exchangeable{"offset" + what, m.OffsetIndexOffset, int64(m.OffsetIndexBytes)})
			places = append(places, exchangeable{"Bloom filter of" + what, m.BloomOffset, int64(m.BloomBytes)})
			if m.ColumnIndexOffset != 0 {
				places = append(places, exchangeable{"column" + what, m.ColumnIndexOffset, int64(m.ColumnIndexBytes)})
			}
		}
	}
	return places
}

// A module in the place of another of the same size is noticed by every reader, be it of the same file or of another
// that has the same keys.
func TestEncryptionNoticesExchange(t *testing.T) {
	schema, batch := secretTable()
	for name, o := range tamperCases() {
		o.NoPageChecksum = true
		data, other := mustWrite(t, o, schema, batch), mustWrite(t, o, schema, batch)
		if len(data) != len(other) {
			t.Fatalf("%s: %d and %d bytes", name, len(data), len(other))
		}
		keys := keysOf(o.Encryption, leafPaths(t, schema))
		f, err := lintEncrypted(data, keys)
		if err != nil {
			t.Fatal(err)
		}
		readers := encryptedReaders(schema, batch)
		exchanged := 0
		places := f.places()
		for i, p := range places {
			checkNoticed(t, readers, keys, patched(data, p, other[p.at:]), name+": "+p.what+" of another file")
			for _, q := range places[i+1:] {
				if p.size != q.size || p.at == q.at {
					continue
				}
				exchanged++
				both := patched(patched(data, p, data[q.at:]), q, data[p.at:])
				checkNoticed(t, readers, keys, both, name+": "+p.what+" and "+q.what)
			}
		}
		if exchanged < 10 {
			t.Errorf("%s: %d things exchanged", name, exchanged)
		}
		end := int64(len(f.beforeFooter()))
		footer := exchangeable{"footer", end, int64(len(data)) - end}
		checkNoticed(t, readers, keys, patched(data, footer, other[end:]), name+": the footer of another file")
	}
}

// patched returns data with other bytes in a place.
func patched(data []byte, p exchangeable, with []byte) []byte {
	data = bytes.Clone(data)
	copy(data[p.at:p.at+p.size], with)
	return data
}

func checkNoticed(t *testing.T, readers []fileReader, keys *lint.Keys, data []byte, what string) {
	t.Helper()
	for _, r := range readers {
		if r.read(data, keys) == nil {
			t.Errorf("%s: not noticed by %s", what, r.name)
		}
	}
}
