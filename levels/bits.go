package levels

import (
	"encoding/binary"
	"math/bits"
)

// Bits is a view of a bitmap in Arrow's and Parquet's bit order (least significant bit first): bit i stands in
// Bytes[(Offset+i)/8] at position (Offset+i)%8. A view with nil Bytes has every bit set. The length is known from
// where the view stands (slots or levels of a span). A view borrows its bytes; it is never written through.
type Bits struct {
	Bytes  []byte
	Offset int
}

// All reports whether the view is the one that has every bit set without storage.
func (b Bits) All() bool { return b.Bytes == nil }

// is reports whether two views that have storage are of the same bits of it.
func (b Bits) is(o Bits) bool {
	return len(b.Bytes) > 0 && len(o.Bytes) > 0 && &b.Bytes[0] == &o.Bytes[0] && b.Offset == o.Offset
}

// Skip returns the view without its first n bits.
func (b Bits) Skip(n int) Bits {
	if b.Bytes != nil {
		b.Offset += n
	}
	return b
}

// At returns bit i.
func (b Bits) At(i int) bool {
	if b.Bytes == nil {
		return true
	}
	i += b.Offset
	return b.Bytes[i>>3]>>(i&7)&1 != 0
}

// Word returns the 64 bits from bit i on, bit i lowest. Bits past the end of the storage are 0; bits past the end of
// the view hold whatever the storage has there.
func (b Bits) Word(i int) uint64 {
	if b.Bytes == nil {
		return ^uint64(0)
	}
	i += b.Offset
	k, shift := i>>3, uint(i&7)
	if k+9 <= len(b.Bytes) {
		return binary.LittleEndian.Uint64(b.Bytes[k:])>>shift | uint64(b.Bytes[k+8])<<(63-shift)<<1
	}
	return b.tailWord(k, shift)
}

func (b Bits) tailWord(k int, shift uint) uint64 {
	var w uint64
	for j := range 9 {
		if k+j >= len(b.Bytes) {
			break
		}
		x := uint64(b.Bytes[k+j])
		if j == 8 {
			w |= x << (63 - shift) << 1
		} else if s := uint(8 * j); s >= shift {
			w |= x << (s - shift)
		} else {
			w |= x >> (shift - s)
		}
	}
	return w
}

// lowMask has the lowest n bits set, 0 <= n <= 64.
func lowMask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return uint64(1)<<uint(n) - 1
}

// Count returns the number of set bits among the n bits from bit i on.
func (b Bits) Count(i, n int) int {
	if b.Bytes == nil || n <= 0 {
		return max(0, n)
	}
	if i += b.Offset; i>>3 >= len(b.Bytes) {
		return 0
	}
	head := i & 7 // bits of the first byte that do not count
	data, n := b.Bytes[i>>3:], n+head
	count := -bits.OnesCount8(data[0] & (1<<head - 1))
	for ; n >= 64 && len(data) >= 8; n -= 64 {
		count += bits.OnesCount64(binary.LittleEndian.Uint64(data))
		data = data[8:]
	}
	return count + bits.OnesCount64(Bits{Bytes: data}.Word(0)&lowMask(n))
}

// Select returns the position of set bit number k (from 0) of the view, which must have that many.
func (b Bits) Select(k int) int {
	if b.Bytes == nil {
		return k
	}
	for i := 0; ; i += 64 {
		w := b.Word(i)
		if n := bits.OnesCount64(w); k >= n {
			k -= n
			continue
		}
		return i + selectWord(w, k)
	}
}

// stretch returns how many of the n bits from bit i on are the same as bit i, without a gap.
func (b Bits) stretch(i, n int) int {
	if b.Bytes == nil {
		return n
	}
	var flip uint64
	if b.At(i) {
		flip = ^flip
	}
	for k := 0; k < n; k += 64 {
		if other := b.Word(i+k) ^ flip; other != 0 {
			return min(n, k+bits.TrailingZeros64(other))
		}
	}
	return n
}

// recurring returns how many of the n bits from bit i on are the same as those k before them, the first k included,
// without a gap.
func (b Bits) recurring(i, n, k int) int {
	if b.Bytes == nil || n <= k {
		return n
	}
	for at := k; at < n; at += 64 {
		if differs := b.Word(i+at) ^ b.Word(i+at-k); differs != 0 {
			return min(n, at+bits.TrailingZeros64(differs))
		}
	}
	return n
}

// selectWord returns the position of set bit number k of w.
func selectWord(w uint64, k int) int {
	for ; k > 0; k-- {
		w &= w - 1
	}
	return bits.TrailingZeros64(w)
}

// words reads the words of a view that has storage, without Word's care for its end: all but the last, which is the
// only one without a byte behind it.
type words struct {
	bytes []byte
	shift uint
}

// words returns the words of the bits from bit i on.
func (b Bits) words(i int) words {
	i += b.Offset
	return words{b.Bytes[i>>3:], uint(i & 7)}
}

// at returns word k, bits 64k to 64k+63.
func (w words) at(k int) uint64 {
	b := w.bytes[k*8 : k*8+9]
	return binary.LittleEndian.Uint64(b)>>(w.shift&7) | uint64(b[8])<<1<<(63-w.shift&7)
}

// bitmap is a scratch bitmap that starts at bit 0 and has room for whole words.
type bitmap []byte

// newBitmap returns a bitmap with room for n bits and one word more, so that Word never needs its slow tail.
func newBitmap(n int) bitmap { return make(bitmap, numWords(n)*8+9) }

// numWords returns the number of words that n bits take.
func numWords(n int) int { return (n + 63) >> 6 }

func (m bitmap) word(i int) uint64       { return binary.LittleEndian.Uint64(m[i*8:]) }
func (m bitmap) setWord(i int, w uint64) { binary.LittleEndian.PutUint64(m[i*8:], w) }
func (m bitmap) view() Bits              { return Bits{Bytes: m} }

// clear zeroes the first n bits, in whole words.
func (m bitmap) clear(n int) { clear(m[:numWords(n)*8]) }

// fill sets every bit of a bitmap for at most MaxSpanLevels bits.
func (m bitmap) fill() { copy(m, constant[1].Bytes) }

// clearRange zeroes the n bits from bit at on.
func (m bitmap) clearRange(at, n int) {
	for n > 0 {
		k, shift := at>>6, at&63
		take := min(64-shift, n)
		m.setWord(k, m.word(k)&^(lowMask(take)<<shift))
		at, n = at+take, n-take
	}
}

// setRange sets the n bits from bit at on.
func (m bitmap) setRange(at, n int) {
	for n > 0 {
		k, shift := at>>6, at&63
		take := min(64-shift, n)
		m.setWord(k, m.word(k)|lowMask(take)<<shift)
		at, n = at+take, n-take
	}
}

// and sets the first n bits of m to a and b. A view that has every bit set is returned as the other, unchanged.
func (m bitmap) and(a, b Bits, n int) Bits {
	if a.All() {
		return b
	}
	if b.All() {
		return a
	}
	x, y, last := a.words(0), b.words(0), numWords(n)-1
	for k := range last {
		m.setWord(k, x.at(k)&y.at(k))
	}
	if last >= 0 {
		m.setWord(last, a.Word(last<<6)&b.Word(last<<6))
	}
	return m.view()
}

// xor sets the first n bits of m to the exclusive or of a's and b's. a may be m itself.
func (m bitmap) xor(a, b Bits, n int) Bits {
	x, y, last := a.words(0), b.words(0), numWords(n)-1
	for k := range last {
		m.setWord(k, x.at(k)^y.at(k))
	}
	if last >= 0 {
		m.setWord(last, a.Word(last<<6)^b.Word(last<<6))
	}
	return m.view()
}

// not sets the first n bits of m to the complement of b's.
func (m bitmap) not(b Bits, n int) Bits {
	x, last := b.words(0), numWords(n)-1
	for k := range last {
		m.setWord(k, ^x.at(k))
	}
	if last >= 0 {
		m.setWord(last, ^b.Word(last<<6))
	}
	return m.view()
}

// deposit spreads the successive bits of src over the positions that are set in the first n bits of where; positions
// that are not set get fill. (The PDEP of every word, in plain Go.)
func (m bitmap) deposit(where, src Bits, n int, fill bool) Bits {
	if where.All() {
		return src
	}
	var rest uint64
	if fill {
		rest = ^uint64(0)
	}
	taken := 0
	for k := range numWords(n) {
		mask, w := where.Word(k<<6)&lowMask(n-k<<6), rest
		switch mask {
		case 0:
		case ^uint64(0):
			w = src.Word(taken)
		default:
			w = depositWord(mask, src.Word(taken)) | rest&^mask
		}
		m.setWord(k, w)
		taken += bits.OnesCount64(mask)
	}
	return m.view()
}

// spread6 has, for every mask of 6 bits, the bits of every source of as many bits spread over it; count6 counts them.
var spread6, count6 = func() (spread [64][64]uint8, count [64]uint8) {
	for mask := range 64 {
		for src := range 64 {
			from := 0
			for bit := range 6 {
				if mask>>bit&1 != 0 {
					spread[mask][src] |= uint8(src>>from&1) << bit
					from++
				}
			}
			count[mask] = uint8(from)
		}
	}
	return spread, count
}()

// depositWord spreads the lowest bits of w over the set bits of mask.
func depositWord(mask, w uint64) uint64 {
	var out uint64
	n := bits.OnesCount64(mask)
	switch {
	case w&lowMask(n) == 0 || ^w&lowMask(n) == 0:
		return mask & -(w & 1)
	case n <= 12: // place each bit
		for ; mask != 0; mask &= mask - 1 {
			out |= mask & -mask & -(w & 1)
			w >>= 1
		}
	case n >= 64-8: // open each gap by shifting what lies above it
		out = w
		for gaps := ^mask; gaps != 0; gaps &= gaps - 1 {
			low := gaps&-gaps - 1
			out = out&low | out&^low<<1
		}
	default:
		for at := 0; at < 64; at += 6 {
			m := mask >> at & 63
			out |= uint64(spread6[m][w&63]) << at
			w >>= count6[m] & 7
		}
	}
	return out
}

// appendBits writes the n bits of src from bit i on to m from bit at on. The bits of m from at on must be 0.
func (m bitmap) appendBits(at int, src Bits, i, n int) {
	for n > 0 {
		k, shift := at>>6, uint(at&63)
		take := min(64-int(shift), n)
		m.setWord(k, m.word(k)|(src.Word(i)&lowMask(take))<<shift)
		at, i, n = at+take, i+take, n-take
	}
}
