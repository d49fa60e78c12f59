package encode

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// byteBlock is a block of byte strings in storage. Without lo and hi they are width bytes each, one behind the other.
// They lie in data, or each in one of the buffers.
type byteBlock struct {
	data    []byte
	buffers [][]byte
	from    []uint32 // the buffer of each; nil: all are in data
	lo, hi  []int
	width   int
	n       int
	times   []int // how often each stands in a row; nil: once
}

func (b *byteBlock) at(i int) []byte {
	if b.lo == nil {
		return b.data[i*b.width : (i+1)*b.width]
	}
	data := b.data
	if b.from != nil {
		data = b.buffers[b.from[i]]
	}
	return data[b.lo[i]:b.hi[i]]
}

// standing returns how many values there are.
func (b *byteBlock) standing() int { return levels.Standing(b.times, b.n) }

// numBytes returns the bytes of all values, each as often as it stands.
func (b *byteBlock) numBytes() int {
	if b.lo == nil {
		return b.standing() * b.width
	}
	total := 0
	for i, times := range b.times {
		total += (b.hi[i] - b.lo[i]) * times
	}
	if b.times != nil {
		return total
	}
	for i := range b.n {
		total += b.hi[i] - b.lo[i]
	}
	return total
}

// byteSource is where the values of a byte array column come from.
type byteSource interface {
	bind(data arrow.ArrayData) error
	release()
	// each calls yield with the values, in order, of a span that is not Repeated. A block is valid during the call.
	each(s *levels.Span, yield func(block *byteBlock) error) error
	// gather returns the values at up to blockValues slots; valid until the next call.
	gather(slots []uint32) (*byteBlock, error)
	// numBytes returns how many bytes the span's values have, without lengths.
	numBytes(s *levels.Span) int
	// mostBytes returns no fewer than numBytes, fast.
	mostBytes(s *levels.Span) int
}

// places are where the values of a block lie in a buffer. The zero value has no memory yet, as a column may never have
// a value.
type places struct {
	lo, hi []int
}

// reserve makes room for a block.
func (p *places) reserve() {
	if p.lo == nil {
		p.lo, p.hi = make([]int, blockValues), make([]int, blockValues)
	}
}

// offsetBytes is the storage of (large) strings and binaries.
type offsetBytes[O uint32 | uint64] struct {
	offsets []O
	data    []byte
	block   byteBlock
	places
}

func (o *offsetBytes[O]) bind(data arrow.ArrayData) error {
	*o = offsetBytes[O]{places: o.places}
	if data.Len() == 0 {
		return nil
	}
	raw, err := storageBytes(data, 1, 0)
	if err != nil {
		return err
	}
	first, end := data.Offset(), data.Offset()+data.Len()
	offsets := keysAs[O](raw)
	if len(offsets)-1 < end {
		return fmt.Errorf("%d offsets for %d slots, needs one more than slots", len(offsets), end)
	}
	o.offsets = offsets[:end+1]
	last := o.offsets[first]
	signs := last // the bits of all offsets and of all lengths, as both are negative if any is
	for _, next := range o.offsets[first+1:] {
		signs |= next | (next - last)
		last = next
	}
	if signedOffset(signs) < 0 {
		return o.errOffsets(first)
	}
	if o.data, err = storageBytes(data, 2, 0); err != nil {
		return err
	}
	if uint64(last) > uint64(len(o.data)) {
		return fmt.Errorf("slot %d ends at byte %d of a buffer of %d bytes", end-1-first, uint64(last), len(o.data))
	}
	return nil
}

// errOffsets is the error of offsets of which one is negative or below the one before it.
func (o *offsetBytes[O]) errOffsets(first int) error {
	last := int64(0)
	for i, offset := range o.offsets[first:] {
		next := signedOffset(offset)
		if next < 0 {
			return fmt.Errorf("slot %d: offset %d is negative", max(0, i-1), next)
		}
		if next < last {
			return fmt.Errorf("slot %d: offsets %d and %d are out of order", i-1, last, next)
		}
		last = next
	}
	panic("encode: offsets are in order after all")
}

// signedOffset returns an offset as Arrow defines it.
func signedOffset[O uint32 | uint64](o O) int64 {
	if unsafe.Sizeof(o) == 4 {
		return int64(int32(o))
	}
	return int64(o)
}

func (o *offsetBytes[O]) release() { o.offsets, o.data, o.block = nil, nil, byteBlock{} }

func (o *offsetBytes[O]) each(s *levels.Span, yield func(*byteBlock) error) error {
	o.reserve()
	o.block = byteBlock{data: o.data, lo: o.lo, hi: o.hi}
	ordinal := 0
	for run := range s.Runs {
		slot, n := run.Slot, run.Len
		for i := 0; i < n; i += blockValues {
			m := min(blockValues, n-i)
			if o.block.n = o.extents(slot+i, m, s.Mask, ordinal); o.block.n > 0 {
				if err := yield(&o.block); err != nil {
					return err
				}
			}
			ordinal += m
		}
	}
	return nil
}

// extents sets lo and hi for those of n slots that mask, from bit at on, has set, and returns their number.
func (o *offsetBytes[O]) extents(slot, n int, mask levels.Bits, at int) int {
	offsets := o.offsets[slot : slot+n+1]
	lo, hi := o.lo[:n], o.hi[:n]
	if mask.All() {
		for i := range n {
			lo[i], hi[i] = int(offsets[i]), int(offsets[i+1])
		}
		return n
	}
	k := 0
	for i := 0; i < n; i += 64 {
		for w := mask.Word(at+i) & lowBits(n-i); w != 0; w &= w - 1 {
			j := i + bits.TrailingZeros64(w)
			lo[k], hi[k] = int(offsets[j]), int(offsets[j+1])
			k++
		}
	}
	return k
}

func (o *offsetBytes[O]) gather(slots []uint32) (*byteBlock, error) {
	o.reserve()
	o.block = byteBlock{data: o.data, lo: o.lo, hi: o.hi, n: len(slots)}
	for i, slot := range slots {
		o.lo[i], o.hi[i] = int(o.offsets[slot]), int(o.offsets[slot+1])
	}
	return &o.block, nil
}

func (o *offsetBytes[O]) mostBytes(s *levels.Span) int {
	total := 0
	for run := range s.Runs {
		total += int(o.offsets[run.Slot+run.Len]-o.offsets[run.Slot]) * run.Times
	}
	return total
}

func (o *offsetBytes[O]) numBytes(s *levels.Span) int {
	if s.Mask.All() {
		return o.mostBytes(s)
	}
	total := 0
	_ = o.each(s, func(b *byteBlock) error {
		total += b.numBytes()
		return nil
	})
	return total
}
