package encode

import (
	"encoding/binary"
	"math/bits"
	"slices"

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
}

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
	for i := range p.planes {
		p.planes[i] = levels.AppendRepeated(p.planes[i], p.n, l.Planes[i].Skip(l.First), tiles, n)
	}
	p.n += n
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
	p.n, p.value, p.planes = 0, 0, nil
}

// take hands over the levels of the page, and forgets them.
func (p *pageLevels) take() pageLevels {
	taken := pageLevels{max: p.max, n: p.n, value: p.value, planes: slices.Clone(p.planes)}
	*p = pageLevels{max: p.max}
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
	return n
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
	return appendLevelRuns(dst, p.padded(), p.n)
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
	counts[0] += int64(p.n)
	if len(counts) == 2 {
		ones := int64(levels.Bits{Bytes: p.planes[0]}.Count(0, p.n))
		counts[0], counts[1] = counts[0]-ones, counts[1]+ones
		return
	}
	var words [8]uint64
	for k := 0; k < (p.n+7)/8; k += 8 {
		for i, plane := range p.planes {
			words[i&7] = binary.LittleEndian.Uint64(plane[k:])
		}
		for level := 1; level < len(counts); level++ {
			match := words[0] ^ (uint64(level&1) - 1)
			for i := 1; i < len(p.planes); i++ {
				match &= words[i&7] ^ (uint64(level>>(i&7)&1) - 1)
			}
			n := int64(bits.OnesCount64(match))
			counts[0], counts[level] = counts[0]-n, counts[level]+n
		}
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
