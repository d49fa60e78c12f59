package levels

import "github.com/apache/arrow-go/v18/arrow"

// listForm is how a list type says where the elements of a slot lie.
type listForm int

const (
	formOffsets32 listForm = iota // list, map
	formOffsets64                 // large list
	formFixed                     // fixed-size list
)

// listNode opens a frame for its elements.
type listNode struct {
	path     path
	nullable bool
	form     listForm
	width    int // elements a slot, of a fixed-size list
	elem     node

	valid       []byte
	offset      int
	offsets32   []int32
	offsets64   []int64
	numElements int

	gathered bitmap
	masked   bitmap
	defined  threshold
	flatRuns []Run
	flatMask bitmap
	expand   expansion
}

func (l *listNode) bind(t *Tree, data arrow.ArrayData) error {
	valid, err := validityBitmap(data, l.path)
	if err != nil {
		return err
	}
	l.valid, l.offset = valid, data.Offset()
	if len(data.Children()) != 1 {
		return l.path.errorf("a list with %d children, not one", len(data.Children()))
	}
	if data.Children()[0] == nil {
		return l.path.errorf("child 0 is missing")
	}
	child := data.Children()[0]
	l.numElements = child.Len()
	end := data.Offset() + data.Len()
	if l.form == formFixed {
		if l.width > 0 && child.Len()/l.width < end {
			return l.path.errorf("%d elements for %d fixed-size lists of %d", child.Len(), end, l.width)
		}
	} else if err := l.bindOffsets(data, end); err != nil {
		return err
	}
	return l.elem.bind(t, child)
}

// bindOffsets checks that there are offsets for end slots. What they say is checked when they are used.
func (l *listNode) bindOffsets(data arrow.ArrayData, end int) error {
	if data.Len() == 0 {
		return nil
	}
	if len(data.Buffers()) < 2 || data.Buffers()[1] == nil {
		return l.path.errorf("a list without offsets")
	}
	have, offsets := 0, data.Buffers()[1].Bytes()
	if l.form == formOffsets64 {
		l.offsets64 = arrow.GetData[int64](offsets)
		have = len(l.offsets64)
	} else {
		l.offsets32 = arrow.GetData[int32](offsets)
		have = len(l.offsets32)
	}
	if have <= end {
		return l.path.errorf("%d offsets for %d lists, need one more than lists", have, end)
	}
	return nil
}

func (l *listNode) release() {
	l.valid, l.offsets32, l.offsets64 = nil, nil, nil
	l.elem.release()
}

func (l *listNode) walk(t *Tree, sc scope) error {
	valid := sc.validity(l.valid, l.offset, &l.gathered)
	mask, left, err := sc.restrict(valid, l.nullable, l.path, &l.masked)
	if err != nil {
		return err
	}
	if l.nullable {
		sc.def = l.defined.over(sc, mask, left)
	}
	if sc.repeated {
		return l.walkRepeated(t, sc, mask)
	}
	return l.expand.run(t, l, sc, mask)
}

// extents fills start and count with where the elements of n storage slots from slot on lie. It reports false if they
// do not all lie, in order, within the child.
func (l *listNode) extents(slot, n int, start, count []int) bool {
	start, count = start[:n], count[:n]
	switch l.form {
	case formOffsets32:
		return extentsOf(l.offsets32[slot:slot+n+1], start, count, l.numElements)
	case formOffsets64:
		return extentsOf(l.offsets64[slot:slot+n+1], start, count, l.numElements)
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

// extentError describes the first list that extents did not like. from is its number among the slots of sc.
func (l *listNode) extentError(sc scope, from int, start, count []int) error {
	i, o, next := 0, 0, 0
	for i = range start {
		o, next = start[i], start[i]+count[i]
		if o < 0 || next < o || next > l.numElements {
			break
		}
	}
	record := sc.recordOfEntry(from + i)
	if o < 0 || next < 0 {
		return l.path.errorf("record %d: offset %d is negative", record, min(o, next))
	}
	if next < o {
		return l.path.errorf("record %d: offsets %d and %d are out of order", record, o, next)
	}
	return l.path.errorf("record %d: offset %d lies beyond the %d elements", record, next, l.numElements)
}
