package encode

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// DELTA_BINARY_PACKED (Encodings.md, "Delta Encoding"): a header with the first value, then blocks of the differences
// between each value and the one before. The layout is the one that other writers have, so that every reader knows it:
//
//	page    uvarint 128, uvarint 4, uvarint number of values, varint first value, block...
//	block   varint least delta, 4 bit widths of a byte each, miniblock...
//	        128 deltas, the last block may have fewer
//	mini-   32 deltas less the least one, bit-packed; the last is padded with the least delta, and those after it
//	block   have width 0 and no bytes
//
// Differences wrap around in the width of the physical type, and take no more bits than it has.
const (
	deltaBlockValues = 128
	miniblocks       = 4
	miniblockValues  = deltaBlockValues / miniblocks
)

// Most bytes that deltas of 32-bit values take.
const (
	maxDeltaHeader32 = 2 + 1 + 5 + 5
	maxDeltaBlock32  = 5 + miniblocks + 4*deltaBlockValues
)

// packSlack is what packMiniblock writes at most behind the end.
const packSlack = 8

// appendDelta32 appends the INT32 values of plain, which are in plain encoding, in DELTA_BINARY_PACKED.
func appendDelta32(dst, plain []byte) []byte {
	w := deltaWriter{dst: dst}
	w.ints32(plain)
	return w.dst
}

// appendDelta64 is appendDelta32 for INT64.
func appendDelta64(dst, plain []byte) []byte {
	w := deltaWriter{dst: dst}
	w.ints64(plain)
	return w.dst
}

// deltaSize32 returns the number of bytes that appendDelta32 appends.
func deltaSize32(plain []byte) int {
	w := deltaWriter{counting: true}
	w.ints32(plain)
	return w.size
}

// deltaSize64 returns the number of bytes that appendDelta64 appends.
func deltaSize64(plain []byte) int {
	w := deltaWriter{counting: true}
	w.ints64(plain)
	return w.size
}

// deltaWriter puts header and blocks together, or counts the bytes that they would take.
type deltaWriter struct {
	dst      []byte
	counting bool
	size     int
}

func (w *deltaWriter) ints32(plain []byte) {
	if len(plain) == 0 {
		w.header(0, 0)
		return
	}
	last := binary.LittleEndian.Uint32(plain)
	w.header(len(plain)/4, int64(int32(last)))
	var b deltaBlock
	for plain = plain[4:]; len(plain) > 0; {
		part := plain[:min(len(plain), 4*deltaBlockValues)]
		last = b.fill32(part, last)
		w.block(&b, len(part)/4)
		plain = plain[len(part):]
	}
}

func (w *deltaWriter) ints64(plain []byte) {
	if len(plain) == 0 {
		w.header(0, 0)
		return
	}
	last := binary.LittleEndian.Uint64(plain)
	w.header(len(plain)/8, int64(last))
	var b deltaBlock
	for plain = plain[8:]; len(plain) > 0; {
		part := plain[:min(len(plain), 8*deltaBlockValues)]
		last = b.fill64(part, last)
		w.block(&b, len(part)/8)
		plain = plain[len(part):]
	}
}

// header begins the deltas of n values. There is a first value even if n is 0.
func (w *deltaWriter) header(n int, first int64) {
	var b [32]byte
	h := binary.AppendUvarint(b[:0], deltaBlockValues)
	h = binary.AppendUvarint(h, miniblocks)
	h = binary.AppendUvarint(h, uint64(n))
	h = binary.AppendVarint(h, first)
	if w.counting {
		w.size += len(h)
		return
	}
	w.dst = append(w.dst, h...)
}

// block writes the first n deltas of b, of which there is at least one.
func (w *deltaWriter) block(b *deltaBlock, n int) {
	least, widths := b.widths(n)
	packed := 0
	for _, width := range widths {
		packed += miniblockValues / 8 * int(width)
	}
	if w.counting {
		zigzag := uint64(least<<1) ^ uint64(least>>63)
		w.size += (bits.Len64(zigzag|1)+6)/7 + miniblocks + packed
		return
	}
	w.dst = binary.AppendVarint(w.dst, least)
	w.dst = append(w.dst, widths[:]...)
	for ; n%miniblockValues != 0; n++ {
		b.deltas[n] = uint64(least)
	}
	at := len(w.dst)
	w.dst = grow(w.dst, packed+packSlack)
	for i, width := range widths {
		packMiniblock(w.dst[at:], b.miniblock(i), uint64(least), int(width))
		at += miniblockValues / 8 * int(width)
	}
	w.dst = w.dst[:at]
}

// deltaBlock is the deltas of a block, as signed numbers, and the range of each miniblock.
type deltaBlock struct {
	deltas [deltaBlockValues]uint64
	ranges [miniblocks]deltaRange
}

// deltaRange is the least and the largest of some deltas.
type deltaRange struct{ lo, hi int64 }

var noDeltas = deltaRange{math.MaxInt64, math.MinInt64}

func (r deltaRange) with(delta uint64) deltaRange {
	return deltaRange{min(r.lo, int64(delta)), max(r.hi, int64(delta))}
}

func (b *deltaBlock) miniblock(i int) *[miniblockValues]uint64 {
	return (*[miniblockValues]uint64)(b.deltas[i*miniblockValues:])
}

// widths returns the least of the first n deltas, and how many bits the deltas of each miniblock take above it.
func (b *deltaBlock) widths(n int) (least int64, widths [miniblocks]uint8) {
	used := b.ranges[:(n+miniblockValues-1)/miniblockValues]
	least = used[0].lo
	for _, r := range used {
		least = min(least, r.lo)
	}
	for i, r := range used {
		widths[i] = uint8(bits.Len64(uint64(r.hi - least)))
	}
	return least, widths
}

// fill32 sets the block to the deltas of at most a block's values, and returns the last value.
func (b *deltaBlock) fill32(plain []byte, last uint32) uint32 {
	for i := 0; len(plain) > 0; i++ {
		d, r := b.miniblock(i), &b.ranges[i]
		if len(plain) >= 4*miniblockValues {
			*r, last = deltas32(d, (*[4 * miniblockValues]byte)(plain), last)
			plain = plain[4*miniblockValues:]
			continue
		}
		*r = noDeltas
		for k := 0; len(plain) > 0; k++ {
			v := binary.LittleEndian.Uint32(plain)
			d[k] = uint64(int32(v - last))
			*r = r.with(d[k])
			plain, last = plain[4:], v
		}
	}
	return last
}

// fill64 is fill32 for 64 bits.
func (b *deltaBlock) fill64(plain []byte, last uint64) uint64 {
	for i := 0; len(plain) > 0; i++ {
		d, r := b.miniblock(i), &b.ranges[i]
		if len(plain) >= 8*miniblockValues {
			*r, last = deltas64(d, (*[8 * miniblockValues]byte)(plain), last)
			plain = plain[8*miniblockValues:]
			continue
		}
		*r = noDeltas
		for k := 0; len(plain) > 0; k++ {
			v := binary.LittleEndian.Uint64(plain)
			d[k] = v - last
			*r = r.with(d[k])
			plain, last = plain[8:], v
		}
	}
	return last
}

// fill sets the block to the deltas of its first n elements, which are values, and returns the last value.
func (b *deltaBlock) fill(n int, last uint64) uint64 {
	for i := range (n + miniblockValues - 1) / miniblockValues {
		r := noDeltas
		d := b.miniblock(i)[:min(miniblockValues, n-i*miniblockValues)]
		for k, v := range d {
			d[k] = v - last
			r, last = r.with(v-last), v
		}
		b.ranges[i] = r
	}
	return last
}

// deltas32 sets d to the deltas of a miniblock's values, and returns their range and the last value. It keeps two
// ranges, as each comparison waits for the one before.
func deltas32(d *[miniblockValues]uint64, plain *[4 * miniblockValues]byte, last uint32) (deltaRange, uint32) {
	even, odd := noDeltas, noDeltas
	for i := range miniblockValues / 4 {
		p, e := (*[16]byte)(plain[16*i:]), (*[4]uint64)(d[4*i:])
		v0, v1 := binary.LittleEndian.Uint32(p[0:]), binary.LittleEndian.Uint32(p[4:])
		v2, v3 := binary.LittleEndian.Uint32(p[8:]), binary.LittleEndian.Uint32(p[12:])
		d0, d1 := uint64(int32(v0-last)), uint64(int32(v1-v0))
		d2, d3 := uint64(int32(v2-v1)), uint64(int32(v3-v2))
		e[0], e[1], e[2], e[3], last = d0, d1, d2, d3, v3
		even, odd = even.with(d0), odd.with(d1)
		even, odd = even.with(d2), odd.with(d3)
	}
	return deltaRange{min(even.lo, odd.lo), max(even.hi, odd.hi)}, last
}

// deltas64 is deltas32 for 64 bits.
func deltas64(d *[miniblockValues]uint64, plain *[8 * miniblockValues]byte, last uint64) (deltaRange, uint64) {
	even, odd := noDeltas, noDeltas
	for i := range miniblockValues / 4 {
		p, e := (*[32]byte)(plain[32*i:]), (*[4]uint64)(d[4*i:])
		v0, v1 := binary.LittleEndian.Uint64(p[0:]), binary.LittleEndian.Uint64(p[8:])
		v2, v3 := binary.LittleEndian.Uint64(p[16:]), binary.LittleEndian.Uint64(p[24:])
		d0, d1, d2, d3 := v0-last, v1-v0, v2-v1, v3-v2
		e[0], e[1], e[2], e[3], last = d0, d1, d2, d3, v3
		even, odd = even.with(d0), odd.with(d1)
		even, odd = even.with(d2), odd.with(d3)
	}
	return deltaRange{min(even.lo, odd.lo), max(even.hi, odd.hi)}, last
}
