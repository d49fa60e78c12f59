package lint_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/sluice-io/sluice/encode"
	"github.com/sluice-io/sluice/integration/lint"
)

// goodFile writes two row groups of the columns id (sorted, with a Bloom filter), name (nullable, with a dictionary),
// tags (a list) and sizes (a map).
func goodFile(t *testing.T, o encode.Options) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int32},
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "tags", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64), Nullable: true},
		{Name: "sizes", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int8), Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	tags, sizes := b.Field(2).(*array.ListBuilder), b.Field(3).(*array.MapBuilder)
	for i := range 40 {
		b.Field(0).(*array.Int32Builder).Append(int32(i))
		if i%5 == 4 {
			b.Field(1).AppendNull()
			tags.AppendNull()
			sizes.AppendNull()
			continue
		}
		b.Field(1).(*array.StringBuilder).Append([]string{"de", "fr", "it"}[i%3])
		tags.Append(true)
		sizes.Append(true)
		for k := range i % 3 {
			tags.ValueBuilder().(*array.Float64Builder).Append(float64(i) / float64(k+1))
			sizes.KeyBuilder().(*array.StringBuilder).Append(fmt.Sprint("k", k))
			sizes.ItemBuilder().(*array.Int8Builder).Append(int8(i))
		}
	}
	o.Compression, o.RowGroupRecords, o.DataPageRecords = "none", 25, 10
	o.SortingColumns = []encode.SortingColumn{{Column: "id"}}
	o.Columns = []encode.ColumnOptions{{Path: "id", BloomFilterFPP: 0.01, DictionaryBytes: -1}}
	var out bytes.Buffer
	batch := b.NewRecordBatch()
	if _, err := encode.WriteTable(&out, schema, []arrow.RecordBatch{batch}, &o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// file is one that is taken apart.
type file struct {
	t      *testing.T
	data   []byte // up to the footer
	footer lint.Value
	meta   lint.FileMetaData
}

func open(t *testing.T, data []byte) *file {
	t.Helper()
	end := len(data) - 8
	from := end - int(binary.LittleEndian.Uint32(data[end:]))
	v, rest, err := lint.ReadThrift("FileMetaData", data[from:end])
	if err != nil || len(rest) > 0 {
		t.Fatalf("%d bytes follow the footer, error %v", len(rest), err)
	}
	return &file{t, bytes.Clone(data[:from]), v, lint.FileMetaDataOf(v)}
}

// bytes puts the file together again.
func (f *file) bytes() []byte {
	footer := appendStruct(nil, f.footer)
	data := append(bytes.Clone(f.data), footer...)
	return append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), "PAR1"...)
}

// at returns the value at a path of field ids, of which those below a list count its elements: a chunk is
// (4, group, 1, column).
func (f *file) at(path ...int) *lint.Value { return valueAt(f.t, &f.footer, path...) }

func valueAt(t *testing.T, v *lint.Value, path ...int) *lint.Value {
	t.Helper()
	for _, id := range path {
		if v.Type == lint.ThriftList {
			v = &v.List[id]
			continue
		}
		i := slices.Index(v.IDs, int16(id))
		if i < 0 {
			t.Fatalf("there is no field %d of %v", id, path)
		}
		v = &v.Fields[i]
	}
	return v
}

// drop takes the last field of the path out of its struct.
func (f *file) drop(path ...int) {
	v := f.at(path[:len(path)-1]...)
	i := slices.Index(v.IDs, int16(path[len(path)-1]))
	v.IDs, v.Fields = slices.Delete(v.IDs, i, i+1), slices.Delete(v.Fields, i, i+1)
}

// rewrite changes a struct in the file, which must keep its length.
func (f *file) rewrite(name string, from int64, change func(v *lint.Value)) {
	f.t.Helper()
	v, rest, err := lint.ReadThrift(name, f.data[from:])
	if err != nil {
		f.t.Fatal(err)
	}
	size := len(f.data) - int(from) - len(rest)
	change(&v)
	b := appendStruct(nil, v)
	if len(b) != size {
		f.t.Fatalf("%s has %d bytes and had %d", name, len(b), size)
	}
	copy(f.data[from:], b)
}

// chunk returns the metadata of a column chunk.
func (f *file) chunk(group, column int) *lint.ColumnChunk {
	return &f.meta.RowGroups[group].Columns[column]
}

// appendStruct writes a struct in the compact protocol.
func appendStruct(dst []byte, v lint.Value) []byte {
	last := int16(0)
	for i, id := range v.IDs {
		f := v.Fields[i]
		if distance := id - last; distance >= 1 && distance <= 15 {
			dst = append(dst, byte(distance)<<4|byte(f.Type))
		} else {
			dst = binary.AppendVarint(append(dst, byte(f.Type)), int64(id))
		}
		last = id
		if f.Type != lint.ThriftTrue && f.Type != lint.ThriftFalse {
			dst = appendValue(dst, f)
		}
	}
	return append(dst, 0)
}

func appendValue(dst []byte, v lint.Value) []byte {
	switch v.Type {
	case lint.ThriftTrue, lint.ThriftFalse:
		return append(dst, byte(v.Type))
	case lint.ThriftI8:
		return append(dst, byte(v.Num))
	case lint.ThriftBinary:
		return append(binary.AppendUvarint(dst, uint64(len(v.Bytes))), v.Bytes...)
	case lint.ThriftStruct:
		return appendStruct(dst, v)
	case lint.ThriftList:
		if n := len(v.List); n < 15 {
			dst = append(dst, byte(n)<<4|byte(v.Elem))
		} else {
			dst = binary.AppendUvarint(append(dst, 0xf0|byte(v.Elem)), uint64(n))
		}
		for _, e := range v.List {
			dst = appendValue(dst, e)
		}
		return dst
	}
	return binary.AppendVarint(dst, v.Num)
}

// wantBroken lints a file that breaks a rule.
func wantBroken(t *testing.T, data []byte, rule lint.Rule, mention string, o *lint.Options) {
	t.Helper()
	err := lint.File(bytes.NewReader(data), int64(len(data)), o)
	var e *lint.Error
	if !errors.As(err, &e) {
		t.Errorf("error %v, want a breach of %q", err, rule)
		return
	}
	if e.Rule != rule || !strings.Contains(err.Error(), mention) {
		t.Errorf("got %q, want a breach of %q and %q", err, rule, mention)
	}
}

func TestGoodFile(t *testing.T) {
	data := goodFile(t, encode.Options{})
	if again := open(t, data).bytes(); !bytes.Equal(again, data) {
		t.Error("the file is another when it is put together again")
	}
	if err := lint.File(bytes.NewReader(data), int64(len(data)), nil); err != nil {
		t.Error(err)
	}
}

// A file breaks one rule after another.
func TestBreakRules(t *testing.T) {
	for what, c := range map[string]struct {
		rule    lint.Rule
		mention string
		damage  func(f *file)
	}{
		"root with repetition": {lint.Schema, "root", func(f *file) {
			root := f.at(2, 0)
			root.IDs = slices.Insert(root.IDs, 0, 3)
			root.Fields = slices.Insert(root.Fields, 0, lint.Value{Type: lint.ThriftI32})
		}},
		"no repetition":     {lint.Schema, `"id"`, func(f *file) { f.drop(2, 1, 3) }},
		"children":          {lint.Schema, "", func(f *file) { f.at(2, 0, 5).Num++ }},
		"list":              {lint.Schema, `"bag"`, func(f *file) { f.at(2, 4, 4).Bytes = []byte("bag") }},
		"element":           {lint.Schema, `"array"`, func(f *file) { f.at(2, 5, 4).Bytes = []byte("array") }},
		"map":               {lint.Schema, `"entries"`, func(f *file) { f.at(2, 7, 4).Bytes = []byte("entries") }},
		"optional key":      {lint.Schema, "key", func(f *file) { f.at(2, 8, 3).Num = 1 }},
		"no converted type": {lint.LogicalTypes, `"name"`, func(f *file) { f.drop(2, 2, 6) }},
		"physical type":     {lint.LogicalTypes, `"name"`, func(f *file) { f.at(2, 2, 1).Num = 2 }},
		"no creator":        {lint.Footer, "created", func(f *file) { f.at(6).Bytes = nil }},
		"version":           {lint.Footer, "version 3", func(f *file) { f.at(1).Num = 3 }},
		"records":           {lint.Footer, "41", func(f *file) { f.at(3).Num++ }},
		"column orders":     {lint.Footer, "orders", func(f *file) { f.drop(7) }},
		"deprecated offset": {lint.Footer, "offset", func(f *file) { f.at(4, 0, 1, 0, 2).Num = 4 }},
		"unknown field": {lint.Footer, "no field 77", func(f *file) {
			f.footer.IDs, f.footer.Fields = append(f.footer.IDs, 77), append(f.footer.Fields, lint.Value{Type: lint.ThriftTrue})
		}},
		"no Arrow schema":        {lint.ArrowSchema, "none", func(f *file) { f.at(5, 0, 1).Bytes = []byte("arrow:schema") }},
		"Arrow schema":           {lint.ArrowSchema, "", func(f *file) { f.at(5, 0, 2).Bytes = []byte("AAAA") }},
		"row group bytes":        {lint.RowGroups, "row group 1", func(f *file) { f.at(4, 1, 2).Num++ }},
		"row group compressed":   {lint.RowGroups, "row group 1", func(f *file) { f.at(4, 1, 6).Num++ }},
		"row group offset":       {lint.RowGroups, "row group 0", func(f *file) { f.at(4, 0, 5).Num++ }},
		"row group ordinal":      {lint.RowGroups, "ordinal 2", func(f *file) { f.at(4, 1, 7).Num++ }},
		"empty row group":        {lint.RowGroups, "no records", func(f *file) { f.at(4, 1, 3).Num = 0 }},
		"row group records":      {lint.ColumnMetaData, "26", func(f *file) { f.at(4, 0, 3).Num++ }},
		"path":                   {lint.ColumnMetaData, `"ie"`, func(f *file) { f.at(4, 0, 1, id, 3, 3, 0).Bytes = []byte("ie") }},
		"type":                   {lint.ColumnMetaData, "type 2", func(f *file) { f.at(4, 0, 1, id, 3, 1).Num = 2 }},
		"values without nulls":   {lint.ColumnMetaData, "counts 20", func(f *file) { f.at(4, 0, 1, name, 3, 5).Num = 20 }},
		"uncompressed bytes":     {lint.ColumnMetaData, "uncompressed", func(f *file) { f.at(4, 0, 1, name, 3, 6).Num++ }},
		"data page offset":       {lint.Layout, `"name"`, func(f *file) { f.at(4, 0, 1, name, 3, 9).Num++ }},
		"no dictionary offset":   {lint.Dictionaries, "none", func(f *file) { f.drop(4, 0, 1, name, 3, 11) }},
		"encodings":              {lint.Encodings, "listed", func(f *file) { slices.Reverse(f.at(4, 0, 1, name, 3, 2).List) }},
		"encoding statistics":    {lint.Encodings, "statistics", func(f *file) { f.at(4, 0, 1, name, 3, 13, 1, 3).Num++ }},
		"offset index elsewhere": {lint.OffsetIndexes, "", func(f *file) { f.at(4, 0, 1, name, 4).Num++ }},
		"offset index length":    {lint.OffsetIndexes, "", func(f *file) { f.at(4, 0, 1, name, 5).Num-- }},
		"no offset index": {lint.OffsetIndexes, "missing", func(f *file) {
			f.drop(4, 0, 1, name, 4)
			f.drop(4, 0, 1, name, 5)
		}},
		"no column index": {lint.ColumnIndexes, "there: false", func(f *file) {
			f.drop(4, 0, 1, name, 6)
			f.drop(4, 0, 1, name, 7)
		}},
		"no statistics":     {lint.Bounds, "missing", func(f *file) { f.drop(4, 0, 1, id, 3, 12) }},
		"nulls":             {lint.Bounds, "nulls", func(f *file) { f.at(4, 0, 1, name, 3, 12, 3).Num-- }},
		"smallest":          {lint.Bounds, "bounds", func(f *file) { f.at(4, 0, 1, id, 3, 12, 6).Bytes[0]++ }},
		"largest":           {lint.Bounds, "largest", func(f *file) { f.at(4, 0, 1, id, 3, 12, 5).Bytes[0]++ }},
		"not exact":         {lint.Bounds, "exact", func(f *file) { f.at(4, 0, 1, name, 3, 12, 7).Type = lint.ThriftFalse }},
		"distinct":          {lint.Bounds, "distinct", func(f *file) { f.at(4, 0, 1, name, 3, 12, 4).Num++ }},
		"NaN bound":         {lint.Bounds, "bounds", func(f *file) { copy(f.at(4, 0, 1, tags, 3, 12, 6).Bytes[6:], "\xf8\x7f") }},
		"positive zero":     {lint.Bounds, "zero", func(f *file) { f.at(4, 0, 1, tags, 3, 12, 6).Bytes = make([]byte, 8) }},
		"histogram":         {lint.Sizes, "", func(f *file) { f.at(4, 0, 1, tags, 3, 16, 3, 0).Num++ }},
		"byte array bytes":  {lint.Sizes, "", func(f *file) { f.at(4, 0, 1, name, 3, 16, 1).Num++ }},
		"no sizes":          {lint.Sizes, "missing", func(f *file) { f.drop(4, 0, 1, name, 3, 16) }},
		"Bloom offset":      {lint.BloomFilters, `"id"`, func(f *file) { f.at(4, 0, 1, id, 3, 14).Num++ }},
		"Bloom length":      {lint.BloomFilters, `"id"`, func(f *file) { f.at(4, 0, 1, id, 3, 15).Num-- }},
		"no Bloom filter":   {lint.Layout, "", func(f *file) { f.drop(4, 0, 1, id, 3, 14); f.drop(4, 0, 1, id, 3, 15) }},
		"descending":        {lint.Sorting, "record 1", func(f *file) { f.at(4, 0, 4, 0, 2).Type = lint.ThriftTrue }},
		"sorted by another": {lint.Sorting, "", func(f *file) { f.at(4, 0, 4, 0, 1).Num = tags }},
		"encrypted column": {lint.Encryption, "", func(f *file) {
			c := f.at(4, 0, 1, id)
			crypto := lint.Value{Type: lint.ThriftStruct, IDs: []int16{1}, Fields: []lint.Value{{Type: lint.ThriftStruct}}}
			c.IDs, c.Fields = append(c.IDs, 8), append(c.Fields, crypto)
		}},
	} {
		t.Run(what, func(t *testing.T) {
			f := open(t, goodFile(t, encode.Options{}))
			c.damage(f)
			wantBroken(t, f.bytes(), c.rule, c.mention, nil)
		})
	}
}
