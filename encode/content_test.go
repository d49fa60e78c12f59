package encode

import (
	"bytes"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// leafWith stands for a leaf's type in test cases, until described puts the metadata where it belongs: in the field.
type leafWith struct {
	arrow.DataType
	metadata map[string]string
}

// described returns a field whose leaves have the metadata that leafWith says. The field of run ends or of a dictionary
// has that of what is inside.
func described(f arrow.Field) arrow.Field {
	switch t := f.Type.(type) {
	case leafWith:
		f.Type, f.Metadata = t.DataType, arrow.MetadataFrom(t.metadata)
	case *arrow.DictionaryType:
		inner := described(arrow.Field{Type: t.ValueType})
		f.Type = &arrow.DictionaryType{IndexType: t.IndexType, ValueType: inner.Type, Ordered: t.Ordered}
		f.Metadata = inner.Metadata
	case *arrow.RunEndEncodedType:
		inner := described(arrow.Field{Type: t.Encoded()})
		f.Type, f.Metadata = arrow.RunEndEncodedOf(t.RunEnds(), inner.Type), inner.Metadata
	case *arrow.ListViewType:
		f.Type = arrow.ListViewOfField(described(t.ElemField()))
	default:
		f.Type = withFields(t, described)
	}
	return f
}

// badContents are values that their logical type does not allow.
func badContents() []badValue {
	as := func(name string, dt arrow.DataType, good, bad, want string) badValue {
		return badValue{leafWith{dt, map[string]string{logicalTypeKey: name}}, []byte(good), []byte(bad), want}
	}
	of := arrow.BinaryTypes
	const empty, document = "\x05\x00\x00\x00\x00", "\x09\x00\x00\x00\x0aabc\x00"
	return []badValue{
		as("ENUM", of.String, "RED", "R\xc0D", `the ENUM "R\xc0D" is not UTF-8`),
		as("ENUM", of.StringView, "", "\xff", `the ENUM "\xff" is not UTF-8`),
		as("BSON", of.Binary, empty, "", "a BSON document of 0 bytes: the shortest has 5"),
		as("BSON", of.LargeBinary, empty, "\x04\x00\x00\x00", "a BSON document of 4 bytes: the shortest has 5"),
		as("BSON", of.BinaryView, document, document+"\x00", "a BSON document of 10 bytes that says it has 9"),
		as("BSON", of.Binary, document, "\xff\xff\xff\xffx\x00", "a BSON document of 6 bytes that says it has -1"),
		as("BSON", of.BinaryView, document, document[:8]+"\x01", "a BSON document that ends in byte 0x01"),
	}
}

// countedContent counts what it gets.
type countedContent struct {
	values map[string]int
}

func (c *countedContent) add(value []byte) error {
	c.values[string(value)]++
	return nil
}

// runsInTurn makes runs of a hundred slots of the two values of an array.
func runsInTurn(t *testing.T, pair arrow.Array, runs int) arrow.Array {
	t.Helper()
	values, err := array.Concatenate(slices.Repeat([]arrow.Array{pair}, runs/2), memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	ends := make([]int32, runs)
	for i := range ends {
		ends[i] = int32(100 * (i + 1))
	}
	return array.NewRunEndEncodedArray(int32Array(ends), values, 100*runs, 0)
}

func int32Array(values []int32) arrow.Array {
	b := array.NewInt32Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

func stringArray(values ...string) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

// A value of a run goes to the content once, one of a dictionary once a row group, an entry that nobody refers to never.
func TestContentOfRunsAndDictionaries(t *testing.T) {
	const runs = 30
	values := stringArray("a", "b")
	inTurn := runsInTurn(t, values, runs)
	keys := make([]int32, 100*runs)
	texts := make([]string, len(keys))
	for i := range keys {
		keys[i] = int32(i / 100 % 2)
		texts[i] = values.(*array.String).Value(int(keys[i]))
	}
	dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: values.DataType()}
	dictionary := array.NewDictionaryArray(dt, int32Array(keys), stringArray("a", "b", "unused"))
	entries := array.NewDictionaryArray(dt, int32Array([]int32{0, 1}), stringArray("a", "b", "unused"))
	for _, c := range []struct {
		name       string
		column     arrow.Array
		dictionary int
		most       int // times that a value may come
	}{
		{"texts", stringArray(texts...), 0, 2},
		{"texts without a dictionary", stringArray(texts...), -1, 100 * runs},
		{"runs", inTurn, 0, 2},
		{"runs without a dictionary", inTurn, -1, runs/2 + 1},
		{"dictionary", dictionary, 0, 2},
		{"runs of a dictionary", runsInTurn(t, entries, runs), 0, 2},
		{"runs of a dictionary without one", runsInTurn(t, entries, runs), -1, runs/2 + 1},
	} {
		schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: c.column.DataType(), Nullable: true}}, nil)
		var buf bytes.Buffer
		w, err := NewWriter(&buf, schema, &Options{DictionaryBytes: c.dictionary, RowGroupRecords: 50 * runs})
		if err != nil {
			t.Fatal(err)
		}
		counted := &countedContent{map[string]int{}}
		w.fields[0].columns[0].values.(*byteValues).content = counted
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{c.column}, int64(c.column.Len()))); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if len(counted.values) != 2 {
			t.Errorf("%s: the values seen are %v", c.name, counted.values)
		}
		for v, n := range counted.values {
			if n > c.most {
				t.Errorf("%s: value %q came %d times, want at most %d", c.name, v, n, c.most)
			}
		}
	}
}
