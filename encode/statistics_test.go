package encode

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// bound is a smallest or largest value as a file has it, and whether it is flagged as a value of the column.
type bound struct {
	value   []byte
	inexact bool
}

// boundsCase is a column in pages of equally many records, and the bounds that it should get.
type boundsCase struct {
	name  string
	dt    arrow.DataType
	pages [][]any
	min   *bound // of the column chunk; nil: none
	max   *bound
	low   [][]byte // of the pages; nil: no column index
	high  [][]byte
	order boundaryOrder
	nans  []int64
}

func exact(v []byte) *bound { return &bound{value: v} }

func TestBounds(t *testing.T) {
	for _, c := range boundsCases() {
		for _, dictionary := range []int{-1, 1 << 20} {
			checkBoundsCase(t, c, dictionary)
		}
	}
}

func checkBoundsCase(t *testing.T, c boundsCase, dictionaryBytes int) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: c.dt, Nullable: true}}, nil)
	rc := &randomCase{schema: schema, columns: [][]any{nil}}
	for _, p := range c.pages {
		rc.columns[0] = append(rc.columns[0], p...)
	}
	rc.records = len(rc.columns[0])
	l := &layouter{rand.New(rand.NewPCG(1, 1)), memory.DefaultAllocator}
	o := &Options{DataPageRecords: len(c.pages[0]), DictionaryBytes: dictionaryBytes}
	batch := rc.batches(l)[0]
	data := mustWrite(t, o, schema, batch)
	if err := checkFile(data, o, schema, batch); err != nil {
		t.Errorf("%s: %v", c.name, err)
		return
	}
	f, err := lintFile(data)
	if err != nil {
		t.Fatal(err)
	}
	chunk := f.RowGroups[0][0]
	s := chunk.Meta.Statistics
	checkBound(t, c.name+": min", c.min, s.HasMinMax, s.Min, s.MinExact)
	checkBound(t, c.name+": max", c.max, s.HasMinMax, s.Max, s.MaxExact)
	if have := chunk.Meta.ColumnIndexOffset != 0; have != (c.low != nil) {
		t.Errorf("%s: there is a column index: %v", c.name, have)
	}
	if c.low == nil {
		return
	}
	v := parseThrift(t, "ColumnIndex", data[chunk.Meta.ColumnIndexOffset:][:chunk.Meta.ColumnIndexBytes])
	low, _ := v.Field(2)
	high, _ := v.Field(3)
	for i := range c.low {
		if low, high := low.List[i].Bytes, high.List[i].Bytes; !bytes.Equal(low, c.low[i]) || !bytes.Equal(high, c.high[i]) {
			t.Errorf("%s: page %d has bounds %x and %x, want %x and %x", c.name, i, low, high, c.low[i], c.high[i])
		}
	}
	if got := boundaryOrder(v.Int(4)); got != c.order {
		t.Errorf("%s: boundary order %d, want %d", c.name, got, c.order)
	}
	nans, _ := v.Field(8)
	for i, n := range nans.List {
		if n.Num != c.nans[i] {
			t.Errorf("%s: page %d has %d NaNs, want %d", c.name, i, n.Num, c.nans[i])
		}
	}
}

func checkBound(t *testing.T, what string, want *bound, have bool, got []byte, isExact bool) {
	t.Helper()
	if have != (want != nil) {
		t.Errorf("%s: it is there: %v", what, have)
	} else if have && (!bytes.Equal(got, want.value) || isExact == want.inexact) {
		t.Errorf("%s: %x (%q), exact: %v, want %x (%q)", what, got, got, isExact, want.value, want.value)
	}
}

func boundsCases() (cases []boundsCase) {
	cases = append(cases, floatBoundsCases()...)
	cases = append(cases, integerBoundsCases()...)
	cases = append(cases, decimalBoundsCases()...)
	return append(cases, byteBoundsCases()...)
}

func floatBoundsCases() (cases []boundsCase) {
	f64 := func(v float64) []byte { return plain64(int64(math.Float64bits(v))) }
	f32 := func(v float32) []byte { return plain32(int32(math.Float32bits(v))) }
	f16 := func(bits uint16) []byte { return binary.LittleEndian.AppendUint16(nil, bits) }
	nan, inf, minus0 := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	otherNaN := plain64(-1)
	for _, c := range []boundsCase{
		{name: "NaN among numbers", pages: [][]any{{f64(1), f64(nan), f64(-2)}, {otherNaN, f64(7), f64(nan)}},
			min: exact(f64(-2)), max: exact(f64(7)), low: [][]byte{f64(-2), f64(7)}, high: [][]byte{f64(1), f64(7)},
			order: boundaryAscending, nans: []int64{1, 2}},
		{name: "a NaN many times", pages: [][]any{{f64(nan), f64(nan), f64(nan), f64(1)}},
			min: exact(f64(1)), max: exact(f64(1)), low: [][]byte{f64(1)}, high: [][]byte{f64(1)}, order: boundaryAscending, nans: []int64{3}},
		{name: "a page of NaNs", pages: [][]any{{f64(1), f64(2)}, {f64(nan), otherNaN}}, min: exact(f64(1)), max: exact(f64(2))},
		{name: "a page of NaNs and nulls", pages: [][]any{{nil, f64(2)}, {f64(nan), nil}}, min: exact(f64(2)), max: exact(f64(2))},
		{name: "nothing but NaNs", pages: [][]any{{f64(nan), f64(nan)}}},
		{name: "zeros", pages: [][]any{{f64(0), f64(0)}, {f64(minus0), f64(minus0)}}, min: exact(f64(minus0)), max: exact(f64(0)),
			low: [][]byte{f64(minus0), f64(minus0)}, high: [][]byte{f64(0), f64(0)}, order: boundaryAscending, nans: []int64{0, 0}},
		{name: "zero and more", pages: [][]any{{f64(0), f64(1)}, {f64(-1), f64(minus0)}}, min: exact(f64(-1)), max: exact(f64(1)),
			low: [][]byte{f64(minus0), f64(-1)}, high: [][]byte{f64(1), f64(0)}, order: boundaryDescending, nans: []int64{0, 0}},
		{name: "infinities", pages: [][]any{{f64(inf), f64(inf)}, {f64(-inf), f64(-inf)}, {f64(inf), f64(-inf)}},
			min: exact(f64(-inf)), max: exact(f64(inf)), low: [][]byte{f64(inf), f64(-inf), f64(-inf)},
			high: [][]byte{f64(inf), f64(-inf), f64(inf)}, nans: []int64{0, 0, 0}},
	} {
		c.dt = arrow.PrimitiveTypes.Float64
		cases = append(cases, c)
	}
	return append(cases,
		boundsCase{name: "float", dt: arrow.PrimitiveTypes.Float32, pages: [][]any{{f32(-1.5), f32(float32(nan)), f32(0)}},
			min: exact(f32(-1.5)), max: exact(f32(0)), low: [][]byte{f32(-1.5)}, high: [][]byte{f32(0)}, order: boundaryAscending, nans: []int64{1}},
		boundsCase{name: "float16", dt: arrow.FixedWidthTypes.Float16, // -2, NaN, 0; 1, -Inf, NaN; -0, -0, 65504
			pages: [][]any{{f16(0xc000), f16(0x7e00), f16(0)}, {f16(0x3c00), f16(0xfc00), f16(0xfe01)}, {f16(0x8000), f16(0x8000), f16(0x7bff)}},
			min:   exact(f16(0xfc00)), max: exact(f16(0x7bff)), low: [][]byte{f16(0xc000), f16(0xfc00), f16(0x8000)},
			high: [][]byte{f16(0), f16(0x3c00), f16(0x7bff)}, nans: []int64{1, 1, 0}},
		boundsCase{name: "float16 of zeros", dt: arrow.FixedWidthTypes.Float16, pages: [][]any{{f16(0), f16(0)}, {f16(0x8000), f16(0x8000)}},
			min: exact(f16(0x8000)), max: exact(f16(0)), low: [][]byte{f16(0x8000), f16(0x8000)}, high: [][]byte{f16(0), f16(0)},
			order: boundaryAscending, nans: []int64{0, 0}},
		boundsCase{name: "float16 of NaNs", dt: arrow.FixedWidthTypes.Float16, pages: [][]any{{f16(0x7e00), f16(0xffff)}}},
	)
}

func integerBoundsCases() []boundsCase {
	i32 := plain32
	yes, no := []byte{1}, []byte{0}
	return []boundsCase{
		{name: "intervals", dt: arrow.FixedWidthTypes.MonthInterval, pages: [][]any{{i32(1), i32(2)}, {nil, nil}}},
		{name: "null intervals", dt: arrow.FixedWidthTypes.MonthInterval, pages: [][]any{{nil, nil}},
			low: [][]byte{nil}, high: [][]byte{nil}, order: boundaryAscending},
		{name: "int8", dt: arrow.PrimitiveTypes.Int8, pages: [][]any{{[]byte{0x80}, []byte{0x7f}}, {[]byte{0xff}, []byte{1}}},
			min: exact(i32(-128)), max: exact(i32(127)), low: [][]byte{i32(-128), i32(-1)}, high: [][]byte{i32(127), i32(1)}},
		{name: "uint8", dt: arrow.PrimitiveTypes.Uint8, pages: [][]any{{[]byte{0x80}, []byte{0x7f}}, {[]byte{0xff}, []byte{0xfe}}},
			min: exact(i32(127)), max: exact(i32(255)), low: [][]byte{i32(127), i32(254)}, high: [][]byte{i32(128), i32(255)}, order: boundaryAscending},
		{name: "uint32", dt: arrow.PrimitiveTypes.Uint32, pages: [][]any{{i32(-1), i32(1)}, {i32(0), i32(1)}},
			min: exact(i32(0)), max: exact(i32(-1)), low: [][]byte{i32(1), i32(0)}, high: [][]byte{i32(-1), i32(1)}, order: boundaryDescending},
		{name: "int32", dt: arrow.PrimitiveTypes.Int32, pages: [][]any{{i32(-1), i32(1)}, {i32(0), i32(1)}},
			min: exact(i32(-1)), max: exact(i32(1)), low: [][]byte{i32(-1), i32(0)}, high: [][]byte{i32(1), i32(1)}, order: boundaryAscending},
		{name: "uint64", dt: arrow.PrimitiveTypes.Uint64, pages: [][]any{{plain64(-1), plain64(math.MaxInt64)}},
			min: exact(plain64(math.MaxInt64)), max: exact(plain64(-1)), low: [][]byte{plain64(math.MaxInt64)}, high: [][]byte{plain64(-1)}, order: boundaryAscending},
		{name: "int64", dt: arrow.PrimitiveTypes.Int64, pages: [][]any{{plain64(-1), plain64(math.MaxInt64)}},
			min: exact(plain64(-1)), max: exact(plain64(math.MaxInt64)), low: [][]byte{plain64(-1)}, high: [][]byte{plain64(math.MaxInt64)}, order: boundaryAscending},
		{name: "seconds", dt: arrow.FixedWidthTypes.Timestamp_s, pages: [][]any{{plain64(5), plain64(-3)}},
			min: exact(plain64(-3000)), max: exact(plain64(5000)), low: [][]byte{plain64(-3000)}, high: [][]byte{plain64(5000)}, order: boundaryAscending},
		{name: "bool", dt: arrow.FixedWidthTypes.Boolean, pages: [][]any{{yes, yes, nil}, {no, yes, no}, {no, nil, no}, {nil, nil, nil}},
			min: exact(no), max: exact(yes), low: [][]byte{yes, no, no, nil}, high: [][]byte{yes, yes, no, nil}, order: boundaryDescending},
		{name: "bool true", dt: arrow.FixedWidthTypes.Boolean, pages: [][]any{{yes, yes}},
			min: exact(yes), max: exact(yes), low: [][]byte{yes}, high: [][]byte{yes}, order: boundaryAscending},
		{name: "nulls", dt: arrow.PrimitiveTypes.Int64, pages: [][]any{{nil, nil}, {nil, nil}},
			low: [][]byte{nil, nil}, high: [][]byte{nil, nil}, order: boundaryAscending},
		{name: "null pages between", dt: arrow.PrimitiveTypes.Int32, pages: [][]any{{nil, nil}, {i32(9), i32(8)}, {nil, nil}, {i32(7), nil}, {nil, nil}},
			min: exact(i32(7)), max: exact(i32(9)), low: [][]byte{nil, i32(8), nil, i32(7), nil}, high: [][]byte{nil, i32(9), nil, i32(7), nil},
			order: boundaryDescending},
	}
}

func decimalBoundsCases() []boundsCase {
	wide := func(s string) []byte {
		n, _ := new(big.Int).SetString(s, 10)
		return twosComplement(n, 16)
	}
	be := func(b []byte, n int) []byte { return reversed(b)[len(b)-n:] }
	minus, minus2, plus := wide("-1"), wide("-98765432109876543210"), wide("12345678901234567890")
	return []boundsCase{
		{name: "decimal in bytes", dt: &arrow.Decimal128Type{Precision: 20, Scale: 3}, pages: [][]any{{minus, plus}, {minus2, minus}, {wide("0"), wide("1")}},
			min: exact(be(minus2, 9)), max: exact(be(plus, 9)), low: [][]byte{be(minus, 9), be(minus2, 9), be(wide("0"), 9)},
			high: [][]byte{be(plus, 9), be(minus, 9), be(wide("1"), 9)}},
		{name: "decimal of 38 digits", dt: &arrow.Decimal128Type{Precision: 38}, pages: [][]any{{minus, minus2}},
			min: exact(be(minus2, 16)), max: exact(be(minus, 16)), low: [][]byte{be(minus2, 16)}, high: [][]byte{be(minus, 16)}, order: boundaryAscending},
		{name: "decimal in an int64", dt: &arrow.Decimal128Type{Precision: 18}, pages: [][]any{{minus, wide("7")}},
			min: exact(plain64(-1)), max: exact(plain64(7)), low: [][]byte{plain64(-1)}, high: [][]byte{plain64(7)}, order: boundaryAscending},
		{name: "decimal in an int32", dt: &arrow.Decimal32Type{Precision: 9}, pages: [][]any{{plain32(-1), plain32(7)}},
			min: exact(plain32(-1)), max: exact(plain32(7)), low: [][]byte{plain32(-1)}, high: [][]byte{plain32(7)}, order: boundaryAscending},
	}
}

func byteBoundsCases() (cases []boundsCase) {
	for _, c := range []struct {
		name     string
		dt       arrow.DataType
		values   []string
		min, max string
		cut      bool // both bounds are cut
	}{
		{"text", arrow.BinaryTypes.String, []string{"b", "", "ab"}, "", "b", false},
		{"nothing but empty text", arrow.BinaryTypes.String, []string{"", ""}, "", "", false},
		{"text by bytes", arrow.BinaryTypes.String, []string{"z", "é", "\U00010000", "\uffff"}, "z", "\U00010000", false},
		{"alike in eight bytes", arrow.BinaryTypes.String, []string{"12345678b", "12345678", "12345678\x00", "12345678a"}, "12345678", "12345678b", false},
		{"zero bytes", arrow.BinaryTypes.Binary, []string{"\x00\x00", "\x00"}, "\x00", "\x00\x00", false},
		{"high bytes", arrow.BinaryTypes.Binary, []string{"\x7f", "\x80", "\xff"}, "\x7f", "\xff", false},
		{"64 bytes", arrow.BinaryTypes.String, []string{strings.Repeat("a", 64)}, strings.Repeat("a", 64), strings.Repeat("a", 64), false},
		{"65 bytes", arrow.BinaryTypes.String, []string{strings.Repeat("a", 65)}, strings.Repeat("a", 64), strings.Repeat("a", 63) + "b", true},
		{"a code point across byte 64", arrow.BinaryTypes.LargeString, []string{strings.Repeat("a", 63) + "éa"}, strings.Repeat("a", 63), strings.Repeat("a", 62) + "b", true},
		{"a code point of four across byte 64", arrow.BinaryTypes.String, []string{strings.Repeat("a", 61) + "\U0001f600"}, strings.Repeat("a", 61), strings.Repeat("a", 60) + "b", true},
		{"a code point up to byte 64", arrow.BinaryTypes.String, []string{strings.Repeat("a", 62) + "éa"}, strings.Repeat("a", 62) + "é", strings.Repeat("a", 62) + "ê", true},
		{"the last code point of two bytes", arrow.BinaryTypes.String, []string{strings.Repeat("a", 62) + "\u07ffa"}, strings.Repeat("a", 62) + "\u07ff", strings.Repeat("a", 61) + "b", true},
		{"the last before the surrogates", arrow.BinaryTypes.String, []string{strings.Repeat("a", 61) + "\ud7ffa"}, strings.Repeat("a", 61) + "\ud7ff", strings.Repeat("a", 61) + "\ue000", true},
		{"the last of all", arrow.BinaryTypes.String, []string{strings.Repeat("a", 56) + "\U0010ffff\U0010ffffa"}, strings.Repeat("a", 56) + "\U0010ffff\U0010ffff", strings.Repeat("a", 55) + "b", true},
		{"DEL", arrow.BinaryTypes.String, []string{strings.Repeat("a", 63) + "\x7fa"}, strings.Repeat("a", 63) + "\x7f", strings.Repeat("a", 62) + "b", true},
		{"views", arrow.BinaryTypes.StringView, []string{"longer than its view", "in its view", "longer than a view is", ""}, "", "longer than its view", false},
		{"a view of 65 bytes", arrow.BinaryTypes.BinaryView, []string{strings.Repeat("a", 64) + "\xff"}, strings.Repeat("a", 64), strings.Repeat("a", 63) + "b", true},
		{"binary", arrow.BinaryTypes.Binary, []string{strings.Repeat("a", 63) + "\xc3\xa9"}, strings.Repeat("a", 63) + "\xc3", strings.Repeat("a", 63) + "\xc4", true},
		{"binary with 0xff", arrow.BinaryTypes.LargeBinary, []string{strings.Repeat("a", 60) + "\xff\xff\xff\xff\xff"}, strings.Repeat("a", 60) + "\xff\xff\xff\xff", strings.Repeat("a", 59) + "b", true},
		{"text that is not UTF-8", arrow.BinaryTypes.String, []string{strings.Repeat("\x80", 70)}, strings.Repeat("\x80", 64), strings.Repeat("\x80", 63) + "\x81", true},
		{"fixed-size binary is never cut", &arrow.FixedSizeBinaryType{ByteWidth: 80}, []string{strings.Repeat("a", 80)}, strings.Repeat("a", 80), strings.Repeat("a", 80), false},
	} {
		bc := boundsCase{name: c.name, dt: c.dt, min: &bound{[]byte(c.min), c.cut}, max: &bound{[]byte(c.max), c.cut},
			low: [][]byte{[]byte(c.min)}, high: [][]byte{[]byte(c.max)}, order: boundaryAscending, pages: [][]any{{}}}
		for _, v := range c.values {
			bc.pages[0] = append(bc.pages[0], []byte(v))
		}
		cases = append(cases, bc)
	}
	// A bound that one page has cut is a value of the next.
	a64, a63b := strings.Repeat("a", 64), strings.Repeat("a", 63)+"b"
	for _, pages := range [][][]any{{{[]byte(a64 + "a")}, {[]byte(a64)}, {[]byte(a63b)}}, {{[]byte(a63b)}, {[]byte(a64)}, {[]byte(a64 + "a")}}} {
		bc := boundsCase{name: "cut and a value", dt: arrow.BinaryTypes.String, pages: pages, min: exact([]byte(a64)), max: exact([]byte(a63b))}
		for _, p := range pages {
			low, high := p[0].([]byte), p[0].([]byte)
			if len(low) > 64 {
				low, high = []byte(a64), []byte(a63b)
			}
			bc.low, bc.high = append(bc.low, low), append(bc.high, high)
		}
		cases = append(cases, bc)
	}
	// What cannot be rounded up stays as it is.
	for _, c := range []struct {
		name  string
		dt    arrow.DataType
		value string
		low   string
	}{
		{"nothing but 0xff", arrow.BinaryTypes.Binary, strings.Repeat("\xff", 70), strings.Repeat("\xff", 64)},
		{"nothing but the last code point", arrow.BinaryTypes.String, strings.Repeat("\U0010ffff", 17), strings.Repeat("\U0010ffff", 16)},
	} {
		cases = append(cases, boundsCase{name: c.name, dt: c.dt, pages: [][]any{{[]byte(c.value)}},
			min: &bound{[]byte(c.low), true}, max: exact([]byte(c.value)),
			low: [][]byte{[]byte(c.low)}, high: [][]byte{[]byte(c.value)}, order: boundaryAscending})
	}
	return cases
}
