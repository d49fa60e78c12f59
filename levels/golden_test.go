package levels

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

var int32Field = arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int32, Nullable: true}

// goldenFields are the columns of the texts in testdata/walk. A text is the type, the array as JSON, and for every leaf
// the picture of its levels, one column of the picture a level. Slots are those of the leaf's storage, - where one holds no
// value and . where there is none.
var goldenFields = map[string]arrow.Field{
	"struct":          columnOf(arrow.StructOf(int32Field)),
	"list":            columnOf(arrow.ListOfNonNullable(arrow.PrimitiveTypes.Int32)),
	"list_of_list":    columnOf(arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Int32))),
	"list_of_struct":  {Name: "c", Type: arrow.ListOf(arrow.StructOf(int32Field, arrow.Field{Name: "tags", Type: arrow.ListOfNonNullable(arrow.BinaryTypes.String)}))},
	"map":             columnOf(arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32)),
	"fixed_size_list": columnOf(arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int32)),
	"required":        {Name: "c", Type: arrow.StructOf(arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int32})},
	"all_null":        columnOf(arrow.StructOf(int32Field)),
	"runs_of_list":    columnOf(runsOf(arrow.ListOf(arrow.PrimitiveTypes.Int32))),
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/walk/*.txt")
	if err != nil || len(files) != len(goldenFields) {
		t.Errorf("%d texts for %d fields, %v", len(files), len(goldenFields), err)
	}
	for name, f := range goldenFields {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata/walk", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			parts := strings.SplitN(string(text), "\n\n", 3)
			if len(parts) != 3 {
				t.Fatal("the text must be the type, the array and the levels, with an empty line between")
			}
			if dt := f.Type.String(); parts[0] != dt {
				t.Errorf("the type is %s", dt)
			}
			arr, _, err := array.FromJSON(memory.DefaultAllocator, f.Type, strings.NewReader(parts[1]))
			if err != nil {
				t.Fatal(err)
			}
			tree, err := NewTree(f)
			if err != nil {
				t.Fatal(err)
			}
			var p picture
			p.leaves = tree.Leaves()
			if err := tree.Walk(arr.Data(), 0, arr.Len(), 0, &p); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(parts[2], "\n"), strings.Split(p.String(), "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if err := (testCase{f, arr.Data().(*array.Data)}).check(tree, 0, arr.Len(), nil); err != nil {
				t.Errorf("the oracle: %v", err)
			}
		})
	}
}

// picture is a sink that draws spans.
type picture struct {
	strings.Builder
	leaves []Leaf
}

func (p *picture) Bind(int, arrow.ArrayData) error { return nil }

func (p *picture) Put(leaf int, s *Span) error {
	l := p.leaves[leaf]
	fmt.Fprintf(p, "%s: definition to %d, repetition to %d\n", strings.Join(l.Path, "."), l.MaxDef, l.MaxRep)
	if s.Times != nil {
		fmt.Fprintf(p, "times       %v\n", s.Times)
	}
	p.row(s, "repetition", func(i int) any { return s.Rep.At(i) })
	p.row(s, "definition", func(i int) any { return s.Def.At(i) })
	for k, plane := range s.Def.Planes {
		p.row(s, fmt.Sprintf("  plane %d", k), func(i int) any { return map[bool]int{true: 1}[plane.At(i)] })
	}
	var slots []int
	for run := range s.Runs {
		slots = append(slots, run.list()...)
	}
	p.row(s, "slot", func(i int) any {
		k := s.Live.Count(0, i)
		switch {
		case s.NumSlots == 0 || !s.Live.At(i):
			return "."
		case s.NumValues == 0 || !s.Mask.At(k):
			return "-"
		}
		return slots[k]
	})
	return nil
}

func (p *picture) row(s *Span, name string, at func(i int) any) {
	fmt.Fprintf(p, "%-10s ", name)
	for i := range s.NumLevels {
		fmt.Fprintf(p, " %v", at(i))
	}
	fmt.Fprintln(p)
}
