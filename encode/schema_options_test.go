package encode

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/integration/lint"
)

// timesPlaces are forms in which a column can have values one after another.
var timesPlaces = []struct {
	name   string
	column func(values arrow.Array) arrow.Array
}{
	{"flat", func(a arrow.Array) arrow.Array { return a }},
	{"runs", func(a arrow.Array) arrow.Array { return runEndsOf(a, func(int) int { return 1 }) }},
	{"dictionary", func(a arrow.Array) arrow.Array {
		keys := arrayOf(arrow.PrimitiveTypes.Int16, a.Len(), func(i int) any { return int16(i) })
		return array.NewDictionaryArray(dictionaryOf(a.DataType()).(*arrow.DictionaryType), keys, a)
	}},
	{"struct", func(a arrow.Array) arrow.Array {
		s, err := array.NewStructArray([]arrow.Array{a}, []string{"x"})
		if err != nil {
			panic(err)
		}
		return s
	}},
}

// tableOf is a table of one column "c".
func tableOf(column arrow.Array) (*arrow.Schema, arrow.RecordBatch) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: column.DataType(), Nullable: true}}, nil)
	return schema, array.NewRecordBatch(schema, []arrow.Array{column}, int64(column.Len()))
}

func timesOf(unit arrow.TimeUnit, values ...int64) arrow.Array {
	return arrayOf(&arrow.TimestampType{Unit: unit, TimeZone: "UTC"}, len(values), func(i int) any { return arrow.Timestamp(values[i]) })
}

// numbersIn returns the values of a file's only leaf.
func numbersIn(t *testing.T, data []byte) (numbers []int64) {
	t.Helper()
	for _, v := range mustLint(t, data).Stream(0).Values {
		numbers = append(numbers, int64(binary.LittleEndian.Uint64(v)))
	}
	return numbers
}

// readSchema returns the Arrow schema that a file has, nil if it has none.
func readSchema(t *testing.T, f *lintedFile) *arrow.Schema {
	t.Helper()
	for _, pair := range f.Meta.KeyValues {
		if pair.Key != arrowSchemaKey {
			continue
		}
		message, err := base64.StdEncoding.DecodeString(pair.Value)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ipc.NewReader(bytes.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		return r.Schema()
	}
	return nil
}

// Timestamps of every unit in every other one, in every form, are what they were or refused by record.
func TestTimestampUnit(t *testing.T) {
	const s, ms, us, ns = arrow.Second, arrow.Millisecond, arrow.Microsecond, arrow.Nanosecond
	for _, c := range []struct {
		unit     arrow.TimeUnit
		to       string
		truncate bool
		values   []int64
		want     []int64
		bad      string // of the last value
	}{
		{s, "", false, []int64{-3, 5}, []int64{-3000, 5000}, ""},
		{s, "ms", false, []int64{-3, math.MaxInt64 / 1000}, []int64{-3000, math.MaxInt64 / 1000 * 1000}, ""},
		{s, "ms", true, []int64{0, math.MaxInt64/1000 + 1}, nil, "9223372036854776 seconds do not fit the milliseconds"},
		{s, "us", false, []int64{-3, 5}, []int64{-3_000_000, 5_000_000}, ""},
		{s, "us", true, []int64{0, math.MinInt64/1_000_000 - 1}, nil, "-9223372036855 seconds do not fit the microseconds"},
		{ms, "", false, []int64{-3, 5}, []int64{-3, 5}, ""},
		{ms, "ms", false, []int64{-3, 5}, []int64{-3, 5}, ""},
		{ms, "us", false, []int64{-3, 5}, []int64{-3000, 5000}, ""},
		{ms, "us", true, []int64{0, math.MaxInt64/1000 + 1}, nil, "9223372036854776 milliseconds do not fit the microseconds"},
		{us, "ms", false, []int64{-3000, 5000}, []int64{-3, 5}, ""},
		{us, "ms", false, []int64{-3000, 5001}, nil, "5001 microseconds are no whole number of milliseconds and would be cut"},
		{us, "ms", true, []int64{-3001, -999, 5999}, []int64{-3, 0, 5}, ""},
		{us, "us", false, []int64{-3, 5}, []int64{-3, 5}, ""},
		{ns, "", true, []int64{-3, 5}, []int64{-3, 5}, ""},
		{ns, "us", false, []int64{-3000, 5000}, []int64{-3, 5}, ""},
		{ns, "us", false, []int64{0, -1}, nil, "-1 nanoseconds are no whole number of microseconds and would be cut: allow truncated"},
		{ns, "us", true, []int64{-1500, 1500, math.MinInt64}, []int64{-1, 1, math.MinInt64 / 1000}, ""},
		{ns, "ms", false, []int64{-3_000_000, 5_000_000}, []int64{-3, 5}, ""},
		{ns, "ms", true, []int64{-2_999_999, 5_000_001}, []int64{-2, 5}, ""},
	} {
		for _, place := range timesPlaces {
			what := fmt.Sprintf("%v to %q, truncated %v, %s", c.unit, c.to, c.truncate, place.name)
			schema, batch := tableOf(place.column(timesOf(c.unit, c.values...)))
			o := &Options{TimestampUnit: c.to, TruncateTimestamps: c.truncate}
			data, err := write(o, schema, batch)
			if c.bad != "" {
				record := fmt.Sprintf("record %d: ", len(c.values)-1)
				if err == nil || !strings.Contains(err.Error(), c.bad) || !strings.Contains(err.Error(), record) {
					t.Errorf("%s: error %v, want %s%s", what, err, record, c.bad)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			if got := numbersIn(t, data); !slices.Equal(got, c.want) {
				t.Errorf("%s: got %d, want %d", what, got, c.want)
			}
			checkUnit(t, what, mustLint(t, data), c.unit, c.to)
			sameTable(t, o, schema, batch, data)
		}
	}
}

// checkUnit compares the units of the Parquet and the Arrow schema.
func checkUnit(t *testing.T, what string, f *lintedFile, unit arrow.TimeUnit, to string) {
	t.Helper()
	wantArrow, wantParquet := unit, unit
	if to != "" {
		wantArrow, wantParquet = timestampUnits[to], timestampUnits[to]
	}
	dt := readSchema(t, f).Field(0).Type
	switch outer := dt.(type) {
	case *arrow.DictionaryType:
		dt = outer.ValueType
	case *arrow.StructType:
		dt = outer.Field(0).Type
	}
	if got := dt.(*arrow.TimestampType); got.Unit != wantArrow || got.TimeZone != "UTC" {
		t.Errorf("%s: readers see %v", what, got)
	}
	logical := f.Leaves[0].Logical
	if got := logical.Unit; int(got) != int(parquetUnit(wantParquet)) {
		t.Errorf("%s: unit %d in the Parquet schema", what, got)
	}
}

// sameTable sees that a table at once gives the same file.
func sameTable(t *testing.T, o *Options, schema *arrow.Schema, batch arrow.RecordBatch, want []byte) {
	t.Helper()
	var buf bytes.Buffer
	if _, err := WriteTable(&buf, schema, []arrow.RecordBatch{batch}, o); err != nil || !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("a table at once gives another file, or error %v", err)
	}
}

// Coerced timestamps go through the other parts that read values: order, chunking, Bloom filters and bounds.
func TestTimestampUnitEverywhere(t *testing.T) {
	schema, batch := tableOf(timesOf(arrow.Nanosecond, 1_000, 1_999, 2_000, 5_000))
	o := &Options{TimestampUnit: "us", TruncateTimestamps: true, SortingColumns: []SortingColumn{{Column: "c"}},
		BloomFilterFPP: 0.1, ContentChunks: &ContentChunks{MinBytes: 1, MaxBytes: 8}, DistinctCounts: true}
	f := mustLint(t, mustWrite(t, o, schema, batch))
	s := f.RowGroups[0][0].Meta.Statistics
	if !bytes.Equal(s.Min, plain64(1)) || !bytes.Equal(s.Max, plain64(5)) || s.DistinctCount != 3 {
		t.Errorf("statistics %+v", s)
	}
	schema, batch = tableOf(timesOf(arrow.Nanosecond, 2_000, 1_999))
	if _, err := write(o, schema, batch); err == nil || !strings.Contains(err.Error(), "record 1 sorts before record 0") {
		t.Errorf("error %v", err)
	}
}

// An extension over timestamps is seen over the coerced ones, or not at all.
func TestTimestampUnitOfExtension(t *testing.T) {
	meta := arrow.NewMetadata([]string{extensionNameKey}, []string{"example.time"})
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.FixedWidthTypes.Timestamp_ns, Metadata: meta}}, nil)
	batch := array.NewRecordBatch(schema, []arrow.Array{timesOf(arrow.Nanosecond, 7_000)}, 1)
	f := mustLint(t, mustWrite(t, &Options{TimestampUnit: "us"}, schema, batch))
	if got := readSchema(t, f).Field(0); got.Type.(*arrow.TimestampType).Unit != arrow.Microsecond || got.Metadata.Len() != 1 {
		t.Errorf("readers see %v", got)
	}
}

// What is shredded from a VARIANT keeps the types that it may have there.
func TestSchemaOptionsInVariant(t *testing.T) {
	of := []arrow.DataType{arrow.FixedWidthTypes.Timestamp_ns, &arrow.Decimal128Type{Precision: 9}}
	for _, dt := range of {
		variant := extensions.NewShreddedVariantType(dt)
		schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: variant, Nullable: true}}, nil)
		plain := mustLint(t, mustWrite(t, nil, schema))
		o := &Options{TimestampUnit: "ms", DecimalsAsBytes: true}
		f := mustLint(t, mustWrite(t, o, schema))
		if diff := cmp.Diff(plain.Meta.Schema, f.Meta.Schema); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(plain.Meta.KeyValues, f.Meta.KeyValues); diff != "" {
			t.Error(diff)
		}
		schema = arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt, Nullable: true}}, nil)
		if f := mustLint(t, mustWrite(t, o, schema)); f.Leaves[0].Type != lint.FixedLenByteArray && f.Leaves[0].Logical.Unit != 1 {
			t.Errorf("outside of a VARIANT: %+v", f.Leaves[0])
		}
	}
}

// What other types cannot keep exactly is cut if that is asked for, and so only.
func TestTruncateValues(t *testing.T) {
	const day = 86_400_000
	for _, c := range []struct {
		column arrow.Array
		want   [][]byte
		bad    string
	}{
		{
			arrayOf(arrow.FixedWidthTypes.Date64, 5, func(i int) any { return arrow.Date64([]int64{-day, -day - 1, -1, 1, day}[i]) }),
			[][]byte{plain32(-1), plain32(-2), plain32(-1), plain32(0), plain32(1)}, "record 1: date64 value -86400001 ms",
		},
		{
			arrayOf(arrow.FixedWidthTypes.MonthDayNanoInterval, 2, func(i int) any {
				return arrow.MonthDayNanoInterval{Months: 1, Days: 2, Nanoseconds: []int64{3_000_000, 3_999_999}[i]}
			}),
			[][]byte{plainInterval(1, 2, 3), plainInterval(1, 2, 3)}, "record 1: an interval of 3999999 ns",
		},
	} {
		schema, batch := tableOf(c.column)
		f := mustLint(t, mustWrite(t, &Options{TruncateValues: true}, schema, batch))
		if got := f.Stream(0).Values; !slices.EqualFunc(got, c.want, bytes.Equal) {
			t.Errorf("%v: got %x, want %x", c.column.DataType(), got, c.want)
		}
		_, err := write(&Options{TruncateTimestamps: true}, schema, batch)
		if err == nil || !strings.Contains(err.Error(), c.bad) || !strings.Contains(err.Error(), "allow truncated values") {
			t.Errorf("%v: error %v, want %s", c.column.DataType(), err, c.bad)
		}
	}
	// A day that DATE does not reach, and a negative interval, stay errors.
	schema, batch := tableOf(arrayOf(arrow.FixedWidthTypes.Date64, 1, func(int) any { return arrow.Date64(math.MinInt64) }))
	if _, err := write(&Options{TruncateValues: true}, schema, batch); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("error %v", err)
	}
}

// Decimals of every width and precision are the same numbers in bytes as in integers.
func TestDecimalsAsBytes(t *testing.T) {
	for _, dt := range []arrow.DecimalType{
		&arrow.Decimal32Type{Precision: 1}, &arrow.Decimal32Type{Precision: 9, Scale: 2}, &arrow.Decimal64Type{Precision: 9},
		&arrow.Decimal64Type{Precision: 18, Scale: 18}, &arrow.Decimal128Type{Precision: 5}, &arrow.Decimal128Type{Precision: 18},
		&arrow.Decimal256Type{Precision: 10}, &arrow.Decimal128Type{Precision: 20},
	} {
		size := dt.BitWidth() / 8
		largest := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(dt.GetPrecision())), nil)
		largest.Sub(largest, big.NewInt(1))
		numbers := []*big.Int{new(big.Int).Neg(largest), big.NewInt(-1), big.NewInt(0), big.NewInt(7), largest}
		column := []any{}
		for _, n := range numbers {
			column = append(column, twosComplement(n, size))
		}
		rc := &randomCase{schema: arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt}}, nil), columns: [][]any{column}, records: len(column)}
		batch := rc.batches(&layouter{rand.New(rand.NewPCG(1, 2)), memory.DefaultAllocator})[0]
		for _, dictionary := range []int{-1, 0} {
			o := &Options{DecimalsAsBytes: true, DictionaryBytes: dictionary, SortingColumns: []SortingColumn{{Column: "c"}}}
			f := mustLint(t, mustWrite(t, o, rc.schema, batch))
			leaf := f.Leaves[0]
			if leaf.Type != lint.FixedLenByteArray || int(leaf.TypeLength) != decimalBytes(dt.GetPrecision()) {
				t.Errorf("%v: physical type %d of %d bytes", dt, leaf.Type, leaf.TypeLength)
			}
			for i, v := range f.Stream(0).Values {
				if want := reversed(twosComplement(numbers[i], len(v))); !bytes.Equal(v, want) {
					t.Errorf("%v: value %d is %x, want %x", dt, i, v, want)
				}
			}
		}
		over := new(big.Int).Add(largest, big.NewInt(1))
		if over.BitLen() < 8*size {
			rc.columns[0][3] = twosComplement(over, size)
			_, err := write(&Options{DecimalsAsBytes: true}, rc.schema, rc.batches(&layouter{rand.New(rand.NewPCG(1, 2)), memory.DefaultAllocator})...)
			if err == nil || !strings.Contains(err.Error(), "record 3: a decimal has more than") {
				t.Errorf("%v: error %v", dt, err)
			}
		}
	}
}

func TestTimesInUTC(t *testing.T) {
	for _, dt := range []arrow.DataType{arrow.FixedWidthTypes.Time32s, arrow.FixedWidthTypes.Time64us} {
		schema, batch := tableOf(array.MakeArrayOfNull(memory.DefaultAllocator, dt, 1))
		for _, utc := range []bool{false, true} {
			f := mustLint(t, mustWrite(t, &Options{TimesInUTC: utc}, schema, batch))
			if got := f.Leaves[0].Logical.UTC; got != utc {
				t.Errorf("%v: in UTC %v, want %v", dt, got, utc)
			}
		}
	}
}

// Without an Arrow schema the schema's own metadata and that of the options are there all the same.
func TestNoArrowSchema(t *testing.T) {
	meta := arrow.NewMetadata([]string{"owner", "kept"}, []string{"schema", "as it is"})
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Int32}}, &meta)
	o := &Options{NoArrowSchema: true, Metadata: []KeyValue{{"owner", "options"}, {"more", ""}}}
	data := mustWrite(t, o, schema)
	f, err := lint.Read(bytes.NewReader(data), int64(len(data)), &lint.Options{Omitted: []lint.Rule{lint.ArrowSchema}})
	if err != nil {
		t.Fatal(err)
	}
	pairs := fmt.Sprint(f.Meta.KeyValues)
	if want := "[{kept as it is} {owner options} {more }]"; pairs != want {
		t.Errorf("metadata %v, want %v", pairs, want)
	}
	o.NoArrowSchema = false
	if s := readSchema(t, mustLint(t, mustWrite(t, o, schema))); s == nil || s.Metadata().Len() != 1 {
		t.Errorf("schema %v", s)
	}
}

func TestSchemaOptionsRefused(t *testing.T) {
	schema, _ := numbers(1)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{TimestampUnit: "ns"}, `TimestampUnit: "ns": must be "ms" or "us"`},
		{Options{TimestampUnit: "MS"}, "TimestampUnit"},
		{Options{Metadata: []KeyValue{{"ARROW:schema", ""}}}, "Metadata: \"ARROW:schema\" is for the Arrow schema"},
		{Options{Metadata: []KeyValue{{"a", "\xff"}}}, `Metadata: "a" is not UTF-8`},
		{Options{Metadata: []KeyValue{{"\xff", "a"}}}, "is not UTF-8"},
		{Options{Statistics: "all"}, `Statistics: "all": must be "page", "chunk" or "none"`},
		{Options{Columns: []ColumnOptions{{Path: "n", Statistics: "some"}}}, `field "n": Statistics: "some": must be`},
	} {
		_, err := NewWriter(nil, schema, &c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %s", c.o, err, c.want)
		}
	}
}
