package encode

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// encodingTable is a table with a column of every physical type, without a dictionary anywhere.
func encodingTable(n int) arrow.RecordBatch {
	r := rand.New(rand.NewPCG(9, 9))
	at := int64(1_700_000_000_000)
	columns := []struct {
		name string
		arr  arrow.Array
	}{
		{"bool", arrayOf(arrow.FixedWidthTypes.Boolean, n, func(i int) any { return i/500%2 == 0 })},
		{"int32", arrayOf(arrow.PrimitiveTypes.Int32, n, func(i int) any { return int32(r.IntN(1000)) })},
		{"int64", arrayOf(arrow.PrimitiveTypes.Int64, n, func(i int) any { at += int64(r.IntN(100)); return at })},
		{"float", arrayOf(arrow.PrimitiveTypes.Float32, n, func(i int) any { return float32(math.Sin(float64(i) / 100)) })},
		{"double", arrayOf(arrow.PrimitiveTypes.Float64, n, func(i int) any { return r.NormFloat64() })},
		{"string", arrayOf(arrow.BinaryTypes.String, n, func(i int) any { return fmt.Sprintf("/a/common/prefix/%07d", i) })},
		{"words", arrayOf(arrow.BinaryTypes.String, n, func(i int) any { return strings.Repeat("x", r.IntN(9)) + fmt.Sprint(r.Uint32()) })},
		{"fixed", arrayOf(&arrow.FixedSizeBinaryType{ByteWidth: 12}, n, func(i int) any { return []byte(fmt.Sprintf("id%010d", i)) })},
	}
	var fields []arrow.Field
	var arrays []arrow.Array
	for _, c := range columns {
		fields = append(fields, arrow.Field{Name: c.name, Type: c.arr.DataType(), Nullable: true})
		arrays = append(arrays, c.arr)
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, int64(n))
}

// Every encoding that the format has for a column can be named, and is then that of all its pages.
func TestEncodingByName(t *testing.T) {
	batch := encodingTable(3000)
	file, err := newSchema(batch.Schema())
	if err != nil {
		t.Fatal(err)
	}
	for i := range file.Leaves {
		leaf := &file.Leaves[i]
		for _, e := range encodingsOf(leaf) {
			o := &Options{DataPageRecords: 1000, DictionaryBytes: -1, Columns: []ColumnOptions{{Path: leaf.String(), Encoding: e.name}}}
			data := mustWrite(t, o, batch.Schema(), batch)
			if err := checkFile(data, o, batch.Schema(), batch); err != nil {
				t.Fatalf("%s in %s: %v", leaf, e.name, err)
			}
			f, err := lintFile(data)
			if err != nil {
				t.Fatal(err)
			}
			for k, c := range f.RowGroups[0] {
				for _, p := range c.Pages {
					if want := map[bool]encodingID{true: e.id}[k == i]; encodingID(p.Encoding) != want {
						t.Errorf("%s in %s: column %s has a page in encoding %d", leaf, e.name, c.Leaf.String(), p.Encoding)
					}
				}
			}
		}
	}
}

// Compact is never larger than any encoding that all pages of a column could have, but for the choice by the first page.
func TestCompactIsSmallest(t *testing.T) {
	batch := encodingTable(25_000)
	for _, codec := range []string{"none", "snappy", "zstd"} {
		sizes := func(encoding func(leaf *leafColumn) string) map[string]int64 {
			file, err := newSchema(batch.Schema())
			if err != nil {
				t.Fatal(err)
			}
			o := &Options{Compression: codec, DictionaryBytes: -1}
			for i := range file.Leaves {
				l := &file.Leaves[i]
				o.Columns = append(o.Columns, ColumnOptions{Path: l.String(), Encoding: encoding(l)})
			}
			f, err := lintFile(mustWrite(t, o, batch.Schema(), batch))
			if err != nil {
				t.Fatal(err)
			}
			m := map[string]int64{}
			for _, c := range f.RowGroups[0] {
				m[c.Leaf.String()] = c.Meta.CompressedBytes
			}
			return m
		}
		compact := sizes(func(*leafColumn) string { return "compact" })
		for choice := range 3 {
			fixed := sizes(func(l *leafColumn) string {
				all, err := candidateEncodings(l, "compact")
				if err != nil {
					t.Fatal(err)
				}
				return all[min(choice, len(all)-1)].name
			})
			for name, n := range fixed {
				if float64(compact[name]) > 1.02*float64(n) {
					t.Errorf("%s: column %s takes %d bytes in compact, %d in its encoding number %d", codec, name, compact[name], n, choice)
				}
			}
		}
		plain := sizes(func(*leafColumn) string { return "plain" })
		if n := compact["int64"]; 3*n > 2*plain["int64"] {
			t.Errorf("%s: ascending times take %d bytes in compact, %d in plain", codec, n, plain["int64"])
		}
	}
}

func TestColumnOptionsRefused(t *testing.T) {
	point := arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Float64}, arrow.Field{Name: "y", Type: arrow.BinaryTypes.String})
	schema := arrow.NewSchema([]arrow.Field{{Name: "p", Type: point}, {Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32)}}, nil)
	for _, c := range []struct {
		column ColumnOptions
		want   string
	}{
		{ColumnOptions{Path: "q", Encoding: "plain"}, `encode: Columns: there is no column "q": paths are as in the Parquet schema, such as "p.x"`},
		{ColumnOptions{Path: "p.x.z"}, `there is no column "p.x.z"`},
		{ColumnOptions{Path: "*.*.*.*"}, `there is no column "*.*.*.*"`},
		{ColumnOptions{Path: "p", Encoding: "byte_stream_split"}, `field "p.y": Encoding: encoding "byte_stream_split" is not one for its values: ` +
			`use plain, delta_length_byte_array, delta_byte_array, dictionary, compatible or compact`},
		{ColumnOptions{Path: "p.y", Encoding: "dictionary", DictionaryBytes: -1}, `field "p.y": Encoding: encoding "dictionary", but dictionaries are turned off: leave one`},
		{ColumnOptions{Path: "*.list.*", Encoding: "rle"}, `field "l.list.element": Encoding: encoding "rle" is not one for its values`},
		{ColumnOptions{Path: "p.y", Compression: "lzo"}, `field "p.y": Compression: "lzo" is not a codec`},
		{ColumnOptions{Path: "p.y", CompressionLevel: 3}, `field "p.y": CompressionLevel: level 3`},
		{ColumnOptions{Path: "p.y", DictionaryBytes: 1<<30 + 1}, `field "p.y": DictionaryBytes: 1073741825: must be at most 1 GiB`},
	} {
		_, err := NewWriter(nil, schema, &Options{Columns: []ColumnOptions{c.column}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %s", c.column, err, c.want)
		}
	}
}

// The last of several options for a column has the last word, field by field.
func TestColumnOptionsOverride(t *testing.T) {
	o := &Options{Compression: "zstd", CompressionLevel: 7, Encoding: "compact", Columns: []ColumnOptions{
		{Path: "a", Compression: "none"},
		{Path: "*.b", Encoding: "plain", DictionaryBytes: -1},
		{Path: "a.b", Compression: "zstd"},
	}}
	all, err := o.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a.b":   "zstd 0 plain -1",
		"a.c":   "none 0 compact 1048576",
		"c.b.d": "zstd 7 plain -1",
		"b":     "zstd 7 compact 1048576",
	} {
		got, err := all.forLeaf(&leafColumn{Path: strings.Split(path, ".")})
		if err != nil {
			t.Fatal(err)
		}
		if s := fmt.Sprint(got.Compression, " ", got.CompressionLevel, " ", got.Encoding, " ", got.DictionaryBytes); s != want {
			t.Errorf("%s has %s, want %s", path, s, want)
		}
	}
}

// A dictionary of text in an encoding of which pyarrow makes none is text to readers; beside it, others stay.
func TestEncodingOfDictionaries(t *testing.T) {
	word := dictionaryOf(arrow.BinaryTypes.String)
	point := arrow.StructOf(arrow.Field{Name: "a", Type: word}, arrow.Field{Name: "b", Type: arrow.ListOf(word)})
	schema := arrow.NewSchema([]arrow.Field{{Name: "p", Type: point}, {Name: "q", Type: word}}, nil)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Encoding: "compact"}, "p: type=" + point.String() + " q: type=" + word.String()},
		{Options{Encoding: "delta_byte_array"}, "p: type=struct<a: utf8, b: list<item: utf8, nullable>> q: type=utf8"},
		{Options{Columns: []ColumnOptions{{Path: "q", Encoding: "delta_length_byte_array"}}}, "p: type=" + point.String() + " q: type=utf8"},
	} {
		f, err := lintFile(mustWrite(t, &c.o, schema))
		if err != nil {
			t.Fatal(err)
		}
		message, err := base64.StdEncoding.DecodeString(f.Meta.KeyValues[0].Value)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ipc.NewReader(strings.NewReader(string(message)))
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(r.Schema().Field(0), " ", r.Schema().Field(1))
		r.Release()
		if got != c.want {
			t.Errorf("%+v: readers see %s, want %s", c.o, got, c.want)
		}
	}
}
