package levels

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// maxDepth bounds the nesting of fields, so that a schema from a client cannot exhaust the stack.
const maxDepth = 100

// Leaf describes one leaf column: a primitive or dictionary field at the end of a path.
type Leaf struct {
	Path     []string // field names from the top-level column down, in Arrow's terms
	Field    arrow.Field
	MaxDef   int // ancestors and self that are nullable, and lists above
	MaxRep   int // lists above
	Nullable bool
}

// A Sink takes what a walk produces. Leaves are numbered in depth-first order from 0.
type Sink interface {
	// Bind announces the storage that the spans of leaf refer to until the next Bind. It comes before any span of the
	// walk; an error ends the walk.
	Bind(leaf int, storage arrow.ArrayData) error
	// Put takes one span of leaf. The sink may cut it up with Take; it keeps nothing of it.
	Put(leaf int, s *Span) error
}

// Tree is one top-level column, compiled: a node for each field below it, and the scratch space of a walk.
type Tree struct {
	root   node
	leaves []Leaf
	top    frame
	sink   Sink

	nested    bool        // there is a list
	tiled     bool        // and its records may be alike
	times     []int       // of the records of top
	leafNodes []*leafNode // of leaves
	whole     bool        // the batch may be one frame, as nothing of it has to be gathered
}

// node is a field of the tree.
type node interface {
	// bind checks and keeps the array of the batch.
	bind(t *Tree, data arrow.ArrayData) error
	// walk takes the slots of one frame.
	walk(t *Tree, sc scope) error
	// alike returns how many of the n slots from slot on are the same as those k before them, the first k included, as far
	// as it is easy to tell; and no less than the levels that the first k have in any leaf.
	alike(slot, n, k int) (same, levels int)
	// most returns no less than the levels that n slots have in any leaf; if they are too many for a span, any number
	// that is.
	most(slot, n int) int
	release()
}

// NewTree compiles a top-level field. A type that cannot be walked is refused with its path.
func NewTree(f arrow.Field) (*Tree, error) {
	t := &Tree{}
	root, err := t.compile(f, path{f.Name}, 0, 0)
	if err != nil {
		return nil, err
	}
	t.root, t.nested, t.tiled = root, hasList(root), hasList(root) && inRuns(root)
	return t, nil
}

// Leaves returns the leaf columns in depth-first order.
func (t *Tree) Leaves() []Leaf { return t.leaves }

type path []string

func (p path) String() string { return strings.Join(p, ".") }

func (p path) with(name string) path { return append(p[:len(p):len(p)], name) }

// errorf makes an error that names the path.
func (p path) errorf(format string, a ...any) error {
	return fmt.Errorf("levels: field %q: %w", p.String(), fmt.Errorf(format, a...))
}

// compile makes the node of f; def and rep are the levels of a value of the parent.
func (t *Tree) compile(f arrow.Field, p path, def, rep int) (node, error) {
	if len(p) > maxDepth {
		return nil, p[:3].errorf("nested deeper than %d fields", maxDepth)
	}
	if f.Nullable {
		def++
	}
	switch dt := StorageType(f.Type).(type) {
	case *arrow.StructType:
		return t.compileStruct(f, dt, p, def, rep)
	case *arrow.MapType:
		return t.compileList(f, arrow.Field{Name: "key_value", Type: dt.Elem()}, formOffsets32, 0, p, def, rep)
	case *arrow.ListType:
		return t.compileList(f, dt.ElemField(), formOffsets32, 0, p, def, rep)
	case *arrow.LargeListType:
		return t.compileList(f, dt.ElemField(), formOffsets64, 0, p, def, rep)
	case *arrow.FixedSizeListType:
		return t.compileList(f, dt.ElemField(), formFixed, int(dt.Len()), p, def, rep)
	case *arrow.ListViewType:
		return t.compileList(f, dt.ElemField(), formViews32, 0, p, def, rep)
	case *arrow.LargeListViewType:
		return t.compileList(f, dt.ElemField(), formViews64, 0, p, def, rep)
	case *arrow.RunEndEncodedType:
		return t.compileRunEnds(f, dt, p, def, rep)
	case *arrow.DictionaryType:
		return t.compileDictionary(f, dt, p, def, rep)
	case arrow.UnionType:
		return nil, p.errorf("type %s: Parquet has no unions: send a struct with a nullable field for each type", dt.Name())
	default:
		l := t.compileLeaf(f, p, def, rep)
		l.void = dt.ID() == arrow.NULL
		return l, nil
	}
}

// StorageType returns the type that holds the values: what is below the extension types around it.
func StorageType(dt arrow.DataType) arrow.DataType {
	for {
		ext, ok := dt.(arrow.ExtensionType)
		if !ok {
			return dt
		}
		dt = ext.StorageType()
	}
}

// compileDictionary makes a leaf of a dictionary of values that are leaves themselves: the page writer takes the keys. The
// keys of others are selections of what is below.
func (t *Tree) compileDictionary(f arrow.Field, dt *arrow.DictionaryType, p path, def, rep int) (node, error) {
	if !arrow.IsInteger(dt.IndexType.ID()) {
		return nil, p.errorf("dictionary keys of type %s: they must be integers", dt.IndexType)
	}
	width := dt.IndexType.(arrow.FixedWidthDataType).Bytes()
	if plain(dt.ValueType) {
		l := t.compileLeaf(f, p, def, rep)
		l.keys.width = width
		return l, nil
	}
	first := len(t.leafNodes)
	values, err := t.compileSame(f, dt.ValueType, p, def, rep)
	if err != nil {
		return nil, err
	}
	signed := !arrow.IsUnsignedInteger(dt.IndexType.ID())
	return &dictionaryNode{
		path: p, nullable: f.Nullable, keys: keys{width: width, signed: signed}, values: values, leaves: t.leafNodes[first:],
	}, nil
}

// plain reports the types whose slots hold one value each, or a null by the validity bitmap alone.
func plain(dt arrow.DataType) bool {
	switch dt := StorageType(dt).(type) {
	case arrow.NestedType, *arrow.DictionaryType, *arrow.NullType:
		return false
	default:
		return dt != nil
	}
}

// compileSame compiles what stands below f without a level of its own. It is as nullable as f, whose own level def
// counts already.
func (t *Tree) compileSame(f arrow.Field, dt arrow.DataType, p path, def, rep int) (node, error) {
	if f.Nullable {
		def--
	}
	return t.compile(arrow.Field{Name: f.Name, Type: dt, Nullable: f.Nullable}, p, def, rep)
}

func (t *Tree) compileLeaf(f arrow.Field, p path, def, rep int) *leafNode {
	l := &leafNode{path: p, index: len(t.leaves), nullable: f.Nullable, maxDef: def, maxRep: rep}
	t.leafNodes = append(t.leafNodes, l)
	t.leaves = append(t.leaves, Leaf{Path: p, Field: f, MaxDef: def, MaxRep: rep, Nullable: f.Nullable})
	return l
}

func (t *Tree) compileStruct(f arrow.Field, dt *arrow.StructType, p path, def, rep int) (node, error) {
	if dt.NumFields() == 0 {
		return nil, p.errorf("a struct without fields cannot be kept in Parquet: leave the field out or give it a field")
	}
	s := &structNode{path: p, nullable: f.Nullable, maxDef: def}
	first := len(t.leafNodes)
	for _, cf := range dt.Fields() {
		c, err := t.compile(cf, p.with(cf.Name), def, rep)
		if err != nil {
			return nil, err
		}
		s.children = append(s.children, c)
	}
	s.leaves = t.leafNodes[first:len(t.leafNodes):len(t.leafNodes)]
	return s, nil
}

// compileRunEnds compiles the values of a run-end-encoded field, which are as nullable as the field is.
func (t *Tree) compileRunEnds(f arrow.Field, dt *arrow.RunEndEncodedType, p path, def, rep int) (node, error) {
	values, err := t.compileSame(f, dt.Encoded(), p, def, rep)
	if err != nil {
		return nil, err
	}
	r := &runEndNode{path: p, values: values}
	switch dt.RunEnds().ID() {
	case arrow.INT16, arrow.INT32, arrow.INT64:
		r.width = dt.RunEnds().(arrow.FixedWidthDataType).Bytes()
	default:
		return nil, p.errorf("run ends of type %s: they must be int16, int32 or int64", dt.RunEnds())
	}
	return r, nil
}

func (t *Tree) compileList(f, elem arrow.Field, form listForm, width int, p path, def, rep int) (node, error) {
	if width < 0 {
		return nil, p.errorf("a fixed-size list of %d elements", width)
	}
	first := len(t.leafNodes)
	child, err := t.compile(elem, p.with(elem.Name), def+1, rep+1)
	if err != nil {
		return nil, err
	}
	leaves := t.leafNodes[first:len(t.leafNodes):len(t.leafNodes)]
	return &listNode{path: p, nullable: f.Nullable, form: form, width: width, elem: child, leaves: leaves}, nil
}

// Walk pushes records from to from+n-1 of the column to sink, as spans. data is the column's array; record is the
// number that the first of them has in the stream, for errors. The walk ends at the first error, of its own or of the
// sink's; spans of the part before it may have been put by then.
func (t *Tree) Walk(data arrow.ArrayData, from, n int, record int64, sink Sink) error {
	t.sink = sink
	t.top.firstRecord = record
	defer t.release()
	if from < 0 || n < 0 || n > data.Len()-from {
		return fmt.Errorf("levels: %d records from %d on, of an array of %d", n, from, data.Len())
	}
	if err := t.root.bind(t, data); err != nil {
		return err
	}
	t.whole = whole(t.root, false)
	for n > 0 {
		take := t.step(from, n)
		if err := t.root.walk(t, t.top.scope()); err != nil {
			return err
		}
		t.top.firstRecord += int64(take)
		from, n = from+take, n-take
	}
	return nil
}

// step makes the next frame of the n records from record `from` on, and returns how many go into it.
func (t *Tree) step(from, n int) int {
	if t.tiled {
		if taken := t.stepTiles(from, n); taken > 0 {
			return taken
		}
	}
	take := min(n, MaxSpanLevels)
	if root, ok := t.root.(*runEndNode); ok && !t.nested {
		take = root.step(from, n)
	} else if t.whole {
		take = n
	}
	t.top.records(from, take)
	return take
}

// whole reports whether a node can walk any number of slots at a time: each leaf's levels are all one value, or those of
// one bitmap of the storage that is the first threshold. masked: there is one above the node.
func whole(n node, masked bool) bool {
	switch n := n.(type) {
	case *leafNode:
		return n.allNull || !n.keys.hasNulls() && (n.valid == nil || !masked && n.maxDef <= 1)
	case *structNode:
		if n.absent {
			return true
		}
		if n.valid != nil && (masked || n.maxDef > 1) {
			return false
		}
		for _, c := range n.children {
			if !whole(c, masked || n.valid != nil) {
				return false
			}
		}
		return true
	case *listNode:
		return n.absent
	}
	return false
}

func (t *Tree) release() {
	t.sink = nil
	t.top.times = nil
	t.root.release()
}
