package levels

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// discard is a sink that does nothing with a span.
type discard struct{ levels int }

func (d *discard) Bind(int, arrow.ArrayData) error { return nil }
func (d *discard) Put(_ int, s *Span) error        { d.levels += s.NumLevels; return nil }

// batch makes arrays as a client's builder would: no slots around them, no elements of nulls.
type batch struct {
	*rand.Rand
	nulls    int // percent of the slots of nullable fields
	min, max int // elements of a list
	runs     int // slots of a run
}

func (b *batch) array(f arrow.Field, n int, parents []bool) *array.Data {
	valid, nulls := make([]byte, (n+7)/8), 0
	present := make([]bool, n)
	for i := range n {
		present[i] = (parents == nil || parents[i]) && (!f.Nullable || b.IntN(100) >= b.nulls)
		if present[i] || !f.Nullable {
			valid[i>>3] |= 1 << (i & 7)
		} else {
			nulls++
		}
	}
	buffers := []*memory.Buffer{nil}
	if nulls > 0 {
		buffers[0] = memory.NewBufferBytes(valid)
	}
	var children []arrow.ArrayData
	switch dt := f.Type.(type) {
	case *arrow.StructType:
		for _, c := range dt.Fields() {
			children = append(children, b.array(c, n, present))
		}
	case *arrow.ListType:
		offsets, total := make([]byte, 4*(n+1)), 0
		for i, ok := range present {
			if ok {
				total += b.min + b.IntN(b.max-b.min+1)
			}
			binary.LittleEndian.PutUint32(offsets[4*(i+1):], uint32(total))
		}
		buffers = append(buffers, memory.NewBufferBytes(offsets))
		children = append(children, b.array(dt.ElemField(), total, nil))
	case *arrow.FixedSizeListType:
		children = append(children, b.array(dt.ElemField(), n*int(dt.Len()), nil))
	case *arrow.ListViewType:
		offsets, sizes, total := make([]byte, 4*n), make([]byte, 4*n), 0
		for i, ok := range present {
			size := 0
			if ok {
				size = b.min + b.IntN(b.max-b.min+1)
			}
			binary.LittleEndian.PutUint32(offsets[4*i:], uint32(total))
			binary.LittleEndian.PutUint32(sizes[4*i:], uint32(size))
			total += size
		}
		buffers = append(buffers, memory.NewBufferBytes(offsets), memory.NewBufferBytes(sizes))
		children = append(children, b.array(dt.ElemField(), total, nil))
	case *arrow.RunEndEncodedType:
		var ends []byte
		for end := b.runs; end < n+b.runs; end += b.runs {
			ends = binary.LittleEndian.AppendUint32(ends, uint32(min(end, n)))
		}
		m := len(ends) / 4
		children = []arrow.ArrayData{
			array.NewData(dt.RunEnds(), m, []*memory.Buffer{nil, memory.NewBufferBytes(ends)}, nil, 0, 0),
			b.array(arrow.Field{Type: dt.Encoded(), Nullable: f.Nullable}, m, nil),
		}
		return array.NewData(f.Type, n, []*memory.Buffer{nil}, children, 0, 0)
	default:
		buffers = append(buffers, memory.NewBufferBytes(make([]byte, 8*n)))
	}
	return array.NewData(f.Type, n, buffers, children, nulls, 0)
}

func structOf(n int, f arrow.Field) arrow.DataType {
	fields := make([]arrow.Field, n)
	for i := range fields {
		fields[i] = f
		fields[i].Name = fmt.Sprintf("f%d", i)
	}
	return arrow.StructOf(fields...)
}

// benchRecords is the number of records of a batch, as clients like to send it.
const benchRecords = 64 << 10

var (
	int64Field    = arrow.Field{Name: "int64", Type: arrow.PrimitiveTypes.Int64, Nullable: true}
	requiredField = arrow.Field{Name: "int64", Type: arrow.PrimitiveTypes.Int64}
	listField     = arrow.Field{Name: "list", Type: arrow.ListOfField(int64Field), Nullable: true}
)

func runsOf(dt arrow.DataType) arrow.DataType {
	return arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dt)
}

// columnOf makes a nullable column.
func columnOf(dt arrow.DataType) arrow.Field { return arrow.Field{Name: "c", Type: dt, Nullable: true} }

var walkBenchmarks = []struct {
	name            string
	field           arrow.Field
	nulls, min, max int
	runs            int
}{
	{"leaf=int64/nulls=0", int64Field, 0, 0, 0, 0},
	{"leaf=int64/nulls=1", int64Field, 1, 0, 0, 0},
	{"leaf=int64/nulls=50", int64Field, 50, 0, 0, 0},
	{"leaf=int64/nulls=99", int64Field, 99, 0, 0, 0},
	{"leaf=int64/nulls=100", int64Field, 100, 0, 0, 0},
	{"struct/fields=1/nulls=25", columnOf(structOf(1, int64Field)), 25, 0, 0, 0},
	{"struct/fields=20/nulls=25", columnOf(structOf(20, int64Field)), 25, 0, 0, 0},
	{"list/len=0..4/nulls=0", listField, 0, 0, 4, 0},
	{"list/len=0..4/nulls=25", listField, 25, 0, 4, 0},
	{"list/len=0..4/nulls=99", listField, 99, 0, 4, 0},
	{"list/len=1/nulls=0", listField, 0, 1, 1, 0},
	{"list/len=0/nulls=25", listField, 25, 0, 0, 0},
	{"list/len=0..4/nulls=25/required", columnOf(arrow.ListOfField(requiredField)), 25, 0, 4, 0},
	{"list/len=100/nulls=25", listField, 25, 100, 100, 0},
	{"fixed_size_list/len=2/nulls=25", columnOf(arrow.FixedSizeListOfField(2, int64Field)), 25, 0, 0, 0},
	{"list_of_list/len=0..4/nulls=25", columnOf(arrow.ListOfField(listField)), 25, 0, 4, 0},
	{"list_struct/fields=20/nulls=25", columnOf(arrow.ListOf(structOf(20, int64Field))), 25, 0, 4, 0},
	{"list_struct_list/fields=5/nulls=25", columnOf(arrow.ListOf(structOf(5, listField))), 25, 0, 4, 0},
	{"list_view/len=0..4/nulls=25", columnOf(arrow.ListViewOfField(int64Field)), 25, 0, 4, 0},
	{"leaf=int64/nulls=0/runs=20", columnOf(runsOf(int64Field.Type)), 0, 0, 0, 20},
	{"leaf=int64/nulls=10/runs=8", columnOf(runsOf(int64Field.Type)), 10, 0, 0, 8},
	{"leaf=int64/nulls=10/runs=20", columnOf(runsOf(int64Field.Type)), 10, 0, 0, 20},
	{"leaf=int64/nulls=10/runs=256", columnOf(runsOf(int64Field.Type)), 10, 0, 0, 256},
	{"struct/fields=2/nulls=10/runs=20", columnOf(runsOf(structOf(2, int64Field))), 10, 0, 0, 20},
	{"list/len=8/nulls=0/runs=8", columnOf(runsOf(listField.Type)), 0, 8, 8, 8},
	{"list/len=8/nulls=0/runs=256", columnOf(runsOf(listField.Type)), 0, 8, 8, 256},
	{"list_of_runs/len=4/nulls=10/runs=256", columnOf(arrow.ListOf(runsOf(int64Field.Type))), 10, 4, 4, 256},
	{"runs_list_runs_list/len=4/nulls=0/runs=256", columnOf(runsOf(arrow.ListOf(runsOf(listField.Type)))), 0, 4, 4, 256},
}

func BenchmarkWalk(b *testing.B) {
	for _, bench := range walkBenchmarks {
		b.Run(bench.name, func(b *testing.B) {
			data := (&batch{rand.New(rand.NewPCG(1, 2)), bench.nulls, bench.min, bench.max, bench.runs}).array(bench.field, benchRecords, nil)
			tree, err := NewTree(bench.field)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(data.SizeInBytes()))
			b.ReportAllocs()
			var sink discard
			walks := 0
			for b.Loop() {
				if err := tree.Walk(data, 0, benchRecords, 0, &sink); err != nil {
					b.Fatal(err)
				}
				walks++
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(walks)
			b.ReportMetric(ns/benchRecords, "ns/record")
			b.ReportMetric(ns/(float64(sink.levels)/float64(walks)), "ns/level")
		})
	}
}

// BenchmarkDefinitionLevels fills the definition levels of pages with those of a nullable column: by a walk, as bits, or
// in a loop over the records, as most writers have it.
func BenchmarkDefinitionLevels(b *testing.B) {
	const page = 16 << 10
	for _, nulls := range []int{100, 99, 90, 50, 10, 0} {
		data := (&batch{Rand: rand.New(rand.NewPCG(1, 2)), nulls: nulls}).array(int64Field, benchRecords, nil)
		b.Run(fmt.Sprintf("nulls=%d/walk", nulls), func(b *testing.B) {
			tree, err := NewTree(int64Field)
			if err != nil {
				b.Fatal(err)
			}
			plane := make([]byte, page/8+16)
			fill := sinkFunc(func(s *Span) {
				for s.NumLevels > 0 {
					part := s.Take(page)
					if part.Def.Planes != nil {
						clear(plane)
						plane = AppendBits(plane, 0, part.Def.Planes[0], page)
					}
				}
			})
			for b.Loop() {
				if err := tree.Walk(data, 0, benchRecords, 0, fill); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRecords, "ns/level")
		})
		b.Run(fmt.Sprintf("nulls=%d/loop", nulls), func(b *testing.B) {
			levels := make([]int16, page)
			valid := array.MakeFromData(data)
			for b.Loop() {
				for at := 0; at < benchRecords; at += page {
					for i := range levels {
						levels[i] = 0
						if valid.IsValid(at + i) {
							levels[i] = 1
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRecords, "ns/level")
		})
	}
}
