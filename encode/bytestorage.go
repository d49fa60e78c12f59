package encode

import (
	"encoding/binary"
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
	times   int // that each stands in a row
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

// numBytes returns the bytes of all values, each once.
func (b *byteBlock) numBytes() int {
	if b.lo == nil {
		return b.n * b.width
	}
	total := 0
	for i := range b.n {
		total += b.hi[i] - b.lo[i]
	}
	return total
}

// byteSource is where the values of a byte array column come from.
type byteSource interface {
	bind(data arrow.ArrayData) error
	release()
	// each calls yield with the span's values in order. A block is valid during the call.
	each(s *levels.Span, yield func(block *byteBlock) error) error
	// gather returns the values at up to blockValues slots; valid until the next call.
	gather(slots []uint32) (*byteBlock, error)
	// numBytes returns how many bytes the span's values have, without lengths.
	numBytes(s *levels.Span) int
	// mostBytes returns no fewer than numBytes, fast.
	mostBytes(s *levels.Span) int
}

// places are where the values of a block lie in a buffer. The zero value has no memory yet: many columns have few values.
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
	var disorder bool
	last := o.offsets[first]
	for _, next := range o.offsets[first+1:] {
		disorder = disorder || next < last
		last = next
	}
	if disorder || signedOffset(last) < 0 {
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
		o.block.times = run.Times
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
		w := mask.Word(at + i)
		if n-i < 64 {
			w &= 1<<(n-i) - 1
		}
		for ; w != 0; w &= w - 1 {
			j := i + bits.TrailingZeros64(w)
			lo[k], hi[k] = int(offsets[j]), int(offsets[j+1])
			k++
		}
	}
	return k
}

func (o *offsetBytes[O]) gather(slots []uint32) (*byteBlock, error) {
	o.reserve()
	o.block = byteBlock{data: o.data, lo: o.lo, hi: o.hi, n: len(slots), times: 1}
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
		total += b.numBytes() * b.times
		return nil
	})
	return total
}

// fixedBytes is storage of `from` bytes a slot; each value is width bytes. convert, if any, makes the one of the other.
type fixedBytes struct {
	width, from int
	convert     func(dst, src []byte, width int) (bad int, err error)
	storage     []byte
	gathered    []byte
	out         []byte
	block       byteBlock
	places
}

// maxGatheredBytes is the most bytes of a value that is copied to lie beside others. A schema may declare any number, and
// a block is of a thousand.
const maxGatheredBytes = 64

func (f *fixedBytes) bind(data arrow.ArrayData) error {
	slots := data.Offset() + data.Len()
	b, err := storageBytes(data, 1, 0)
	if err == nil && len(b)/f.from < slots {
		err = fmt.Errorf("the values buffer holds %d slots, the array %d", len(b)/f.from, slots)
	}
	f.storage = b
	return err
}

func (f *fixedBytes) release() { f.storage, f.block = nil, byteBlock{} }

func (f *fixedBytes) mostBytes(s *levels.Span) int { return s.NumValues * f.width }
func (f *fixedBytes) numBytes(s *levels.Span) int  { return s.NumValues * f.width }

func (f *fixedBytes) each(s *levels.Span, yield func(*byteBlock) error) error {
	ordinal, done := 0, 0
	for run := range s.Runs {
		slot, n := run.Slot, run.Len
		step := blockValues
		if s.Mask.All() && f.convert == nil {
			step = n
		}
		for i := 0; i < n; i += step {
			m := min(step, n-i)
			block, err := f.masked(slot+i, m, s.Mask, ordinal)
			if err != nil {
				return offsetError(err, done, run.Times)
			}
			ordinal += m
			block.times = run.Times
			if done += block.n * run.Times; block.n > 0 {
				if err := yield(block); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// masked returns those of the n values from slot on that mask, from bit at on, has set.
func (f *fixedBytes) masked(slot, n int, mask levels.Bits, at int) (*byteBlock, error) {
	src := f.storage[slot*f.from : (slot+n)*f.from]
	if mask.All() {
		f.makeScratch()
		return f.converted(src)
	}
	if f.from > maxGatheredBytes {
		var slots [blockValues]uint32
		return f.located(slot, slots[:selectMasked(slots[:n], mask, at)]), nil
	}
	f.makeScratch()
	return f.converted(gatherFixed(f.gathered, src, f.from, mask, at))
}

// located returns large values where they lie. Slots are counted from slot first on.
func (f *fixedBytes) located(first int, slots []uint32) *byteBlock {
	f.reserve()
	f.block = byteBlock{data: f.storage, lo: f.lo, hi: f.hi, n: len(slots), times: 1}
	for k, slot := range slots {
		f.lo[k] = (first + int(slot)) * f.from
		f.hi[k] = f.lo[k] + f.from
	}
	return &f.block
}

// converted returns storage bytes as a block of values.
func (f *fixedBytes) converted(src []byte) (*byteBlock, error) {
	n := len(src) / f.from
	f.block = byteBlock{data: src, width: f.width, n: n, times: 1}
	if f.convert != nil {
		f.block.data = f.out[:n*f.width]
		if bad, err := f.convert(f.block.data, src, f.width); err != nil {
			return nil, &valueError{bad, err}
		}
	}
	return &f.block, nil
}

func (f *fixedBytes) gather(slots []uint32) (*byteBlock, error) {
	if f.from > maxGatheredBytes {
		return f.located(0, slots), nil
	}
	f.makeScratch()
	for i, slot := range slots {
		copy(f.gathered[i*f.from:(i+1)*f.from], f.storage[int(slot)*f.from:])
	}
	return f.converted(f.gathered[:len(slots)*f.from])
}

func (f *fixedBytes) makeScratch() {
	if f.gathered == nil && f.from <= maxGatheredBytes {
		f.gathered = make([]byte, blockValues*f.from)
		if f.convert != nil {
			f.out = make([]byte, blockValues*f.width)
		}
	}
}

// gatherFixed is gatherMasked for slots of a width that is known only now.
func gatherFixed(dst, src []byte, width int, mask levels.Bits, at int) []byte {
	n := len(src) / width
	switch width {
	case 4:
		k := gatherMasked(keysAs[[4]byte](dst), keysAs[[4]byte](src), mask, at)
		return dst[:k*4]
	case 8:
		k := gatherMasked(keysAs[[8]byte](dst), keysAs[[8]byte](src), mask, at)
		return dst[:k*8]
	case 16:
		k := gatherMasked(keysAs[[16]byte](dst), keysAs[[16]byte](src), mask, at)
		return dst[:k*16]
	case 32:
		k := gatherMasked(keysAs[[32]byte](dst), keysAs[[32]byte](src), mask, at)
		return dst[:k*32]
	}
	k := 0
	for i := 0; i < n; i += 64 {
		w := mask.Word(at + i)
		if n-i < 64 {
			w &= 1<<(n-i) - 1
		}
		for ; w != 0; w &= w - 1 {
			j := i + bits.TrailingZeros64(w)
			k += copy(dst[k:k+width], src[j*width:])
		}
	}
	return dst[:k]
}

// bigEndian makes big-endian decimals, as short as their precision allows, of Arrow's words.
func bigEndian(words int, precision int32) func(dst, src []byte, width int) (int, error) {
	limit := powerOfTen(precision)
	return func(dst, src []byte, width int) (int, error) {
		var w words256
		var be [32]byte
		for i := 0; i*words*8 < len(src); i++ {
			for k := range words {
				w[k] = binary.LittleEndian.Uint64(src[(i*words+k)*8:])
				binary.BigEndian.PutUint64(be[(words-1-k)*8:], w[k])
			}
			if exceeds(w[:words], &limit) {
				return i, errPrecision(precision)
			}
			copy(dst[i*width:(i+1)*width], be[words*8-width:words*8])
		}
		return 0, nil
	}
}
