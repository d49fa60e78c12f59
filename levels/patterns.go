package levels

import (
	"encoding/binary"
	"math/bits"
)

// Pattern is Len levels of a span, from level First on, that stand Times times in a row.
type Pattern struct {
	First, Len, Times int
}

// AppendPatterns appends the patterns that a span's levels make, from the first on, by its tiles. Tiles one after the
// other that have the same levels are one pattern.
func (l Levels) AppendPatterns(patterns []Pattern, tiles []Tile) []Pattern {
	if len(tiles) == 1 {
		return append(patterns, Pattern{0, tiles[0].NumLevels, tiles[0].Times})
	}
	end := 0
	for i := range tiles {
		end += tiles[i].NumLevels
	}
	last := Pattern{}
	at, same := 0, 0 // levels before same, from at on, are as those of the tile before
	for _, tile := range tiles {
		n := tile.NumLevels
		if n != last.Len {
			same = 0
		} else if at+n > same {
			same = l.recurring(at, n, end)
		}
		if at+n <= same {
			last.Times += tile.Times
		} else {
			if last.Len > 0 {
				patterns = append(patterns, last)
			}
			last = Pattern{at, n, tile.Times}
		}
		at += n
	}
	return append(patterns, last)
}

// recurring returns the first level from `from` on, or end, that is not what the level n before it is.
func (l Levels) recurring(from, n, end int) int {
	for i := from; i < end; i += 64 {
		var differs uint64
		for _, plane := range l.Planes {
			differs |= plane.Word(l.First+i) ^ plane.Word(l.First+i-n)
		}
		if differs != 0 {
			return min(end, i+bits.TrailingZeros64(differs))
		}
	}
	return end
}

// Same reports whether all levels of a pattern are one.
func (l Levels) Same(p Pattern) bool {
	return l.recurring(p.First+1, 1, p.First+p.Len) == p.First+p.Len
}

// AppendRepeated is AppendBits for the levels that patterns select of src, which are total in all.
func AppendRepeated(dst []byte, have int, src Bits, patterns []Pattern, total int) []byte {
	dst = growBits(dst, have+total)
	for _, p := range patterns {
		end := have + p.Len*p.Times
		if p.Len > 32 {
			dst = AppendBits(dst, have, src.Skip(p.First), p.Len)
			dst = AppendAgain(dst, have, p.Len, p.Times-1)
		} else {
			putAgain(dst, have, end, src.Word(p.First)&lowMask(p.Len), p.Len)
		}
		have = end
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
	if n <= 32 {
		putAgain(dst, have, end, Bits{Bytes: dst}.Word(from)&lowMask(n), n)
		return dst
	}
	first, period := wholeBytes(from, n)
	for stop := min(end, (first+period)*8); have < stop; {
		take := min(have-from, stop-have) // as much as stands there already
		dst = AppendBits(dst, have, Bits{Bytes: dst, Offset: from}, take)
		have += take
	}
	if have < end {
		bytesAgain(dst, first, period, end)
	}
	return dst
}

// wholeBytes returns the first byte that bits from bit `from` on, which come again after n, fill, and after how many bytes
// those come again.
func wholeBytes(from, n int) (first, period int) {
	return (from + 7) >> 3, n >> min(3, bits.TrailingZeros(uint(n)))
}

// againBytes is the most that is copied at a time, so that it is near.
const againBytes = 4 << 10

// bytesAgain copies the n bytes from byte first on behind themselves, up to bit end. The bits behind that in its byte
// become 0.
func bytesAgain(dst []byte, first, n, end int) {
	stop := (end + 7) >> 3
	for have, size := first+n, n; have < stop; {
		have += copy(dst[have:stop], dst[first:first+size])
		if size < againBytes && first+2*size <= have {
			size *= 2
		}
	}
	if end&7 != 0 {
		dst[end>>3] &= 1<<(end&7) - 1
	}
}

// fewBits are those that need no copies of whole bytes.
const fewBits = 1024

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
	stop := end
	first, period := 0, 0
	if end-have > fewBits {
		first, period = wholeBytes(have, n)
		stop = (first + period) * 8
	}
	for at := have; at < stop; at += n {
		k, shift := at>>3, at&7
		piece := w & lowMask(stop-at)
		old := binary.LittleEndian.Uint64(dst[k:])
		binary.LittleEndian.PutUint64(dst[k:], old|piece<<shift)
		dst[k+8] |= byte(piece >> (63 - shift) >> 1)
	}
	if stop < end {
		bytesAgain(dst, first, period, end)
	}
}
