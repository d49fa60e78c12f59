package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/sluice-io/sluice/integration/lint"
)

// stream is what one leaf column is made of: a level of both kinds for every value, null and empty list, and the
// values, in plain encoding without lengths.
type stream = lint.Stream

// shred is the reference for what stands in a file: it takes records apart one at a time, as the Dremel paper defines
// it, through arrow-go's arrays, and writes every value as LogicalTypes.md says. It is written to be read.
func shred(schema *arrow.Schema, batches ...arrow.RecordBatch) []stream {
	var s shredder
	for _, b := range batches {
		for i := range int(b.NumRows()) {
			leaf := 0
			for k, f := range schema.Fields() {
				leaf = s.slot(f, b.Column(k), i, place{leaf: leaf})
			}
		}
	}
	for n := countLeaves(schema.Fields()); len(s.streams) < n; {
		s.streams = append(s.streams, stream{})
	}
	return s.streams
}

func countLeaves(fields []arrow.Field) int {
	n := 0
	for _, f := range fields {
		switch t := f.Type.(type) {
		case arrow.ExtensionType:
			n += countLeaves([]arrow.Field{{Type: t.StorageType()}})
		case *arrow.RunEndEncodedType:
			n += countLeaves([]arrow.Field{{Type: t.Encoded()}})
		case *arrow.DictionaryType:
			n += countLeaves([]arrow.Field{{Type: t.ValueType}})
		case arrow.NestedType:
			n += countLeaves(t.Fields())
		default:
			n++
		}
	}
	return n
}

type shredder struct {
	streams []stream
}

// place is where the shredder stands: the next leaf, the levels so far, and the lists above.
type place struct {
	leaf, def, rep, lists int
}

// add adds a level to a leaf, and a value if there is one.
func (s *shredder) add(p place, value []byte) {
	for len(s.streams) <= p.leaf {
		s.streams = append(s.streams, stream{})
	}
	l := &s.streams[p.leaf]
	l.Def, l.Rep = append(l.Def, p.def), append(l.Rep, p.rep)
	if value != nil {
		l.Values = append(l.Values, value)
	}
}

// slot shreds slot i of an array of a field, and returns the number of the leaf behind the field's last.
func (s *shredder) slot(f arrow.Field, arr arrow.Array, i int, p place) int {
	for ext, ok := arr.(array.ExtensionArray); ok; ext, ok = arr.(array.ExtensionArray) {
		arr = ext.Storage()
	}
	if runs, ok := arr.(*array.RunEndEncoded); ok {
		f.Type = runs.DataType().(*arrow.RunEndEncodedType).Encoded()
		return s.slot(f, runs.Values(), runs.GetPhysicalIndex(i), p)
	}
	if d, ok := arr.(*array.Dictionary); ok && !d.IsNull(i) {
		f.Type = d.DataType().(*arrow.DictionaryType).ValueType
		return s.slot(f, d.Dictionary(), d.GetValueIndex(i), p)
	}
	if arr.IsNull(i) || arr.DataType().ID() == arrow.NULL {
		if !f.Nullable {
			panic(fmt.Sprintf("null in required field %v", f))
		}
		return s.absent([]arrow.Field{f}, p)
	}
	if f.Nullable {
		p.def++
	}
	switch a := arr.(type) {
	case *array.Struct:
		for k, child := range a.DataType().(*arrow.StructType).Fields() {
			p.leaf = s.slot(child, a.Field(k), i, p)
		}
		return p.leaf
	case *array.Map: // not Keys and Items, which forget the offset of the entries
		start, end := a.ValueOffsets(i)
		entries := arrow.Field{Type: a.DataType().(*arrow.MapType).Elem()}
		return s.list(entries, a.ListValues(), int(start), int(end), p)
	case array.ListLike:
		start, end := a.ValueOffsets(i)
		return s.list(a.DataType().(arrow.ListLikeType).ElemField(), a.ListValues(), int(start), int(end), p)
	}
	s.add(p, plainValue(arr, i))
	return p.leaf + 1
}

func (s *shredder) list(elem arrow.Field, values arrow.Array, start, end int, p place) (next int) {
	if start == end {
		return s.absent([]arrow.Field{elem}, p)
	}
	p.def++
	p.lists++
	for i := start; i < end; i++ {
		next = s.slot(elem, values, i, p)
		p.rep = p.lists
	}
	return next
}

// absent adds a level without a value to every leaf of the fields.
func (s *shredder) absent(fields []arrow.Field, p place) int {
	for range countLeaves(fields) {
		s.add(p, nil)
		p.leaf++
	}
	return p.leaf
}

// plainValue returns a value as a column of its type holds it, in plain encoding; a bool as a byte.
func plainValue(arr arrow.Array, i int) []byte {
	switch a := arr.(type) {
	case *array.Boolean:
		if a.Value(i) {
			return []byte{1}
		}
		return []byte{0}
	case *array.Int8:
		return plain32(int32(a.Value(i)))
	case *array.Int16:
		return plain32(int32(a.Value(i)))
	case *array.Int32:
		return plain32(a.Value(i))
	case *array.Int64:
		return plain64(a.Value(i))
	case *array.Uint8:
		return plain32(int32(a.Value(i)))
	case *array.Uint16:
		return plain32(int32(a.Value(i)))
	case *array.Uint32:
		return plain32(int32(a.Value(i)))
	case *array.Uint64:
		return plain64(int64(a.Value(i)))
	case *array.Float16:
		return binary.LittleEndian.AppendUint16(nil, a.Value(i).Uint16())
	case *array.Float32:
		return plain32(int32(math.Float32bits(a.Value(i))))
	case *array.Float64:
		return plain64(int64(math.Float64bits(a.Value(i))))
	case *array.Date32:
		return plain32(int32(a.Value(i)))
	case *array.Date64:
		return plain32(int32(int64(a.Value(i)) / 86_400_000))
	case *array.Time32:
		return plain32(int32(perSecond(a.DataType())) * int32(a.Value(i)))
	case *array.Time64:
		return plain64(int64(a.Value(i)))
	case *array.Timestamp:
		return plain64(perSecond(a.DataType()) * int64(a.Value(i)))
	case *array.Duration:
		return plain64(int64(a.Value(i)))
	case *array.MonthInterval:
		return plainInterval(int64(a.Value(i)), 0, 0)
	case *array.DayTimeInterval:
		return plainInterval(0, int64(a.Value(i).Days), int64(a.Value(i).Milliseconds))
	case *array.MonthDayNanoInterval:
		v := a.Value(i)
		return plainInterval(int64(v.Months), int64(v.Days), v.Nanoseconds/1_000_000)
	case *array.Decimal32:
		return plainDecimal(a.DataType(), big.NewInt(int64(a.Value(i))))
	case *array.Decimal64:
		return plainDecimal(a.DataType(), big.NewInt(int64(a.Value(i))))
	case *array.Decimal128:
		return plainDecimal(a.DataType(), a.Value(i).BigInt())
	case *array.Decimal256:
		return plainDecimal(a.DataType(), a.Value(i).BigInt())
	case *array.String:
		return []byte(a.Value(i))
	case *array.LargeString:
		return []byte(a.Value(i))
	case *array.StringView:
		return []byte(a.Value(i))
	case *array.BinaryView:
		return plainBytes(a.Value(i))
	case *array.Binary:
		return plainBytes(a.Value(i))
	case *array.LargeBinary:
		return plainBytes(a.Value(i))
	case *array.FixedSizeBinary:
		return plainBytes(a.Value(i))
	}
	panic(fmt.Sprintf("no values of type %s", arr.DataType()))
}

// plainBytes copies a value, and makes an empty one out of nil.
func plainBytes(v []byte) []byte { return append([]byte{}, v...) }

func plain32(v int32) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
func plain64(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }

// plainInterval writes the parts of an interval, which are not negative.
func plainInterval(parts ...int64) (b []byte) {
	for _, n := range parts {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// perSecond is what seconds are multiplied with to become milliseconds; other units stay.
func perSecond(dt arrow.DataType) int64 {
	if dt.(arrow.TemporalWithUnit).TimeUnit() == arrow.Second {
		return 1000
	}
	return 1
}

// plainDecimal writes a decimal in as many bytes as its precision takes: an INT32, an INT64, or big-endian two's
// complement.
func plainDecimal(dt arrow.DataType, v *big.Int) []byte {
	precision := dt.(arrow.DecimalType).GetPrecision()
	switch {
	case precision <= 9:
		return plain32(int32(v.Int64()))
	case precision <= 18:
		return plain64(v.Int64())
	}
	largest := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
	size := 1
	for new(big.Int).Lsh(big.NewInt(1), uint(8*size-1)).Cmp(largest) < 0 {
		size++
	}
	if v.Sign() < 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	return v.FillBytes(make([]byte, size))
}

// diffStreams says where two streams of a leaf differ.
func diffStreams(got, want stream) error {
	for _, l := range []struct {
		name      string
		got, want []int
	}{{"definition", got.Def, want.Def}, {"repetition", got.Rep, want.Rep}} {
		if !slices.Equal(l.got, l.want) {
			i := firstDifference(len(l.got), len(l.want), func(i int) bool { return l.got[i] == l.want[i] })
			return fmt.Errorf("%s levels differ at %d of %d (%d wanted): %v, want %v", l.name, i, len(l.got), len(l.want),
				l.got[i:min(i+20, len(l.got))], l.want[i:min(i+20, len(l.want))])
		}
	}
	if !slices.EqualFunc(got.Values, want.Values, bytes.Equal) {
		i := firstDifference(len(got.Values), len(want.Values), func(i int) bool { return bytes.Equal(got.Values[i], want.Values[i]) })
		return fmt.Errorf("values differ at %d of %d (%d wanted): %x, want %x", i, len(got.Values), len(want.Values),
			got.Values[i:min(i+5, len(got.Values))], want.Values[i:min(i+5, len(want.Values))])
	}
	return nil
}

func firstDifference(a, b int, same func(i int) bool) int {
	for i := range min(a, b) {
		if !same(i) {
			return i
		}
	}
	return min(a, b)
}
