package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// layouter lays slots out in Arrow's memory, with all that the format allows: slots in front of and behind an array at
// every level, rubbish where nothing is to be read, null lists that own elements, null counts left unknown, bitmaps
// left out, dictionaries in any order, with entries twice, unused or null, runs cut anywhere.
type layouter struct {
	chance
	mem memory.Allocator
}

// hidden is a slot that no record reaches: outside of the array, or below a null.
type hidden struct{}

func (l *layouter) oneIn(n int) bool { return l.IntN(n) == 0 }

// batch lays out the records from to to-1 of all columns. The caller releases the batch.
func (l *layouter) batch(schema *arrow.Schema, columns [][]any, from, to int) arrow.RecordBatch {
	arrays := make([]arrow.Array, len(columns))
	for i, f := range schema.Fields() {
		data := l.array(f, columns[i][from:to])
		arrays[i] = array.MakeFromData(data)
		data.Release()
	}
	b := array.NewRecordBatch(schema, arrays, int64(to-from))
	for _, a := range arrays {
		a.Release()
	}
	return b
}

// array lays out slots of a field.
func (l *layouter) array(f arrow.Field, slots []any) *array.Data {
	before, all := l.margins(slots)
	valid, nulls := make([]bool, len(all)), 0
	for i, s := range all {
		valid[i] = s != nil && (s != hidden{} || l.oneIn(2))
	}
	s := l.storage(f, all, valid) // a null may become a valid key of a null entry, and is one in the values of runs
	for _, v := range valid[before : before+len(slots)] {
		if !v {
			nulls++
		}
	}
	if f.Type.ID() != arrow.RUN_END_ENCODED && f.Type.ID() != arrow.NULL && (nulls > 0 || l.oneIn(2)) {
		s.buffers[0] = l.bitmap(valid)
	}
	if nulls > 0 && l.oneIn(2) {
		nulls = array.UnknownNullCount
	}
	return s.data(f.Type, len(slots), nulls, before)
}

// margins puts hidden slots in front of the given ones and behind.
func (l *layouter) margins(slots []any) (before int, all []any) {
	some := func() []any {
		if l.oneIn(2) {
			return nil
		}
		return slices.Repeat([]any{hidden{}}, l.IntN(12))
	}
	front := some()
	return len(front), slices.Concat(front, slots, some())
}

// storage is an array's content but for its validity.
type storage struct {
	buffers    []*memory.Buffer
	children   []arrow.ArrayData
	dictionary *array.Data
}

// data makes an array's data of s, which it uses up.
func (s *storage) data(dt arrow.DataType, n, nulls, offset int) *array.Data {
	var d *array.Data
	if s.dictionary != nil {
		d = array.NewDataWithDictionary(dt, n, s.buffers, nulls, offset, s.dictionary)
		s.dictionary.Release()
	} else {
		d = array.NewData(dt, n, s.buffers, s.children, nulls, offset)
	}
	for _, b := range s.buffers {
		if b != nil {
			b.Release()
		}
	}
	for _, c := range s.children {
		c.Release()
	}
	return d
}

func (l *layouter) storage(f arrow.Field, slots []any, valid []bool) storage {
	s := storage{buffers: []*memory.Buffer{nil}}
	switch dt := f.Type.(type) {
	case arrow.ExtensionType:
		f.Type = dt.StorageType()
		return l.storage(f, slots, valid)
	case *arrow.NullType:
		if l.oneIn(2) {
			s.buffers = nil
		}
	case *arrow.RunEndEncodedType:
		l.runs(&s, f, dt, slots, valid)
	case *arrow.DictionaryType:
		l.dictionary(&s, dt, slots, valid)
	case *arrow.StructType:
		for i, f := range dt.Fields() {
			children := fieldOf(slots, i)
			if l.oneIn(3) {
				children = append(children, hidden{})
			}
			s.children = append(s.children, l.array(f, children))
		}
	case *arrow.FixedSizeListType:
		_, elements := l.elements(slots, int(dt.Len()))
		s.children = []arrow.ArrayData{l.array(dt.ElemField(), elements)}
	case *arrow.ListViewType, *arrow.LargeListViewType:
		l.listViews(&s, dt.(arrow.ListLikeType), slots)
	case *arrow.MapType:
		offsets, entries := l.elements(slots, -1)
		s.buffers = append(s.buffers, l.offsets(offsets, false))
		s.children = []arrow.ArrayData{l.entries(dt, entries)}
	case arrow.ListLikeType:
		offsets, elements := l.elements(slots, -1)
		s.buffers = append(s.buffers, l.offsets(offsets, dt.ID() == arrow.LARGE_LIST))
		s.children = []arrow.ArrayData{l.array(dt.ElemField(), elements)}
	case *arrow.BooleanType:
		set := make([]bool, len(slots))
		for i, v := range slots {
			b, ok := v.([]byte)
			set[i] = ok && b[0] != 0 || !ok && l.oneIn(2)
		}
		s.buffers = append(s.buffers, l.bitmap(set))
	case *arrow.StringType, *arrow.BinaryType, *arrow.LargeStringType, *arrow.LargeBinaryType:
		offsets, data := l.strings(slots)
		s.buffers = append(s.buffers, l.offsets(offsets, dt.ID() == arrow.LARGE_STRING || dt.ID() == arrow.LARGE_BINARY), l.buffer(data))
	case *arrow.StringViewType, *arrow.BinaryViewType:
		l.views(&s, slots)
	default:
		width := dt.(arrow.FixedWidthDataType).BitWidth() / 8
		var data []byte
		for _, v := range slots {
			if b, ok := v.([]byte); ok {
				data = append(data, b...)
			} else {
				data = append(data, l.rubbish(width)...)
			}
		}
		s.buffers = append(s.buffers, l.buffer(data))
	}
	return s
}

// fieldOf returns field i of the slots of a struct; below a null it is hidden.
func fieldOf(slots []any, i int) []any {
	fields := make([]any, len(slots))
	for k, v := range slots {
		fields[k] = hidden{}
		if children, ok := v.([]any); ok {
			fields[k] = children[i]
		}
	}
	return fields
}

// elements puts the elements of lists one behind the other. Lists that are not to be read own hidden elements: width of
// them, or any number if width is negative.
func (l *layouter) elements(slots []any, width int) (offsets []int, elements []any) {
	unread := func() []any {
		if width >= 0 {
			return slices.Repeat([]any{hidden{}}, width)
		}
		return slices.Repeat([]any{hidden{}}, l.IntN(3))
	}
	if width < 0 {
		elements = unread()
	}
	offsets = append(offsets, len(elements))
	for _, v := range slots {
		own, ok := v.([]any)
		if !ok {
			own = unread()
		}
		elements = append(elements, own...)
		offsets = append(offsets, len(elements))
	}
	return offsets, elements
}

// listViews lays out lists anywhere among the elements: in any order, some of them in the same place as equal ones, or in
// a part of longer ones.
func (l *layouter) listViews(s *storage, dt arrow.ListLikeType, slots []any) {
	elements := slices.Repeat([]any{hidden{}}, l.IntN(3))
	starts, sizes := make([]int, len(slots)), make([]int, len(slots))
	for _, i := range l.order(len(slots)) {
		own, ok := slots[i].([]any)
		if !ok {
			starts[i], sizes[i] = l.IntN(1<<16), l.IntN(1<<16)-1<<8
			continue
		}
		starts[i], sizes[i] = len(elements), len(own)
		if k := l.IntN(len(elements) + 1); k+len(own) <= len(elements) && reflect.DeepEqual(elements[k:k+len(own)], own) {
			starts[i] = k
			continue
		}
		elements = append(elements, own...)
	}
	large := dt.ID() == arrow.LARGE_LIST_VIEW
	s.buffers = append(s.buffers, l.offsets(starts, large), l.offsets(sizes, large))
	s.children = []arrow.ArrayData{l.array(dt.ElemField(), elements)}
}

// order returns the numbers below n in any order.
func (l *layouter) order(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		k := l.IntN(i + 1)
		order[i], order[k] = order[k], order[i]
	}
	return order
}

// entries lays out the entries of maps. Neither they nor the keys may have nulls, be they hidden.
func (l *layouter) entries(dt *arrow.MapType, slots []any) *array.Data {
	before, all := l.margins(slots)
	keys, valid := fieldOf(all, 0), make([]bool, len(all))
	key := l.storage(dt.KeyField(), keys, valid)
	s := storage{buffers: []*memory.Buffer{nil}, children: []arrow.ArrayData{
		key.data(dt.KeyType(), len(all), 0, 0),
		l.array(dt.ItemField(), fieldOf(all, 1)),
	}}
	return s.data(dt.Elem(), len(slots), 0, before)
}

func (l *layouter) strings(slots []any) (offsets []int, data []byte) {
	data = l.rubbish(l.IntN(3))
	offsets = append(offsets, len(data))
	for _, v := range slots {
		if b, ok := v.([]byte); ok {
			data = append(data, b...)
		} else {
			data = append(data, l.rubbish(l.IntN(4))...)
		}
		offsets = append(offsets, len(data))
	}
	return offsets, data
}

// views lays out views: short values in place, long ones in any of the data buffers, where they may share their bytes
// with others.
func (l *layouter) views(s *storage, slots []any) {
	data := make([][]byte, l.IntN(4))
	for i := range data {
		data[i] = l.rubbish(l.IntN(3))
	}
	var views []byte
	for _, v := range slots {
		view := l.rubbish(16)
		if b, ok := v.([]byte); ok {
			clear(view)
			binary.LittleEndian.PutUint32(view, uint32(len(b)))
			copy(view[4:], b)
			if len(b) > 12 {
				data = append(data, make([][]byte, oneIf(len(data) == 0))...)
				k := l.IntN(len(data))
				at := bytes.Index(data[k], b)
				if at < 0 || l.oneIn(3) {
					at, data[k] = len(data[k]), append(data[k], b...)
				}
				binary.LittleEndian.PutUint32(view[8:], uint32(k))
				binary.LittleEndian.PutUint32(view[12:], uint32(at))
			}
		}
		views = append(views, view...)
	}
	s.buffers = append(s.buffers, l.buffer(views))
	for _, b := range data {
		if len(b) == 0 && l.oneIn(2) {
			s.buffers = append(s.buffers, nil)
		} else {
			s.buffers = append(s.buffers, l.buffer(b))
		}
	}
}

// dictionary lays out a dictionary of the slots' values and more, and the keys of the slots.
func (l *layouter) dictionary(s *storage, dt *arrow.DictionaryType, slots []any, valid []bool) {
	var entries []any
	places := map[string][]int{} // of a value among the entries
	for _, v := range slots {
		if v == nil || v == (hidden{}) {
			continue
		}
		if name := fmt.Sprint(v); places[name] == nil || len(entries) < 100 && l.oneIn(10) {
			places[name] = append(places[name], len(entries))
			entries = append(entries, v)
		}
	}
	null := -1
	for range l.IntN(4) {
		entries = append(entries, hidden{})
		if l.oneIn(2) {
			null = len(entries) - 1
			entries[null] = nil
		}
	}
	order := l.order(len(entries)) // where entry i goes
	shuffled := make([]any, len(entries))
	for i, to := range order {
		shuffled[to] = entries[i]
	}
	s.dictionary = l.array(arrow.Field{Type: dt.ValueType, Nullable: true}, shuffled)

	width := dt.IndexType.(arrow.FixedWidthDataType).Bytes()
	var keys []byte
	for i, v := range slots {
		key := l.rubbish(8)
		switch {
		case v == nil && null >= 0 && l.oneIn(2):
			binary.LittleEndian.PutUint64(key, uint64(order[null]))
			valid[i] = true
		case v != nil && v != (hidden{}):
			binary.LittleEndian.PutUint64(key, uint64(order[pick(l, places[fmt.Sprint(v)]...)]))
		}
		keys = append(keys, key[:width]...)
	}
	s.buffers = append(s.buffers, l.buffer(keys))
}

// runs lays out slots as runs of equal ones, which it cuts now and then.
func (l *layouter) runs(s *storage, f arrow.Field, dt *arrow.RunEndEncodedType, slots []any, valid []bool) {
	var values []any
	var ends []byte
	width := dt.RunEnds().(arrow.FixedWidthDataType).Bytes()
	cut := pick(l, 1, 2, 10, 1000)
	for i := 0; i < len(slots); {
		value, end := slots[i], i+1
		for ; end < len(slots) && !l.oneIn(cut); end++ {
			if slots[end] == (hidden{}) {
				continue
			}
			if value != (hidden{}) && !reflect.DeepEqual(value, slots[end]) {
				break
			}
			value = slots[end]
		}
		values = append(values, value)
		ends = append(ends, binary.LittleEndian.AppendUint64(nil, uint64(end))[:width]...)
		i = end
	}
	for i := range valid {
		valid[i] = true
	}
	before := l.IntN(3)
	data := storage{buffers: []*memory.Buffer{nil, l.buffer(slices.Concat(l.rubbish(before*width), ends))}}
	f.Type = dt.Encoded()
	s.children = []arrow.ArrayData{data.data(dt.RunEnds(), len(values), 0, before), l.array(f, values)}
}

func (l *layouter) offsets(offsets []int, large bool) *memory.Buffer {
	return l.buffer(appendOffsets(nil, offsets, large))
}

// bitmap packs bits.
func (l *layouter) bitmap(set []bool) *memory.Buffer {
	b := l.rubbish((len(set) + 7) / 8)
	for i, v := range set {
		b[i/8] &^= 1 << (i % 8)
		if v {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return l.buffer(b)
}

// buffer copies bytes into Arrow's memory, now and then with more behind them.
func (l *layouter) buffer(b []byte) *memory.Buffer {
	if l.oneIn(3) {
		b = append(b, l.rubbish(l.IntN(20))...)
	}
	buffer := memory.NewResizableBuffer(l.mem)
	buffer.Resize(len(b))
	copy(buffer.Bytes(), b)
	return buffer
}

func (l *layouter) rubbish(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(l.IntN(256))
	}
	return b
}
