package levels

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// runsWith makes runs that end at the given slots.
func runsWith(values arrow.ArrayData, ends ...int) arrow.ArrayData {
	n := ends[len(ends)-1]
	runEnds := array.NewData(arrow.PrimitiveTypes.Int32, len(ends), []*memory.Buffer{nil, int32Buffer(ends)}, nil, 0, 0)
	return array.NewData(runsOf(values.DataType()), n, []*memory.Buffer{nil}, []arrow.ArrayData{runEnds, values}, 0, 0)
}

// listsWith makes lists of the given numbers of elements.
func listsWith(values arrow.ArrayData, sizes ...int) arrow.ArrayData {
	offsets := []int{0}
	for i, n := range sizes {
		offsets = append(offsets, offsets[i]+n)
	}
	return array.NewData(arrow.ListOf(values.DataType()), len(sizes), []*memory.Buffer{nil, int32Buffer(offsets)},
		[]arrow.ArrayData{values}, 0, 0)
}

func int32Buffer(values []int) *memory.Buffer {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return memory.NewBufferBytes(b)
}

func numbers(n int) arrow.ArrayData {
	return array.NewData(arrow.PrimitiveTypes.Int32, n, []*memory.Buffer{nil, memory.NewBufferBytes(make([]byte, 4*n))}, nil, 0, 0)
}

// times returns n so often.
func times(n, k int) []int {
	all := make([]int, k)
	for i := range all {
		all[i] = n
	}
	return all
}

// Which records become tiles, and which do not.
func TestTiles(t *testing.T) {
	inStruct := func(d arrow.ArrayData) arrow.ArrayData {
		dt := arrow.StructOf(arrow.Field{Name: "f", Type: d.DataType(), Nullable: true})
		return array.NewData(dt, d.Len(), []*memory.Buffer{nil}, []arrow.ArrayData{d}, 0, 0)
	}
	oddNull := func(d arrow.ArrayData) arrow.ArrayData {
		valid := memory.NewBufferBytes(slices.Repeat([]byte{0x55}, d.Len()/8))
		return array.NewData(d.DataType(), d.Len(), append([]*memory.Buffer{valid}, d.Buffers()[1:]...), d.Children(), d.Len()/2, 0)
	}
	for _, test := range []struct {
		name string
		data arrow.ArrayData
		want string // the times of each span; "once" of those without; levels of a tile's records, if they are several
	}{
		{"runs of lists", runsWith(listsWith(numbers(4), 3, 1), 256, 264), "[256 8]"},
		{"runs of lists of lists", runsWith(listsWith(listsWith(numbers(9), 3, 3, 3), 1, 2), 5, 25), "[5 20]"},
		{"short runs", runsWith(listsWith(numbers(9), 3, 3, 3), 2, 4, 6), "once"},
		{"lists of runs", listsWith(runsWith(numbers(2), 128, 136), times(2, 68)...), "[64 4]"},
		{"lists across runs", listsWith(runsWith(numbers(2), 129, 136), times(2, 68)...), "[64 1 3]"},
		{"lists of other lengths", listsWith(runsWith(numbers(1), 136), append(times(2, 60), times(4, 4)...)...), "[60 4]"},
		{"empty lists of runs", listsWith(runsWith(numbers(1), 20), append(times(0, 70), times(1, 20)...)...), "[70 20]"},
		{"a struct of them", inStruct(listsWith(runsWith(numbers(2), 128, 136), times(2, 68)...)), "[64 4]"},
		{"lists of runs of lists", listsWith(runsWith(listsWith(numbers(4), 3, 1), 20, 40), times(2, 20)...), "[10 10]"},
		{"a record longer than a span", runsWith(listsWith(numbers(5000), 5000), 2), "once once once once"},
		{"records that fill spans", runsWith(listsWith(numbers(5000), 2000, 1500, 1500), 10, 20, 30), "[10 10] [10]"},
		{"long and short lists in turn", listsWith(runsWith(numbers(2), 120, 159), slices.Repeat([]int{2, 0, 1}, 53)...),
			"3 4 [40 13]"},
		{"in turn across runs", listsWith(runsWith(numbers(2), 28, 60), slices.Repeat([]int{1, 2}, 20)...), "2 3 [9 1 10]"},
		{"every second one null", oddNull(listsWith(runsWith(numbers(1), 40), times(1, 40)...)), "2 2 [20]"},
		{"every second struct null", oddNull(inStruct(listsWith(runsWith(numbers(1), 40), times(1, 40)...))), "2 2 [20]"},
		{"five in turn", listsWith(runsWith(numbers(1), 100), slices.Repeat([]int{1, 2, 3, 4, 0}, 10)...), "once"},
		{"a list of numbers", listsWith(numbers(20), times(2, 10)...), "once"},
	} {
		tree, err := NewTree(columnOf(test.data.DataType()))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		sink := sinkFunc(func(s *Span) {
			if s.Times == nil {
				got += " once"
			} else {
				if s.Each > 1 {
					got += fmt.Sprint(" ", s.Each, " ", s.NumLevels/len(s.Times))
				}
				got += fmt.Sprint(" ", s.Times)
			}
		})
		if err := tree.Walk(test.data, 0, test.data.Len(), 0, sink); err != nil || got != " "+test.want {
			t.Errorf("%s: %s, want %s; %v", test.name, got, test.want, err)
		}
	}
}
