package levels

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
)

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

	valid   []byte
	offset  int
	offsets []byte

	gathered  bitmap
	masked    bitmap
	deposited bitmap
	outer     []Bits // definition thresholds of the positions of the frame around, up to "is a list"
	expand    expansion
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
	if l.form == formFixed {
		if l.width > 0 && child.Len()/l.width < data.Offset()+data.Len() {
			return l.path.errorf("%d elements for %d fixed-size lists of %d", child.Len(), data.Len(), l.width)
		}
	} else if err := l.bindOffsets(data, child.Len()); err != nil {
		return err
	}
	return l.elem.bind(t, child)
}

// bindOffsets checks that the offsets are there, ascend and stay within the child.
func (l *listNode) bindOffsets(data arrow.ArrayData, numElements int) error {
	l.offsets = nil
	if data.Len() == 0 {
		return nil
	}
	size := 4
	if l.form == formOffsets64 {
		size = 8
	}
	if len(data.Buffers()) < 2 || data.Buffers()[1] == nil {
		return l.path.errorf("a list without offsets")
	}
	l.offsets = data.Buffers()[1].Bytes()
	if have := len(l.offsets) / size; have-1 < data.Offset()+data.Len() {
		return l.path.errorf("%d offsets for %d lists, need one more than lists", have, data.Offset()+data.Len())
	}
	first, end := data.Offset(), data.Offset()+data.Len()
	last := l.offsetAt(first)
	if last < 0 {
		return l.path.errorf("slot 0: offset %d is negative", last)
	}
	for i := first + 1; i <= end; i++ {
		o := l.offsetAt(i)
		if o < last {
			return l.path.errorf("slot %d: offsets %d and %d are out of order", i-1-first, last, o)
		}
		last = o
	}
	if last > numElements {
		return l.path.errorf("slot %d: offset %d lies beyond the %d elements", end-1-first, last, numElements)
	}
	return nil
}

func (l *listNode) offsetAt(i int) int {
	if l.form == formOffsets64 {
		return int(int64(binary.LittleEndian.Uint64(l.offsets[i*8:])))
	}
	return int(int32(binary.LittleEndian.Uint32(l.offsets[i*4:])))
}

func (l *listNode) release() {
	l.valid, l.offsets = nil, nil
	l.elem.release()
}

func (l *listNode) walk(t *Tree, sc scope) error {
	f := sc.frame
	valid := sc.validity(l.valid, l.offset, &l.gathered)
	mask, _, err := sc.restrict(valid, l.nullable, l.path, &l.masked)
	if err != nil {
		return err
	}
	l.outer = append(append(l.outer[:0], f.def...), sc.opt...)
	if l.nullable {
		l.outer = append(l.outer, f.deposit(mask, &l.deposited))
	}
	return l.expand.run(t, l, sc, mask)
}

// extents fills start and count with where the elements of n storage slots from slot on lie.
func (l *listNode) extents(slot, n int, start, count []int) {
	switch l.form {
	case formFixed:
		for i := range n {
			start[i], count[i] = (slot+i)*l.width, l.width
		}
	case formOffsets32:
		o := l.offsets[slot*4 : (slot+n+1)*4]
		at := int(int32(binary.LittleEndian.Uint32(o)))
		for i := range n {
			next := int(int32(binary.LittleEndian.Uint32(o[(i+1)*4:])))
			start[i], count[i] = at, next-at
			at = next
		}
	case formOffsets64:
		o := l.offsets[slot*8 : (slot+n+1)*8]
		at := int(binary.LittleEndian.Uint64(o))
		for i := range n {
			next := int(binary.LittleEndian.Uint64(o[(i+1)*8:]))
			start[i], count[i] = at, next-at
			at = next
		}
	}
}
