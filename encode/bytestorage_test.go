package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// sparseStrings are n slots of which those that are multiples of every hold a value of three bytes. The others have
// offsets that would be out of order, unless they are next to a value.
func sparseStrings(n, every int, large bool) (*array.Data, []int64) {
	offsets, bitmap, nulls := make([]int64, n+1), make([]byte, (n+7)/8), n
	for i := range offsets {
		offsets[i] = []int64{math.MinInt32, -1, math.MaxInt32, 7}[i%4]
	}
	data := []byte("...")
	for i := 0; i < n; i += every {
		offsets[i] = int64(len(data))
		data = fmt.Appendf(data, "%03d", i%1000)
		offsets[i+1] = int64(len(data))
		bitmap[i>>3] |= 1 << (i & 7)
		nulls--
	}
	dt := arrow.DataType(arrow.BinaryTypes.String)
	if large {
		dt = arrow.BinaryTypes.LargeString
	}
	buffers := []*memory.Buffer{memory.NewBufferBytes(bitmap), offsetBuffer(offsets, large), memory.NewBufferBytes(data)}
	return array.NewData(dt, n, buffers, nil, nulls, 0), offsets
}

func offsetBuffer(offsets []int64, large bool) *memory.Buffer {
	return memory.NewBufferBytes(appendOffsets(nil, offsets, large))
}

// appendOffsets appends offsets of 64 bits, if large, or 32.
func appendOffsets[T int | int64](dst []byte, offsets []T, large bool) []byte {
	for _, o := range offsets {
		if large {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(o))
		} else {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(o))
		}
	}
	return dst
}

// writeColumn writes an array, as a column and below a list of two elements, with and without a dictionary.
func writeColumn(data *array.Data, elements bool, o *Options) error {
	dt, n := data.DataType(), data.Len()
	var column arrow.ArrayData = data
	if elements {
		dt, n = arrow.FixedSizeListOf(2, dt), n/2
		column = array.NewData(dt, n, []*memory.Buffer{nil}, []arrow.ArrayData{data}, 0, 0)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt, Nullable: true}}, nil)
	w, err := NewWriter(io.Discard, schema, o)
	if err != nil {
		return err
	}
	// An array of arrow-go's own would check the offsets.
	if err := w.fields[0].write(column, 0, n, 0); err != nil {
		return err
	}
	return w.fields[0].finish()
}

// Of offsets those of values count alone; what is wrong with them is told by record, wherever it is.
func TestOffsetsOfValues(t *testing.T) {
	for _, large := range []bool{false, true} {
		for _, every := range []int{2, 3, 100} {
			data, offsets := sparseStrings(1000, every, large)
			for _, o := range []*Options{{}, {DictionaryBytes: -1}, {Encoding: "dictionary"}, {DataPageBytes: 20}} {
				for _, elements := range []bool{false, true} {
					if err := writeColumn(data, elements, o); err != nil {
						t.Errorf("large: %v, every %d, elements: %v, %+v: %v", large, every, elements, o, err)
					}
					for at := 0; at < len(offsets)-1; at += 99 * every {
						bad := offsetsWith(data, offsets, at, large)
						checkOffsetErrors(t, bad, at, elements, o)
					}
				}
			}
		}
	}
}

// offsetsWith returns arrays that differ in the end of the value at a slot, which none of them can have.
func offsetsWith(data *array.Data, offsets []int64, at int, large bool) (bad []*array.Data) {
	for _, wrong := range []int64{math.MinInt32, -1, offsets[at] - 1, 1 << 30, math.MaxInt32} {
		other := append([]int64{}, offsets...)
		other[at+1] = wrong
		buffers := append([]*memory.Buffer{}, data.Buffers()...)
		buffers[1] = offsetBuffer(other, large)
		bad = append(bad, array.NewData(data.DataType(), data.Len(), buffers, nil, data.NullN(), 0))
	}
	return bad
}

func checkOffsetErrors(t *testing.T, bad []*array.Data, at int, elements bool, o *Options) {
	t.Helper()
	want := fmt.Sprintf(`field "c": record %d: `, at)
	if elements {
		want = fmt.Sprintf(`field "c.list.element": record %d: `, at/2)
	}
	for i, data := range bad {
		if err := writeColumn(data, elements, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, %d: error %v, want %q in it", data.DataType(), i, err, want)
		}
	}
}

// stretches are strings of which many in a row are empty, null or neither.
func stretches(r *rand.Rand, n int) (values []string, valid []bool) {
	for len(values) < n {
		kind, length := r.IntN(4), 1+r.IntN(3*blockValues)
		for range length {
			value, ok := "", true
			switch {
			case kind == 1:
				value = fmt.Sprint(r.IntN(50))
			case kind == 2:
				ok = false
			case kind == 3:
				ok = r.IntN(100) == 0
			}
			values, valid = append(values, value), append(valid, ok)
		}
	}
	return values[:n], valid[:n]
}

// Empty values in a row are taken at once, and make the file that they make one by one, as views.
func TestEmptyValues(t *testing.T) {
	values, valid := stretches(rand.New(rand.NewPCG(1, 3)), 100_000)
	columns := map[arrow.DataType]arrow.Array{}
	for _, dt := range []arrow.DataType{arrow.BinaryTypes.StringView, arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString} {
		b := array.NewBuilder(memory.DefaultAllocator, dt)
		b.(interface{ AppendStringValues([]string, []bool) }).AppendStringValues(values, valid)
		columns[dt] = b.NewArray()
	}
	for _, o := range []Options{
		{}, {DictionaryBytes: -1}, {Encoding: "compact", DataPageVersion: 2}, {DistinctCounts: true, BloomFilterFPP: 0.01},
		{ContentChunks: &ContentChunks{}, DictionaryBytes: -1}, {DataPageBytes: 1000, Encoding: "dictionary"},
		{DictionaryBytes: -1, Encoding: "delta_byte_array"},
	} {
		o.NoArrowSchema = true
		var want []byte
		for _, dt := range []arrow.DataType{arrow.BinaryTypes.StringView, arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString} {
			schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt, Nullable: true}}, nil)
			file := mustWrite(t, &o, schema, array.NewRecordBatch(schema, []arrow.Array{columns[dt]}, int64(len(values))))
			if want == nil {
				want = file
			}
			if !bytes.Equal(file, want) {
				t.Errorf("%s, %+v: %d bytes, as views %d", dt, o, len(file), len(want))
			}
		}
	}
}
