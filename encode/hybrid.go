package encode

import (
	"encoding/binary"
	"math/bits"
)

// The RLE/bit-packing hybrid (Encodings.md, "Run Length Encoding / Bit-Packing Hybrid"), for levels and dictionary
// indices. Bit-packed runs are cut into groups of eight entries. A stretch of one value that fills enough of them becomes
// an RLE run, which is smaller then; everything between goes into bit-packed runs. Levels, which are narrow, are looked at
// by the groups that they would have without RLE runs, so that a byte of a plane is a group. Indices are wide, and what
// follows an RLE run begins a group of its own. The choice depends only on the sequence, not on how it came.

// minUniformGroups returns how many uniform groups are worth an RLE run: it costs a header and a value, and a header for
// what follows.
func minUniformGroups(width int) int {
	return (2+(width+7)/8)/width + 1
}

// runWriter puts runs of either kind together. pack appends the groups first to last-1 bit-packed.
type runWriter struct {
	dst     []byte
	width   int
	packed  int // first group that is in no run yet
	packRun func(dst []byte, first, last int) []byte
}

// uniform closes the bit-packed run before group first and appends an RLE run of count entries of value. Groups first
// to last-1 are then done.
func (w *runWriter) uniform(value uint32, first, last, count int) {
	w.flush(first)
	w.packed = last
	w.dst = appendRun(w.dst, value, w.width, count)
}

// flush writes what is not in a run, up to group last, as one bit-packed run.
func (w *runWriter) flush(last int) {
	if n := last - w.packed; n > 0 {
		w.dst = binary.AppendUvarint(w.dst, uint64(n)<<1|1)
		w.dst = w.packRun(w.dst, w.packed, last)
		w.packed = last
	}
}

// appendLevelRuns appends n levels given as bit planes. The planes are readable, and 0, up to the next multiple of 64
// bits.
func appendLevelRuns(dst []byte, planes [][]byte, n int) []byte {
	w := runWriter{dst: dst, width: len(planes)}
	w.packRun = func(dst []byte, first, last int) []byte { return appendInterleaved(dst, planes, first, last) }
	groups := n / 8
	least := minUniformGroups(w.width)
	for g := 0; g < groups; {
		value, ok := uniformGroup(planes, g)
		if !ok {
			g = nextUniform(planes, g+1, groups)
			continue
		}
		end := uniformEnd(planes, value, g, groups)
		count, last := (end-g)*8, end
		if end == groups && tailUniform(planes, value, n) {
			count, last = n-g*8, end+1
		}
		if last-g >= least || count == n {
			w.uniform(value, g, last, count)
		}
		g = end
	}
	if groups == 0 && n > 0 {
		if value := planeValue(planes, 0); tailUniform(planes, value, n) {
			w.uniform(value, 0, 1, n)
		}
	}
	w.flush((n + 7) / 8)
	return w.dst
}

// appendRun appends an RLE run of count entries of one value.
func appendRun(dst []byte, value uint32, width, count int) []byte {
	if at := len(dst); count < 1<<13 && cap(dst)-at >= 8 { // at most two bytes of header
		header, n := uint64(count)<<1, 1
		if header >= 1<<7 {
			header, n = header&0x7f|0x80|header>>7<<8, 2
		}
		binary.LittleEndian.PutUint64(dst[at:at+8], header|uint64(value)<<(8*n))
		return dst[:at+n+(width+7)/8]
	}
	dst = binary.AppendUvarint(dst, uint64(count)<<1)
	for b := 0; b < width; b += 8 {
		dst = append(dst, byte(value>>b))
	}
	return dst
}

// planeValue returns the level at position i.
func planeValue(planes [][]byte, i int) uint32 {
	var v uint32
	for p, plane := range planes {
		v |= uint32(plane[i>>3]>>(i&7)&1) << p
	}
	return v
}

// uniformGroup reports whether all eight levels of a group are one value, and which.
func uniformGroup(planes [][]byte, g int) (value uint32, ok bool) {
	for p, plane := range planes {
		switch plane[g] {
		case 0:
		case 0xff:
			value |= 1 << p
		default:
			return 0, false
		}
	}
	return value, true
}

// nextUniform returns the first uniform group from g on, or groups.
func nextUniform(planes [][]byte, g, groups int) int {
	for g < groups {
		if g+8 > groups {
			if _, ok := uniformGroup(planes, g); ok {
				return g
			}
			g++
			continue
		}
		marks := ^uint64(0)
		for _, plane := range planes {
			marks &= uniformBytes(binary.LittleEndian.Uint64(plane[g:]))
		}
		if marks != 0 {
			return g + bits.TrailingZeros64(marks)/8
		}
		g += 8
	}
	return groups
}

// uniformBytes returns a word whose byte i has its top bit set, and no other, if byte i of w is 0 or 0xff.
func uniformBytes(w uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	zero := ^(w&low + low | w | low)
	w = ^w
	return zero | ^(w&low + low | w | low)
}

// uniformEnd returns the end of the stretch of groups from g on that hold value alone.
func uniformEnd(planes [][]byte, value uint32, g, groups int) int {
	for g+8 <= groups {
		var differs uint64
		for p, plane := range planes {
			differs |= binary.LittleEndian.Uint64(plane[g:]) ^ -uint64(value>>p&1)
		}
		if differs != 0 {
			return g + bits.TrailingZeros64(differs)/8
		}
		g += 8
	}
	for ; g < groups; g++ {
		if v, ok := uniformGroup(planes, g); !ok || v != value {
			break
		}
	}
	return g
}

// tailUniform reports whether the levels behind the last whole group, if any, are all value.
func tailUniform(planes [][]byte, value uint32, n int) bool {
	if n%8 == 0 {
		return false
	}
	mask := byte(1)<<(n%8) - 1
	for p, plane := range planes {
		if (plane[n/8]^-byte(value>>p&1))&mask != 0 {
			return false
		}
	}
	return true
}

// appendInterleaved bit-packs the groups first to last-1.
func appendInterleaved(dst []byte, planes [][]byte, first, last int) []byte {
	if len(planes) == 1 {
		return append(dst, planes[0][first:last]...)
	}
	width := len(planes)
	at := len(dst)
	dst = grow(dst, (last-first)*width+8)
	spread := &spreadTables[width]
	var before [8]uint64 // the eight groups before, by plane
	for g := first; g < last; {
		next := min(g+8, last)
		if same := nextGroups(planes, g, &before); same && g > first && next == g+8 {
			copy(dst[at:at+8*width], dst[at-8*width:at])
			at, g = at+8*width, next
			continue
		}
		for ; g < next; g++ {
			var w uint64
			for p, plane := range planes {
				w |= spread[plane[g]] << p
			}
			binary.LittleEndian.PutUint64(dst[at:], w)
			at += width
		}
	}
	return dst[:at]
}

// nextGroups sets groups to the eight of each plane from group g on, and reports whether they are as they were.
func nextGroups(planes [][]byte, g int, groups *[8]uint64) (same bool) {
	var differs uint64
	for p, plane := range planes {
		w := binary.LittleEndian.Uint64(plane[g:])
		differs |= w ^ groups[p&7]
		groups[p&7] = w
	}
	return differs == 0
}

// spreadTables[w][b] has bit i of b at bit i*w.
var spreadTables = func() (t [9][256]uint64) {
	for width := 2; width <= 8; width++ {
		for b := range 256 {
			for i := range 8 {
				t[width][b] |= uint64(b>>i&1) << (i * width)
			}
		}
	}
	return t
}()
