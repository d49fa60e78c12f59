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
	if b.Bytes == nil {
		return n
	}
	count := 0
	for ; n >= 64; n -= 64 {
		count += bits.OnesCount64(b.Word(i))
		i += 64
	}
	if n > 0 {
		count += bits.OnesCount64(b.Word(i) & lowMask(n))
	}
	return count
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

// selectWord returns the position of set bit number k of w.
func selectWord(w uint64, k int) int {
	for ; k > 0; k-- {
		w &= w - 1
	}
	return bits.TrailingZeros64(w)
}

// bitmap is a scratch bitmap that starts at bit 0 and has room for whole words.
type bitmap []byte

// newBitmap returns a bitmap with room for n bits and one word more, so that Word never needs its slow tail.
func newBitmap(n int) bitmap { return make(bitmap, (n+63)/64*8+9) }

func (m bitmap) word(i int) uint64       { return binary.LittleEndian.Uint64(m[i*8:]) }
func (m bitmap) setWord(i int, w uint64) { binary.LittleEndian.PutUint64(m[i*8:], w) }
func (m bitmap) set(i int)               { m[i>>3] |= 1 << (i & 7) }
func (m bitmap) view() Bits              { return Bits{Bytes: m} }

// clear zeroes the first n bits, in whole words.
func (m bitmap) clear(n int) { clear(m[:(n+63)/64*8]) }

// and sets the first n bits of m to a and b. A view that has every bit set is returned as the other, unchanged.
func (m bitmap) and(a, b Bits, n int) Bits {
	if a.All() {
		return b
	}
	if b.All() {
		return a
	}
	for i := 0; i < n; i += 64 {
		m.setWord(i>>6, a.Word(i)&b.Word(i))
	}
	return m.view()
}

// not sets the first n bits of m to the complement of b's.
func (m bitmap) not(b Bits, n int) Bits {
	for i := 0; i < n; i += 64 {
		m.setWord(i>>6, ^b.Word(i))
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
	for i := 0; i < n; i += 64 {
		mask := where.Word(i)
		if n-i < 64 {
			mask &= lowMask(n - i)
		}
		m.setWord(i>>6, depositWord(mask, src, taken)|rest&^mask)
		taken += bits.OnesCount64(mask)
	}
	return m.view()
}

// depositWord spreads the bits of src from bit i on over the set bits of mask.
func depositWord(mask uint64, src Bits, i int) uint64 {
	if mask == 0 {
		return 0
	}
	w := src.Word(i)
	if gaps := ^mask; bits.OnesCount64(gaps) <= 24 {
		// Few gaps: open each one by shifting what lies above it.
		for ; gaps != 0; gaps &= gaps - 1 {
			low := gaps&-gaps - 1
			w = w&low | w&^low<<1
		}
		return w
	}
	var out uint64
	for ; mask != 0; mask &= mask - 1 {
		out |= (mask & -mask) & -(w & 1)
		w >>= 1
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
