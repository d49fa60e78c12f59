package levels

import (
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

var long = flag.Bool("long", false, "walk a million random arrays rather than two hundred thousand")

// collector is a sink that takes every span by its contract, checks what it says about itself, and keeps the levels
// and slots one by one.
type collector struct {
	leaves  []Leaf
	data    arrow.ArrayData // of the column
	storage []arrow.ArrayData
	columns []column
	cut     chance // where to cut spans with Take, nil for nowhere
	broken  error  // of a span that breaks its contract
}

func newCollector(tree *Tree, data arrow.ArrayData, cut chance) *collector {
	n := len(tree.leaves)
	return &collector{
		leaves:  tree.leaves,
		data:    data,
		storage: make([]arrow.ArrayData, n),
		columns: make([]column, n),
		cut:     cut,
	}
}

func (c *collector) Bind(leaf int, storage arrow.ArrayData) error {
	c.storage[leaf] = storage
	return nil
}

func (c *collector) Put(leaf int, s *Span) error {
	err := c.put(leaf, s)
	if err != nil {
		c.broken = fmt.Errorf("leaf %d, after %d levels: %w", leaf, len(c.columns[leaf].def), err)
	}
	return c.broken
}

func (c *collector) put(leaf int, s *Span) error {
	if s.NumLevels > MaxSpanLevels && (!c.borrowed(s.Def.Planes) || !c.borrowed(s.Rep.Planes) || len(s.Selected) > MaxSpanLevels) {
		return fmt.Errorf("%d levels in a span", s.NumLevels)
	}
	if s.Times != nil && (s.Continues || len(s.Times)*s.Each != s.NumRecords || s.Before+s.After > 0 || slices.Min(s.Times) < 1) {
		return fmt.Errorf("a span of %d records, which stand %v times, less %d and %d", s.NumRecords, s.Times, s.Before, s.After)
	}
	if s.NumLevels == 0 {
		return fmt.Errorf("a span without levels")
	}
	if s.Continues && len(c.columns[leaf].def) == 0 {
		return fmt.Errorf("the first span continues a record")
	}
	if s.NumSlots > 0 && s.Live.All() != (s.NumSlots == s.NumLevels) || s.NumValues > 0 && s.Mask.All() != (s.NumValues == s.NumSlots) {
		return fmt.Errorf("%d levels, %d slots, %d values: a bitmap that says nothing, or none", s.NumLevels, s.NumSlots, s.NumValues)
	}
	col, err := c.expand(leaf, s)
	if err != nil {
		return err
	}
	switch {
	case c.cut == nil:
	case s.Times == nil:
		err = c.takeApart(leaf, *s, col)
	default:
		err = c.takeTilesApart(leaf, *s, col)
	}
	c.columns[leaf].append(col)
	return err
}

// borrowed reports whether planes are bitmaps of the column's arrays, or have no set bit.
func (c *collector) borrowed(planes []Bits) bool {
	for _, plane := range planes {
		if !plane.is(constant[0]) && !owns(c.data, plane) {
			return false
		}
	}
	return true
}

// owns reports whether bits are those of the validity bitmap of an array or of one below it.
func owns(data arrow.ArrayData, bits Bits) bool {
	if data == nil {
		return false
	}
	if bitmap := bufferBytes(data, 0); len(bitmap) > 0 && &bitmap[0] == &bits.Bytes[0] {
		return true
	}
	return slices.ContainsFunc(data.Children(), func(child arrow.ArrayData) bool { return owns(child, bits) })
}

func (c *column) append(o column) {
	c.def, c.rep, c.slots = append(c.def, o.def...), append(c.rep, o.rep...), append(c.slots, o.slots...)
}

// standing returns the levels of a span's records, each as often as it stands, if col has each once.
func (c column) standing(s *Span) (column, error) {
	if s.Times == nil {
		return c, nil
	}
	var all column
	total := 0
	for _, tile := range s.AppendTiles(nil, len(s.Times)) {
		record := column{c.def[:tile.NumLevels], c.rep[:tile.NumLevels], c.slots[:tile.NumValues]}
		for range tile.Times {
			all.append(record)
		}
		c = column{c.def[tile.NumLevels:], c.rep[tile.NumLevels:], c.slots[tile.NumValues:]}
		total += tile.Times * s.Each
	}
	if len(c.def)+len(c.slots) > 0 || total != s.Standing() {
		return all, fmt.Errorf("%d levels and %d values are in no tile; %d times in all, the span says %d", len(c.def), len(c.slots),
			total, s.Standing())
	}
	return all, nil
}

// list returns the slots of a run one by one.
func (r Run) list() (slots []int) {
	for k := range r.Len {
		for range r.Times {
			slots = append(slots, r.Slot+k)
		}
	}
	return slots
}

// slotsByBlocks returns the selected slots one by one.
func slotsByBlocks(s *Span, size int) (all []int) {
	slots, times := make([]uint32, size), make([]int, size)
	blocks := s.Slots()
	for n := blocks.Next(slots, times); n > 0; n = blocks.Next(slots, times) {
		for i, slot := range slots[:n] {
			all = append(all, slices.Repeat([]int{int(slot)}, times[i])...)
		}
	}
	return all
}

// expand returns the levels of a span and the slots of its values one by one, as often as its records stand, and checks
// the counts.
func (c *collector) expand(leaf int, s *Span) (column, error) {
	l := c.leaves[leaf]
	storage := c.storage[leaf]
	if storage == nil {
		return column{}, fmt.Errorf("put before bind")
	}
	if err := checkPlanes(s, l); err != nil {
		return column{}, err
	}
	var slots []int
	for run := range s.Runs {
		if run.Slot < storage.Offset() || run.Slot+run.Len > storage.Offset()+storage.Len() || run.Len < 1 {
			return column{}, fmt.Errorf("run %v: the storage has %d slots from %d on", run, storage.Len(), storage.Offset())
		}
		if run.Times < 1 || run.Times > 1 && (run.Len > 1 || !s.Mask.All()) {
			return column{}, fmt.Errorf("run %v of a span with a mask: %v", run, !s.Mask.All())
		}
		if run.Times > 1 && !s.Repeated {
			return column{}, fmt.Errorf("run %v of a span that is not Repeated", run)
		}
		slots = append(slots, run.list()...)
	}
	if len(slots) != s.NumSlots {
		return column{}, fmt.Errorf("%d slots in the runs, NumSlots is %d", len(slots), s.NumSlots)
	}
	for _, size := range []int{1, 7, 1000} {
		if got := slotsByBlocks(s, size); !slices.Equal(got, slots) {
			return column{}, fmt.Errorf("slots %v in blocks of %d, %v in the runs", got, size, slots)
		}
	}
	var col column
	numSlots, numRecords := 0, 0
	for i := range s.NumLevels {
		def, rep := s.Def.At(i), s.Rep.At(i)
		if def > l.MaxDef || rep > l.MaxRep {
			return column{}, fmt.Errorf("level %d is (%d, %d), the most is (%d, %d)", i, def, rep, l.MaxDef, l.MaxRep)
		}
		col.def, col.rep = append(col.def, def), append(col.rep, rep)
		if rep == 0 {
			numRecords++
		}
		isValue := false
		if s.NumSlots > 0 && s.Live.At(i) {
			if isValue = s.NumValues > 0 && s.Mask.At(numSlots); isValue {
				record := numRecords - 1
				if s.Times != nil && record >= s.Each {
					record = (Standing(s.Times, record/s.Each)-s.Before)*s.Each + record%s.Each
				}
				if k := len(col.slots); k < 20 && s.RecordOfValue(k) != record {
					return column{}, fmt.Errorf("value %d of record %d: in RecordOfValue it is that of %d", k, record, s.RecordOfValue(k))
				}
				col.slots = append(col.slots, slots[numSlots])
			}
			numSlots++
		}
		if isValue != (def == l.MaxDef) {
			return column{}, fmt.Errorf("level %d is %d of %d: selected is %v", i, def, l.MaxDef, isValue)
		}
	}
	got := []int{numSlots, len(col.slots), numRecords}
	if want := []int{s.NumSlots, s.NumValues, s.NumRecords}; !slices.Equal(got, want) {
		return column{}, fmt.Errorf("slots, values, records: the span counts %v, has %v", want, got)
	}
	if s.NumLevels > 0 && s.Continues != (col.rep[0] > 0) {
		return column{}, fmt.Errorf("continues is %v, but the first repetition level %d", s.Continues, col.rep[0])
	}
	return col.standing(s)
}

// checkPlanes checks that the levels of a span have all the planes that the leaf's highest level needs, or none.
func checkPlanes(s *Span, l Leaf) error {
	if n := len(s.Def.Planes); n != 0 && n != bits.Len(uint(l.MaxDef)) {
		return fmt.Errorf("%d definition planes for levels up to %d", n, l.MaxDef)
	}
	if n := len(s.Rep.Planes); n != 0 && n != bits.Len(uint(l.MaxRep)) {
		return fmt.Errorf("%d repetition planes for levels up to %d", n, l.MaxRep)
	}
	return nil
}

// takeApart cuts a copy of the span whose levels are want at random record starts: each part must be a span in itself,
// and all of them together the whole.
func (c *collector) takeApart(leaf int, rest Span, want column) error {
	var got column
	at, left := 0, rest.NumLevels
	for left > 0 {
		n := left
		if rest.NumRecords > 0 && c.cut.IntN(5) > 0 {
			k := c.cut.IntN(rest.NumRecords)
			n = rest.RecordStart(k)
			if n >= left || want.rep[at+n] != 0 {
				return fmt.Errorf("record %d of a span starts at level %d of %d", k, n, left)
			}
			before := 0
			for _, rep := range want.rep[at : at+n] {
				if rep == 0 {
					before++
				}
			}
			if before != k {
				return fmt.Errorf("record %d of a span starts at level %d, where %d records lie before", k, n, before)
			}
		}
		head := rest.Take(n)
		if head.NumLevels != n || rest.NumLevels != left-n {
			return fmt.Errorf("took %d of %d levels, got %d and left %d", n, left, head.NumLevels, rest.NumLevels)
		}
		part, err := c.expand(leaf, &head)
		if err != nil {
			return fmt.Errorf("levels %d to %d taken: %w", at, at+n, err)
		}
		got.def, got.rep = append(got.def, part.def...), append(got.rep, part.rep...)
		got.slots = append(got.slots, part.slots...)
		at, left = at+n, left-n
	}
	if _, err := c.expand(leaf, &rest); err != nil {
		return fmt.Errorf("after the last level: %w", err)
	}
	if err := diffColumns(got, want); err != nil {
		return fmt.Errorf("taken apart and put together: %w", err)
	}
	return nil
}

// takeTilesApart is takeApart for a span of records that stand in a row.
func (c *collector) takeTilesApart(leaf int, rest Span, want column) error {
	var got column
	for rest.NumLevels > 0 {
		left, each := rest.Standing(), rest.Each
		if c.cut.IntN(4) == 0 {
			once := rest.TakeOnce()
			part, err := c.expand(leaf, &once)
			if err != nil || once.NumRecords != each || rest.NumLevels > 0 && rest.Standing() != left-each {
				return fmt.Errorf("took %d of %d records, left %d: %w", once.NumRecords, left, rest.Standing(), err)
			}
			got.append(part)
			continue
		}
		tiles := rest.AppendTiles(nil, 1+c.cut.IntN(len(rest.Times)))
		if last := &tiles[len(tiles)-1]; c.cut.IntN(2) == 0 {
			last.Times = 1 + c.cut.IntN(last.Times)
		}
		n := 0
		for _, tile := range tiles {
			n += tile.Times * each
		}
		head := rest.TakeTiles(tiles)
		if head.Standing() != n || len(tiles) == 1 && head.Repeat()*each != n {
			return fmt.Errorf("took %d of %d records, got %d", n, left, head.Standing())
		}
		if rest.NumLevels > 0 && rest.Standing() != left-n {
			return fmt.Errorf("took %d of %d records, left %d", n, left, rest.Standing())
		}
		part, err := c.expand(leaf, &head)
		if err != nil {
			return fmt.Errorf("%d of %d records taken: %w", n, left, err)
		}
		got.append(part)
	}
	if err := diffColumns(got, want); err != nil {
		return fmt.Errorf("tiles taken apart and put together: %w", err)
	}
	return nil
}

func diffColumns(got, want column) error {
	if slices.Equal(got.def, want.def) && slices.Equal(got.rep, want.rep) && slices.Equal(got.slots, want.slots) {
		return nil
	}
	if len(got.def)+len(want.def) < 200 {
		return fmt.Errorf("got\n%v\nwant\n%v", got, want)
	}
	for _, v := range []struct {
		what      string
		got, want []int
	}{{"def", got.def, want.def}, {"rep", got.rep, want.rep}, {"slots", got.slots, want.slots}} {
		for i := range max(len(v.got), len(v.want)) {
			if i >= len(v.got) || i >= len(v.want) || v.got[i] != v.want[i] {
				g, w := v.got[min(i, len(v.got)):], v.want[min(i, len(v.want)):]
				return fmt.Errorf("%s: %d, want %d; from %d on %v, want %v", v.what, len(v.got), len(v.want), i,
					g[:min(20, len(g))], w[:min(20, len(w))])
			}
		}
	}
	return nil
}

// testCase is a random column.
type testCase struct {
	field arrow.Field
	data  *array.Data
}

// newTestCase makes a column with up to depth fields above a leaf. Now and then it has many records, or a list that
// goes over several spans. A lawless one has nulls in fields that are not nullable.
func newTestCase(c chance, depth int, lawless bool) testCase {
	g := &generator{chance: c, slots: 150, lawless: lawless}
	f := g.field("c", depth)
	if depth >= 2 && g.oneIn(4) {
		f = g.tiled(f)
	}
	n := g.IntN(24)
	switch g.IntN(400) {
	case 0:
		g.long = 10_001 + g.IntN(4000)
	case 1:
		g.long = MaxSpanLevels - 1 + g.IntN(3)
	case 2:
		n, g.slots = 4000+g.IntN(6000), 10_000
	case 3:
		f, n, g.slots, g.wide = g.tiled(g.field("c", 0)), 1000+g.IntN(5000), 12_000, 60
	}
	return testCase{f, g.array(f, all(n))}
}

// tiled makes a field whose records may stand several times in a row: runs of lists, or lists of runs.
func (g *generator) tiled(f arrow.Field) arrow.Field {
	list := func(dt arrow.DataType) arrow.DataType {
		elem := arrow.Field{Name: "element", Type: dt, Nullable: f.Nullable}
		switch g.IntN(5) {
		case 0:
			return fixedSizeListOf(1+g.IntN(3), elem)
		case 1:
			return arrow.ListViewOfField(elem)
		}
		return arrow.ListOfField(elem)
	}
	runs := func(dt arrow.DataType) arrow.DataType { return arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dt) }
	switch g.IntN(4) {
	case 0:
		f.Type = runs(list(f.Type))
	case 1:
		f.Type = list(runs(f.Type))
	case 2:
		f.Type = list(runs(list(f.Type)))
	case 3:
		inner := arrow.Field{Name: "list", Type: list(runs(f.Type)), Nullable: !g.oneIn(3) || alwaysNull(f.Type)}
		f.Type = arrow.StructOf(inner, arrow.Field{Name: "runs", Type: runs(f.Type), Nullable: f.Nullable})
	}
	return f
}

// check walks records from to from+n-1 of the column and compares every leaf with the oracle.
func (tc testCase) check(tree *Tree, from, n int, cut chance) error {
	arr := array.MakeFromData(tc.data)
	o := shred(tc.field, arr, from, n, int64(from))
	if len(o.nulls) > 0 {
		return fmt.Errorf("the generator made a null in a required field: %v", o.nulls)
	}
	c := newCollector(tree, tc.data, cut)
	if err := tree.Walk(tc.data, from, n, int64(from), c); err != nil {
		return err
	}
	for i, want := range o.columns {
		if err := diffColumns(c.columns[i], want); err != nil {
			return fmt.Errorf("leaf %v: %w", tree.leaves[i].Path, err)
		}
	}
	return nil
}

func TestWalkAgainstOracle(t *testing.T) {
	const shards = 20
	each := uint64(10_000)
	if *long {
		each = 50_000
	}
	for shard := range uint64(shards) {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			for seed := shard * each; seed < (shard+1)*each; seed++ {
				if err := walkRandomArray(seed); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

func walkRandomArray(seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 7))
	tc := newTestCase(r, r.IntN(6), false)
	tree, err := NewTree(tc.field)
	if err != nil {
		return err
	}
	if err := tc.check(tree, 0, tc.data.Len(), r); err != nil {
		return fmt.Errorf("%v: %w", tc.field, err)
	}
	// The tree is used again, for parts of the records.
	for from := 0; from < tc.data.Len(); {
		n := r.IntN(tc.data.Len() - from + 1)
		if err := tc.check(tree, from, n, nil); err != nil {
			return fmt.Errorf("records %d to %d: %v: %w", from, from+n, tc.field, err)
		}
		from += n + r.IntN(3)
	}
	return nil
}
