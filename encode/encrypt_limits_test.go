package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/sluice-io/sluice/integration/lint"
)

func TestEncryptionOptionErrors(t *testing.T) {
	schema, _ := secretTable()
	key, id := testKey(0, 16), EncryptedColumn{Path: "id"}
	secret := Key("0123456789abcde") // one byte short
	columns := func(c ...EncryptedColumn) Encryption { return Encryption{FooterKey: key, Columns: c} }
	for want, e := range map[string]Encryption{
		"FooterKey is missing":                        {},
		"FooterKey has 0 bytes":                       {FooterKey: Key{}},
		"FooterKey has 15 bytes":                      {FooterKey: secret},
		`Algorithm "AES" is not known: use AES_GCM_V`: {FooterKey: key, Algorithm: "AES"},
		"OmitAADPrefix without an AADPrefix":          {FooterKey: key, OmitAADPrefix: true},
		"Columns[1].Key has 15 bytes":                 columns(id, EncryptedColumn{Path: "tags", Key: secret}),
		"Columns[0].Key has 0 bytes":                  columns(EncryptedColumn{Path: "id", Key: Key{}}),
		"Columns[0]: KeyMetadata without a Key":       columns(EncryptedColumn{Path: "id", KeyMetadata: []byte("k")}),
		`Columns[0]: no column "id" is left`:          columns(id, EncryptedColumn{Path: "*"}),
		`Columns[0]: no column "tag" is left`:         columns(EncryptedColumn{Path: "tag"}),
		`Columns[1]: no column "" is left`:            columns(id, EncryptedColumn{}),
	} {
		_, err := NewWriter(io.Discard, schema, &Options{Encryption: &e})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if err != nil && strings.Contains(err.Error(), string(secret)) {
			t.Errorf("error %v shows the key", err)
		}
	}
}

// No way of formatting shows a key, wherever it stands.
func TestKeysAreHidden(t *testing.T) {
	key := Key("secret of bytes!")
	e := Encryption{FooterKey: key, Columns: []EncryptedColumn{{Path: "a", Key: key}}}
	o := Options{Encryption: &e}
	var out bytes.Buffer
	pointers := []any{&struct{ K *Key }{&key}, &struct{ C *EncryptedColumn }{&e.Columns[0]}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%t", "%z"} {
		for _, v := range append(pointers, key, &key, e, &e, e.Columns, e.Columns[0], o, &o) {
			fmt.Fprintf(&out, verb+"\n", v)
		}
	}
	for _, v := range []any{key, e, o.Encryption.Columns} {
		if err := json.NewEncoder(&out).Encode(v); err != nil {
			t.Error(err)
		}
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "v", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "v", v)
	}
	for _, shown := range []string{
		"secret", fmt.Sprintf("%x", []byte(key)), fmt.Sprintf("%X", []byte(key)), "c2VjcmV0", "115 101 99",
		"0x73, 0x65", "163 145",
	} {
		if strings.Contains(out.String(), shown) {
			t.Errorf("%q is in\n%s", shown, out.String())
		}
	}
	if !strings.Contains(out.String(), hiddenKey) {
		t.Error("no key was formatted")
	}
}

// The writer keeps no key, and neither what the caller does with it nor with the metadata changes the file.
func TestEncryptionKeepsNoKey(t *testing.T) {
	schema, batch := secretTable()
	e := &Encryption{
		FooterKey: testKey(0, 16), FooterKeyMetadata: []byte("k0"), AADPrefix: []byte("p"),
		Columns: []EncryptedColumn{{Path: "salary", Key: testKey(1, 16), KeyMetadata: []byte("k1")}},
	}
	keys := &lint.Keys{Footer: testKey(0, 16), Columns: map[string][]byte{"salary": testKey(1, 16)}}
	var buf bytes.Buffer
	w, err := NewWriter(&buf, schema, secretOptions(e))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{e.FooterKey, e.FooterKeyMetadata, e.AADPrefix} {
		clear(b)
	}
	clear(e.Columns[0].Key)
	clear(e.Columns[0].KeyMetadata)
	if err := w.Write(batch); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := lintEncrypted(buf.Bytes(), keys)
	if err != nil {
		t.Fatal(err)
	}
	c := f.RowGroups[0][1].Meta.Crypto
	prefix := string(f.Crypto.Algorithm.AADPrefix)
	if string(f.Crypto.KeyMetadata) != "k0" || prefix != "p" || string(c.KeyMetadata) != "k1" {
		t.Errorf("key metadata %q and %q, prefix %q", f.Crypto.KeyMetadata, c.KeyMetadata, prefix)
	}
	if w.options.Encryption != nil {
		t.Error("the writer has the keys")
	}
}

func numbers(n int) (*arrow.Schema, arrow.RecordBatch) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int32}}, nil)
	b := array.NewInt32Builder(memory.DefaultAllocator)
	for i := range n {
		b.Append(int32(i))
	}
	return schema, array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, int64(n))
}

// Ordinals of row groups and pages have 15 bits: a file that needs as many is written, and one more is an error.
func TestEncryptionOrdinals(t *testing.T) {
	most := math.MaxInt16 + 1
	schema, batch := numbers(most + 1)
	e := &Encryption{FooterKey: testKey(0, 16)}
	for _, c := range []struct {
		options Options
		want    string
	}{
		{
			Options{RowGroupRecords: 1, Encryption: e},
			`encode: field "n": data page 0: row group 32768: an encrypted file has at most 32768: raise`,
		},
		{
			Options{DataPageRecords: 1, DictionaryBytes: -1, Encryption: e},
			`encode: field "n": data page 32768: an encrypted column chunk has at most 32768 data pages: raise`,
		},
	} {
		full := batch.NewSlice(0, int64(most))
		data := mustWrite(t, &c.options, schema, full)
		props := propsOf(&lint.Keys{Footer: e.FooterKey}, nil)
		if err := checkArrowGoWith(props, unread(data), schema, shred(schema, full)); err != nil {
			t.Errorf("%d: %v", most, err)
		}
		if _, err := write(&c.options, schema, batch); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
		plain := c.options
		plain.Encryption = nil
		mustWrite(t, &plain, schema, batch)
	}
}

// Leaf columns have ordinals of 15 bits, too: what lies behind cannot be encrypted.
func TestEncryptionColumnOrdinals(t *testing.T) {
	fields := make([]arrow.Field, math.MaxInt16+2)
	for i := range fields {
		fields[i] = arrow.Field{Name: fmt.Sprint("c", i), Type: arrow.PrimitiveTypes.Int32}
	}
	schema := arrow.NewSchema(fields, nil)
	key := testKey(0, 16)
	for _, c := range []struct {
		columns []EncryptedColumn
		ok      bool
	}{{nil, false}, {[]EncryptedColumn{{Path: "c32768"}}, false}, {[]EncryptedColumn{{Path: "c32767"}}, true}} {
		w, err := NewWriter(io.Discard, schema, &Options{Encryption: &Encryption{FooterKey: key, Columns: c.columns}})
		if c.ok != (err == nil) || err != nil && !strings.Contains(err.Error(), `"c32768" is leaf column 32768`) {
			t.Errorf("%+v: error %v", c.columns, err)
		}
		if err == nil {
			w.Abort()
		}
	}
}

// A key that has encrypted 2^32 modules encrypts no more, whichever module comes next.
func TestEncryptionInvocations(t *testing.T) {
	schema, batch := secretTable()
	modules := func(o *Options) int {
		f, err := lintEncrypted(mustWrite(t, o, schema, batch), keysOf(o.Encryption, leafPaths(t, schema)))
		if err != nil {
			t.Fatal(err)
		}
		return len(f.Crypto.Modules)
	}
	for _, algorithm := range []string{algorithmGCM, algorithmGCMCTR} {
		o := secretOptions(&Encryption{
			FooterKey: testKey(0, 16), Algorithm: algorithm,
			Columns: []EncryptedColumn{{Path: "id", Key: testKey(0, 16)}, {Path: "tags"}}, // one key
		})
		n := modules(o)
		for left := range n + 1 {
			w, err := NewWriter(io.Discard, schema, o)
			if err != nil {
				t.Fatal(err)
			}
			w.cipher.footerKey.invocations.Store(maxInvocations - int64(left))
			if err = w.Write(batch); err == nil {
				_, err = w.Close()
			}
			if left == n && err != nil || left < n && (err == nil || !strings.Contains(err.Error(), "2^32 modules")) {
				t.Errorf("%s: %d of %d modules are left: error %v", algorithm, left, n, err)
			}
		}
	}
}
