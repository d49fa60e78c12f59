package encode

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/sluice-io/sluice/levels"
)

// pageLevels gathers the definition or repetition levels of one page. As long as they are all one value they are only
// counted; then they are kept as bit planes.
type pageLevels struct {
	max    int // highest level of the column; 0 writes nothing
	n      int
	value  int      // of all levels, while planes is empty
	planes [][]byte // zero past n, with a word to spare
	spare  [][]byte // the planes of pages before

	cycles   []cycle // of the planes, in order
	patterns []levels.Pattern
}

// minCycle is how many levels are worth a cycle.
const minCycle = 1024

// append adds levels by tiles, which are n in all.
func (p *pageLevels) append(l levels.Levels, tiles []levels.Tile, n int) {
	switch {
	case p.max == 0 || n == 0:
		p.n += n
		return
	case l.Planes == nil:
		p.appendUniform(l.Uniform, n)
		return
	case len(p.planes) == 0:
		p.spill()
	}
	p.patterns = l.AppendPatterns(p.patterns[:0], tiles)
	for i := range p.planes {
		p.planes[i] = levels.AppendRepeated(p.planes[i], p.n, l.Planes[i].Skip(l.First), p.patterns, n)
	}
	for _, pattern := range p.patterns {
		n := pattern.Len * pattern.Times
		if pattern.Times > 1 && n >= minCycle {
			each := pattern.Len
			if l.Same(pattern) {
				each = 1
			}
			p.cycles = append(p.cycles, cycle{p.n, each, p.n + n})
		}
		p.n += n
	}
}

// appendUniform adds n levels of one value.
func (p *pageLevels) appendUniform(value, n int) {
	if len(p.planes) == 0 {
		if p.n == 0 || p.value == value {
			p.value, p.n = value, p.n+n
			return
		}
		p.spill()
	}
	for i := range p.planes {
		bits := levels.Bits{Bytes: noBits}
		if value>>i&1 != 0 {
			bits = levels.Bits{}
		}
		p.planes[i] = levels.AppendBits(p.planes[i], p.n, bits, n)
	}
	if n >= minCycle {
		p.cycles = append(p.cycles, cycle{p.n, 1, p.n + n})
	}
	p.n += n
}

// noBits are bits that are not set; those past its end count as such too.
var noBits = []byte{}

// spill turns the counted levels into planes.
func (p *pageLevels) spill() {
	n := p.n
	p.n = 0
	if p.spare == nil {
		p.spare = make([][]byte, bits.Len(uint(p.max)))
	}
	p.planes = p.spare
	for i := range p.planes {
		p.planes[i] = p.planes[i][:0]
	}
	if n > 0 {
		p.appendUniform(p.value, n)
	}
}

// reset forgets the page.
func (p *pageLevels) reset() {
	p.n, p.value, p.planes, p.cycles = 0, 0, nil, p.cycles[:0]
}

// take returns a copy of the levels of the page, in no more memory than it needs, and forgets them.
func (p *pageLevels) take() pageLevels {
	taken := pageLevels{max: p.max, n: p.n, value: p.value, planes: slices.Clone(p.planes), cycles: slices.Clone(p.cycles)}
	for i, plane := range taken.planes {
		taken.planes[i] = slices.Clone(plane)
	}
	p.reset()
	return taken
}

// same reports whether both are as many levels of one value.
func (p *pageLevels) same(q *pageLevels) bool {
	return p.n == q.n && p.value == q.value && len(p.planes) == 0 && len(q.planes) == 0
}

// held returns the bytes of memory that the levels take.
func (p *pageLevels) held() (n int64) {
	for _, plane := range p.planes {
		n += int64(cap(plane))
	}
	return n + int64(unsafe.Sizeof(cycle{}))*int64(cap(p.cycles))
}

// encode appends the levels as a page of version 1 or 2 has them: the runs, in version 1 after four bytes of length.
func (p *pageLevels) encode(dst []byte, version int) []byte {
	if p.max == 0 {
		return dst
	}
	if version == 2 {
		return p.appendRuns(dst)
	}
	at := len(dst)
	dst = p.appendRuns(append(dst, 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

func (p *pageLevels) appendRuns(dst []byte) []byte {
	width := bits.Len(uint(p.max))
	if len(p.planes) == 0 {
		return appendRun(dst, uint32(p.value), width, p.n)
	}
	return appendLevelRuns(dst, p.padded(), p.cycles, p.n)
}

// padded returns the planes with room up to the next whole word.
func (p *pageLevels) padded() [][]byte {
	for i := range p.planes {
		p.planes[i] = levels.AppendBits(p.planes[i], p.n, levels.Bits{Bytes: noBits}, 0)
	}
	return p.planes
}

// view returns the levels as a span has them.
func (p *pageLevels) view() levels.Levels {
	if len(p.planes) == 0 {
		return levels.Levels{Uniform: p.value}
	}
	l := levels.Levels{Planes: make([]levels.Bits, len(p.planes))}
	for i, plane := range p.planes {
		l.Planes[i] = levels.Bits{Bytes: plane}
	}
	return l
}

// histogram adds to counts how often each level occurs. len(counts) is max+1.
func (p *pageLevels) histogram(counts []int64) {
	if len(p.planes) == 0 {
		counts[p.value] += int64(p.n)
		return
	}
	at := 0
	for _, c := range p.cycles {
		p.count(counts, at, c.first, 1)
		times := (c.end - c.first) / c.n
		p.count(counts, c.first, c.first+c.n, times)
		at = c.first + c.n*times
	}
	p.count(counts, at, p.n, 1)
}

// count adds the levels from first to end-1 to counts, each times times.
func (p *pageLevels) count(counts []int64, first, end, times int) {
	counts[0] += int64((end - first) * times)
	switch {
	case len(counts) == 2:
		ones := int64(levels.Bits{Bytes: p.planes[0]}.Count(first, end-first) * times)
		counts[0], counts[1] = counts[0]-ones, counts[1]+ones
	case len(p.planes) == 2:
		ones, twos, threes := countTwo(p.planes[0], p.planes[1], first, end)
		counts[0] -= int64((ones + twos - threes) * times)
		counts[1] += int64((ones - threes) * times)
		counts[2] += int64((twos - threes) * times)
		if len(counts) == 4 {
			counts[3] += int64(threes * times)
		}
	default:
		countDeep(counts, p.planes, first, end, times)
	}
}

// countTwo counts the bits from first to end-1 of two planes that have a word more: those set in a, in b and in both.
func countTwo(a, b []byte, first, end int) (inA, inB, inBoth int) {
	inside := ^lowBits(first & 7)
	for i := first &^ 7; i < end; i += 64 {
		if end-i < 64 {
			inside &= lowBits(end - i)
		}
		v, w := binary.LittleEndian.Uint64(a[i>>3:])&inside, binary.LittleEndian.Uint64(b[i>>3:])&inside
		inA, inB, inBoth = inA+bits.OnesCount64(v), inB+bits.OnesCount64(w), inBoth+bits.OnesCount64(v&w)
		inside = ^uint64(0)
	}
	return inA, inB, inBoth
}

// countDeep is count for three planes and more.
func countDeep(counts []int64, planes [][]byte, first, end, times int) {
	var words [8]uint64
	inside := ^lowBits(first & 7)
	for i := first &^ 7; i < end; i += 64 {
		if end-i < 64 {
			inside &= lowBits(end - i)
		}
		for k, plane := range planes {
			words[k&7] = binary.LittleEndian.Uint64(plane[i>>3:])
		}
		for level := 1; level < len(counts); level++ {
			match := inside & (words[0] ^ (uint64(level&1) - 1))
			for k := 1; k < len(planes); k++ {
				match &= words[k&7] ^ (uint64(level>>(k&7)&1) - 1)
			}
			n := int64(bits.OnesCount64(match) * times)
			counts[0], counts[level] = counts[0]-n, counts[level]+n
		}
		inside = ^uint64(0)
	}
}

// reached returns the bitmap of the levels that are max, All if every one is.
func (p *pageLevels) reached() levels.Bits {
	if len(p.planes) == 0 {
		if p.max == 0 || p.value == p.max {
			return levels.Bits{}
		}
		return levels.Bits{Bytes: make([]byte, p.n/8+10)}
	}
	out := make([]byte, len(p.padded()[0]))
	for k := 0; k+8 <= len(out); k += 8 {
		w := ^uint64(0)
		for i, plane := range p.planes {
			w &= binary.LittleEndian.Uint64(plane[k:]) ^ (uint64(p.max>>i&1) - 1)
		}
		binary.LittleEndian.PutUint64(out[k:], w)
	}
	return levels.Bits{Bytes: out}
}
