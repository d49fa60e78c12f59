package encode

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// ContentChunks are options of pages whose ends depend on what they hold: where a table changes in a version of it, pages
// change there alone, and a store that keeps equal blocks once keeps the others once. Zero values are the defaults.
type ContentChunks struct {
	// MinBytes and MaxBytes bound a page's values, in plain encoding. Default 256 KiB and 1 MiB.
	MinBytes, MaxBytes int
	// NormLevel, from -3 to 3, makes ends of pages twice as likely with each step: pages are smaller then, of sizes nearer
	// to their mean. Default 0.
	NormLevel int
}

const (
	defaultMinChunkBytes = 256 << 10
	defaultMaxChunkBytes = 1 << 20
)

func (o *ContentChunks) withDefaults() (ContentChunks, error) {
	r := *o
	setDefault(&r.MinBytes, defaultMinChunkBytes)
	setDefault(&r.MaxBytes, defaultMaxChunkBytes)
	if r.MinBytes < 1 || r.MaxBytes <= r.MinBytes || r.MaxBytes > 1<<30 {
		return r, optionError("ContentChunks", "from %d to %d bytes: must lie between 1 and 1 GiB, the second above the first",
			r.MinBytes, r.MaxBytes)
	}
	if r.NormLevel < -3 || r.NormLevel > 3 {
		return r, optionError("ContentChunks", "level %d: must lie between -3 and 3", r.NormLevel)
	}
	return r, nil
}

// chunker finds the ends of pages by a rolling hash over levels and values: a page ends in front of the record after the
// hash has matched contentRounds times. The chances of several rare events add up to sizes nearer to their mean than
// those of one.
type chunker struct {
	leaf   *leafColumn
	values values // for plain values in any form of storage
	own    bool   // they are not the column's
	limits ContentChunks
	width  int // hashed bytes of a value, 0 if that differs; a bit is a byte, so that it does not matter where a span begins

	levels []byte   // of the span, definition and repetition level in turn; empty if all are 0
	body   []byte   // its values, if they have one width
	texts  [][]byte // its values otherwise; they are the storage's

	hash   contentHash
	rounds int // matches since the last end
	size   int // bytes of values since then
}

// contentRounds is how often the hash matches before a page ends.
const contentRounds = 8

// newChunker returns the chunker of a column. Values of one width are read by values of its own, as that keeps bounds;
// others are the column's, which need not look through all offsets twice.
func newChunker(leaf *leafColumn, o *Options, of values) (*chunker, error) {
	limits, err := o.ContentChunks.withDefaults()
	if err != nil {
		return nil, err
	}
	own := of.fixedBits() > 0
	if own {
		plain := *o
		plain.DictionaryBytes = -1
		if of, err = newValues(leaf, &plain, nil, nil); err != nil {
			return nil, err
		}
	}
	// Each step of NormLevel is half the distance between two matches.
	mean := (limits.MaxBytes - limits.MinBytes) / 2 / contentRounds
	if limits.NormLevel < 0 {
		mean <<= -limits.NormLevel
	} else {
		mean >>= limits.NormLevel
	}
	c := &chunker{leaf: leaf, values: of, own: own, limits: limits, hash: newContentHash(mean), width: of.fixedBits() / 8}
	if leaf.Physical == typeBoolean {
		c.width = 1
	}
	return c, nil
}

// bind makes data the storage of the spans to come, which the column's values have already.
func (c *chunker) bind(data arrow.ArrayData) error {
	if !c.own {
		return nil
	}
	return c.values.bind(data)
}

func (c *chunker) release() {
	if c.own {
		c.values.release()
	}
}

// maxChunkStep is how many bytes of values are looked at together, unless none of them is hashed.
const maxChunkStep = 64 << 10

// step returns how many records of a span to look at next.
func (c *chunker) step(s *levels.Span) int {
	if c.width == 0 || c.leaf.MaxRep > 0 {
		return min(s.NumRecords, varyingStep)
	}
	return min(s.NumRecords, max(1, min(varyingStep, maxChunkStep/c.width), (c.limits.MinBytes-1-c.size)/c.width))
}

// next returns how many levels of a span, whose storage values has, come before the end of the page, and whether the
// page ends there. The span is of as many records as step says, unless one goes over several spans.
func (c *chunker) next(s *levels.Span) (numLevels int, end bool, err error) {
	if n := c.hashedBytes(s); c.size+n < c.limits.MinBytes {
		c.size += n
		return s.NumLevels, false, nil
	}
	if err := c.read(s); err != nil {
		return 0, false, err
	}
	if len(c.levels) == 0 && c.width > 0 {
		numLevels = c.walkDense(s.NumLevels)
	} else {
		numLevels = c.walk(s.NumLevels)
	}
	return numLevels, numLevels < s.NumLevels, nil
}

// standings returns how many of a tile's times, which the span has once, come before the end of the page, and how many
// levels of the tile after them.
func (c *chunker) standings(s *levels.Span, times int) (n, numLevels int, err error) {
	bytes, read := c.hashedBytes(s), false
	for n < times {
		if c.size+bytes < c.limits.MinBytes {
			unhashed := times - n
			if bytes > 0 {
				unhashed = min(unhashed, (c.limits.MinBytes-1-c.size)/bytes)
			}
			c.size += unhashed * bytes
			n += unhashed
			continue
		}
		if !read {
			if err := c.read(s); err != nil {
				return 0, 0, err
			}
			read = true
		}
		if k := c.walk(s.NumLevels); k < s.NumLevels {
			return n, k, nil
		}
		n++
	}
	return n, 0, nil
}

// hashedBytes returns how many bytes the span's values have for the hash.
func (c *chunker) hashedBytes(s *levels.Span) int {
	if c.width > 0 || s.NumValues == 0 {
		return c.width * s.NumValues
	}
	return c.values.plainBits(s) / 8
}

// read gets levels and values of a span in order.
func (c *chunker) read(s *levels.Span) (err error) {
	c.levels, c.body, c.texts = c.levels[:0], c.body[:0], c.texts[:0]
	if c.leaf.MaxDef > 0 || c.leaf.MaxRep > 0 {
		c.levels = slices.Grow(c.levels, 2*s.NumLevels)[:2*s.NumLevels]
		spreadLevels(c.levels, s.Def, s.NumLevels)
		spreadLevels(c.levels[1:], s.Rep, s.NumLevels)
	}
	if s.NumValues == 0 {
		return nil
	}
	if c.width == 0 {
		return c.values.(*byteValues).each(s, c.addTexts)
	}
	if c.leaf.Physical == typeBoolean {
		clear(c.body[:cap(c.body)]) // as bits are added to
	}
	if c.body, err = c.values.appendPlain(c.body, 0, s); err != nil {
		return err
	}
	c.values.takeBounds()
	if c.leaf.Physical == typeBoolean {
		c.spreadBits(s.NumValues)
	}
	return nil
}

// spreadLevels sets every other byte of dst to one of n levels.
func spreadLevels(dst []byte, l levels.Levels, n int) {
	for i := range n {
		dst[2*i] = byte(l.Uniform)
	}
	for p, plane := range l.Planes {
		for i := 0; i < n; i += 64 {
			w := plane.Word(l.First + i)
			for j := range min(64, n-i) {
				dst[2*(i+j)] |= byte(w>>j&1) << p
			}
		}
	}
}

// spreadBits makes bytes of the n bits in body.
func (c *chunker) spreadBits(n int) {
	c.body = slices.Grow(c.body, max(0, n-len(c.body)))[:n]
	for i := n - 1; i >= 0; i-- { // backward, as they are spread in place
		c.body[i] = c.body[i/8] >> (i % 8) & 1
	}
}

func (c *chunker) addTexts(b *byteBlock) error {
	for i := range b.n {
		times := 1
		if b.times != nil {
			times = b.times[i]
		}
		for range times {
			c.texts = append(c.texts, b.at(i))
		}
	}
	return nil
}

// walk goes over n levels and their values up to the end of the page, and returns how many those are.
func (c *chunker) walk(n int) int {
	value := 0
	for i := range n {
		record, valued := true, true
		if len(c.levels) > 0 {
			pair := c.levels[2*i : 2*i+2]
			record, valued = pair[1] == 0, int(pair[0]) == c.leaf.MaxDef
		}
		if record && c.ends() {
			return i
		}
		if long := c.size >= c.limits.MinBytes; long && len(c.levels) > 0 {
			c.hash.level(c.levels[2*i], c.levels[2*i+1]) // which does not count
		}
		if valued {
			c.takeValue(value)
			value++
		}
	}
	return n
}

// takeValue counts a value, and hashes it once the page is long enough to end.
func (c *chunker) takeValue(i int) {
	if c.width > 0 {
		if c.size += c.width; c.size >= c.limits.MinBytes {
			c.hash.text(c.body[i*c.width : (i+1)*c.width])
		}
		return
	}
	text := c.texts[i]
	if c.size += 4 + len(text); c.size >= c.limits.MinBytes {
		c.hash.word(uint64(len(text)), 4)
		c.hash.text(text)
	}
}

// walkDense is walk for records of one value each, of one width and without levels.
func (c *chunker) walkDense(n int) int {
	for i := 0; i < n; {
		if c.ends() {
			return i
		}
		if short := min(n-i, (c.limits.MinBytes-1-c.size)/c.width); short > 0 { // none of them is hashed
			c.size += short * c.width
			i += short
			continue
		}
		most := min(n-i, (c.limits.MaxBytes-c.size-1)/c.width+1)
		taken := c.hash.numbers(c.body[i*c.width:(i+most)*c.width], c.width)
		c.size += taken * c.width
		i += taken
	}
	return n
}

// ends reports whether the page ends in front of the next record.
func (c *chunker) ends() bool {
	if c.hash.matched {
		c.hash.next()
		c.rounds++
	}
	if c.rounds < contentRounds && c.size < c.limits.MaxBytes {
		return false
	}
	c.reset()
	return true
}

// reset begins a page.
func (c *chunker) reset() {
	c.hash.reset()
	c.rounds, c.size = 0, 0
}
