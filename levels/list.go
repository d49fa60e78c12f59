package levels

import "github.com/apache/arrow-go/v18/arrow"

// listForm is how a list type says where the elements of a slot lie.
type listForm int

const (
	formOffsets32 listForm = iota // list, map
	formOffsets64                 // large list
	formFixed                     // fixed-size list
	formViews32                   // list view
	formViews64                   // large list view
)

// listNode opens a frame for its elements.
type listNode struct {
	path     path
	nullable bool
	form     listForm
	width    int // elements a slot, of a fixed-size list
	elem     node
	leaves   []*leafNode // below it

	valid       []byte
	offset      int
	absent      bool // null throughout the batch
	offsets32   []int32
	offsets64   []int64
	sizes32     []int32
	sizes64     []int64
	numElements int

	gathered     bitmap
	masked       bitmap
	defined      threshold
	repeated     []Run
	repeatedMask bitmap
	expand       expansion
}

func (l *listNode) bind(t *Tree, data arrow.ArrayData) error {
	valid, absent, err := nulls(data, l.path)
	if err != nil {
		return err
	}
	l.valid, l.absent, l.offset = valid, absent, data.Offset()
	if len(data.Children()) != 1 {
		return l.path.errorf("a list with %d children, not one", len(data.Children()))
	}
	if data.Children()[0] == nil {
		return l.path.errorf("child 0 is missing")
	}
	child := data.Children()[0]
	l.numElements = child.Len()
	if !absent {
		if err := l.bindExtents(data, data.Offset()+data.Len()); err != nil {
			return err
		}
	}
	return l.elem.bind(t, child)
}

// bindExtents checks that there are the extents of end slots. What they say is checked when they are used.
func (l *listNode) bindExtents(data arrow.ArrayData, end int) error {
	if data.Len() == 0 {
		return nil
	}
	switch l.form {
	case formFixed:
		if l.width > 0 && l.numElements/l.width < end {
			return l.path.errorf("%d elements for %d fixed-size lists of %d", l.numElements, end, l.width)
		}
		return nil
	case formOffsets32, formOffsets64:
		l.offsets32, l.offsets64 = l.integers(data, 1)
		if have := len(l.offsets32) + len(l.offsets64); have == 0 && bufferBytes(data, 1) == nil {
			return l.path.errorf("a list without offsets")
		} else if have <= end {
			return l.path.errorf("%d offsets for %d lists, need one more than lists", have, end)
		}
		return nil
	}
	l.offsets32, l.offsets64 = l.integers(data, 1)
	l.sizes32, l.sizes64 = l.integers(data, 2)
	offsets, sizes := len(l.offsets32)+len(l.offsets64), len(l.sizes32)+len(l.sizes64)
	if offsets < end || sizes < end {
		return l.path.errorf("%d offsets and %d sizes for %d list views", offsets, sizes, end)
	}
	return nil
}

// integers returns buffer i as the integers that the list's form has.
func (l *listNode) integers(data arrow.ArrayData, i int) ([]int32, []int64) {
	b := bufferBytes(data, i)
	if l.form == formOffsets64 || l.form == formViews64 {
		return nil, arrow.GetData[int64](b)
	}
	return arrow.GetData[int32](b), nil
}

func (l *listNode) release() {
	l.valid, l.offsets32, l.offsets64, l.sizes32, l.sizes64 = nil, nil, nil, nil, nil
	l.elem.release()
}

func (l *listNode) walk(t *Tree, sc scope) error {
	if l.absent {
		return sc.putNulls(t, l.nullable, l.path, l.leaves)
	}
	valid := sc.validity(l.valid, l.offset, &l.gathered)
	mask, left, err := sc.restrict(valid, l.nullable, l.path, &l.masked)
	if err != nil {
		return err
	}
	if l.nullable {
		l.defined.over(&sc, mask, left)
	}
	if left == 0 {
		return sc.putAbsent(t, l.leaves)
	}
	if sc.repeated {
		return l.walkRepeated(t, sc, mask)
	}
	return l.expand.run(t, l, sc, mask)
}

// extents fills start and count with where the elements of n storage slots from slot on lie. It reports false if they
// do not all lie, in order, within the child; those of views it does not check, as null ones may lie anywhere.
func (l *listNode) extents(slot, n int, start, count []int) bool {
	start, count = start[:n], count[:n]
	switch l.form {
	case formOffsets32:
		return extentsOf(l.offsets32[slot:slot+n+1], start, count, l.numElements)
	case formOffsets64:
		return extentsOf(l.offsets64[slot:slot+n+1], start, count, l.numElements)
	case formViews32:
		viewsOf(l.offsets32[slot:slot+n], l.sizes32[slot:slot+n], start, count)
		return true
	case formViews64:
		viewsOf(l.offsets64[slot:slot+n], l.sizes64[slot:slot+n], start, count)
		return true
	}
	for i := range start {
		start[i], count[i] = (slot+i)*l.width, l.width
	}
	return true
}

// extentsOf takes the extents from offsets, one more than there are extents.
func extentsOf[T int32 | int64](offsets []T, start, count []int, limit int) bool {
	at := int(offsets[0])
	offsets = offsets[1:]
	start, count = start[:len(offsets)], count[:len(offsets)]
	negative := at
	for i, o := range offsets {
		next := int(o)
		start[i], count[i] = at, next-at
		negative |= next | (next - at) // both, because the difference of two may overflow
		at = next
	}
	return negative >= 0 && at <= limit
}

// viewsOf takes the extents from offsets and sizes.
func viewsOf[T int32 | int64](offsets, sizes []T, start, count []int) {
	start, count, sizes = start[:len(offsets)], count[:len(offsets)], sizes[:len(offsets)]
	for i, o := range offsets {
		start[i], count[i] = int(o), int(sizes[i])
	}
}

// views reports whether the lists are views, each with an extent of its own.
func (l *listNode) views() bool { return l.form == formViews32 || l.form == formViews64 }

// within reports whether the elements of views lie within the child, and is true of other lists, as extents checks them.
// Views without elements may lie anywhere.
func (l *listNode) within(start, count []int) bool {
	if !l.views() {
		return true
	}
	bad := 0
	for i, n := range count {
		from := start[i]
		outside := from | n | (l.numElements - n) | (l.numElements - n - from)
		bad |= outside & ((n | -n) >> 63)
	}
	return bad >= 0
}

// extentError describes the first list that extents did not like. from is its number among the slots of sc.
func (l *listNode) extentError(sc scope, from int, start, count []int) error {
	i, o, next := 0, 0, 0
	for i = range start {
		o, next = start[i], start[i]+count[i]
		if l.views() && count[i] == 0 {
			continue
		}
		if o < 0 || next < o || next > l.numElements {
			break
		}
	}
	record := sc.recordOfEntry(from + i)
	if l.views() {
		return l.path.errorf("record %d: a list view of size %d at offset %d of %d elements", record, count[i], o, l.numElements)
	}
	if o < 0 || next < 0 {
		return l.path.errorf("record %d: offset %d is negative", record, min(o, next))
	}
	if next < o {
		return l.path.errorf("record %d: offsets %d and %d are out of order", record, o, next)
	}
	return l.path.errorf("record %d: offset %d lies beyond the %d elements", record, next, l.numElements)
}

// slotCursor goes through the slots of runs in order.
type slotCursor struct {
	runs []Run
	skip int // slots of the first run that are done
}

// extents fills start and count for the next n slots of the list l, and reports whether the elements of each adjoin
// those of the one before; views are not asked. ok is false if they do not all lie within the child.
func (c *slotCursor) extents(l *listNode, n, shift int, start, count *[extentBlock]int) (adjoin, ok bool) {
	adjoin = !l.views()
	for at := 0; at < n; {
		run := c.runs[0]
		take := min(run.Len-c.skip, n-at)
		if !l.extents(run.Slot+c.skip+shift, take, start[at:], count[at:]) {
			return false, false
		}
		if at > 0 && start[at] != start[at-1]+count[at-1] {
			adjoin = false
		}
		at += take
		c.advance(take)
	}
	return adjoin, true
}
