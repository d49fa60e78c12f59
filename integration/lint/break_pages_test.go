package lint_test

import (
	"bytes"
	"testing"

	"github.com/sluice-io/sluice/encode"
	"github.com/sluice-io/sluice/integration/lint"
)

const (
	id    = 0 // columns of goodFile
	name  = 1
	tags  = 2
	sizes = 4
)

// page returns where a data page of row group 0 lies, and where what is behind its header does.
func (f *file) page(column, ordinal int) (header, body int64) {
	f.t.Helper()
	v, _, err := lint.ReadThrift("OffsetIndex", f.data[f.chunk(0, column).OffsetIndexOffset:])
	if err != nil {
		f.t.Fatal(err)
	}
	header = valueAt(f.t, &v, 1, ordinal, 1).Num
	return header, f.behind(header)
}

// behind returns where the page header at an offset ends.
func (f *file) behind(header int64) int64 {
	f.t.Helper()
	_, rest, err := lint.ReadThrift("PageHeader", f.data[header:])
	if err != nil {
		f.t.Fatal(err)
	}
	return int64(len(f.data) - len(rest))
}

// What lies in front of the footer breaks one rule after another. Pages have no checksums, but for those cases that
// want one.
func TestBreakPages(t *testing.T) {
	header := func(f *file, column int, change func(v *lint.Value)) {
		at, _ := f.page(column, 1)
		f.rewrite("PageHeader", at, change)
	}
	for what, c := range map[string]struct {
		rule      lint.Rule
		mention   string
		checksums bool
		version   int
		damage    func(f *file)
	}{
		"magic": {rule: lint.Frame, damage: func(f *file) { f.data[0] ^= 1 }},
		"gap":   {rule: lint.Layout, mention: "footer", damage: func(f *file) { f.data = append(f.data, 0) }},
		"checksum": {rule: lint.Checksums, mention: "data page 1", checksums: true, damage: func(f *file) {
			_, body := f.page(id, 1)
			f.data[body] ^= 1
		}},
		"no checksum of a page": {rule: lint.PageHeaders, checksums: true, damage: func(f *file) {
			at, _ := f.page(id, 1)
			copy(f.data[at:], "\x15\x00\x15\x80") // a header that ends in the middle
		}},
		"no values":   {rule: lint.PageHeaders, mention: "0 values", damage: func(f *file) { header(f, id, setNum(0, 5, 1)) }},
		"more values": {rule: lint.Values, damage: func(f *file) { header(f, id, setNum(11, 5, 1)) }},
		"other page type": {rule: lint.PageHeaders, mention: "type 3", damage: func(f *file) {
			header(f, id, setNum(3, 1))
		}},
		"page size": {rule: lint.Compression, damage: func(f *file) {
			header(f, id, func(v *lint.Value) { valueAt(f.t, v, 2).Num++ })
		}},
		"encoding of values": {rule: lint.Values, mention: "encoding 9", damage: func(f *file) {
			header(f, name, setNum(9, 5, 2))
		}},
		"encoding of levels": {rule: lint.PageHeaders, mention: "levels", damage: func(f *file) {
			header(f, name, setNum(4, 5, 3))
		}},
		"definition levels": {rule: lint.Levels, damage: func(f *file) {
			_, body := f.page(tags, 0)
			f.data[body] = 0x7f // the length of the repetition levels
		}},
		"nulls of version 2": {rule: lint.PageHeaders, mention: "nulls", version: 2, damage: func(f *file) {
			header(f, name, setNum(1, 8, 2))
		}},
		"records of version 2": {rule: lint.PageHeaders, mention: "records", version: 2, damage: func(f *file) {
			header(f, name, setNum(9, 8, 3))
		}},
		"dictionary entry twice": {rule: lint.Dictionaries, mention: "twice", damage: func(f *file) {
			body := f.behind(f.chunk(0, name).DictionaryPageOffset)
			copy(f.data[body+6:], f.data[body:body+6])
		}},
		"dictionary out of order": {rule: lint.Dictionaries, mention: "referred", damage: func(f *file) {
			_, body := f.page(name, 0)
			f.data[body+4+3+1+1] ^= 1 // the first index, behind levels and bit width
		}},
		"value out of range": {rule: lint.Values, mention: "8 bits", damage: func(f *file) {
			body := f.behind(f.chunk(0, sizes).DictionaryPageOffset)
			f.data[body+1] = 1
		}},
		"first record": {rule: lint.OffsetIndexes, mention: "page 1", damage: func(f *file) {
			f.rewrite("OffsetIndex", f.chunk(0, name).OffsetIndexOffset, setNum(11, 1, 1, 3))
		}},
		"size of a page": {rule: lint.OffsetIndexes, mention: "page 1", damage: func(f *file) {
			f.rewrite("OffsetIndex", f.chunk(0, name).OffsetIndexOffset, func(v *lint.Value) { valueAt(f.t, v, 1, 1, 2).Num-- })
		}},
		"bytes of a page": {rule: lint.OffsetIndexes, mention: "unencoded", damage: func(f *file) {
			f.rewrite("OffsetIndex", f.chunk(0, name).OffsetIndexOffset, func(v *lint.Value) { valueAt(f.t, v, 2, 1).Num++ })
		}},
		"null page": {rule: lint.ColumnIndexes, mention: "null page", damage: func(f *file) {
			f.rewrite("ColumnIndex", f.chunk(0, name).ColumnIndexOffset, func(v *lint.Value) {
				valueAt(f.t, v, 1, 1).Type = lint.ThriftTrue
			})
		}},
		"bound of a page": {rule: lint.ColumnIndexes, mention: "page 1", damage: func(f *file) {
			f.rewrite("ColumnIndex", f.chunk(0, id).ColumnIndexOffset, func(v *lint.Value) { valueAt(f.t, v, 2, 1).Bytes[0]++ })
		}},
		"boundary order": {rule: lint.ColumnIndexes, mention: "order", damage: func(f *file) {
			f.rewrite("ColumnIndex", f.chunk(0, id).ColumnIndexOffset, setNum(2, 4))
		}},
		"nulls of a page": {rule: lint.ColumnIndexes, mention: "null counts", damage: func(f *file) {
			f.rewrite("ColumnIndex", f.chunk(0, name).ColumnIndexOffset, func(v *lint.Value) { valueAt(f.t, v, 5, 1).Num++ })
		}},
		"NaNs of a page": {rule: lint.ColumnIndexes, mention: "NaN", damage: func(f *file) {
			f.rewrite("ColumnIndex", f.chunk(0, tags).ColumnIndexOffset, func(v *lint.Value) { valueAt(f.t, v, 8, 1).Num++ })
		}},
		"levels of a page": {rule: lint.ColumnIndexes, mention: "repetition levels", damage: func(f *file) {
			f.rewrite("ColumnIndex", f.chunk(0, tags).ColumnIndexOffset, func(v *lint.Value) { valueAt(f.t, v, 6, 1).Num++ })
		}},
		"bit of the Bloom filter": {rule: lint.BloomFilters, mention: "bits", damage: func(f *file) {
			c := f.chunk(0, id)
			f.data[c.BloomOffset+int64(c.BloomBytes)-1] ^= 1
		}},
	} {
		t.Run(what, func(t *testing.T) {
			f := open(t, goodFile(t, encode.Options{NoPageChecksum: !c.checksums, DataPageVersion: c.version}))
			c.damage(f)
			wantBroken(t, f.bytes(), c.rule, c.mention, nil)
		})
	}
}

// setNum returns a change of the number at a path.
func setNum(n int64, path ...int) func(v *lint.Value) {
	return func(v *lint.Value) {
		for _, id := range path {
			if v.Type == lint.ThriftList {
				v = &v.List[id]
				continue
			}
			for i := range v.IDs {
				if v.IDs[i] == int16(id) {
					v = &v.Fields[i]
					break
				}
			}
		}
		v.Num = n
	}
}

// Without its keys, with others, or with a byte changed, an encrypted file does not pass.
func TestBreakEncryption(t *testing.T) {
	key := func(b byte) []byte { return bytes.Repeat([]byte{b}, 16) }
	for _, plaintextFooter := range []bool{false, true} {
		data := goodFile(t, encode.Options{Encryption: &encode.Encryption{
			FooterKey: key(1), PlaintextFooter: plaintextFooter,
			Columns: []encode.EncryptedColumn{{Path: "name", Key: key(2)}},
		}})
		with := func(footer, column byte) *lint.Options {
			return &lint.Options{Keys: &lint.Keys{Footer: key(footer), Columns: map[string][]byte{"name": key(column)}}}
		}
		if err := lint.File(bytes.NewReader(data), int64(len(data)), with(1, 2)); err != nil {
			t.Error(err)
		}
		wantBroken(t, data, lint.Encryption, "no keys", nil)
		wantBroken(t, data, lint.Encryption, "", with(2, 2))
		wantBroken(t, data, lint.Encryption, `"name"`, with(1, 1))
		wantBroken(t, data, lint.Encryption, "no key", &lint.Options{Keys: &lint.Keys{Footer: key(1)}})
	}
}
