package encode

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

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

// maxGatheredBytes is the most bytes of a value that is copied to lie beside others. A schema may declare any number,
// and a block is of a thousand.
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
	step := blockValues
	if s.Mask.All() && f.convert == nil {
		step = math.MaxInt
	}
	pick := !s.Mask.All() && (f.from > maxGatheredBytes || isSparse(s))
	ordinal, done := 0, 0
	for run := range s.Runs {
		for i := 0; i < run.Len; {
			var block *byteBlock
			var err error
			passed := min(step, run.Len-i)
			if pick {
				block, passed, err = f.picked(run.Slot+i, run.Len-i, s.Mask, ordinal)
			} else {
				block, err = f.masked(run.Slot+i, passed, s.Mask, ordinal)
			}
			if err != nil {
				return offsetError(err, done, nil)
			}
			i, ordinal, done = i+passed, ordinal+passed, done+block.n
			if block.n > 0 {
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
	f.makeScratch()
	if mask.All() {
		return f.converted(src)
	}
	return f.converted(gatherFixed(f.gathered, src, f.from, mask, at))
}

// picked is masked for slots of which few have a value, or for large values. It returns how many slots it has passed.
func (f *fixedBytes) picked(slot, n int, mask levels.Bits, at int) (*byteBlock, int, error) {
	var slots [blockValues]uint32
	k, passed := pickSlots(slots[:], n, mask, at)
	block, err := f.atSlots(slot, slots[:k])
	return block, passed, err
}

// atSlots returns the values at slots, which are counted from slot first on.
func (f *fixedBytes) atSlots(first int, slots []uint32) (*byteBlock, error) {
	if f.from > maxGatheredBytes {
		return f.located(first, slots), nil
	}
	f.makeScratch()
	gathered := f.gathered[:len(slots)*f.from]
	gatherFixedSlots(gathered, f.storage[first*f.from:], f.from, slots)
	return f.converted(gathered)
}

// located returns large values where they lie. Slots are counted from slot first on.
func (f *fixedBytes) located(first int, slots []uint32) *byteBlock {
	f.reserve()
	f.block = byteBlock{data: f.storage, lo: f.lo, hi: f.hi, n: len(slots)}
	for k, slot := range slots {
		f.lo[k] = (first + int(slot)) * f.from
		f.hi[k] = f.lo[k] + f.from
	}
	return &f.block
}

// converted returns storage bytes as a block of values.
func (f *fixedBytes) converted(src []byte) (*byteBlock, error) {
	n := len(src) / f.from
	f.block = byteBlock{data: src, width: f.width, n: n}
	if f.convert != nil {
		f.block.data = f.out[:n*f.width]
		if bad, err := f.convert(f.block.data, src, f.width); err != nil {
			return nil, &valueError{bad, err}
		}
	}
	return &f.block, nil
}

func (f *fixedBytes) gather(slots []uint32) (*byteBlock, error) { return f.atSlots(0, slots) }

func (f *fixedBytes) makeScratch() {
	if f.gathered == nil && f.from <= maxGatheredBytes {
		f.gathered = make([]byte, blockValues*f.from)
		if f.convert != nil {
			f.out = make([]byte, blockValues*f.width+16)
		}
	}
}

// gatherAs is gatherMasked for slots of the size of S.
func gatherAs[S any](dst, src []byte, mask levels.Bits, at int) []byte {
	to := keysAs[S](dst)
	return bytesOf(to[:gatherMasked(to, keysAs[S](src), mask, at)])
}

// gatherFixed is gatherMasked for slots of a width that is known only now.
func gatherFixed(dst, src []byte, width int, mask levels.Bits, at int) []byte {
	n := len(src) / width
	switch width {
	case 4:
		return gatherAs[[4]byte](dst, src, mask, at)
	case 8:
		return gatherAs[[8]byte](dst, src, mask, at)
	case 16:
		return gatherAs[[16]byte](dst, src, mask, at)
	case 32:
		return gatherAs[[32]byte](dst, src, mask, at)
	}
	k := 0
	for i := 0; i < n; i += 64 {
		for w := mask.Word(at+i) & lowBits(n-i); w != 0; w &= w - 1 {
			j := i + bits.TrailingZeros64(w)
			k += copy(dst[k:k+width], src[j*width:])
		}
	}
	return dst[:k]
}

// bigEndian128 makes big-endian decimals, as short as their precision allows, of Arrow's words. Behind the last of them
// there is slack for another 16 bytes.
func bigEndian128(precision int32) func(dst, src []byte, width int) (int, error) {
	limit := powerOfTen(precision)
	offset := words128{limit[0] - 1, limit[1]} // that makes -limit + 1 a 0
	most := words128{offset[0] << 1, offset[1]<<1 | offset[0]>>63}
	return func(dst, src []byte, width int) (int, error) {
		n, shift := len(src)/16, uint(128-8*width)
		dst = dst[:n*width+16]
		var beyond uint64
		for i := range n {
			low, high := binary.LittleEndian.Uint64(src[i*16:]), binary.LittleEndian.Uint64(src[i*16+8:])
			x, carry := bits.Add64(low, offset[0], 0)
			y, _ := bits.Add64(high, offset[1], carry)
			_, borrow := bits.Sub64(most[0], x, 0)
			_, borrow = bits.Sub64(most[1], y, borrow)
			beyond |= borrow
			to := dst[i*width:][:16]
			binary.BigEndian.PutUint64(to, high<<shift|low>>(64-shift)|low<<(shift-64))
			binary.BigEndian.PutUint64(to[8:], low<<shift)
		}
		if beyond == 0 {
			return 0, nil
		}
		return firstBeyond(src, 2, &limit), errPrecision(precision)
	}
}

// firstBeyond returns the first decimal, of so many words, with an absolute value of limit or more.
func firstBeyond(src []byte, words int, limit *words256) int {
	var w words256
	for i := 0; ; i++ {
		for k := range words {
			w[k] = binary.LittleEndian.Uint64(src[(i*words+k)*8:])
		}
		if exceeds(w[:words], limit) {
			return i
		}
	}
}

// bigEndian256 is bigEndian128 of 256 bits.
func bigEndian256(precision int32) func(dst, src []byte, width int) (int, error) {
	limit := powerOfTen(precision)
	return func(dst, src []byte, width int) (int, error) {
		var w words256
		var be [32]byte
		for i := 0; i*32 < len(src); i++ {
			for k := range w {
				w[k] = binary.LittleEndian.Uint64(src[i*32+k*8:])
				binary.BigEndian.PutUint64(be[(3-k)*8:], w[k])
			}
			if exceeds(w[:], &limit) {
				return i, errPrecision(precision)
			}
			copy(dst[i*width:(i+1)*width], be[32-width:])
		}
		return 0, nil
	}
}

// bigEndianInts is bigEndian128 of integers of size bytes, at most 8.
func bigEndianInts(size int, precision int32) func(dst, src []byte, width int) (int, error) {
	limit := int64(powerOfTen(precision)[0])
	return func(dst, src []byte, width int) (int, error) {
		var be [8]byte
		for i := 0; i*size < len(src); i++ {
			v := int64(int32(binary.LittleEndian.Uint32(src[i*size:])))
			if size == 8 {
				v = int64(binary.LittleEndian.Uint64(src[i*size:]))
			}
			if v >= limit || v <= -limit {
				return i, errPrecision(precision)
			}
			binary.BigEndian.PutUint64(be[:], uint64(v))
			copy(dst[i*width:(i+1)*width], be[8-width:])
		}
		return 0, nil
	}
}

// gatherFixedSlots is gatherSlots for slots of a width that is known only now.
func gatherFixedSlots(dst, src []byte, width int, slots []uint32) {
	switch width {
	case 4:
		gatherSlots(keysAs[[4]byte](dst), keysAs[[4]byte](src), slots)
	case 8:
		gatherSlots(keysAs[[8]byte](dst), keysAs[[8]byte](src), slots)
	case 16:
		gatherSlots(keysAs[[16]byte](dst), keysAs[[16]byte](src), slots)
	case 32:
		gatherSlots(keysAs[[32]byte](dst), keysAs[[32]byte](src), slots)
	default:
		for i, slot := range slots {
			copy(dst[i*width:(i+1)*width], src[int(slot)*width:])
		}
	}
}
