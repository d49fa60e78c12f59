package levels

import "math/bits"

// maxPlanes is the number of planes that the levels of a field at maxDepth need.
const maxPlanes = 8

// levelSet is the levels of the positions of a frame, after some of the thresholds; see the package comment.
type levelSet struct {
	max     int // thresholds so far
	width   int // planes: 0 if every level is uniform, bits.Len(max) otherwise
	uniform int
	planes  [maxPlanes]Bits
}

// levels returns the levels for a span. They refer to the set.
func (l *levelSet) levels() Levels {
	if l.width == 0 {
		return Levels{Uniform: l.uniform}
	}
	return Levels{Planes: l.planes[:l.width]}
}

// above returns, for 64 levels from level i on, a set bit for each that is not 0, of a set that has planes.
func (l *levelSet) above(i int) uint64 {
	var w uint64
	for _, plane := range l.planes[:l.width] {
		w |= plane.Word(i)
	}
	return w
}

// constant are the planes, by their bit, of levels that differ in other bits only.
var constant = func() (c [2]Bits) {
	for bit := range c {
		m := newBitmap(MaxSpanLevels)
		for i := range m {
			m[i] = -byte(bit)
		}
		c[bit] = m.view()
	}
	return c
}()

// planeScratch is the storage of the planes that a node adds to.
type planeScratch [maxPlanes]bitmap

// unreached returns the levels after one threshold more, which no position reaches.
func (l levelSet) unreached() levelSet {
	l.max++
	if width := bits.Len(uint(l.max)); l.width > 0 && width > l.width {
		l.planes[l.width] = constant[0]
		l.width = width
	}
	return l
}

// raise returns the levels of n positions after one threshold more: higher by one where reached is set. The positions
// are at most MaxSpanLevels unless reached is the only bitmap of the thresholds so far, among which the first is.
func (s *planeScratch) raise(l levelSet, reached Bits, n int) levelSet {
	before := l.max
	if l.width == 0 && l.uniform < before {
		return l.unreached()
	}
	l.max++
	if reached.All() { // and so are the thresholds before it
		return levelSet{max: l.max, uniform: l.max}
	}
	flipped := before ^ l.max // the bits of the level that change where the threshold is reached
	for p := range bits.Len(uint(l.max)) {
		switch {
		case l.width == 0 && flipped>>p&1 == 0:
			l.planes[p] = constant[before>>p&1]
		case flipped>>p&1 == 0:
		case p >= l.width && before>>p&1 == 0:
			l.planes[p] = reached
		case l.width == 0:
			l.planes[p] = s[p].atLeast(n).not(reached, n)
		case l.planes[p].is(reached): // as no level was at one threshold and not at the next
			l.planes[p] = constant[0]
		case l.planes[p].is(constant[0]):
			l.planes[p] = reached
		default:
			l.planes[p] = s[p].atLeast(n).xor(l.planes[p], reached, n)
		}
	}
	l.width = bits.Len(uint(l.max))
	return l
}

// threshold is what a nullable field adds to the levels of a frame.
type threshold struct {
	def    levelSet
	planes planeScratch
	spread spread
}

// over gives sc the definition levels of its frame with a level more for the entries, of which there are `left`, that
// mask leaves.
func (t *threshold) over(sc *scope, mask Bits, left int) {
	if left == 0 {
		t.def = sc.def.unreached()
	} else {
		reached := sc.reached(mask, &t.spread)
		t.def = t.planes.raise(*sc.def, reached, sc.frame.numLevels)
		sc.known = [2]Bits{mask, reached}
	}
	sc.def = &t.def
}
