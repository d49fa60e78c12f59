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
	if len(v) >= 8 {
		return binary.BigEndian.Uint64(v) ^ b.flip
	}
	var k uint64
	for i, c := range v {
		k |= uint64(c) << (56 - 8*i)
	}
	return k ^ b.flip
}

// less compares values whose keys are equal. Only fixed-length values have a sign, and it is in the key.
func less(a, b []byte) bool { return bytes.Compare(a, b) < 0 }

// add takes a block of values, which comes so many times.
func (b *byteBounds) add(block *byteBlock, times int) {
	if b.order == orderUndefined {
		return
	}
	if b.order == orderFloat16 {
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
		v := block.at(0)
		b.some, b.minKey, b.maxKey = true, b.key(v), b.key(v)
		b.min, b.max = append(b.min[:0], v...), append(b.max[:0], v...)
		first = 1
	}
	lo, hi := -1, -1
	loKey, hiKey := b.minKey, b.maxKey
	loValue, hiValue := b.min, b.max
	data, whole := block.data, block.lo == nil && block.width >= 8
	var from, to []int // where the values lie in data, if it is known of each
	if block.lo != nil && block.from == nil {
		from, to = block.lo[:block.n], block.hi[:block.n]
	}
	for i := first; i < block.n; i++ {
		var k uint64
		if whole {
			k = bits.ReverseBytes64(word(data, i*block.width)) ^ b.flip
		} else if i < len(from) && from[i]+8 <= len(data) {
			absent := 64 - 8*min(8, to[i]-from[i])
			k = bits.ReverseBytes64(word(data, from[i]))>>absent<<absent ^ b.flip
		} else {
			k = b.key(block.at(i))
		}
		if k > loKey && k < hiKey {
			continue
		}
		v := block.at(i)
		if k < loKey || k == loKey && less(v, loValue) {
			lo, loKey, loValue = i, k, v
		}
		if k > hiKey || k == hiKey && less(hiValue, v) {
			hi, hiKey, hiValue = i, k, v
		}
	}
	if lo >= 0 {
		b.min, b.minKey = append(b.min[:0], loValue...), loKey
	}
	if hi >= 0 {
		b.max, b.maxKey = append(b.max[:0], hiValue...), hiKey
	}
}

// addOne takes one value.
func (b *byteBounds) addOne(v []byte) {
	b.add(&byteBlock{data: v, width: len(v), n: 1}, 1)
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
