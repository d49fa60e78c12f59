package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// viewOf makes the view of a long value.
func viewOf(length, buffer, offset int32) []byte {
	v := binary.LittleEndian.AppendUint32(nil, uint32(length))
	v = append(v, "pref"...)
	v = binary.LittleEndian.AppendUint32(v, uint32(buffer))
	return binary.LittleEndian.AppendUint32(v, uint32(offset))
}

// badView is a view that the data buffers do not have: one of 20 bytes, and one that is missing.
type badView struct {
	view []byte
	want string
}

var badViews = []badView{
	{viewOf(-1, 0, 0), "a view of length -1"},
	{viewOf(math.MinInt32, 0, 0), "a view of length -2147483648"},
	{viewOf(13, -1, 0), "a view into data buffer -1: there are 2"},
	{viewOf(13, 2, 0), "a view into data buffer 2: there are 2"},
	{viewOf(13, math.MaxInt32, 0), "a view into data buffer 2147483647: there are 2"},
	{viewOf(13, 0, -1), "a view of 13 bytes from byte -1 on of a data buffer of 20"},
	{viewOf(13, 0, 8), "a view of 13 bytes from byte 8 on of a data buffer of 20"},
	{viewOf(13, 1, 0), "a view of 13 bytes from byte 0 on of a data buffer of 0"},
	{viewOf(math.MaxInt32, 0, math.MaxInt32), "a view of 2147483647 bytes from byte 2147483647 on of a data buffer of 20"},
}

// viewsWith makes an array of so many slots in which good views of all kinds stand: one bad at the given slot, and others
// around the array and under its nulls.
func viewsWith(dt arrow.DataType, bad []byte, records, at int) *array.Data {
	const before = 5
	good := [][]byte{viewOf(20, 0, 0), viewOf(13, 0, 7), make([]byte, 16), append([]byte{12, 0, 0, 0}, "twelve bytes"...)}
	views, valid := bytes.Repeat(bad, before), make([]byte, (records+before)/8+1)
	for i := range records {
		switch {
		case i%3 == 0 || i == at:
			views = append(views, bad...)
		default:
			views = append(views, good[i%len(good)]...)
		}
		if i%3 > 0 || i == at {
			valid[(before+i)/8] |= 1 << ((before + i) % 8)
		}
	}
	buffers := []*memory.Buffer{
		memory.NewBufferBytes(valid), memory.NewBufferBytes(append(views, bad...)),
		memory.NewBufferBytes([]byte("twenty bytes of data")), nil,
	}
	return array.NewData(dt, records, buffers, nil, array.UnknownNullCount, before)
}

// counting makes the numbers from first on.
func counting(dt arrow.DataType, first, n int) *array.Data {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, uint32(first+i))
	}
	return array.NewData(dt, n, []*memory.Buffer{nil, memory.NewBufferBytes(b)}, nil, 0, 0)
}

// A view that points nowhere is refused by field and record, and nobody looks at one that is not a value.
func TestBadViews(t *testing.T) {
	const records, at = 1200, 1111
	i32 := arrow.PrimitiveTypes.Int32
	for _, c := range badViews {
		views := viewsWith(arrow.BinaryTypes.StringView, c.view, records, at)
		keyed := array.NewDataWithDictionary(dictionary32(views.DataType()), records,
			counting(i32, 0, records).Buffers(), 0, 0, views)
		runs := array.NewData(arrow.RunEndEncodedOf(i32, views.DataType()), records, []*memory.Buffer{nil},
			[]arrow.ArrayData{counting(i32, 1, records), views}, 0, 0)
		list := array.NewData(arrow.ListOf(views.DataType()), records, []*memory.Buffer{nil, counting(i32, 0, records+1).Buffers()[1]},
			[]arrow.ArrayData{views}, 0, 0)
		for _, data := range []*array.Data{views, viewsWith(arrow.BinaryTypes.BinaryView, c.view, records, at), keyed, runs, list} {
			for i, o := range badOptions {
				path := "c"
				if data == list {
					path = "c.list.element"
				}
				want := fmt.Sprintf("encode: field %q: record %d: %s", path, at, c.want)
				if err := writeOne(o, data); err == nil || err.Error() != want {
					t.Errorf("%s, options %d: error %v, want %s", data.DataType(), i, err, want)
				}
			}
		}
		hidden := viewsWith(arrow.BinaryTypes.StringView, c.view, records, 0)
		hidden.Buffers()[0].Bytes()[0] &^= 1 << 5 // slot 0 too
		if err := writeOne(nil, hidden); err != nil {
			t.Errorf("%s under nulls alone: %v", c.want, err)
		}
	}
}

func dictionary32(dt arrow.DataType) *arrow.DictionaryType {
	return &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: dt}
}

// writeOne writes an array as the only column.
func writeOne(o *Options, data *array.Data) error {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: data.DataType(), Nullable: true}}, nil)
	w, err := NewWriter(io.Discard, schema, o)
	if err != nil {
		return err
	}
	batch := array.NewRecordBatch(schema, []arrow.Array{array.MakeFromData(data)}, int64(data.Len()))
	if err := w.Write(batch); err != nil {
		return err
	}
	_, err = w.Close()
	return err
}

// Views may lie in the same bytes, so that a small array stands for more than a page can hold.
func TestViewsOfTheSameBytes(t *testing.T) {
	const n, size = 2000, 2 << 20
	data := memory.NewBufferBytes(bytes.Repeat([]byte("a"), size))
	views := memory.NewBufferBytes(bytes.Repeat(viewOf(size, 0, 0), n))
	elements := array.NewData(arrow.BinaryTypes.BinaryView, n, []*memory.Buffer{nil, views, data}, nil, 0, 0)
	offsets := memory.NewBufferBytes(append(plain32(0), plain32(n)...))
	list := array.NewData(arrow.ListOf(elements.DataType()), 1, []*memory.Buffer{nil, offsets}, []arrow.ArrayData{elements}, 0, 0)
	for _, o := range []*Options{nil, {DictionaryBytes: -1}} {
		err := writeOne(o, list)
		const want = `field "c.list.element": record 0: a page of `
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "one record has more data than a page can hold") {
			t.Errorf("options %+v: error %v, want %s", o, err, want)
		}
	}
}

// Values of no bytes need no buffer to lie in.
func TestEmptyValuesWithoutData(t *testing.T) {
	const records = 100
	of := arrow.BinaryTypes
	zeros := memory.NewBufferBytes(make([]byte, 16*(records+1)))
	for _, dt := range []arrow.DataType{of.String, of.LargeString, of.Binary, of.LargeBinary, of.StringView, of.BinaryView} {
		two := []*memory.Buffer{nil, zeros}
		for name, buffers := range map[string][]*memory.Buffer{
			"absent": two[:2:2], "nil": append(two[:2:2], nil), "of no bytes": append(two[:2:2], memory.NewBufferBytes(nil)),
		} {
			if !strings.Contains(dt.Name(), "view") && name == "absent" {
				buffers = append(buffers, nil) // which arrow-go insists on
			}
			values := array.NewData(dt, records, buffers, nil, 0, 0)
			keyed := array.NewDataWithDictionary(dictionary32(dt), records, counting(arrow.PrimitiveTypes.Int32, 0, records).Buffers(), 0, 0, values)
			for _, data := range []*array.Data{values, keyed} {
				for _, o := range badOptions {
					checkEmptyValues(t, fmt.Sprintf("%s, data buffer %s", data.DataType(), name), o, data)
				}
			}
		}
	}
}

func checkEmptyValues(t *testing.T, what string, o *Options, data *array.Data) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: data.DataType(), Nullable: true}}, nil)
	batch := array.NewRecordBatch(schema, []arrow.Array{array.MakeFromData(data)}, int64(data.Len()))
	file, err := write(o, schema, batch)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	f, err := lintFile(file)
	if err != nil {
		t.Fatal(err)
	}
	values := f.Stream(0).Values
	if len(values) != data.Len() || len(bytes.Join(values, nil)) > 0 {
		t.Errorf("%s: %d values, of %d bytes", what, len(values), len(bytes.Join(values, nil)))
	}
}
