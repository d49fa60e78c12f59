package peer

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

type parquetGoEncoding = encoding.Encoding

// appendValues appends slots [from, to) of an array as values of a leaf column.
type appendValues func(dst []parquet.Value, a arrow.Array, from, to int, leaf parquet.LeafColumn) []parquet.Value

// valuesOf makes values of a concrete array's slots.
func valuesOf[A arrow.Array](value func(a A, i int) parquet.Value) appendValues {
	return func(dst []parquet.Value, a arrow.Array, from, to int, leaf parquet.LeafColumn) []parquet.Value {
		concrete, nullable := a.(A), a.NullN() > 0
		null := parquet.NullValue().Level(0, 0, leaf.ColumnIndex)
		for i := from; i < to; i++ {
			if nullable && a.IsNull(i) {
				dst = append(dst, null)
			} else {
				dst = append(dst, value(concrete, i).Level(0, leaf.MaxDefinitionLevel, leaf.ColumnIndex))
			}
		}
		return dst
	}
}

// parquetGoColumn returns the node of a field's type and what makes values of its arrays.
func parquetGoColumn(dt arrow.DataType) (parquet.Node, appendValues, error) {
	switch t := dt.(type) {
	case *arrow.BooleanType:
		return parquet.Leaf(parquet.BooleanType),
			valuesOf(func(a *array.Boolean, i int) parquet.Value { return parquet.BooleanValue(a.Value(i)) }), nil
	case *arrow.Int8Type:
		return parquet.Int(8), int32Values[*array.Int8](), nil
	case *arrow.Int16Type:
		return parquet.Int(16), int32Values[*array.Int16](), nil
	case *arrow.Int32Type:
		return parquet.Int(32), int32Values[*array.Int32](), nil
	case *arrow.Int64Type:
		return parquet.Int(64), int64Values[*array.Int64](), nil
	case *arrow.Uint32Type:
		return parquet.Uint(32), int32Values[*array.Uint32](), nil
	case *arrow.Uint64Type:
		return parquet.Uint(64), int64Values[*array.Uint64](), nil
	case *arrow.Float32Type:
		return parquet.Leaf(parquet.FloatType),
			valuesOf(func(a *array.Float32, i int) parquet.Value { return parquet.FloatValue(a.Value(i)) }), nil
	case *arrow.Float64Type:
		return parquet.Leaf(parquet.DoubleType),
			valuesOf(func(a *array.Float64, i int) parquet.Value { return parquet.DoubleValue(a.Value(i)) }), nil
	case *arrow.Date32Type:
		return parquet.Date(), int32Values[*array.Date32](), nil
	case *arrow.Date64Type:
		return parquet.Timestamp(parquet.Millisecond), int64Values[*array.Date64](), nil
	case *arrow.TimestampType:
		unit, err := parquetGoUnit(t.Unit)
		return parquet.TimestampAdjusted(unit, t.TimeZone != ""), int64Values[*array.Timestamp](), err
	case *arrow.Time64Type:
		unit, err := parquetGoUnit(t.Unit)
		return parquet.TimeAdjusted(unit, false), int64Values[*array.Time64](), err
	}
	return parquetGoBytes(dt)
}

func parquetGoBytes(dt arrow.DataType) (parquet.Node, appendValues, error) {
	switch t := dt.(type) {
	case *arrow.StringType:
		return parquet.String(), valuesOf(text[*array.String]), nil
	case *arrow.LargeStringType:
		return parquet.String(), valuesOf(text[*array.LargeString]), nil
	case *arrow.StringViewType:
		return parquet.String(), valuesOf(text[*array.StringView]), nil
	case *arrow.BinaryViewType:
		return parquet.Leaf(parquet.ByteArrayType),
			valuesOf(func(a *array.BinaryView, i int) parquet.Value { return parquet.ByteArrayValue(a.Value(i)) }), nil
	case *arrow.LargeBinaryType:
		return parquet.Leaf(parquet.ByteArrayType),
			valuesOf(func(a *array.LargeBinary, i int) parquet.Value { return parquet.ByteArrayValue(a.Value(i)) }), nil
	case *arrow.FixedSizeBinaryType:
		value := func(a *array.FixedSizeBinary, i int) parquet.Value {
			return parquet.FixedLenByteArrayValue(a.Value(i))
		}
		return parquet.Leaf(parquet.FixedLenByteArrayType(t.ByteWidth)), valuesOf(value), nil
	case *arrow.DictionaryType:
		if t.ValueType.ID() == arrow.STRING {
			return parquet.String(), valuesOf(func(a *array.Dictionary, i int) parquet.Value {
				return text(a.Dictionary().(*array.String), a.GetValueIndex(i))
			}), nil
		}
	}
	return nil, nil, fmt.Errorf("parquet-go has no way in for columns of %s", dt)
}

func parquetGoUnit(unit arrow.TimeUnit) (parquet.TimeUnit, error) {
	switch unit {
	case arrow.Millisecond:
		return parquet.Millisecond, nil
	case arrow.Microsecond:
		return parquet.Microsecond, nil
	case arrow.Nanosecond:
		return parquet.Nanosecond, nil
	}
	return parquet.Nanosecond, fmt.Errorf("parquet-go has no time unit %s", unit)
}

// valued is an array of Go values.
type valued[T any] interface {
	arrow.Array
	Value(i int) T
}

func int32Values[A valued[T], T ~int8 | ~int16 | ~int32 | ~uint32]() appendValues {
	return valuesOf(func(a A, i int) parquet.Value { return parquet.Int32Value(int32(a.Value(i))) })
}

func int64Values[A valued[T], T ~int64 | ~uint64]() appendValues {
	return valuesOf(func(a A, i int) parquet.Value { return parquet.Int64Value(int64(a.Value(i))) })
}

// text makes a value of a string's own bytes.
func text[A valued[string]](a A, i int) parquet.Value {
	s := a.Value(i)
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s)))
}
