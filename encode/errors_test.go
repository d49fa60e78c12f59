package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// badValue is a value that Arrow can hold and Parquet's type for it cannot.
type badValue struct {
	dt        arrow.DataType // or described
	good, bad []byte
	want      string
}

func badValues() []badValue {
	const day = 86_400_000
	cases := []badValue{
		{arrow.FixedWidthTypes.Time32s, plain32(86_399), plain32(math.MaxInt32/1000 + 1), "2147484 seconds do not fit"},
		{arrow.FixedWidthTypes.Time32s, plain32(math.MinInt32 / 1000), plain32(math.MinInt32/1000 - 1), "-2147484 seconds do not fit"},
		{arrow.FixedWidthTypes.Timestamp_s, plain64(math.MaxInt64 / 1000), plain64(math.MaxInt64/1000 + 1), "seconds do not fit"},
		{arrow.FixedWidthTypes.Timestamp_s, plain64(math.MinInt64 / 1000), plain64(math.MinInt64), "seconds do not fit"},
		{arrow.FixedWidthTypes.Date64, plain64(-day), plain64(-1), "not a whole day"},
		{arrow.FixedWidthTypes.Date64, plain64(math.MaxInt32 * day), plain64((math.MaxInt32 + 1) * day), "does not fit a Parquet DATE"},
		{arrow.FixedWidthTypes.Date64, plain64(math.MinInt32 * day), plain64((math.MinInt32 - 1) * day), "does not fit a Parquet DATE"},
	}
	cases = append(cases, badIntervals()...)
	cases = append(cases, badContents()...)
	cases = append(cases, badGeometries()...)
	for _, dt := range []arrow.DecimalType{ // by the physical type that they become
		&arrow.Decimal32Type{Precision: 1}, &arrow.Decimal32Type{Precision: 9}, &arrow.Decimal64Type{Precision: 9},
		&arrow.Decimal64Type{Precision: 10}, &arrow.Decimal64Type{Precision: 18}, &arrow.Decimal128Type{Precision: 9},
		&arrow.Decimal128Type{Precision: 18}, &arrow.Decimal128Type{Precision: 19}, &arrow.Decimal128Type{Precision: 38},
		&arrow.Decimal256Type{Precision: 9}, &arrow.Decimal256Type{Precision: 18}, &arrow.Decimal256Type{Precision: 19},
		&arrow.Decimal256Type{Precision: 38}, &arrow.Decimal256Type{Precision: 39}, &arrow.Decimal256Type{Precision: 76},
	} {
		size := dt.BitWidth() / 8
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(dt.GetPrecision())), nil)
		largest := new(big.Int).Sub(limit, big.NewInt(1))
		lowest := new(big.Int).Lsh(big.NewInt(-1), uint(8*size-1))
		want := fmt.Sprintf("more than the %d digits", dt.GetPrecision())
		for _, bad := range []*big.Int{limit, new(big.Int).Neg(limit), lowest, new(big.Int).Not(lowest)} {
			cases = append(cases,
				badValue{dt, twosComplement(largest, size), twosComplement(bad, size), want},
				badValue{dt, twosComplement(new(big.Int).Neg(largest), size), twosComplement(bad, size), want})
		}
	}
	return cases
}

func badIntervals() []badValue {
	of := arrow.FixedWidthTypes
	parts := func(months, days int32, ns int64) []byte {
		return slices.Concat(plain32(months), plain32(days), plain64(ns))
	}
	const ms = 1_000_000
	good := parts(math.MaxInt32, math.MaxInt32, math.MaxUint32*ms)
	return []badValue{
		{of.MonthInterval, plain32(math.MaxInt32), plain32(-1), "an interval of -1 months"},
		{of.MonthInterval, plain32(0), plain32(math.MinInt32), "an interval of -2147483648 months"},
		{of.DayTimeInterval, plain64(0x7fffffff_7fffffff), slices.Concat(plain32(-2), plain32(5)), "an interval of -2 days"},
		{of.DayTimeInterval, plain64(0), slices.Concat(plain32(2), plain32(-5)), "an interval of -5 ms"},
		{of.MonthDayNanoInterval, good, parts(-1, 1, ms), "an interval of -1 months"},
		{of.MonthDayNanoInterval, good, parts(1, -1, ms), "an interval of -1 days"},
		{of.MonthDayNanoInterval, good, parts(1, 1, -ms), "an interval of -1000000 ns: those of Parquet have no sign"},
		{of.MonthDayNanoInterval, good, parts(0, 0, math.MinInt64), "have no sign"},
		{of.MonthDayNanoInterval, good, parts(0, 0, 1_500_000), "an interval of 1500000 ns, which is no whole number of milliseconds"},
		{of.MonthDayNanoInterval, good, parts(0, 0, (math.MaxUint32+1)*ms), "which is more milliseconds than 32 bits count"},
		{of.MonthDayNanoInterval, good, parts(0, 0, math.MaxInt64/ms*ms), "which is more milliseconds than 32 bits count"},
	}
}

// badPlace puts a leaf somewhere in a schema. wrap makes a record's slot of a leaf's slot, next to good ones.
type badPlace struct {
	name  string
	field func(leaf arrow.DataType) arrow.Field
	wrap  func(leaf, good any) any
	path  string
}

var badPlaces = []badPlace{
	{"flat", func(dt arrow.DataType) arrow.Field { return arrow.Field{Name: "c", Type: dt} },
		func(leaf, _ any) any { return leaf }, `field "c"`},
	{"nullable", func(dt arrow.DataType) arrow.Field { return arrow.Field{Name: "c", Type: dt, Nullable: true} },
		func(leaf, _ any) any { return leaf }, `field "c"`},
	{"struct", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.StructOf(arrow.Field{Name: "x", Type: dt}), Nullable: true}
	}, func(leaf, _ any) any { return []any{leaf} }, `field "c.x"`},
	{"list", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.ListOf(dt), Nullable: true}
	}, func(leaf, good any) any { return []any{good, nil, good, leaf, good} }, `field "c.list.element"`},
	{"list of lists", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.ListOf(arrow.ListOf(dt))}
	}, func(leaf, good any) any { return []any{[]any{good}, []any{}, []any{good, leaf}} }, `field "c.list.element.list.element"`},
	{"long list", func(dt arrow.DataType) arrow.Field { return arrow.Field{Name: "c", Type: arrow.ListOf(dt)} },
		func(leaf, good any) any {
			elements := make([]any, 4500) // the record goes over two spans
			for i := range elements {
				elements[i] = good
			}
			elements[len(elements)-1] = leaf
			return elements
		}, `field "c.list.element"`},
	{"dictionary", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Nullable: true, Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: dt}}
	}, func(leaf, _ any) any { return leaf }, `field "c"`},
	{"list of dictionary keys", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.ListOf(&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint8, ValueType: dt})}
	}, func(leaf, good any) any { return []any{good, leaf} }, `field "c.list.element"`},
}

// badForms put a leaf where its values are in short runs, or where runs make the same of the records around it.
var badForms = []badPlace{
	{"runs of lists", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.ListOf(dt)), Nullable: true}
	}, func(leaf, good any) any { return []any{good, leaf} }, `field "c.list.element"`},
	{"lists of runs", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.ListOf(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dt))}
	}, func(leaf, _ any) any { return []any{leaf, leaf} }, `field "c.list.element"`},
	{"runs", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, dt), Nullable: true}
	}, func(leaf, _ any) any { return leaf }, `field "c"`},
	{"dictionary of structs", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: dictionaryOf(arrow.StructOf(arrow.Field{Name: "x", Type: dt}))}
	}, func(leaf, _ any) any { return []any{leaf} }, `field "c.x"`},
	{"list view of runs of dictionary keys", func(dt arrow.DataType) arrow.Field {
		return arrow.Field{Name: "c", Type: arrow.ListViewOf(arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dictionaryOf(dt)))}
	}, func(leaf, good any) any { return []any{good, nil, good, nil, leaf, good} }, `field "c.list.element"`},
}

// badOptions are settings that take values through other parts of the writer.
var badOptions = []*Options{
	nil,
	{DictionaryBytes: -1},
	{DictionaryBytes: 1},
	{DataPageRecords: 2},
	{DataPageBytes: 1, RowGroupRecords: 3, Run: runParallel},
}

// Every value that cannot be kept is refused by field and record, wherever it stands.
func TestBadValues(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, v := range badValues() {
		for i, p := range slices.Concat(badPlaces, badForms) {
			if p.name == "long list" && r.IntN(10) > 0 || i >= len(badPlaces) && r.IntN(3) > 0 {
				continue
			}
			const records = 10
			at := []int{0, 4, records - 1}[r.IntN(3)]
			column := make([]any, records)
			for i := range column {
				column[i] = p.wrap(v.good, v.good)
			}
			column[at] = p.wrap(v.bad, v.good)
			rc := &randomCase{schema: arrow.NewSchema([]arrow.Field{described(p.field(v.dt))}, nil), columns: [][]any{column}, records: records}
			want := []string{"encode: " + p.path, fmt.Sprintf("record %d: ", at), v.want}
			for i, o := range badOptions {
				what := fmt.Sprintf("%s of %s, options %d", p.name, v.dt, i)
				checkRefused(t, what, rc, o, want, 0, records)
				checkRefused(t, what+", in batches of three", rc, o, want, 3, records)
				checkRefused(t, what+", in batches of one", rc, o, want, 1, records)
			}
		}
	}
}

// checkRefused writes a case in batches of n records and checks the error, and that nothing is left of the batches.
func checkRefused(t *testing.T, what string, rc *randomCase, o *Options, want []string, n, records int) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	var ends []int
	if n > 0 {
		ends = rc.every(n)
	}
	batches := rc.batches(&layouter{rand.New(rand.NewPCG(1, 2)), mem}, ends...)
	defer releaseAll(batches)
	var buf bytes.Buffer
	w, err := NewWriter(&buf, rc.schema, o)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	for _, b := range batches {
		if err = w.Write(b); err != nil {
			break
		}
	}
	if err == nil {
		w.Abort()
		t.Errorf("%s: no error", what)
		return
	}
	for _, part := range want {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error %q, want %q in it", what, err, part)
		}
	}
	checkGivenUp(t, what, w, &buf, batches[0])
}

func releaseAll(batches []arrow.RecordBatch) {
	for _, b := range batches {
		b.Release()
	}
}

// checkGivenUp checks that a writer that has failed takes nothing more.
func checkGivenUp(t *testing.T, what string, w *Writer, buf *bytes.Buffer, batch arrow.RecordBatch) {
	t.Helper()
	size := buf.Len()
	_, closeErr := w.Close()
	for name, err := range map[string]error{"Write": w.Write(batch), "Flush": w.Flush(), "Close": closeErr} {
		if err == nil || !strings.Contains(err.Error(), "given up") {
			t.Errorf("%s: %s after the error: %v", what, name, err)
		}
	}
	w.Abort()
	if buf.Len() != size {
		t.Errorf("%s: %d bytes were written after the error", what, buf.Len()-size)
	}
	if n := w.Buffered(); n != 0 {
		t.Errorf("%s: %d bytes are still held", what, n)
	}
}

// A null where the field has none is refused by field and record.
func TestNullInRequiredField(t *testing.T) {
	const records = 10
	for _, p := range badPlaces {
		f := p.field(arrow.PrimitiveTypes.Int32)
		if p.name == "nullable" || p.name == "dictionary" || p.name == "list" {
			continue
		}
		if p.name != "flat" && p.name != "struct" {
			f.Type = withoutNulls(f.Type)
		}
		for _, at := range []int{0, 4, records - 1} {
			column := make([]any, records)
			for i := range column {
				column[i] = p.wrap(plain32(7), plain32(7))
			}
			column[at] = p.wrap(nil, plain32(7))
			rc := &randomCase{schema: arrow.NewSchema([]arrow.Field{f}, nil), columns: [][]any{column}, records: records}
			want := []string{`field "c`, fmt.Sprintf("record %d: null", at)}
			for i, o := range badOptions {
				checkRefused(t, fmt.Sprintf("%s, options %d", p.name, i), rc, o, want, 0, records)
				checkRefused(t, fmt.Sprintf("%s, options %d, in batches", p.name, i), rc, o, want, 3, records)
			}
		}
	}
}

// withoutNulls makes the elements of lists required.
func withoutNulls(dt arrow.DataType) arrow.DataType {
	l, ok := dt.(*arrow.ListType)
	if !ok {
		return dt
	}
	return arrow.ListOfField(arrow.Field{Name: "item", Type: withoutNulls(l.Elem())})
}

// tampered is an array whose memory is not what it should be.
type tampered struct {
	name   string
	dt     arrow.DataType
	tamper func(d arrow.ArrayData)
	want   string
}

// shorten cuts a buffer to n bytes.
func shorten(i, n int) func(d arrow.ArrayData) {
	return func(d arrow.ArrayData) { d.Buffers()[i] = memory.NewBufferBytes(d.Buffers()[i].Bytes()[:n]) }
}

// remove takes a buffer away.
func remove(i int) func(d arrow.ArrayData) {
	return func(d arrow.ArrayData) { d.Buffers()[i] = nil }
}

// setOffset overwrites an offset of 32 bits, counted from the first slot's.
func setOffset(i int, v int32) func(d arrow.ArrayData) {
	return func(d arrow.ArrayData) {
		binary.LittleEndian.PutUint32(d.Buffers()[1].Bytes()[4*(d.Offset()+i):], uint32(v))
	}
}

func setOffset64(i int, v int64) func(d arrow.ArrayData) {
	return func(d arrow.ArrayData) {
		binary.LittleEndian.PutUint64(d.Buffers()[1].Bytes()[8*(d.Offset()+i):], uint64(v))
	}
}

func tamperedArrays() []tampered {
	key := func(index arrow.DataType) arrow.DataType {
		return &arrow.DictionaryType{IndexType: index, ValueType: arrow.BinaryTypes.String}
	}
	of := arrow.PrimitiveTypes
	fixed := arrow.FixedWidthTypes
	return []tampered{
		{"int64 cut", of.Int64, shorten(1, 63), "the values buffer holds 7 slots, the array 8"},
		{"int64 gone", of.Int64, remove(1), "the values buffer holds 0 slots"},
		{"int8 cut", of.Int8, shorten(1, 7), "the values buffer holds 7 slots"},
		{"seconds cut", fixed.Timestamp_s, shorten(1, 8), "the values buffer holds 1 slots"},
		{"decimal cut", &arrow.Decimal128Type{Precision: 30}, shorten(1, 127), "the values buffer holds 7 slots"},
		{"float16 cut", fixed.Float16, shorten(1, 15), "the values buffer holds 7 slots"},
		{"fixed-size binary gone", &arrow.FixedSizeBinaryType{ByteWidth: 3}, remove(1), "the values buffer holds 0 slots"},
		{"bool cut", fixed.Boolean, shorten(1, 0), "the values buffer has 0 bytes"},
		{"offsets cut", arrow.BinaryTypes.String, shorten(1, 35), "8 offsets for 8 slots"},
		{"offsets gone", arrow.BinaryTypes.Binary, remove(1), "0 offsets for 8 slots"},
		{"offsets out of order", arrow.BinaryTypes.String, setOffset(3, 0), "record 2: offsets "},
		{"offset beyond the end in the middle", arrow.BinaryTypes.Binary, setOffset(3, 1<<20), "record 2: a value that ends at byte 1048576"},
		{"offset beyond the end", arrow.BinaryTypes.String, setOffset(8, 1<<20), "record 7: a value that ends at byte 1048576"},
		{"offset negative", arrow.BinaryTypes.String, setOffset(0, -1), "record 0: offset -1 is negative"},
		{"offset negative in the middle", arrow.BinaryTypes.LargeString, setOffset64(4, -5), "record 3: offset -5 is negative"},
		{"offset negative at the end", arrow.BinaryTypes.LargeBinary, setOffset64(8, math.MinInt64), "record 7: offset -9223372036854775808 is negative"},
		{"data gone", arrow.BinaryTypes.LargeString, remove(2), "of a buffer of 0 bytes"},
		{"views cut", arrow.BinaryTypes.StringView, shorten(1, 127), "the values buffer holds 7 slots, the array 8"},
		{"views gone", arrow.BinaryTypes.BinaryView, remove(1), "the values buffer holds 0 slots"},
		{"keys cut", key(of.Int32), shorten(1, 31), "7 dictionary keys for 8 slots"},
		{"keys gone", key(of.Int32), remove(1), "0 dictionary keys for 8 slots"},
		{"dictionary gone", key(of.Int32), func(d arrow.ArrayData) { d.(*array.Data).SetDictionary(nil) }, "without its dictionary"},
		{"dictionary of bools gone", &arrow.DictionaryType{IndexType: of.Int8, ValueType: fixed.Boolean},
			func(d arrow.ArrayData) { d.(*array.Data).SetDictionary(nil) }, "without its dictionary"},
	}
}

// Buffers that are too short or say nonsense are refused by field.
func TestTamperedArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, c := range tamperedArrays() {
		g := &generator{chance: r}
		f := arrow.Field{Name: "c", Type: c.dt, Nullable: true}
		schema := arrow.NewSchema([]arrow.Field{f}, nil)
		column := make([]any, 8)
		for i := range column {
			column[i] = g.value(c.dt)
			if c.dt.ID() == arrow.STRING || c.dt.ID() == arrow.LARGE_STRING || c.dt.ID() == arrow.BINARY || c.dt.ID() == arrow.LARGE_BINARY {
				column[i] = []byte("value")
			}
		}
		b := (&layouter{noMargins{r}, memory.DefaultAllocator}).batch(schema, [][]any{column}, 0, len(column))
		c.tamper(b.Column(0).Data())
		w, err := NewWriter(io.Discard, schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err = w.Write(b); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `field "c"`) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
}

// An array with more slots than 32 bits count is refused, unless it has no values.
func TestTooManySlots(t *testing.T) {
	const slots = 1 << 33
	bare := []*memory.Buffer{nil, nil}
	entries := array.NewData(arrow.PrimitiveTypes.Int8, slots, bare, nil, 0, 0)
	keys := array.NewDataWithDictionary(dictionary32(entries.DataType()), 1, counting(arrow.PrimitiveTypes.Int32, 0, 1).Buffers(), 0, 0, entries)
	for want, data := range map[string]*array.Data{
		`encode: field "c": an array of 8589934592 slots: send shorter ones`:             entries,
		`encode: field "c": dictionary: an array of 8589934592 slots: send shorter ones`: keys,
	} {
		if err := writeOne(nil, data); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Values may be as large as a schema says, and cost memory as there are, not as a block could hold.
func TestLargeFixedValues(t *testing.T) {
	const size, slots = 1 << 20, 4
	dt := &arrow.FixedSizeBinaryType{ByteWidth: size}
	values := make([]byte, size*slots)
	for i := range slots {
		values[i*size] = byte(i)
	}
	buffers := []*memory.Buffer{memory.NewBufferBytes([]byte{0b1011}), memory.NewBufferBytes(values)}
	dense := array.NewData(dt, slots, buffers, nil, 1, 0)
	keys := array.NewDataWithDictionary(dictionary32(dt), slots, counting(arrow.PrimitiveTypes.Int32, 0, slots).Buffers(), 0, 0, dense)
	for _, data := range []*array.Data{dense, keys} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := writeOne(&Options{Compression: "none", NoPageChecksum: true}, data); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) / size; n > 100 {
			t.Errorf("%s: memory of %d values for %d", data.DataType(), n, slots)
		}
	}
}

// noMargins is a chance that puts no slots around arrays and no bytes behind buffers.
type noMargins struct{ chance }

func (noMargins) IntN(n int) int {
	if n == 3 {
		return 1
	}
	return 0
}

// A key that the dictionary does not have is refused by field and record.
func TestDictionaryKeys(t *testing.T) {
	index := map[arrow.DataType][]int64{
		arrow.PrimitiveTypes.Int8:   {3, -1, 127, -128},
		arrow.PrimitiveTypes.Uint8:  {3, 255},
		arrow.PrimitiveTypes.Int16:  {3, -1},
		arrow.PrimitiveTypes.Uint16: {3, 65535},
		arrow.PrimitiveTypes.Int32:  {3, -1, math.MinInt32},
		arrow.PrimitiveTypes.Uint32: {3, math.MaxUint32},
		arrow.PrimitiveTypes.Int64:  {3, -1, 1 << 32, math.MinInt64},
		arrow.PrimitiveTypes.Uint64: {3, 1 << 32, 1<<32 + 1, -1},
	}
	values := map[arrow.DataType]arrow.Array{}
	for _, dt := range []arrow.DataType{arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.FixedWidthTypes.Boolean, arrow.FixedWidthTypes.Float16} {
		b := array.NewBuilder(memory.DefaultAllocator, dt)
		b.AppendEmptyValues(3)
		values[dt] = b.NewArray()
	}
	for it, keys := range index {
		for _, bad := range keys {
			for vt, dict := range values {
				for _, o := range badOptions {
					checkDictionaryKey(t, &arrow.DictionaryType{IndexType: it, ValueType: vt}, bad, dict, o)
				}
			}
		}
	}
}

func checkDictionaryKey(t *testing.T, dt *arrow.DictionaryType, bad int64, dict arrow.Array, o *Options) {
	t.Helper()
	const records, at = 2500, 2222
	width := dt.IndexType.(arrow.FixedWidthDataType).Bytes()
	keys, valid := make([]byte, (records+5)*width), make([]byte, records/8+10)
	for i := range records + 5 { // the bad key under nulls too, where nobody looks
		if key := binary.LittleEndian.AppendUint64(nil, uint64(bad)); i%3 == 0 || i == at+5 {
			copy(keys[i*width:(i+1)*width], key)
		}
		if i%3 > 0 || i == at+5 {
			valid[i/8] |= 1 << (i % 8)
		}
	}
	buffers := []*memory.Buffer{memory.NewBufferBytes(valid), memory.NewBufferBytes(keys)}
	data := array.NewDataWithDictionary(dt, records, buffers, array.UnknownNullCount, 5, dict.Data().(*array.Data))
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt, Nullable: true}}, nil)
	b := array.NewRecordBatch(schema, []arrow.Array{array.MakeFromData(data)}, records)
	w, err := NewWriter(io.Discard, schema, o)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Write(b)
	number := fmt.Sprint(bad)
	if bad == -1 && dt.IndexType.ID() == arrow.UINT64 {
		number = fmt.Sprint(uint64(math.MaxUint64))
	}
	want := fmt.Sprintf(`encode: field "c": record %d: dictionary key %s is out of range: the dictionary has 3 entries`, at, number)
	if err == nil || err.Error() != want {
		t.Errorf("%s, key %d: error %v, want %s", dt, bad, err, want)
	}
}
