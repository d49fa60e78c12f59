package encode

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"
)

// byteBounds keeps the smallest and largest of the byte strings added since the last take.
type byteBounds struct {
	order    sortOrder
	text     bool // bounds stay valid UTF-8
	most     int  // bytes of a bound, before it is cut
	flip     uint64
	some     bool
	nans     int64
	min, max []byte
	minKey   uint64 // of min; see key
	maxKey   uint64
}

// newByteBounds returns bounds that are cut to so many bytes if lengths differ; below 0 they are not.
func newByteBounds(leaf *leafColumn, boundBytes int) byteBounds {
	b := byteBounds{order: leaf.Order, most: math.MaxInt}
	if leaf.Physical == typeByteArray && boundBytes >= 0 {
		b.most = boundBytes
	}
	switch leaf.Logical.Kind {
	case logicalString, logicalEnum, logicalJSON:
		b.text = true
	}
	if b.order == orderSignedBytes {
		b.flip = 1 << 63
	}
	return b
}

// key returns the first eight bytes as a number. Where the keys of two values differ, the values compare as they do.
func (b *byteBounds) key(v []byte) uint64 {
	if cap(v) >= 8 {
		return b.keyOf(word(v, 0), len(v))
	}
	var k uint64
	for i, c := range v {
		k |= uint64(c) << (56 - 8*i)
	}
	return k ^ b.flip
}

// keyOf is key of n bytes, of which the first are in w, with others behind them if they are fewer than eight.
func (b *byteBounds) keyOf(w uint64, n int) uint64 {
	absent := uint(64 - 8*min(8, n))
	return bits.ReverseBytes64(w)>>absent<<absent ^ b.flip
}

// less compares values whose keys are equal. Only fixed-length values have a sign, and it is in the key.
func less(a, b []byte) bool { return bytes.Compare(a, b) < 0 }

func more(a, b []byte) bool { return less(b, a) }

// boundStep is how many values are looked at together.
const boundStep = 128

// add takes a block of values, which comes so many times. Only values whose keys are the least or the largest of some are
// compared.
func (b *byteBounds) add(block *byteBlock, times int) {
	switch b.order {
	case orderUndefined:
		return
	case orderFloat16:
		for i := range block.n {
			n := times
			if block.times != nil {
				n *= block.times[i]
			}
			b.addFloat16(block.at(i), n)
		}
		return
	}
	first := 0
	if !b.some && block.n > 0 {
		b.addOne(block.at(0))
		first = 1
	}
	var keys [boundStep]uint64
	for i := first; i < block.n; i += boundStep {
		part := keys[:min(boundStep, block.n-i)]
		lo, hi := b.keys(part, block, i)
		if lo <= b.minKey {
			b.min, b.minKey = extreme(b.min, lo == b.minKey, block, i, part, lo, less), lo
		}
		if hi >= b.maxKey {
			b.max, b.maxKey = extreme(b.max, hi == b.maxKey, block, i, part, hi, more), hi
		}
	}
}

// keys sets dst to the keys of a block's values from one on, and returns the least and the largest.
func (b *byteBounds) keys(dst []uint64, block *byteBlock, from int) (lo, hi uint64) {
	lo, hi = math.MaxUint64, 0
	data := block.data
	switch {
	case block.lo == nil && block.width >= 8:
		for i := range dst {
			k := b.keyOf(word(data, (from+i)*block.width), 8)
			dst[i], lo, hi = k, min(lo, k), max(hi, k)
		}
	case block.lo != nil && block.from == nil:
		starts, ends := block.lo[from:][:len(dst)], block.hi[from:][:len(dst)]
		for i, at := range starts {
			var k uint64
			if at+8 <= len(data) {
				k = b.keyOf(word(data, at), ends[i]-at)
			} else {
				k = b.key(data[at:ends[i]])
			}
			dst[i], lo, hi = k, min(lo, k), max(hi, k)
		}
	default:
		for i := range dst {
			k := b.key(block.at(from + i))
			dst[i], lo, hi = k, min(lo, k), max(hi, k)
		}
	}
	return lo, hi
}

// extreme returns the bound, of which `known` says that its key is the given one, or in its memory the first before it of
// those of a block's values, which have these keys from one on, that have that key.
func extreme(
	bound []byte, known bool, block *byteBlock, from int, keys []uint64, key uint64, before func(x, y []byte) bool,
) []byte {
	first := bound
	for i, k := range keys {
		if k == key {
			if v := block.at(from + i); !known || before(v, first) {
				first, known = v, true
			}
		}
	}
	return append(bound[:0], first...)
}

// addOne takes one value.
func (b *byteBounds) addOne(v []byte) {
	switch b.order {
	case orderUndefined:
		return
	case orderFloat16:
		b.addFloat16(v, 1)
		return
	}
	k := b.key(v)
	if !b.some || k < b.minKey || k == b.minKey && less(v, b.min) {
		b.min, b.minKey = append(b.min[:0], v...), k
	}
	if !b.some || k > b.maxKey || k == b.maxKey && less(b.max, v) {
		b.max, b.maxKey = append(b.max[:0], v...), k
	}
	b.some = true
}

// addFloat16 takes one half-precision float. A NaN is only counted; a zero bound takes the sign that leaves no zero out.
func (b *byteBounds) addFloat16(v []byte, times int) {
	if isNaN16(v) {
		b.nans += int64(times)
		return
	}
	x := binary.LittleEndian.Uint16(v)
	if x&0x7fff == 0 {
		b.addOrdered16(0x8000)
		x = 0
	}
	b.addOrdered16(x)
}

func isNaN16(v []byte) bool { return binary.LittleEndian.Uint16(v)&0x7fff > 0x7c00 }

func (b *byteBounds) addOrdered16(x uint16) {
	k := uint64(ordered16(x))
	if !b.some || k < b.minKey {
		b.min, b.minKey = binary.LittleEndian.AppendUint16(b.min[:0], x), k
	}
	if !b.some || k > b.maxKey {
		b.max, b.maxKey = binary.LittleEndian.AppendUint16(b.max[:0], x), k
	}
	b.some = true
}

// take returns the bounds, cut if they are long.
func (b *byteBounds) take() pageBounds {
	r := pageBounds{nans: b.nans}
	if b.some {
		r.ok = true
		r.min, r.minExact = b.cutMin()
		r.max, r.maxExact = b.cutMax()
	}
	b.some, b.nans = false, 0
	return r
}

// cutMin returns the smallest value, or a prefix of it.
func (b *byteBounds) cutMin() (bound []byte, exact bool) {
	if len(b.min) <= b.most {
		return bytes.Clone(b.min), true
	}
	return bytes.Clone(b.min[:b.cutAt(b.min)]), false
}

// cutMax returns the largest value, or a prefix of it that is rounded up, or the whole value if that cannot be done.
func (b *byteBounds) cutMax() (bound []byte, exact bool) {
	if len(b.max) <= b.most {
		return bytes.Clone(b.max), true
	}
	prefix := bytes.Clone(b.max[:b.cutAt(b.max)])
	if b.text && utf8.Valid(prefix) {
		prefix = incrementText(prefix)
	} else {
		prefix = incrementBytes(prefix)
	}
	if prefix == nil {
		return bytes.Clone(b.max), true
	}
	return prefix, false
}

// cutAt returns where to cut a long value: not inside a code point of a text.
func (b *byteBounds) cutAt(v []byte) int {
	n := b.most
	if b.text {
		for n > max(0, b.most-utf8.UTFMax) && !utf8.RuneStart(v[n]) {
			n--
		}
		if !utf8.RuneStart(v[n]) {
			n = b.most
		}
	}
	return n
}

// incrementBytes returns the shortest string above all that begin with v, or nil if there is none.
func incrementBytes(v []byte) []byte {
	for i := len(v) - 1; i >= 0; i-- {
		if v[i] != 0xff {
			v[i]++
			return v[:i+1]
		}
	}
	return nil
}

// incrementText is incrementBytes for code points. None is replaced with one that takes more bytes.
func incrementText(v []byte) []byte {
	for len(v) > 0 {
		r, n := utf8.DecodeLastRune(v)
		v = v[:len(v)-n]
		if r++; r == 0xd800 {
			r = 0xe000
		}
		if utf8.RuneLen(r) == n {
			return utf8.AppendRune(v, r)
		}
	}
	return nil
}

// compareBounds compares two bounds of one column: negative, 0 or positive.
func compareBounds(order sortOrder, physical physicalType, a, b []byte) int {
	switch order {
	case orderSignedBytes:
		if len(a) > 0 && len(b) > 0 && a[0]>>7 != b[0]>>7 {
			return int(b[0]>>7) - int(a[0]>>7)
		}
		return bytes.Compare(a, b)
	case orderFloat16:
		return int(ordered16(binary.LittleEndian.Uint16(a))) - int(ordered16(binary.LittleEndian.Uint16(b)))
	case orderUnsignedBytes:
		return bytes.Compare(a, b)
	}
	return compareNumbers(order, physical, a, b)
}

// ordered16 maps the bits of half-precision floats to numbers of the same order.
func ordered16(x uint16) uint16 {
	if x>>15 != 0 {
		return ^x
	}
	return x + 0x8000
}
