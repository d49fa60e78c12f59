package levels

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// TestWalkMemoryDoesNotDependOnTheBatch compares what walks allocate for 64 K records and for 16 times as many.
func TestWalkMemoryDoesNotDependOnTheBatch(t *testing.T) {
	required := arrow.Field{Name: "c", Type: arrow.ListOfField(arrow.Field{Name: "element", Type: structOf(3, listField)})}
	for name, f := range map[string]arrow.Field{
		"flat":             int64Field,
		"required":         requiredField,
		"struct":           columnOf(structOf(3, int64Field)),
		"list":             listField,
		"list of list":     columnOf(arrow.ListOfField(listField)),
		"fixed-size list":  columnOf(arrow.FixedSizeListOfField(3, int64Field)),
		"list view":        columnOf(arrow.ListViewOfField(int64Field)),
		"runs":             columnOf(runsOf(int64Field.Type)),
		"runs of lists":    columnOf(runsOf(listField.Type)),
		"list of runs":     columnOf(arrow.ListOf(runsOf(int64Field.Type))),
		"list struct list": required,
	} {
		t.Run(name, func(t *testing.T) {
			small := (&batch{rand.New(rand.NewPCG(1, 2)), 25, 0, 4, 20}).array(f, 64<<10, nil)
			large := repeat(t, small, 16)
			a, b := walkBytes(t, f, small, 1), walkBytes(t, f, large, 1)
			if a != b {
				t.Errorf("the first walk over %d records allocates %d bytes, over %d records %d", small.Len(), a, large.Len(), b)
			}
			if n := walkBytes(t, f, large, 3) - b; n != 0 {
				t.Errorf("two more walks allocate %d bytes", n)
			}
			t.Logf("%d bytes", a)
		})
	}
}

// TestTakeAllocatesNothing holds the price of a page cut.
func TestTakeAllocatesNothing(t *testing.T) {
	f := columnOf(arrow.ListOfField(listField))
	data := (&batch{rand.New(rand.NewPCG(1, 2)), 25, 0, 4, 20}).array(f, 1000, nil)
	tree, err := NewTree(f)
	if err != nil {
		t.Fatal(err)
	}
	sink := sinkFunc(func(s *Span) {
		cut := s.RecordStart(s.NumRecords / 2)
		n := testing.AllocsPerRun(10, func() {
			rest := *s
			rest.Take(cut)
		})
		if n > 0 {
			t.Errorf("Take allocates %v times", n)
		}
	})
	if err := tree.Walk(data, 0, data.Len(), 0, sink); err != nil {
		t.Fatal(err)
	}
}

type sinkFunc func(s *Span)

func (sinkFunc) Bind(int, arrow.ArrayData) error { return nil }
func (f sinkFunc) Put(_ int, s *Span) error      { f(s); return nil }

// repeat returns n copies of an array, one behind the other.
func repeat(t *testing.T, data *array.Data, n int) *array.Data {
	t.Helper()
	one := array.MakeFromData(data)
	copies := make([]arrow.Array, n)
	for i := range copies {
		copies[i] = one
	}
	all, err := array.Concatenate(copies, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	return all.Data().(*array.Data)
}

// walkBytes returns the bytes that a new tree and so many walks allocate: the least of some trials, because the runtime
// allocates too, now and then.
func walkBytes(t *testing.T, f arrow.Field, data arrow.ArrayData, walks int) uint64 {
	t.Helper()
	least := uint64(math.MaxUint64)
	for range 5 {
		var sink discard
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tree, err := NewTree(f)
		for range walks {
			if err == nil {
				err = tree.Walk(data, 0, data.Len(), 0, &sink)
			}
		}
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
