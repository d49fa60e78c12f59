package encode

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// leafFormat is how the values of an Arrow type are stored.
type leafFormat struct {
	physical physicalType
	length   int // bytes of a FIXED_LEN_BYTE_ARRAY, otherwise 0
	logical  logicalType
	order    sortOrder
}

// unwrapType takes extensions, run ends and dictionaries off a field's type, in whatever order they are, and returns
// what is inside, with the outermost extension if there is one. One that this process does not know is in the field's
// metadata.
func unwrapType(f arrow.Field) (t arrow.DataType, outermost extension, err error) {
	var extensions []extension
	if x := extensionOf(f.Metadata); x.name != "" {
		extensions = append(extensions, x)
	}
	t = f.Type
	for range maxSchemaDepth {
		switch outer := t.(type) {
		case arrow.ExtensionType:
			extensions = append(extensions, extension{outer.ExtensionName(), outer.Serialize()})
			t = outer.StorageType()
		case *arrow.DictionaryType:
			t = outer.ValueType
		case *arrow.RunEndEncodedType:
			t = outer.Encoded()
		default:
			for _, x := range extensions {
				if err := x.check(readType(t)); err != nil {
					return nil, extension{}, err
				}
			}
			if len(extensions) > 0 {
				outermost = extensions[0]
			}
			return t, outermost, nil
		}
	}
	return nil, extension{}, fmt.Errorf("nested more than %d levels deep", maxSchemaDepth)
}

// typeName returns the type for a message: one with fields by its name alone, which is short however many it has.
func typeName(t arrow.DataType) string {
	switch t := t.(type) {
	case arrow.ExtensionType:
		return t.ExtensionName()
	case arrow.NestedType:
		return t.Name()
	}
	return t.String()
}

// formatOf maps the type of a leaf, from which unwrapType has taken all that is around it.
func formatOf(t arrow.DataType) (leafFormat, error) {
	switch t := t.(type) {
	case *arrow.NullType: // of whatever physical type, as there are no values; other writers take this one
		return leafFormat{physical: typeInt32, logical: logicalType{Kind: logicalUnknown}}, nil
	case *arrow.BooleanType:
		return leafFormat{physical: typeBoolean, order: orderSigned}, nil
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type:
		return integerFormat(t, true), nil
	case *arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type, *arrow.Uint64Type:
		return integerFormat(t, false), nil
	case *arrow.Float16Type:
		return leafFormat{typeFixedLenByteArray, 2, logicalType{Kind: logicalFloat16}, orderFloat16}, nil
	case *arrow.Float32Type:
		return leafFormat{physical: typeFloat, order: orderFloat}, nil
	case *arrow.Float64Type:
		return leafFormat{physical: typeDouble, order: orderFloat}, nil
	case arrow.DecimalType:
		return decimalFormat(t)
	case *arrow.Date32Type, *arrow.Date64Type:
		return leafFormat{typeInt32, 0, logicalType{Kind: logicalDate}, orderSigned}, nil
	case *arrow.Time32Type:
		return timeFormat(t.Unit), nil
	case *arrow.Time64Type:
		return timeFormat(t.Unit), nil
	case *arrow.TimestampType:
		l := logicalType{Kind: logicalTimestamp, Unit: parquetUnit(t.Unit), UTC: t.TimeZone != ""}
		return leafFormat{typeInt64, 0, l, orderSigned}, nil
	case *arrow.DurationType:
		return leafFormat{physical: typeInt64, order: orderSigned}, nil
	case *arrow.MonthIntervalType, *arrow.DayTimeIntervalType, *arrow.MonthDayNanoIntervalType:
		return leafFormat{typeFixedLenByteArray, intervalBytes, logicalType{Kind: logicalInterval}, orderUndefined}, nil
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return leafFormat{typeByteArray, 0, logicalType{Kind: logicalString}, orderUnsignedBytes}, nil
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return leafFormat{physical: typeByteArray, order: orderUnsignedBytes}, nil
	case *arrow.FixedSizeBinaryType:
		if t.ByteWidth < 1 {
			return leafFormat{}, fmt.Errorf("type %s: Parquet has no values of %d bytes", typeName(t), t.ByteWidth)
		}
		return leafFormat{typeFixedLenByteArray, t.ByteWidth, logicalType{}, orderUnsignedBytes}, nil
	case arrow.UnionType:
		const remedy = "send a struct with a nullable field for each type"
		return leafFormat{}, fmt.Errorf("type %s: Parquet has no unions: %s", typeName(t), remedy)
	}
	return leafFormat{}, fmt.Errorf("type %s: Parquet has nothing like it", typeName(t))
}

// integerFormat maps an integer. Signed ones of 32 and 64 bits are what the physical type says, so that they need no
// logical type, and other writers give them none.
func integerFormat(t arrow.DataType, signed bool) leafFormat {
	width := t.(arrow.FixedWidthDataType).BitWidth()
	f := leafFormat{physical: typeInt32, order: orderUnsigned}
	if width == 64 {
		f.physical = typeInt64
	}
	if signed {
		f.order = orderSigned
	}
	if !signed || width < 32 {
		f.logical = logicalType{Kind: logicalInteger, BitWidth: int8(width), Signed: signed}
	}
	return f
}

// decimalFormat maps a decimal of any width by its precision.
func decimalFormat(t arrow.DecimalType) (leafFormat, error) {
	precision, scale := t.GetPrecision(), t.GetScale()
	// A width of n bits holds any number of floor((n-1)·log10(2)) digits.
	if most := int32(float64(t.BitWidth()-1) * math.Log10(2)); precision < 1 || precision > most {
		return leafFormat{}, fmt.Errorf("type %s: the precision must lie between 1 and %d", typeName(t), most)
	}
	if scale < 0 || scale > precision {
		const remedy = "Parquet needs a scale between 0 and the precision: cast the column"
		return leafFormat{}, fmt.Errorf("type %s: %s", typeName(t), remedy)
	}
	f := leafFormat{
		physical: typeInt32,
		logical:  logicalType{Kind: logicalDecimal, Precision: precision, Scale: scale},
		order:    orderSigned,
	}
	switch {
	case precision > 18:
		f.physical, f.length, f.order = typeFixedLenByteArray, decimalBytes(precision), orderSignedBytes
	case precision > 9:
		f.physical = typeInt64
	}
	return f, nil
}

// decimalBytes returns the bytes of the shortest two's complement number that holds every one of so many digits, for
// up to 76 of them.
func decimalBytes(digits int32) int {
	magnitude := int(float64(digits)*math.Log2(10)) + 1
	return (magnitude + 1 + 7) / 8
}

// timeFormat maps a time of day. Arrow's has no zone, which makes it a local one.
func timeFormat(u arrow.TimeUnit) leafFormat {
	f := leafFormat{physical: typeInt64, logical: logicalType{Kind: logicalTime, Unit: parquetUnit(u)}, order: orderSigned}
	if f.logical.Unit == unitMillis {
		f.physical = typeInt32
	}
	return f
}

// parquetUnit returns the unit that values of u are stored in: seconds become milliseconds.
func parquetUnit(u arrow.TimeUnit) timeUnit {
	switch u {
	case arrow.Nanosecond:
		return unitNanos
	case arrow.Microsecond:
		return unitMicros
	}
	return unitMillis
}

// extended adds what an Arrow extension says about its storage.
func (f leafFormat) extended(x extension) leafFormat {
	switch x.name {
	case "arrow.uuid":
		f.logical = logicalType{Kind: logicalUUID}
	case "arrow.json":
		f.logical = logicalType{Kind: logicalJSON}
	case wkbName:
		f.logical, _ = x.geoType() // which unwrapType has checked
		f.order = orderUndefined
	}
	return f
}
