package encode

import (
	"bytes"
	"fmt"
	"math/bits"

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

// offsetBytes is the storage of (large) strings and binaries. Offsets are checked when a value is read: those of slots
// that nobody reads are not looked at.
type offsetBytes[O int32 | int64] struct {
	offsets []O
	data    []byte
	block   byteBlock
	again   [1]int // how often an empty value stands
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
	end := data.Offset() + data.Len()
	offsets := keysAs[O](raw)
	if len(offsets)-1 < end {
		return fmt.Errorf("%d offsets for %d slots, needs one more than slots", len(offsets), end)
	}
	o.offsets = offsets[:end+1]
	o.data, err = storageBytes(data, 2, 0)
	return err
}

func (o *offsetBytes[O]) release() { o.offsets, o.data, o.block = nil, nil, byteBlock{} }

func (o *offsetBytes[O]) each(s *levels.Span, yield func(*byteBlock) error) error {
	o.reserve()
	o.block = byteBlock{data: o.data, lo: o.lo, hi: o.hi}
	ordinal, done := 0, 0
	for run := range s.Runs {
		slot, n := run.Slot, run.Len
		for i := 0; i < n; {
			passed, err := o.next(slot+i, n-i, s.Mask, ordinal)
			if err != nil {
				return offsetError(err, done, nil)
			}
			if o.block.n > 0 {
				if err := yield(&o.block); err != nil {
					return err
				}
			}
			i, ordinal, done = i+passed, ordinal+passed, done+o.block.standing()
		}
	}
	return nil
}

// next makes a block of those of the next n slots that mask, from bit at on, has set, as far as there is room, and returns
// how many slots it has passed.
func (o *offsetBytes[O]) next(slot, n int, mask levels.Bits, at int) (passed int, err error) {
	o.block.times = nil
	if passed = o.empty(slot, n); passed > 0 {
		o.lo[0], o.hi[0], o.block.n = 0, 0, 0
		if o.again[0] = mask.Count(at, passed); o.again[0] > 0 {
			o.block.n, o.block.times = 1, o.again[:]
		}
		return passed, nil
	}
	k, passed, ok := o.extents(slot, n, mask, at)
	if !ok {
		return 0, o.extentError(k)
	}
	o.block.n = k
	return passed, nil
}

// leastEmpty is how many empty values in a row are taken for one that stands so often.
const leastEmpty = 64

// empty returns how many of n slots from slot on are empty, as far as that is easy to tell: all, those that may make a
// block, or none.
func (o *offsetBytes[O]) empty(slot, n int) int {
	for _, n := range [2]int{n, min(n, blockValues)} {
		offsets := o.offsets[slot : slot+n+1]
		if first := offsets[0]; n < leastEmpty || first != offsets[n] || first < 0 || int(first) > len(o.data) {
			continue
		}
		if bytes.Equal(bytesOf(offsets[1:]), bytesOf(offsets[:n])) {
			return n
		}
	}
	return 0
}

// extents sets lo and hi for those of the next n slots that mask, from bit at on, has set, as far as there is room, and
// returns their number, and how many slots it has passed. It reports false if they do not all lie, in order, in the data.
func (o *offsetBytes[O]) extents(slot, n int, mask levels.Bits, at int) (k, passed int, ok bool) {
	offsets := o.offsets[slot : slot+n+1]
	lo, hi := o.lo, o.hi
	signs := 0 // the bits of what is negative if anything is wrong
	if mask.All() {
		n = min(n, blockValues)
		offsets, lo, hi := offsets[1:n+1], lo[:n], hi[:n]
		last := int(o.offsets[slot])
		for i, offset := range offsets {
			next := int(offset)
			lo[i], hi[i] = last, next
			signs |= last | (next - last)
			last = next
		}
		return n, n, signs|last >= 0 && last <= len(o.data)
	}
	limit := len(o.data)
	for ; passed < n && k <= blockValues-64; passed += 64 {
		for w := mask.Word(at+passed) & lowBits(n-passed); w != 0; w &= w - 1 {
			j := passed + bits.TrailingZeros64(w)
			from, to := int(offsets[j]), int(offsets[j+1])
			lo[k], hi[k] = from, to
			signs |= from | to | (to - from) | (limit - to)
			k++
		}
	}
	return k, min(passed, n), signs >= 0
}

// extentError is the error of the first of k extents that is wrong.
func (o *offsetBytes[O]) extentError(k int) error {
	for i := range k {
		lo, hi := o.lo[i], o.hi[i]
		switch {
		case lo < 0 || hi < 0:
			return &valueError{i, fmt.Errorf("offset %d is negative", min(lo, hi))}
		case hi < lo:
			return &valueError{i, fmt.Errorf("offsets %d and %d are out of order", lo, hi)}
		case hi > len(o.data):
			return &valueError{i, fmt.Errorf("a value that ends at byte %d of a buffer of %d bytes", hi, len(o.data))}
		}
	}
	panic("encode: extents are right after all")
}

func (o *offsetBytes[O]) gather(slots []uint32) (*byteBlock, error) {
	o.reserve()
	o.block = byteBlock{data: o.data, lo: o.lo, hi: o.hi, n: len(slots)}
	limit, signs := len(o.data), 0
	for i, slot := range slots {
		from, to := int(o.offsets[slot]), int(o.offsets[slot+1])
		o.lo[i], o.hi[i] = from, to
		signs |= from | to | (to - from) | (limit - to)
	}
	if signs < 0 {
		return nil, o.extentError(len(slots))
	}
	return &o.block, nil
}

func (o *offsetBytes[O]) mostBytes(s *levels.Span) int {
	total := 0
	for run := range s.Runs {
		total += (int(o.offsets[run.Slot+run.Len]) - int(o.offsets[run.Slot])) * run.Times
	}
	return total
}

// numBytes takes offsets as they stand: those that cannot be are refused when their values are read.
func (o *offsetBytes[O]) numBytes(s *levels.Span) int {
	if s.Mask.All() {
		return o.mostBytes(s)
	}
	ordinal, total := 0, 0
	for run := range s.Runs {
		for i := 0; i < run.Len; i += 64 {
			for w := s.Mask.Word(ordinal+i) & lowBits(run.Len-i); w != 0; w &= w - 1 {
				slot := run.Slot + i + bits.TrailingZeros64(w)
				total += int(o.offsets[slot+1]) - int(o.offsets[slot])
			}
		}
		ordinal += run.Len
	}
	return total
}
