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
	spare  [8][]byte
}

// append adds n levels, times times.
func (p *pageLevels) append(l levels.Levels, n, times int) {
	if p.max == 0 || n == 0 {
		p.n += n * times
		return
	}
	if l.Planes == nil {
		n, times = n*times, 1
		if len(p.planes) == 0 && (p.n == 0 || p.value == l.Uniform) {
			p.value, p.n = l.Uniform, p.n+n
			return
		}
	}
	if len(p.planes) == 0 {
		p.spill()
	}
	for i := range p.planes {
		switch {
		case l.Planes != nil:
			p.planes[i] = levels.AppendBits(p.planes[i], p.n, l.Planes[i], n)
		case l.Uniform>>i&1 != 0:
			p.planes[i] = levels.AppendBits(p.planes[i], p.n, levels.Bits{}, n)
		default:
			p.planes[i] = levels.AppendBits(p.planes[i], p.n, levels.Bits{Bytes: noBits}, n)
		}
		if times > 1 {
			p.planes[i] = levels.AppendAgain(p.planes[i], p.n, n, times-1)
		}
	}
	p.n += n * times
}

// noBits are bits that are not set; those past its end count as such too.
var noBits = []byte{}

// spill turns the counted levels into planes.
func (p *pageLevels) spill() {
	counted := levels.Levels{Uniform: p.value}
	n := p.n
	p.n = 0
	p.planes = p.spare[:bits.Len(uint(p.max))]
	for i := range p.planes {
		p.planes[i] = p.planes[i][:0]
	}
	if n > 0 {
		p.append(counted, n, 1)
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
	for i := 0; i < p.n; i += 64 {
		rest := ^uint64(0)
		if p.n-i < 64 {
			rest = 1<<(p.n-i) - 1
		}
		for level := range counts {
			match := rest
			for k, plane := range p.planes {
				match &= levels.Bits{Bytes: plane}.Word(i) ^ (uint64(level>>k&1) - 1)
			}
			counts[level] += int64(bits.OnesCount64(match))
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
