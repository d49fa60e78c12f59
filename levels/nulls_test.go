package levels

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Nulls alone, and the nulls of a struct around what has none, are one span a leaf, whether they have been counted or not.
func TestNullsAreOneSpan(t *testing.T) {
	const records = 3*MaxSpanLevels + 5
	for _, nulls := range []int{30, 99, 100} {
		for _, f := range []arrow.Field{
			int64Field,
			columnOf(structOf(2, requiredField)),
			columnOf(structOf(2, columnOf(structOf(2, requiredField)))),
			listField,
			columnOf(structOf(2, listField)),
			columnOf(arrow.ListOf(structOf(2, int64Field))),
			columnOf(arrow.ListViewOfField(int64Field)),
		} {
			if nulls < 100 && hasLists(f.Type) {
				continue
			}
			counted := (&batch{rand.New(rand.NewPCG(1, 2)), nulls, 0, 4, 20}).array(f, records, nil)
			for i, data := range []*array.Data{counted, withoutNullCounts(counted)} {
				name := fmt.Sprintf("%s, %d %% null, %d", f.Type, nulls, i)
				if nulls < 100 { // below the struct
					data = withoutNullsBelow(data)
				}
				if err := (testCase{f, data}).check(mustTree(t, f), 0, records, nil); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				spans := 0
				sink := sinkFunc(func(s *Span) { spans++ })
				tree := mustTree(t, f)
				if err := tree.Walk(data, 7, records-7, 0, sink); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if want := len(tree.Leaves()); spans != want {
					t.Errorf("%s: %d spans of %d leaves", name, spans, want)
				}
			}
		}
	}
}

func mustTree(t *testing.T, f arrow.Field) *Tree {
	t.Helper()
	tree, err := NewTree(f)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func hasLists(dt arrow.DataType) bool {
	if s, ok := dt.(*arrow.StructType); ok {
		return hasLists(s.Field(0).Type)
	}
	_, ok := dt.(arrow.ListLikeType)
	return ok
}

// withoutNullCounts returns the array as a slice has it, whose nulls nobody has counted.
func withoutNullCounts(data arrow.ArrayData) *array.Data {
	var children []arrow.ArrayData
	for _, c := range data.Children() {
		children = append(children, withoutNullCounts(c))
	}
	return array.NewData(data.DataType(), data.Len(), data.Buffers(), children, array.UnknownNullCount, data.Offset())
}

// withoutNullsBelow returns the array with children that have no nulls.
func withoutNullsBelow(data arrow.ArrayData) *array.Data {
	var children []arrow.ArrayData
	for _, c := range data.Children() {
		below := withoutNullsBelow(c)
		buffers := append(below.Buffers()[:0:0], below.Buffers()...)
		buffers[0] = nil
		children = append(children, array.NewData(c.DataType(), c.Len(), buffers, below.Children(), 0, c.Offset()))
	}
	return array.NewData(data.DataType(), data.Len(), data.Buffers(), children, data.NullN(), data.Offset())
}
