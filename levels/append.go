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
		take := min(64-shift, n-i)
		w := src.Word(i) & lowMask(take)
		old := binary.LittleEndian.Uint64(dst[k:])
		binary.LittleEndian.PutUint64(dst[k:], old|w<<shift)
		i += take
	}
	return dst
}

// AppendAgain appends times copies of bits from to from+n-1 of dst, which are its last.
func AppendAgain(dst []byte, from, n, times int) []byte {
	have, end := from+n, from+n*(times+1)
	if have >= end {
		return dst
	}
	dst = growBits(dst, end)
	if n > 32 {
		for have < end {
			take := min(have-from, end-have) // as much as stands there already
			dst = AppendBits(dst, have, Bits{Bytes: dst, Offset: from}, take)
			have += take
		}
		return dst
	}
	putAgain(dst, have, end, Bits{Bytes: dst}.Word(from)&lowMask(n), n)
	return dst
}

// AppendRepeated is AppendBits for the levels of tiles, which are total in all, each as often as its tile stands.
func AppendRepeated(dst []byte, have int, src Bits, tiles []Tile, total int) []byte {
	dst = growBits(dst, have+total)
	at := 0
	for _, tile := range tiles {
		n, end := tile.NumLevels, have+tile.NumLevels*tile.Times
		if n > 32 {
			dst = AppendBits(dst, have, src.Skip(at), n)
			dst = AppendAgain(dst, have, n, tile.Times-1)
		} else {
			putAgain(dst, have, end, src.Word(at)&lowMask(n), n)
		}
		at, have = at+n, end
	}
	return dst
}

// putAgain writes bits have to end-1 of dst, which are 0 so far: n bits, at most 32, over and over.
func putAgain(dst []byte, have, end int, w uint64, n int) {
	switch w {
	case 0:
		return
	case lowMask(n):
		w, n = ^uint64(0), 64
	}
	for n <= 32 && n < end-have { // as many copies as a word has room for
		w |= w << n
		n *= 2
	}
	for ; have < end; have += n {
		k, shift := have>>3, have&7
		piece := w & lowMask(end-have)
		old := binary.LittleEndian.Uint64(dst[k:])
		binary.LittleEndian.PutUint64(dst[k:], old|piece<<shift)
		dst[k+8] |= byte(piece >> (63 - shift) >> 1)
	}
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
