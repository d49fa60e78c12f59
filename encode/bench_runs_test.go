package encode

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// runEndsOf makes runs of the given lengths, one for each value of an array.
func runEndsOf(values arrow.Array, length func(run int) int) arrow.Array {
	var ends []byte
	end := 0
	for run := range values.Len() {
		end += length(run)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(end))
	}
	runEnds := array.NewData(arrow.PrimitiveTypes.Int32, values.Len(), []*memory.Buffer{nil, memory.NewBufferBytes(ends)}, nil, 0, 0)
	dt := arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, values.DataType())
	return array.MakeFromData(array.NewData(dt, end, []*memory.Buffer{nil}, []arrow.ArrayData{runEnds, values.Data()}, 0, 0))
}

// listsOf makes lists of n elements each, nullable but without nulls.
func listsOf(values arrow.Array, n int) arrow.Array {
	var offsets []byte
	for at := 0; at <= values.Len(); at += n {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(at))
	}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(offsets)}
	dt := arrow.ListOf(values.DataType())
	return array.MakeFromData(array.NewData(dt, values.Len()/n, buffers, []arrow.ArrayData{values.Data()}, 0, 0))
}

// arrayOf makes n slots; value returns nil for a null.
func arrayOf(dt arrow.DataType, n int, value func(i int) any) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, dt)
	for i := range n {
		switch v := value(i).(type) {
		case nil:
			b.AppendNull()
		case int32:
			b.(*array.Int32Builder).Append(v)
		case int64:
			b.(*array.Int64Builder).Append(v)
		case string:
			b.(interface{ AppendString(string) }).AppendString(v)
		case bool:
			b.(*array.BooleanBuilder).Append(v)
		case float32:
			b.(*array.Float32Builder).Append(v)
		case float64:
			b.(*array.Float64Builder).Append(v)
		case []byte:
			b.(*array.FixedSizeBinaryBuilder).Append(v)
		case int16:
			b.(*array.Int16Builder).Append(v)
		case arrow.Timestamp:
			b.(*array.TimestampBuilder).Append(v)
		case arrow.Date64:
			b.(*array.Date64Builder).Append(v)
		case arrow.MonthDayNanoInterval:
			b.(*array.MonthDayNanoIntervalBuilder).Append(v)
		default:
			panic(fmt.Sprintf("a value of type %T", v))
		}
	}
	return b.NewArray()
}

func always(n int) func(int) int { return func(int) int { return n } }

func category(i int) any { return fmt.Sprintf("category_%02d", i%16) }

// numbersAndTexts makes a struct of a number and a text, null in every eighth slot.
func numbersAndTexts(n int) arrow.Array {
	numbers := arrayOf(arrow.PrimitiveTypes.Int64, n, func(i int) any { return int64(i % 16) })
	texts := arrayOf(arrow.BinaryTypes.String, n, category)
	valid := make([]byte, (n+7)/8)
	for i := range valid {
		valid[i] = 0x7f
	}
	dt := arrow.StructOf(arrow.Field{Name: "a", Type: numbers.DataType(), Nullable: true},
		arrow.Field{Name: "b", Type: texts.DataType(), Nullable: true})
	return array.MakeFromData(array.NewData(dt, n, []*memory.Buffer{memory.NewBufferBytes(valid)},
		[]arrow.ArrayData{numbers.Data(), texts.Data()}, n/8, 0))
}

// listsOfRuns makes a list of four for each record, of runs of 256 numbers that are null in every eighth run.
func listsOfRuns(records int) arrow.Array {
	numbers := arrayOf(arrow.PrimitiveTypes.Int32, 4*records/256, func(i int) any {
		if i%8 == 7 {
			return nil
		}
		return int32(i % 16)
	})
	return listsOf(runEndsOf(numbers, always(256)), 4)
}

// withNulls returns an array with the slots null for which null says so.
func withNulls(a arrow.Array, null func(i int) bool) arrow.Array {
	valid, nulls := make([]byte, (a.Len()+7)/8), 0
	for i := range a.Len() {
		if null(i) {
			nulls++
		} else {
			valid[i>>3] |= 1 << (i & 7)
		}
	}
	d := a.Data()
	buffers := append([]*memory.Buffer{memory.NewBufferBytes(valid)}, d.Buffers()[1:]...)
	return array.MakeFromData(array.NewData(d.DataType(), d.Len(), buffers, d.Children(), nulls, 0))
}

// evenEmpty returns lists that are empty in every even slot, and have those of an array in the others.
func evenEmpty(a arrow.Array) arrow.Array {
	lists := a.(*array.List)
	offsets := []byte{0, 0, 0, 0}
	for _, o := range lists.Offsets()[:lists.Len()] {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(o))
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(o)+4)
	}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(offsets)}
	d := lists.Data()
	return array.MakeFromData(array.NewData(d.DataType(), 2*d.Len(), buffers, d.Children(), 0, 0))
}

// inStruct makes an array the only field of a struct.
func inStruct(a arrow.Array) arrow.Array {
	dt := arrow.StructOf(arrow.Field{Name: "items", Type: a.DataType(), Nullable: true})
	return array.MakeFromData(array.NewData(dt, a.Len(), []*memory.Buffer{nil}, []arrow.ArrayData{a.Data()}, 0, 0))
}

// listsOfStructs makes n lists of up to four structs of random numbers, with 10 % nulls everywhere.
func listsOfStructs(r *rand.Rand, n int) arrow.Array {
	dt := arrow.ListOf(arrow.StructOf(
		arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		arrow.Field{Name: "b", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		arrow.Field{Name: "c", Type: arrow.PrimitiveTypes.Int64, Nullable: true}))
	lists := array.NewBuilder(memory.DefaultAllocator, dt).(*array.ListBuilder)
	structs := lists.ValueBuilder().(*array.StructBuilder)
	for range n {
		if lists.Append(r.IntN(10) > 0); r.IntN(10) == 0 {
			continue
		}
		for range r.IntN(5) {
			structs.Append(r.IntN(10) > 0)
			structs.FieldBuilder(0).(*array.Int32Builder).Append(int32(r.Uint32()))
			if r.IntN(10) == 0 {
				structs.FieldBuilder(1).AppendNull()
			} else {
				structs.FieldBuilder(1).(*array.Float64Builder).Append(r.Float64())
			}
			structs.FieldBuilder(2).(*array.Int64Builder).Append(int64(r.Uint64()))
		}
	}
	return lists.NewArray()
}

// BenchmarkWriteRuns writes columns of benchRecords records as one batch.
func BenchmarkWriteRuns(b *testing.B) {
	r := rand.New(rand.NewPCG(42, 0))
	short := func(int) int { return 8 + r.IntN(25) }
	with10Nulls := func(value func(i int) any) func(i int) any {
		return func(i int) any {
			if r.IntN(10) == 0 {
				return nil
			}
			return value(i)
		}
	}
	anyInt := with10Nulls(func(int) any { return int32(r.Uint32()) })
	anyText := with10Nulls(func(int) any { return fmt.Sprintf("%0*d", r.IntN(400), r.Uint64()) })
	sixteen := func(i int) any { return int32(i % 16) }
	element := func(i int) any { return int32(i/8%16*8 + i%8) }
	for _, bench := range []struct {
		name string
		make func() arrow.Array
	}{
		{"leaf=int32/nulls=10/runs=8..32", func() arrow.Array {
			return runEndsOf(arrayOf(arrow.PrimitiveTypes.Int32, benchRecords/20, anyInt), short)
		}},
		{"leaf=string/nulls=10/runs=8..32", func() arrow.Array {
			return runEndsOf(arrayOf(arrow.BinaryTypes.String, benchRecords/20, anyText), short)
		}},
		{"leaf=int32_16/nulls=0/runs=256", func() arrow.Array {
			return runEndsOf(arrayOf(arrow.PrimitiveTypes.Int32, benchRecords/256, sixteen), always(256))
		}},
		{"leaf=string_16/nulls=0/runs=256", func() arrow.Array {
			return runEndsOf(arrayOf(arrow.BinaryTypes.String, benchRecords/256, category), always(256))
		}},
		{"leaf=int32_16/nulls=0/runs=4", func() arrow.Array {
			return runEndsOf(arrayOf(arrow.PrimitiveTypes.Int32, benchRecords/4, sixteen), always(4))
		}},
		{"leaf=int32_16/nulls=0/runs=1..3", func() arrow.Array {
			return runEndsOf(arrayOf(arrow.PrimitiveTypes.Int32, benchRecords/2, sixteen), func(run int) int { return 1 + run*7%3 })
		}},
		{"struct/nulls=12/runs=256", func() arrow.Array { return runEndsOf(numbersAndTexts(benchRecords/256), always(256)) }},
		{"struct/nulls=12/runs=8", func() arrow.Array { return runEndsOf(numbersAndTexts(benchRecords/8), always(8)) }},
		{"list/len=8/runs=256", func() arrow.Array {
			return runEndsOf(listsOf(arrayOf(arrow.PrimitiveTypes.Int32, benchRecords/256*8, element), 8), always(256))
		}},
		{"list/len=8/runs=8", func() arrow.Array {
			return runEndsOf(listsOf(arrayOf(arrow.PrimitiveTypes.Int32, benchRecords, element), 8), always(8))
		}},
		{"list_string/len=4/runs=256", func() arrow.Array {
			texts := arrayOf(arrow.BinaryTypes.String, benchRecords/256*4, func(i int) any {
				return fmt.Sprintf("category_%02d_%d", i/4%16, i%4)
			})
			return runEndsOf(listsOf(texts, 4), always(256))
		}},
		{"list_struct/len=0..4/runs=50..150", func() arrow.Array {
			return runEndsOf(listsOfStructs(r, benchRecords/100), func(int) int { return 50 + r.IntN(101) })
		}},
		{"list_of_runs/len=4/runs=256", func() arrow.Array { return listsOfRuns(benchRecords) }},
		{"list_of_runs/len=4/runs=256/odd_null", func() arrow.Array {
			return withNulls(listsOfRuns(benchRecords), func(i int) bool { return i%2 == 1 })
		}},
		{"list_of_runs/len=4/runs=256/even_empty", func() arrow.Array { return evenEmpty(listsOfRuns(benchRecords / 2)) }},
		{"struct_of_list_of_runs/len=4/runs=256/odd_null", func() arrow.Array {
			return withNulls(inStruct(listsOfRuns(benchRecords)), func(i int) bool { return i%2 == 1 })
		}},
		{"struct_of_list_of_runs/len=4/runs=256/one_null", func() arrow.Array {
			return withNulls(inStruct(listsOfRuns(benchRecords)), func(i int) bool { return i == benchRecords/2 })
		}},
		{"struct_of_list_of_runs/len=4/runs=256/three_nulls", func() arrow.Array {
			return withNulls(inStruct(listsOfRuns(benchRecords)), func(i int) bool {
				return i == 0 || i == benchRecords/2 || i == benchRecords-1
			})
		}},
		{"list_of_runs_of_list/len=2,4/runs=128", func() arrow.Array {
			return listsOf(runEndsOf(listsOf(arrayOf(arrow.PrimitiveTypes.Int32, 2*benchRecords/128*4, sixteen), 4), always(128)), 2)
		}},
		{"runs_of_list_of_runs_of_list/len=2,4/runs=256,128", func() arrow.Array {
			inner := runEndsOf(listsOf(arrayOf(arrow.PrimitiveTypes.Int32, benchRecords/256*2/128*4, sixteen), 4), always(128))
			return runEndsOf(listsOf(inner, 2), always(256))
		}},
	} {
		var a arrow.Array
		b.Run(bench.name, func(b *testing.B) {
			if a == nil {
				a = bench.make()
			}
			schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: true}}, nil)
			batch := array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len()))
			benchWriteBatches(b, schema, &Options{Compression: "none", NoPageChecksum: true}, batch)
		})
	}
}
