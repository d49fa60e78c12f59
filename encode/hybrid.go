package encode

import (
	"encoding/binary"
	"math/bits"
)

// The RLE/bit-packing hybrid (Encodings.md, "Run Length Encoding / Bit-Packing Hybrid"), for levels and dictionary
// indices. Bit-packed runs are groups of eight entries. Where such a group is of one value alone, the stretch of that value
// becomes an RLE run, up to its own end, if that is smaller; what follows begins a group of its own. The choice depends on
// the sequence alone, not on how it came, nor on what lies behind the stretch:
//
//	        levels   1 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 1 0 1 1 …
//	groups of eight  |                     |                 |
//	                 11 times 1            9 times 0         bit-packed

// leastGroups says how many groups of one value are worth an RLE run. They take width bytes each, and a header if no
// bit-packed run is open that they go on with. The RLE run takes a header and a value, and a header more if bit-packed
// groups follow. Element k is for k headers of difference.
type leastGroups [4]int

func newLeastGroups(width int) (l leastGroups) {
	for k := range l {
		l[k] = ((width+7)/8 + k + width - 1) / width
	}
	return l
}

// packed returns the groups that are worth an RLE run where a bit-packed run is open. Another is expected behind it.
func (l *leastGroups) packed() int { return l[2] }

// apart returns the groups that are worth an RLE run where none is open. A bit-packed run is expected behind it, unless
// an RLE run of so many groups went before which saves the header if there is one nevertheless.
func (l *leastGroups) apart(before int) int {
	if before >= l[3] {
		return l[0]
	}
	return l[1]
}

// last returns the groups that are worth an RLE run at the end.
func (l *leastGroups) last(open bool) int {
	if open {
		return l[1]
	}
	return l[0]
}

// cycle is levels first to end-1 of a page, which are the same n over and over.
type cycle struct {
	first, n, end int
}

// groups returns after how many levels the groups of a cycle come again.
func (c *cycle) groups() int { return c.n << max(0, 3-bits.TrailingZeros(uint(c.n))) }

// levelWriter writes levels given as bit planes, which are readable, and 0, up to the next multiple of 64 bits and nine
// bytes from there. What comes again in cycles is looked at once.
type levelWriter struct {
	dst      []byte
	planes   [][]byte
	n        int     // levels
	cycles   []cycle // that are not looked through
	unpacked []cycle // that are not written
	done     int     // levels that are in runs
	least    leastGroups
	before   int // groups of the RLE run that ends at done
}

// appendLevelRuns appends n levels given as bit planes; see levelWriter.
func appendLevelRuns(dst []byte, planes [][]byte, cycles []cycle, n int) []byte {
	w := levelWriter{dst: dst, planes: planes, n: n, cycles: cycles, unpacked: cycles, least: newLeastGroups(len(planes))}
	for at := w.nextUniform(0); at < n; at = w.nextUniform(at) {
		value := w.at(at)
		end := w.end(at, value)
		groups, least := (end-at)/8, w.least.packed()
		switch {
		case end == n:
			groups, least = (end-at+7)/8, w.least.last(at > w.done)
		case at == w.done:
			least = w.least.apart(w.before)
		}
		if groups < least {
			at = min(n, at+groups*8)
			continue
		}
		w.pack(at)
		w.dst = appendRun(w.dst, value, len(planes), end-at)
		w.done, w.before, at = end, groups, end
	}
	w.pack(n)
	return w.dst
}

// pack makes a bit-packed run of what is in none, up to level end.
func (w *levelWriter) pack(end int) {
	at, groups := w.done, (end-w.done+7)/8
	if groups == 0 {
		return
	}
	w.dst = binary.AppendUvarint(w.dst, uint64(groups)<<1|1)
	for ; len(w.unpacked) > 0 && w.unpacked[0].first < end; w.unpacked = w.unpacked[1:] {
		c := &w.unpacked[0]
		first, each := at+(max(0, c.first-at)+7)&^7, c.groups()
		if times := (min(c.end, end) - first) / each; times > 1 {
			once := (first + each - at) / 8
			w.dst = appendInterleaved(w.dst, w.planes, at, once)
			w.dst = appendAgain(w.dst, len(w.dst)-each/8*len(w.planes), times)
			at, groups = first+each*times, groups-once-each/8*(times-1)
		}
		if c.end > end {
			break
		}
	}
	w.dst = appendInterleaved(w.dst, w.planes, at, groups)
}

// nextUniform returns the first level of the first group of one value, of those that begin at level `at` and every
// eighth behind, or n. The last may have less than eight. Groups are passed over that have too few uniform ones behind
// them for an RLE run.
func (w *levelWriter) nextUniform(at int) int {
	for at < w.n {
		for len(w.cycles) > 0 && w.cycles[0].end <= at {
			w.cycles = w.cycles[1:]
		}
		end, skip := w.n, 0
		if len(w.cycles) > 0 {
			c := &w.cycles[0]
			each := c.groups()
			switch times := (c.end - at) / each; {
			case at < c.first:
				end = c.first
			case times > 4: // some of which are enough to look for what is behind
				end, skip = at+each, at+each*(times-3)
			default:
				end = c.end
			}
		}
		next, ok := w.uniformBefore(at, min(end, w.n))
		if ok {
			return next
		}
		at = max(next, skip)
	}
	return w.n
}

// uniformBefore is nextUniform for groups that begin before level end, or a few more. It returns the first that it has
// not looked at if there is none.
func (w *levelWriter) uniformBefore(at, end int) (next int, ok bool) {
	const first, last = 0x80, 0x80 << 56
	for ; at+64 <= w.n && at < end; at += 64 {
		marks := ^uint64(0)
		for _, plane := range w.planes {
			marks &= uniformBytes(planeWord(plane, at))
		}
		alone := marks & first
		for range w.least.packed() - 1 {
			marks &= marks>>8 | last
		}
		if at == w.done {
			marks |= alone
		}
		if marks != 0 {
			return at + bits.TrailingZeros64(marks)&^7, true
		}
	}
	for ; at < end; at += 8 {
		if w.end(at, w.at(at)) >= min(at+8, w.n) {
			return at, true
		}
	}
	return at, false
}

// at returns level i.
func (w *levelWriter) at(i int) (level uint32) {
	for p, plane := range w.planes {
		level |= uint32(plane[i>>3]>>(i&7)&1) << p
	}
	return level
}

// end returns the first level from level i on, which is of a value, that is not, or n.
func (w *levelWriter) end(i int, value uint32) int {
	if len(w.cycles) > 0 && w.cycles[0].n == 1 && w.cycles[0].first <= i && i < w.cycles[0].end {
		i = w.cycles[0].end
	}
	for ; i < w.n; i += 64 {
		var differs uint64
		for p, plane := range w.planes {
			differs |= planeWord(plane, i) ^ -uint64(value>>p&1)
		}
		if differs != 0 {
			return min(w.n, i+bits.TrailingZeros64(differs))
		}
	}
	return w.n
}

// planeWord returns 64 bits of a plane, from bit i on.
func planeWord(plane []byte, i int) uint64 {
	b := plane[i>>3:][:9]
	return binary.LittleEndian.Uint64(b)>>(i&7) | uint64(b[8])<<1<<(63-i&7)
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

// uniformBytes returns a word whose byte i has its top bit set, and no other, if byte i of w is 0 or 0xff.
func uniformBytes(w uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	zero := ^(w&low + low | w | low)
	w = ^w
	return zero | ^(w&low + low | w | low)
}

// appendInterleaved bit-packs groups of levels, from level `at` on.
func appendInterleaved(dst []byte, planes [][]byte, at, groups int) []byte {
	width, to := len(planes), len(dst)
	end := to + groups*width
	dst = grow(dst, groups*width+8)
	if width == 1 {
		if at&7 == 0 {
			copy(dst[to:end], planes[0][at>>3:])
			return dst[:end]
		}
		for ; to < end; to, at = to+8, at+64 {
			binary.LittleEndian.PutUint64(dst[to:], planeWord(planes[0], at))
		}
		return dst[:end]
	}
	spread := &spreadTables[width]
	var words, before [8]uint64 // of 64 levels, by plane
	for first := true; to < end; first, at = false, at+64 {
		var differs uint64
		for p, plane := range planes {
			words[p&7] = planeWord(plane, at)
			differs |= words[p&7] ^ before[p&7]
		}
		if next := to + 8*width; differs == 0 && !first && next <= end {
			copy(dst[to:next], dst[to-8*width:to])
			to = next
			continue
		}
		before = words
		for last := min(end, to+8*width); to < last; to += width {
			var w uint64
			for p := range planes {
				w |= spread[byte(words[p&7])] << p
				words[p&7] >>= 8
			}
			binary.LittleEndian.PutUint64(dst[to:], w)
		}
	}
	return dst[:end]
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
