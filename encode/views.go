package encode

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// viewBytes is the storage of string and binary views (Columnar.rst, "Variable-size Binary View Layout"). A slot that
// is null, or that nobody reaches, may hold anything, so a view is checked when it is read.
type viewBytes struct {
	views   []view
	buffers [][]byte // the views themselves, then the data buffers
	block   byteBlock
	slots   []uint32
	from    []uint32
	places
}

// view is one slot. The bytes of a short value stand behind its length, as they do in plain encoding.
type view struct {
	length uint32
	_      uint32 // the first bytes of the value
	buffer uint32 // where it lies, if it is long
	offset uint32
}

const (
	viewSize    = 16
	inlineBytes = 12 // of a value that stands in its view
	fromView    = 0  // in the place of a data buffer
)

func (v *viewBytes) bind(data arrow.ArrayData) (err error) {
	v.release()
	if v.from == nil {
		v.reserve()
		v.slots, v.from = make([]uint32, blockValues), make([]uint32, blockValues)
	}
	if v.views, err = storageOf[view](data, 1); err != nil {
		return err
	}
	v.buffers = append(v.buffers, bytesOf(v.views))
	for i := 2; i < len(data.Buffers()); i++ {
		v.buffers = append(v.buffers, bufferBytes(data, i))
	}
	return nil
}

func (v *viewBytes) release() {
	clear(v.buffers)
	v.views, v.buffers, v.block = nil, v.buffers[:0], byteBlock{}
}

func (v *viewBytes) each(s *levels.Span, yield func(*byteBlock) error) error {
	ordinal, done := 0, 0
	for run := range s.Runs {
		for i := 0; i < run.Len; {
			k, passed := pickSlots(v.slots, run.Len-i, s.Mask, ordinal)
			if err := v.locate(run.Slot+i, v.slots[:k]); err != nil {
				return offsetError(err, done, nil)
			}
			if k > 0 {
				if err := yield(&v.block); err != nil {
					return err
				}
			}
			i, ordinal, done = i+passed, ordinal+passed, done+k
		}
	}
	return nil
}

func (v *viewBytes) gather(slots []uint32) (*byteBlock, error) {
	err := v.locate(0, slots)
	return &v.block, err
}

// locate makes a block of the values at slots, which are counted from slot first on.
func (v *viewBytes) locate(first int, slots []uint32) error {
	v.block = byteBlock{lo: v.lo, hi: v.hi, buffers: v.buffers, from: v.from, n: len(slots)}
	views := v.views[first:]
	lo, hi, from := v.lo[:len(slots)], v.hi[:len(slots)], v.from[:len(slots)]
	for k, slot := range slots {
		w := &views[slot]
		if w.length <= inlineBytes {
			at := (first+int(slot))*viewSize + 4
			lo[k], hi[k], from[k] = at, at+int(w.length), fromView
			continue
		}
		if err := v.check(w); err != nil {
			return &valueError{k, err}
		}
		lo[k], hi[k], from[k] = int(w.offset), int(w.offset)+int(w.length), w.buffer+1
	}
	return nil
}

// check says what is wrong with the view of a long value.
func (v *viewBytes) check(w *view) error {
	length, buffer, offset := int32(w.length), int32(w.buffer), int32(w.offset)
	if length < 0 {
		return fmt.Errorf("a view of length %d", length)
	}
	if buffer < 0 || int(buffer) >= len(v.buffers)-1 {
		return fmt.Errorf("a view into data buffer %d: there are %d", buffer, len(v.buffers)-1)
	}
	if have := len(v.buffers[buffer+1]); offset < 0 || int64(offset)+int64(length) > int64(have) {
		return fmt.Errorf("a view of %d bytes from byte %d on of a data buffer of %d", length, offset, have)
	}
	return nil
}

func (v *viewBytes) mostBytes(s *levels.Span) int { return v.numBytes(s) }

// numBytes takes lengths as they stand: one that cannot be is refused when its value is read.
func (v *viewBytes) numBytes(s *levels.Span) int {
	ordinal, total := 0, 0
	for run := range s.Runs {
		bytes := 0
		for i := 0; i < run.Len; {
			k, passed := pickSlots(v.slots, run.Len-i, s.Mask, ordinal)
			views := v.views[run.Slot+i:]
			for _, slot := range v.slots[:k] {
				bytes += int(views[slot].length)
			}
			i, ordinal = i+passed, ordinal+passed
		}
		total += bytes * run.Times
	}
	return total
}
