package levels

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// chance is where a generator's decisions come from: a random source, or the bytes of a fuzzer.
type chance interface {
	IntN(n int) int // 0 <= result < n
}

// byteChance decides by bytes of input, one or two a decision, and at random after the last of them.
type byteChance struct {
	input []byte
	after *rand.Rand
}

func newByteChance(input []byte) *byteChance {
	var seed uint64
	for _, b := range input {
		seed = seed*1099511628211 + uint64(b)
	}
	return &byteChance{input, rand.New(rand.NewPCG(seed, 0))}
}

func (c *byteChance) IntN(n int) int {
	if len(c.input) == 0 {
		return c.after.IntN(n)
	}
	v := int(c.input[0])
	c.input = c.input[1:]
	if n > 256 && len(c.input) > 0 {
		v |= int(c.input[0]) << 8
		c.input = c.input[1:]
	}
	return v % n
}

// generator makes random fields and arrays of them with all that Arrow's layout allows: nulls of any density, absent
// bitmaps, unknown null counts, slots in front of and behind every array at every level, null slots that own elements,
// nulls of required fields where no record reaches them.
type generator struct {
	chance
	slots   int  // that children may still get: lists get shorter when it is used up
	long    int  // elements that the next list gets, once
	wide    int  // elements that other lists get at most, 5 if 0
	lawless bool // make nulls in fields that are not nullable
}

// family is a set of types that the generator can make. A type that Walk learns is one entry more in families.
type family struct {
	ids    []arrow.Type
	nested bool
	weight int
	// newType makes a type with at most depth further fields below it.
	newType func(g *generator, depth int) arrow.DataType
	// storage fills everything but the validity bitmap of len(reach) slots of field f; reach[i] says whether a record
	// reaches a value at slot i.
	storage func(g *generator, f arrow.Field, reach []bool) storage
}

// storage is an array without its validity bitmap.
type storage struct {
	buffers    []*memory.Buffer
	children   []arrow.ArrayData
	dictionary *array.Data
}

var families []family

func init() {
	families = []family{
		{[]arrow.Type{arrow.BOOL}, false, 2, newBool, boolStorage},
		{fixedWidthIDs(), false, 4, newFixedWidth, fixedWidthStorage},
		{[]arrow.Type{arrow.FIXED_SIZE_BINARY}, false, 1, newFixedSizeBinary, fixedWidthStorage},
		{[]arrow.Type{arrow.STRING, arrow.BINARY}, false, 2, newString, stringStorage},
		{[]arrow.Type{arrow.NULL}, false, 1, newNull, nullStorage},
		{[]arrow.Type{arrow.DICTIONARY}, false, 3, newDictionary, dictionaryStorage},
		{[]arrow.Type{arrow.STRUCT}, true, 5, newStruct, structStorage},
		{[]arrow.Type{arrow.LIST}, true, 5, newList, listStorage},
		{[]arrow.Type{arrow.LARGE_LIST}, true, 2, newLargeList, listStorage},
		{[]arrow.Type{arrow.LIST_VIEW, arrow.LARGE_LIST_VIEW}, true, 4, newListView, listViewStorage},
		{[]arrow.Type{arrow.FIXED_SIZE_LIST}, true, 2, newFixedSizeList, fixedSizeListStorage},
		{[]arrow.Type{arrow.MAP}, true, 2, newMap, mapStorage},
		{[]arrow.Type{arrow.RUN_END_ENCODED}, true, 6, newRunEnds, runEndStorage},
		{[]arrow.Type{arrow.EXTENSION}, false, 1, newExtension, extensionStorage},
	}
}

func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

// field makes a random field with at most depth fields below it.
func (g *generator) field(name string, depth int) arrow.Field {
	total := 0
	for _, f := range families {
		if !f.nested || depth > 0 {
			total += f.weight
		}
	}
	pick := g.IntN(total)
	for _, f := range families {
		if f.nested && depth == 0 {
			continue
		}
		if pick -= f.weight; pick < 0 {
			dt := f.newType(g, depth)
			return arrow.Field{Name: name, Type: dt, Nullable: alwaysNull(dt) || !g.oneIn(3)}
		}
	}
	panic("no family picked")
}

// alwaysNull reports whether a type has no value but null.
func alwaysNull(dt arrow.DataType) bool {
	switch dt := StorageType(dt).(type) {
	case *arrow.NullType:
		return true
	case *arrow.RunEndEncodedType:
		return alwaysNull(dt.Encoded())
	case *arrow.DictionaryType:
		return alwaysNull(dt.ValueType)
	}
	return false
}

// hasBitmap reports whether arrays of a type have a validity bitmap.
func hasBitmap(dt arrow.DataType) bool {
	id := StorageType(dt).ID()
	return id != arrow.RUN_END_ENCODED && id != arrow.NULL
}

// array makes an array of f with a slot for each of visible. visible says which slots a record reaches: only those
// must obey the field. The array lies somewhere in the middle of its storage.
func (g *generator) array(f arrow.Field, visible []bool) *array.Data {
	offset, n := g.margin(), len(visible)
	reach := make([]bool, offset+n+g.margin())
	copy(reach[offset:], visible)
	valid := g.validity(f, reach)
	if !hasBitmap(f.Type) {
		valid = nil
	}
	nulls := 0
	for i, v := range valid {
		reach[i] = reach[i] && v
		if !v && i >= offset && i < offset+n {
			nulls++
		}
	}
	s := familyOf(f.Type).storage(g, f, reach)
	if valid != nil {
		s.buffers[0] = memory.NewBufferBytes(g.bitmap(valid))
	}
	if g.oneIn(2) {
		nulls = array.UnknownNullCount
	}
	if !hasBitmap(f.Type) {
		nulls = 0
	}
	if s.dictionary != nil {
		return array.NewDataWithDictionary(f.Type, n, s.buffers, nulls, offset, s.dictionary)
	}
	return array.NewData(f.Type, n, s.buffers, s.children, nulls, offset)
}

// margin is a number of slots in front of an array or behind it.
func (g *generator) margin() int {
	if g.oneIn(2) {
		return 0
	}
	return g.IntN(12)
}

// validity decides which slots are null; nil means that there is no bitmap.
func (g *generator) validity(f arrow.Field, reach []bool) []bool {
	percent := []int{0, 1, 25, 90, 98, 100}[g.IntN(6)]
	if g.lawless && !f.Nullable {
		percent = g.IntN(5)
	}
	if percent == 0 && g.oneIn(2) {
		return nil
	}
	valid := make([]bool, len(reach))
	if f.Nullable && g.oneIn(6) { // in turn
		turn := 1 + g.IntN(mostInTurn)
		for i := range valid {
			if i < turn {
				valid[i] = g.oneIn(2)
			} else {
				valid[i] = valid[i-turn] != g.oneIn(500)
			}
		}
		return valid
	}
	for i := range valid {
		valid[i] = percent < 100 && (percent == 0 || g.IntN(100) >= percent) || !f.Nullable && !g.lawless && reach[i]
	}
	return valid
}

// bitmap packs bits, with rubbish behind the last of them.
func (g *generator) bitmap(set []bool) []byte {
	b := make([]byte, (len(set)+7)/8+g.IntN(2)*g.IntN(10))
	for i := range b {
		b[i] = byte(g.IntN(256))
	}
	for i, v := range set {
		b[i>>3] &^= 1 << (i & 7)
		if v {
			b[i>>3] |= 1 << (i & 7)
		}
	}
	return b
}

func familyOf(dt arrow.DataType) *family {
	for i := range families {
		for _, id := range families[i].ids {
			if id == dt.ID() {
				return &families[i]
			}
		}
	}
	panic("no family for " + dt.String())
}

// all returns n true.
func all(n int) []bool {
	b := make([]bool, n)
	for i := range b {
		b[i] = true
	}
	return b
}

func newBool(*generator, int) arrow.DataType { return arrow.FixedWidthTypes.Boolean }

func boolStorage(g *generator, _ arrow.Field, reach []bool) storage {
	return values(make([]byte, (len(reach)+7)/8))
}

// values is the storage of a leaf whose values nobody looks at.
func values(buffers ...[]byte) storage {
	s := storage{buffers: []*memory.Buffer{nil}}
	for _, b := range buffers {
		s.buffers = append(s.buffers, memory.NewBufferBytes(b))
	}
	return s
}

var fixedWidthTypes = append([]arrow.DataType{arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Timestamp_us,
	&arrow.Decimal128Type{Precision: 20, Scale: 2}}, indexTypes...)

func fixedWidthIDs() (ids []arrow.Type) {
	for _, dt := range fixedWidthTypes {
		ids = append(ids, dt.ID())
	}
	return ids
}

func newFixedWidth(g *generator, _ int) arrow.DataType {
	return fixedWidthTypes[g.IntN(len(fixedWidthTypes))]
}

func newFixedSizeBinary(g *generator, _ int) arrow.DataType {
	return &arrow.FixedSizeBinaryType{ByteWidth: g.IntN(4)}
}

func fixedWidthStorage(_ *generator, f arrow.Field, reach []bool) storage {
	return values(make([]byte, len(reach)*f.Type.(arrow.FixedWidthDataType).BitWidth()/8))
}

func newString(g *generator, _ int) arrow.DataType {
	if g.oneIn(2) {
		return arrow.BinaryTypes.Binary
	}
	return arrow.BinaryTypes.String
}

func stringStorage(_ *generator, _ arrow.Field, reach []bool) storage {
	return values(make([]byte, (len(reach)+1)*4), nil)
}

var indexTypes = []arrow.DataType{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Int16,
	arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Int64,
	arrow.PrimitiveTypes.Uint64}

func newDictionary(g *generator, depth int) arrow.DataType {
	dt := &arrow.DictionaryType{
		IndexType: indexTypes[g.IntN(len(indexTypes))],
		ValueType: []arrow.DataType{arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String}[g.IntN(2)],
	}
	if depth > 0 && !g.oneIn(4) {
		dt.ValueType = g.field("", depth-1).Type
	}
	return dt
}

// dictionaryStorage makes a dictionary of some entries, nulls among them. A value that a record reaches refers to one
// of them, other slots to anything. Without such a value there may be no entry at all.
func dictionaryStorage(g *generator, f arrow.Field, reach []bool) storage {
	t := f.Type.(*arrow.DictionaryType)
	n := 1 + g.IntN(5)
	if !slices.Contains(reach, true) {
		n = g.IntN(3)
	}
	nullable := f.Nullable || plain(t.ValueType) && !g.oneIn(3)
	d := g.array(arrow.Field{Type: t.ValueType, Nullable: nullable}, all(n))
	entries := array.MakeFromData(d)
	required := !f.Nullable && !g.lawless
	if required && n > 0 && isNull(entries, n-1) {
		d = g.array(arrow.Field{Type: t.ValueType}, all(n))
		entries = array.MakeFromData(d)
	}
	width := t.IndexType.(arrow.FixedWidthDataType).Bytes()
	keys := make([]byte, len(reach)*width)
	for i, ok := range reach {
		key := keys[i*width : (i+1)*width]
		if ok {
			k := g.IntN(n)
			for required && isNull(entries, k) {
				k++
			}
			key[0] = byte(k)
			continue
		}
		for j := range key {
			key[j] = byte(g.IntN(256))
		}
	}
	s := values(keys)
	s.dictionary = d
	return s
}

func newNull(*generator, int) arrow.DataType { return arrow.Null }

func nullStorage(*generator, arrow.Field, []bool) storage { return values() }

func newStruct(g *generator, depth int) arrow.DataType {
	fields := make([]arrow.Field, 1+g.IntN(3))
	for i := range fields {
		fields[i] = g.field("f"+strconv.Itoa(i), g.IntN(depth))
	}
	return arrow.StructOf(fields...)
}

func structStorage(g *generator, f arrow.Field, reach []bool) storage {
	s := values()
	for _, child := range f.Type.(*arrow.StructType).Fields() {
		s.children = append(s.children, g.array(child, slices.Concat(reach, make([]bool, g.margin()))))
	}
	return s
}

func newList(g *generator, depth int) arrow.DataType {
	return arrow.ListOfField(g.field("element", depth-1))
}

func newLargeList(g *generator, depth int) arrow.DataType {
	return arrow.LargeListOfField(g.field("element", depth-1))
}

// listStorage makes lists with gaps in front of the first and behind the last; lists that no record reaches own
// elements too.
func listStorage(g *generator, f arrow.Field, reach []bool) storage {
	offsets, elements := g.offsets(f.Type.ID() == arrow.LARGE_LIST, reach)
	s := values(offsets)
	s.children = []arrow.ArrayData{g.array(f.Type.(arrow.ListLikeType).ElemField(), elements)}
	return s
}

// offsets makes the offsets of lists, and says which elements a record reaches.
func (g *generator) offsets(large bool, reach []bool) (offsets []byte, elements []bool) {
	add := func() {
		o := uint64(len(elements))
		for i := range 8 {
			if i < 4 || large {
				offsets = append(offsets, byte(o>>(8*i)))
			}
		}
	}
	elements = make([]bool, g.margin())
	add()
	steady, turn, left := g.oneIn(3), 1+g.IntN(mostInTurn), 0
	var sizes []int // of the last lists
	for _, ok := range reach {
		n := 0
		if left > 0 && g.slots > 0 {
			left--
			n = sizes[len(sizes)-turn]
			g.slots -= n
		} else {
			n = g.listLen(ok)
		}
		if sizes = append(sizes, n); steady && left == 0 && len(sizes)%turn == 0 {
			left = g.IntN(12 * turn)
		}
		for range n {
			elements = append(elements, ok)
		}
		add()
	}
	return offsets, append(elements, make([]bool, g.margin())...)
}

func (g *generator) listLen(reached bool) int {
	if reached && g.long > 0 {
		n := g.long
		g.long = 0
		return n
	}
	n := 0
	if g.slots > 0 && !g.oneIn(4) {
		n = g.IntN(1 + max(5, g.wide))
	}
	g.slots -= n
	return n
}

func newListView(g *generator, depth int) arrow.DataType {
	if g.oneIn(2) {
		return arrow.LargeListViewOfField(g.field("element", depth-1))
	}
	return arrow.ListViewOfField(g.field("element", depth-1))
}

// listViewStorage makes views in any order, which may overlap and leave gaps; those that no record reaches lie anywhere,
// and so do empty ones.
func listViewStorage(g *generator, f arrow.Field, reach []bool) storage {
	width, shuffled := 4, g.oneIn(2)
	if f.Type.ID() == arrow.LARGE_LIST_VIEW {
		width = 8
	}
	elements := make([]bool, g.margin())
	var offsets, sizes []byte
	for _, ok := range reach {
		size := g.listLen(ok)
		offset := len(elements)
		if shuffled {
			offset = g.IntN(len(elements) + 1)
		}
		for len(elements) < offset+size {
			elements = append(elements, false)
		}
		for k := range size {
			elements[offset+k] = elements[offset+k] || ok
		}
		if size == 0 || !ok {
			offset = g.IntN(3*len(elements)+1) - len(elements)
		}
		if !ok {
			size = g.IntN(1000) - 500
		}
		offsets = append(offsets, binary.LittleEndian.AppendUint64(nil, uint64(offset))[:width]...)
		sizes = append(sizes, binary.LittleEndian.AppendUint64(nil, uint64(size))[:width]...)
	}
	elements = append(elements, make([]bool, g.margin())...)
	s := values(offsets, sizes)
	s.children = []arrow.ArrayData{g.array(f.Type.(arrow.ListLikeType).ElemField(), elements)}
	return s
}

func newFixedSizeList(g *generator, depth int) arrow.DataType {
	return fixedSizeListOf(g.IntN(4), g.field("element", depth-1))
}

// fixedSizeListOf makes a fixed-size list type. arrow-go refuses to make one of width 0, which Arrow allows, so that
// has to be forced.
func fixedSizeListOf(width int, elem arrow.Field) *arrow.FixedSizeListType {
	dt := arrow.FixedSizeListOfField(int32(max(width, 1)), elem)
	if width <= 0 {
		n := reflect.ValueOf(dt).Elem().FieldByName("n")
		*(*int32)(unsafe.Pointer(n.UnsafeAddr())) = int32(width)
	}
	return dt
}

func fixedSizeListStorage(g *generator, f arrow.Field, reach []bool) storage {
	t := f.Type.(*arrow.FixedSizeListType)
	var elements []bool
	for _, ok := range reach {
		for range t.Len() {
			elements = append(elements, ok)
		}
	}
	s := values()
	s.children = []arrow.ArrayData{g.array(t.ElemField(), slices.Concat(elements, make([]bool, g.margin())))}
	return s
}

func newMap(g *generator, depth int) arrow.DataType {
	key, item := g.field("key", 0), g.field("value", depth-1)
	for alwaysNull(key.Type) {
		key = g.field("key", 0)
	}
	key.Nullable = false
	return arrow.MapOfFields(key, item)
}

// mapStorage is that of a list; arrow-go wants no null, not even an unreachable one, in the entries and the keys. It is
// always lawful.
func mapStorage(g *generator, f arrow.Field, reach []bool) storage {
	t := f.Type.(*arrow.MapType)
	offsets, elements := g.offsets(false, reach)
	defer func(lawless bool) { g.lawless = lawless }(g.lawless)
	g.lawless = false
	entries := g.array(arrow.Field{Type: t.Elem()}, elements)
	withoutNulls(entries)
	withoutNulls(entries.Children()[0])
	s := values(offsets)
	s.children = []arrow.ArrayData{entries}
	return s
}

func withoutNulls(d arrow.ArrayData) {
	d.(*array.Data).SetNullN(0)
	d.Buffers()[0] = nil
}

func newExtension(g *generator, depth int) arrow.DataType {
	return extensions.NewOpaqueType(g.field("", depth).Type, "any", "sluice")
}

func extensionStorage(g *generator, f arrow.Field, reach []bool) storage {
	f.Type = f.Type.(arrow.ExtensionType).StorageType()
	return familyOf(f.Type).storage(g, f, reach)
}
