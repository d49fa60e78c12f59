package encode

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/sluice-io/sluice/integration/lint"
)

// secretTable is a table of an id, a salary and a list of tags, over several row groups and pages.
func secretTable() (*arrow.Schema, arrow.RecordBatch) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "salary", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	tags := b.Field(2).(*array.ListBuilder)
	for i := range 40 {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		if i%7 == 3 {
			b.Field(1).AppendNull()
		} else {
			b.Field(1).(*array.StringBuilder).Append(fmt.Sprintf("salary of %04d", 1000+i))
		}
		tags.Append(true)
		for k := range i % 3 {
			tags.ValueBuilder().(*array.StringBuilder).Append([]string{"tag of red", "tag of blue"}[k])
		}
	}
	return schema, b.NewRecordBatch()
}

func secretOptions(e *Encryption) *Options {
	return &Options{
		Compression: "none", RowGroupRecords: 15, DataPageRecords: 4, BloomFilterFPP: 0.01, Encryption: e,
	}
}

// Every algorithm, key length, footer, choice of columns and AAD prefix. Both readers read them, arrow-go with keys
// that it is given and with keys that it looks up by their metadata; and nothing secret is in the file.
func TestEncryptionModes(t *testing.T) {
	schema, batch := secretTable()
	for _, algorithm := range []string{algorithmGCM, algorithmGCMCTR} {
		for _, length := range []int{16, 24, 32} {
			for _, columns := range [][]EncryptedColumn{
				nil,
				{{Path: "salary"}},
				{{Path: "salary", Key: testKey(1, length), KeyMetadata: []byte("k1")}},
				{
					{Path: "tags", Key: testKey(2, 16), KeyMetadata: []byte("k2")},
					{Path: "salary", Key: testKey(1, 32), KeyMetadata: []byte("k1")},
				},
				{{Path: "salary"}, {Path: "tags.list", Key: testKey(2, 24), KeyMetadata: []byte("k2")}, {Path: "id"}},
			} {
				for mode := range 6 {
					e := &Encryption{
						FooterKey: testKey(0, length), FooterKeyMetadata: []byte("k0"), Algorithm: algorithm,
						Columns: columns, PlaintextFooter: mode%2 == 1, OmitAADPrefix: mode/2 == 2,
					}
					if mode/2 > 0 {
						e.AADPrefix = []byte("prefix")
					}
					if err := checkMode(t, e, schema, batch); err != nil {
						t.Errorf("%+v: %v", e, err)
					}
				}
			}
		}
	}
}

func checkMode(t *testing.T, e *Encryption, schema *arrow.Schema, batch arrow.RecordBatch) error {
	for _, version := range []int{1, 2} {
		o := secretOptions(e)
		o.DataPageVersion = version
		data := mustWrite(t, o, schema, batch)
		if err := checkEncrypted(t, data, o, schema, batch); err != nil {
			return err
		}
		byMetadata := keyMap{"k0": e.FooterKey}
		for _, c := range e.Columns {
			if c.Key != nil {
				byMetadata[string(c.KeyMetadata)] = c.Key
			}
		}
		props := propsOf(keysOf(e, leafPaths(t, schema)), byMetadata)
		if err := checkEncryptedArrowGo(unread(data), props, schema, shred(schema, batch)); err != nil {
			return fmt.Errorf("keys by their metadata: %w", err)
		}
		if err := checkSecret(data, e); err != nil {
			return err
		}
	}
	return nil
}

// checkSecret looks for what should not be there.
func checkSecret(data []byte, e *Encryption) error {
	for column, text := range map[string]string{"salary": "salary of", "tags.list.element": "tag of"} {
		path := strings.Split(column, ".")
		if visible := bytes.Contains(data, []byte(text)); visible != (entryOf(e, path) == nil) {
			return fmt.Errorf("the values of %s can be seen: %v", column, visible)
		}
	}
	if visible := bytes.Contains(data, []byte("ARROW:schema")); visible != e.PlaintextFooter {
		return fmt.Errorf("the footer can be seen: %v", visible)
	}
	if bytes.Contains(data, e.FooterKey) || e.OmitAADPrefix && bytes.Contains(data, e.AADPrefix) {
		return fmt.Errorf("a key or the prefix is in the file")
	}
	return nil
}

// A reader without keys reads the plain columns of a file with a plaintext footer, and sees no statistics of the
// others.
func TestPlaintextFooterWithoutKeys(t *testing.T) {
	schema, batch := secretTable()
	for _, key := range []Key{nil, testKey(1, 16)} {
		data := mustWrite(t, secretOptions(&Encryption{
			FooterKey: testKey(0, 16), PlaintextFooter: true, Columns: []EncryptedColumn{{Path: "salary", Key: key}},
		}), schema, batch)
		r, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		fr, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		table, err := fr.ReadRowGroups(context.Background(), []int{0, 2}, []int{0, 1, 2})
		if err != nil {
			t.Fatal(err)
		}
		tr := array.NewTableReader(table, 0)
		var got []arrow.RecordBatch
		for tr.Next() {
			b := tr.RecordBatch()
			b.Retain()
			got = append(got, b)
		}
		want := shred(schema, batch)
		for i, s := range shred(table.Schema(), got...) {
			if err := diffStreams(s, want[2*i]); err != nil {
				t.Errorf("plain column %d: %v", i, err)
			}
		}
		for _, g := range r.MetaData().RowGroups {
			m := g.Columns[1].MetaData
			if m.Statistics != nil || m.SizeStatistics != nil || m.EncodingStats != nil {
				t.Errorf("visible metadata of the encrypted column: %v", m)
			}
			if g.Columns[0].MetaData.Statistics == nil {
				t.Error("a plain column has no statistics")
			}
		}
		if _, err := fr.ReadRowGroups(context.Background(), []int{1}, []int{0}); err == nil {
			t.Error("the encrypted column was read without a key")
		}
	}
}

// fileReader is a way to read all of a file.
type fileReader struct {
	name string
	read func(data []byte, keys *lint.Keys) error
}

func encryptedReaders(schema *arrow.Schema, batch arrow.RecordBatch) []fileReader {
	want := shred(schema, batch)
	return []fileReader{
		{"linter", func(data []byte, keys *lint.Keys) error {
			_, err := lintEncrypted(data, keys)
			return err
		}},
		{"arrow-go", func(data []byte, keys *lint.Keys) error {
			return checkEncryptedArrowGo(unread(data), propsOf(keys, nil), schema, want)
		}},
	}
}

func TestWrongKeys(t *testing.T) {
	schema, batch := secretTable()
	right := func() *lint.Keys {
		return &lint.Keys{
			Footer: testKey(0, 16), Columns: map[string][]byte{"salary": testKey(1, 32)}, AADPrefix: []byte("prefix"),
		}
	}
	wrong := map[string]func(*lint.Keys){
		"footer key":           func(k *lint.Keys) { k.Footer = testKey(9, 16) },
		"length of footer key": func(k *lint.Keys) { k.Footer = append(k.Footer, 0, 0, 0, 0, 0, 0, 0, 0) },
		"column key":           func(k *lint.Keys) { k.Columns["salary"] = testKey(9, 32) },
		"no column key":        func(k *lint.Keys) { delete(k.Columns, "salary") },
		"keys exchanged":       func(k *lint.Keys) { k.Footer, k.Columns["salary"] = k.Columns["salary"], k.Footer },
		"prefix":               func(k *lint.Keys) { k.AADPrefix = []byte("prefiy") },
		"no prefix":            func(k *lint.Keys) { k.AADPrefix = nil },
	}
	for mode := range 4 {
		e := &Encryption{
			FooterKey: testKey(0, 16), AADPrefix: []byte("prefix"), OmitAADPrefix: true,
			Columns:         []EncryptedColumn{{Path: "salary", Key: testKey(1, 32)}, {Path: "tags"}},
			PlaintextFooter: mode%2 == 1, Algorithm: []string{algorithmGCM, algorithmGCMCTR}[mode/2],
		}
		data := mustWrite(t, secretOptions(e), schema, batch)
		for _, r := range encryptedReaders(schema, batch) {
			if err := r.read(data, right()); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
			for name, change := range wrong {
				keys := right()
				change(keys)
				if err := r.read(data, keys); err == nil {
					t.Errorf("%s, %+v: read with the wrong thing: %s", r.name, e, name)
				}
			}
		}
	}
}

// The prefix in the file is part of the AAD: another in its place is noticed.
func TestOtherPrefixInFile(t *testing.T) {
	schema, batch := secretTable()
	for _, plaintextFooter := range []bool{false, true} {
		e := &Encryption{FooterKey: testKey(0, 16), AADPrefix: []byte("version 7"), PlaintextFooter: plaintextFooter}
		data := mustWrite(t, secretOptions(e), schema, batch)
		keys := &lint.Keys{Footer: testKey(0, 16)}
		other := bytes.Replace(data, []byte("version 7"), []byte("version 8"), 1)
		if bytes.Equal(data, other) {
			t.Fatal("the prefix is not in the file")
		}
		for _, r := range encryptedReaders(schema, batch) {
			if err := r.read(data, keys); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
			if err := r.read(other, keys); err == nil {
				t.Errorf("%s: another prefix was not noticed", r.name)
			}
		}
		props := parquet.NewReaderProperties(memory.DefaultAllocator)
		props.FileDecryptProps = parquet.NewFileDecryptionProperties(
			parquet.WithFooterKey(string(testKey(0, 16))), parquet.WithDecryptAadPrefix("version 8"))
		if err := checkEncryptedArrowGo(unread(data), props, schema, shred(schema, batch)); err == nil {
			t.Error("the reader expected another prefix")
		}
	}
}

// A nonce is never used twice, and nothing else changes from file to file, however the records come.
func TestEncryptionDeterministic(t *testing.T) {
	schema, batch := secretTable()
	for _, plaintextFooter := range []bool{false, true} {
		o := secretOptions(&Encryption{
			FooterKey: testKey(0, 16), PlaintextFooter: plaintextFooter,
			Columns: []EncryptedColumn{{Path: "salary", Key: testKey(1, 16)}, {Path: "id"}},
		})
		o.Run, o.NoPageChecksum = runParallel, true // a checksum is that of what is encrypted
		var table bytes.Buffer
		if _, err := WriteTable(&table, schema, slicesOf(batch, 12), o); err != nil {
			t.Fatal(err)
		}
		keys := keysOf(o.Encryption, leafPaths(t, schema))
		var first []lint.Module
		numModules, nonces, files := 0, map[string]bool{}, map[string]bool{}
		for _, data := range [][]byte{
			mustWrite(t, o, schema, batch), mustWrite(t, o, schema, slicesOf(batch, 7)...), table.Bytes(),
		} {
			f, err := lintEncrypted(data, keys)
			if err != nil {
				t.Fatal(err)
			}
			modules := f.Crypto.Modules
			for _, m := range modules {
				numModules++
				nonces[m.Nonce] = true
			}
			files[string(f.Crypto.Algorithm.FileUnique)] = true
			if first == nil {
				first = modules
			}
			if !slices.EqualFunc(first, modules, sameModule) {
				t.Error("modules differ")
			}
		}
		if len(nonces) != numModules || len(files) != 3 {
			t.Errorf("%d nonces for %d modules, %d identifiers of files", len(nonces), numModules, len(files))
		}
	}
}

// sameModule compares two modules but for the footer, which has the file's identifier and encrypted metadata.
func sameModule(a, b lint.Module) bool {
	return a.ID == b.ID && (a.ID.Kind == lint.ModuleFooter || bytes.Equal(a.Plain, b.Plain))
}
