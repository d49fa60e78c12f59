package levels

import (
	"encoding/binary"
	"math/bits"
)

// AppendBits writes the n bits of src behind the first have bits of dst, grows dst as needed and returns it. Bits of dst
// past have must be 0, and so are those of the result past have+n. dst may be longer than its bits need.
func AppendBits(dst []byte, have int, src Bits, n int) []byte {
	dst = growBits(dst, have+n)
	for i := 0; i < n; {
		k, shift := (have+i)>>3, (have+i)&7
		if shift == 0 {
			if i += 8 * putBytes(dst[k:], src.Skip(i), (n-i)/8); i == n {
				break
			}
			k = (have + i) >> 3
		}
		take := min(64-shift, n-i)
		w := src.Word(i) & lowMask(take)
		old := binary.LittleEndian.Uint64(dst[k:])
		binary.LittleEndian.PutUint64(dst[k:], old|w<<shift)
		i += take
	}
	return dst
}

// putBytes writes the first bytes of src, at most n, to dst, which is 0 so far. It returns how many it has written: all but
// the last few.
func putBytes(dst []byte, src Bits, n int) int {
	if src.All() || n < 8 {
		return 0
	}
	first := min(src.Offset>>3, len(src.Bytes))
	if src.Offset&7 == 0 {
		copy(dst[:n], src.Bytes[first:])
		return n
	}
	whole := min(n, len(src.Bytes)-first-1) / 8 // words that have a byte behind them
	if whole <= 0 {
		return 0
	}
	w := src.words(0)
	for k := range whole {
		binary.LittleEndian.PutUint64(dst[8*k:], w.at(k))
	}
	return 8 * whole
}

// AppendSelected is AppendBits for those of the n bits that mask has set. It returns their number too.
func AppendSelected(dst []byte, have int, src, mask Bits, n int) ([]byte, int) {
	if mask.All() {
		return AppendBits(dst, have, src, n), n
	}
	dst = growBits(dst, have+n)
	at := have
	for i := 0; i < n; i += 64 {
		m := mask.Word(i) & lowMask(n-i)
		w := extractWord(src.Word(i), m)
		k, shift := at>>3, at&7
		old := binary.LittleEndian.Uint64(dst[k:])
		binary.LittleEndian.PutUint64(dst[k:], old|w<<shift)
		dst[k+8] |= byte(w >> (63 - shift) >> 1)
		at += bits.OnesCount64(m)
	}
	return dst, at - have
}

// growBits makes room for n bits and nine bytes more, all 0 where dst had none.
func growBits(dst []byte, n int) []byte {
	need := n/8 + 10
	if need <= len(dst) {
		return dst
	}
	if need <= cap(dst) {
		old := len(dst)
		dst = dst[:need]
		clear(dst[old:])
		return dst
	}
	grown := make([]byte, need, max(need, 2*cap(dst)))
	copy(grown, dst)
	return grown
}

// extractWord packs the bits of w that mask has set to the low end. (PEXT, in plain Go.)
func extractWord(w, mask uint64) uint64 {
	w &= mask
	if gaps := ^mask; bits.OnesCount64(gaps) <= 24 {
		// Few gaps: close each one, from the top, by shifting what lies above it.
		for gaps != 0 {
			top := uint(63 - bits.LeadingZeros64(gaps))
			low := uint64(1)<<top - 1
			w = w&low | w>>1&^low
			gaps &= low
		}
		return w
	}
	var out uint64
	for at := 0; mask != 0; mask &= mask - 1 {
		out |= (w >> bits.TrailingZeros64(mask) & 1) << at
		at++
	}
	return out
}
