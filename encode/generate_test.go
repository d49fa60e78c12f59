package encode

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"
)

// generator makes random fields, and records for them, free of how Arrow lays them out. A slot is a Go value:
//
//	nil      null
//	[]byte   of a leaf: the value as Arrow stores it, a bool as a byte
//	[]any    of a struct: its fields; of a list: its elements; of a map: its entries, each {key, value}
type generator struct {
	chance
	slots   int // elements that lists may still get
	long    int // elements that the next list gets, once
	stretch int // records of a column that are the same, about
}

func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

func pick[T any](c chance, from ...T) T { return from[c.IntN(len(from))] }

// field makes a field with at most depth fields below it.
func (g *generator) field(name string, depth int) arrow.Field {
	f := arrow.Field{Name: name, Nullable: !g.oneIn(3)}
	if depth == 0 || g.oneIn(3) {
		f.Type = g.leafType()
		if g.oneIn(30) {
			f.Type, f.Nullable = arrow.Null, true
		}
		return f
	}
	if g.oneIn(12) {
		return g.variant(f)
	}
	switch g.IntN(5) {
	case 0:
		f.Type = arrow.ListOfField(g.field("item", depth-1))
	case 1:
		f.Type = arrow.LargeListOfField(g.field("item", depth-1))
	case 2:
		f.Type = arrow.FixedSizeListOfField(int32(1+g.IntN(3)), g.field("item", depth-1))
	case 3:
		key := arrow.Field{Name: "key", Type: g.leafType()}
		f.Type = arrow.MapOfFields(key, g.field("value", depth-1))
	case 4:
		fields := make([]arrow.Field, 1+g.IntN(3))
		for i := range fields {
			fields[i] = g.field("f"+strconv.Itoa(i), g.IntN(depth))
		}
		f.Type = arrow.StructOf(fields...)
	}
	return f
}

// disguised returns a field whose types hold the same slots in another form: other lists, other widths of offsets, views,
// and dictionaries and run ends around anything.
func (g *generator) disguised(f arrow.Field) arrow.Field {
	switch dt := f.Type.(type) {
	case *arrow.MapType:
		f.Type = arrow.MapOfFields(g.disguised(dt.KeyField()), g.disguised(dt.ItemField()))
	case arrow.ListLikeType:
		f.Type = g.disguisedList(dt, g.disguised(dt.ElemField()))
	case *arrow.StructType:
		fields := slices.Clone(dt.Fields())
		for i := range fields {
			fields[i] = g.disguised(fields[i])
		}
		f.Type = arrow.StructOf(fields...)
	case *arrow.DictionaryType:
		f.Type = &arrow.DictionaryType{IndexType: dt.IndexType, ValueType: g.disguisedBytes(dt.ValueType)}
	default:
		f.Type = g.disguisedBytes(dt)
	}
	for range pick(g, 0, 0, 1, 1, 1, 2) {
		if g.oneIn(2) {
			f.Type = arrow.RunEndEncodedOf(pick(g, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64), f.Type)
		} else {
			f.Type = &arrow.DictionaryType{IndexType: pick(g, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Uint32), ValueType: f.Type}
		}
	}
	return f
}

// disguisedList returns a list of any kind that can hold what one of another kind does.
func (g *generator) disguisedList(dt arrow.ListLikeType, elem arrow.Field) arrow.DataType {
	if fixed, ok := dt.(*arrow.FixedSizeListType); ok && g.oneIn(2) {
		return arrow.FixedSizeListOfField(fixed.Len(), elem)
	}
	return pick[arrow.DataType](g, arrow.ListOfField(elem), arrow.LargeListOfField(elem), arrow.ListViewOfField(elem),
		arrow.LargeListViewOfField(elem))
}

// disguisedBytes returns any of the types for texts or for byte strings in place of another.
func (g *generator) disguisedBytes(dt arrow.DataType) arrow.DataType {
	of := arrow.BinaryTypes
	switch dt.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return pick[arrow.DataType](g, of.String, of.LargeString, of.StringView)
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW:
		return pick[arrow.DataType](g, of.Binary, of.LargeBinary, of.BinaryView)
	}
	return dt
}

// leafType makes any type of a leaf.
func (g *generator) leafType() arrow.DataType {
	if g.oneIn(4) {
		index := pick(g, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Int16,
			arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Uint32,
			arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint64)
		return &arrow.DictionaryType{IndexType: index, ValueType: g.valueType()}
	}
	if g.oneIn(12) {
		json, err := extensions.NewJSONType(pick[arrow.DataType](g, arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString,
			arrow.BinaryTypes.StringView))
		if err != nil {
			panic(err)
		}
		return pick[arrow.DataType](g, json, extensions.NewUUIDType(), newWKBType(arrow.BinaryTypes.Binary, ""),
			newWKBType(pick[arrow.DataType](g, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView), `{"edges": "karney"}`),
			extensions.NewOpaqueType(pick(g, arrow.PrimitiveTypes.Int64, dictionaryOf(arrow.BinaryTypes.String)), "any", "sluice"))
	}
	return g.valueType()
}

// valueType makes a type of a leaf that is neither a dictionary nor an extension.
func (g *generator) valueType() arrow.DataType {
	switch g.IntN(5) {
	case 0:
		return pick[arrow.DataType](g, arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.StringView,
			arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView,
			&arrow.FixedSizeBinaryType{ByteWidth: pick(g, 1+g.IntN(20), 64, 65)})
	case 1:
		return g.decimalType()
	case 2:
		return pick[arrow.DataType](g, arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Date64,
			arrow.FixedWidthTypes.Time32s, arrow.FixedWidthTypes.Time32ms, arrow.FixedWidthTypes.Time64us,
			arrow.FixedWidthTypes.Time64ns, &arrow.TimestampType{Unit: pick(g, arrow.Second, arrow.Millisecond)},
			&arrow.TimestampType{Unit: pick(g, arrow.Second, arrow.Microsecond, arrow.Nanosecond), TimeZone: "Asia/Tokyo"},
			arrow.FixedWidthTypes.Duration_s, arrow.FixedWidthTypes.Duration_ns, arrow.FixedWidthTypes.MonthInterval,
			arrow.FixedWidthTypes.DayTimeInterval, arrow.FixedWidthTypes.MonthDayNanoInterval)
	}
	return pick[arrow.DataType](g, arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16,
		arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint8,
		arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64)
}

func (g *generator) decimalType() arrow.DataType {
	switch g.IntN(4) {
	case 0:
		p := int32(1 + g.IntN(9))
		return &arrow.Decimal32Type{Precision: p, Scale: int32(g.IntN(int(p)))}
	case 1:
		p := int32(1 + g.IntN(18))
		return &arrow.Decimal64Type{Precision: p, Scale: int32(g.IntN(int(p)))}
	case 2:
		p := int32(1 + g.IntN(38))
		return &arrow.Decimal128Type{Precision: p, Scale: int32(g.IntN(int(p)))}
	}
	p := int32(1 + g.IntN(76))
	return &arrow.Decimal256Type{Precision: p, Scale: int32(g.IntN(int(p)))}
}

// column makes n slots of a field, each by itself or in stretches.
func (g *generator) column(f arrow.Field, n int) []any {
	m := g.model(f)
	slots := make([]any, n)
	for i := range slots {
		if i == 0 || g.stretch < 2 || g.oneIn(g.stretch) {
			slots[i] = m.slot(g)
		} else {
			slots[i] = slots[i-1]
		}
	}
	return slots
}

// model is how the slots of a field are distributed.
type model struct {
	field    arrow.Field
	nulls    int // percent
	children []*model
	value    func() []byte
}

func (g *generator) model(f arrow.Field) *model {
	m := &model{field: f, nulls: pick(g, 0, 0, 1, 20, 50, 95, 100)}
	switch {
	case f.Type.ID() == arrow.NULL:
		m.nulls = 100
		return m
	case !f.Nullable:
		m.nulls = 0
	}
	if nested, ok := f.Type.(arrow.NestedType); ok && f.Type.ID() != arrow.EXTENSION {
		for _, child := range nested.Fields() {
			m.children = append(m.children, g.model(child))
		}
		if extensionOf(f.Metadata).isVariant() {
			m.asVariant(g)
		}
		return m
	}
	m.value = g.values(f.Type)
	return m
}

// slot makes one slot.
func (m *model) slot(g *generator) any {
	if m.nulls == 100 || m.nulls > 0 && g.IntN(100) < m.nulls {
		return nil
	}
	switch dt := m.field.Type.(type) {
	case *arrow.StructType:
		fields := make([]any, len(m.children))
		for i, c := range m.children {
			fields[i] = c.slot(g)
		}
		return fields
	case *arrow.FixedSizeListType:
		return m.elements(g, int(dt.Len()))
	case arrow.ListLikeType:
		n := 0
		if g.long > 0 {
			n, g.long = g.long, 0
		} else if g.slots > 0 && !g.oneIn(4) {
			n = g.IntN(6)
		}
		g.slots -= n
		return m.elements(g, n)
	}
	return m.value()
}

func (m *model) elements(g *generator, n int) []any {
	elements := make([]any, n)
	for i := range elements {
		elements[i] = m.children[0].slot(g)
	}
	return elements
}

// values makes a source of values of a leaf: from a few or from many, alone or in runs.
func (g *generator) values(dt arrow.DataType) func() []byte {
	pool := make([][]byte, pick(g, 1, 2, 20, 60))
	for i := range pool {
		pool[i] = g.value(dt)
	}
	many := g.oneIn(3) && dt.ID() != arrow.DICTIONARY // whose keys may be of a byte
	run := pick(g, 1, 1, 8, 100)
	last := pool[0]
	return func() []byte {
		if !g.oneIn(run) {
			return last
		}
		if last = pool[g.IntN(len(pool))]; many {
			last = g.value(dt)
		}
		return last
	}
}

// value makes one value of a leaf that Parquet can keep.
func (g *generator) value(dt arrow.DataType) []byte {
	switch dt := dt.(type) {
	case *wkbType:
		return g.geometry(dt.metadata != "")
	case arrow.ExtensionType:
		return g.value(dt.StorageType())
	case *arrow.DictionaryType:
		return g.value(dt.ValueType)
	case *arrow.BooleanType:
		return []byte{byte(g.IntN(2))}
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		return g.text()
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		return g.blob(pick(g, 0, 1, 3, 9, 70))
	case *arrow.FixedSizeBinaryType:
		return g.blob(dt.ByteWidth)
	case arrow.DecimalType:
		return g.decimal(dt)
	case *arrow.Float16Type:
		return binary.LittleEndian.AppendUint16(nil, pick[uint16](g, 0, 0x8000, 0x7e00, 0xfc01, 0x7c00, 0xfc00, 0x3c00, 0xbc00,
			uint16(g.IntN(1<<16))))
	case *arrow.Float32Type:
		return plain32(int32(math.Float32bits(float32(g.float()))))
	case *arrow.Float64Type:
		return plain64(int64(math.Float64bits(g.float())))
	case *arrow.Date64Type:
		return plain64(86_400_000 * g.integer(32))
	case *arrow.MonthIntervalType:
		return g.count()
	case *arrow.DayTimeIntervalType:
		return slices.Concat(g.count(), g.count())
	case *arrow.MonthDayNanoIntervalType:
		return slices.Concat(g.count(), g.count(), plain64(1_000_000*(g.integer(33)&math.MaxUint32)))
	case *arrow.Time32Type:
		return plain32(int32(g.integer(32) / perSecond(dt)))
	case *arrow.TimestampType:
		return plain64(g.integer(64) / perSecond(dt))
	}
	width := dt.(arrow.FixedWidthDataType).BitWidth()
	return plain64(g.integer(width))[:width/8]
}

// integer makes a signed number of so many bits: small, at the ends of the range, or any.
func (g *generator) integer(width int) int64 {
	lowest := int64(-1) << (width - 1)
	switch g.IntN(4) {
	case 0:
		return pick(g, lowest, ^lowest)
	case 1:
		return (int64(g.IntN(1<<31))<<33 ^ int64(g.IntN(1<<31))<<10) >> (64 - width)
	}
	return int64(g.IntN(7)) - 3
}

// count makes a number of 32 bits that is not negative.
func (g *generator) count() []byte { return plain32(int32(g.integer(32) & math.MaxInt32)) }

func (g *generator) float() float64 {
	return pick(g, 0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), float64(g.IntN(100)), -float64(g.IntN(1000))/8)
}

// text makes valid UTF-8, some of it longer than bounds are.
func (g *generator) text() []byte {
	letters := pick(g, []string{"a"}, []string{"a", "b", "é", "語"}, []string{"\U0010ffff", "\U0010ffff", "\x7f", "z"},
		[]string{"\U0010ffff"}, []string{"߿", "\ud7ff", "\uffff"})
	var b strings.Builder
	for range pick(g, 0, 1, 2, 5, 21, 60+g.IntN(10)) {
		b.WriteString(pick(g, letters...))
	}
	return []byte(b.String())
}

func (g *generator) blob(n int) []byte {
	b := make([]byte, n)
	letters := pick(g, "\x00\xff", "\xff", "ab", "\x7f\x80")
	for i := range b {
		b[i] = letters[g.IntN(len(letters))]
	}
	return b
}

// decimal makes an unscaled number of up to the type's digits, in two's complement.
func (g *generator) decimal(dt arrow.DecimalType) []byte {
	digits := make([]byte, 1+g.IntN(int(dt.GetPrecision())))
	for i := range digits {
		digits[i] = '0' + byte(g.IntN(10))
	}
	if g.oneIn(4) {
		digits = slices.Repeat([]byte("9"), int(dt.GetPrecision()))
	}
	n, _ := new(big.Int).SetString(string(digits), 10)
	if g.oneIn(2) {
		n.Neg(n)
	}
	return twosComplement(n, dt.BitWidth()/8)
}

// twosComplement returns the lowest bytes of a number, lowest first.
func twosComplement(n *big.Int, size int) []byte {
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(8*size))
	return reversed(new(big.Int).Mod(n, modulus).FillBytes(make([]byte, size)))
}

// reversed returns the bytes the other way round.
func reversed(v []byte) []byte {
	r := slices.Clone(v)
	slices.Reverse(r)
	return r
}
