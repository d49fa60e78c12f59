package encode

import (
	"encoding/binary"
	"math/bits"

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

// chunker finds the ends of pages by a rolling hash over levels and values (gear hashing): a page ends in front of the
// record after the hash has had so many zeros at its top gearTables times, each time with another table. The chances of
// several rare events add up to sizes nearer to their mean than those of one.
type chunker struct {
	leaf   *leafColumn
	values values // of its own, for plain values in any form of storage
	limits ContentChunks
	mask   uint64

	body    []byte
	hash    uint64
	table   int
	matched bool
	size    int // bytes of values since the last end
}

const gearTables = 8

// gear are random numbers by table and byte.
var gear = func() (g [gearTables][256]uint64) {
	state := uint64(0x5105ce)
	for t := range g {
		for b := range g[t] { // SplitMix64
			state += 0x9e3779b97f4a7c15
			z := state
			z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
			z = (z ^ z>>27) * 0x94d049bb133111eb
			g[t][b] = z ^ z>>31
		}
	}
	return g
}()

func newChunker(leaf *leafColumn, o *Options) (*chunker, error) {
	limits, err := o.ContentChunks.withDefaults()
	if err != nil {
		return nil, err
	}
	plain := *o
	plain.DictionaryBytes = -1
	v, err := newValues(leaf, &plain, nil, nil)
	if err != nil {
		return nil, err
	}
	mean := (limits.MaxBytes - limits.MinBytes) / 2 / gearTables // that each table takes
	zeros := max(1, bits.Len(uint(mean))-1-limits.NormLevel)
	return &chunker{leaf: leaf, values: v, limits: limits, mask: ^uint64(0) << (64 - zeros)}, nil
}

// next returns how many levels of a span, whose storage values has, come before the end of the page, and whether the
// page ends there. The span is of varyingStep records at most, unless one goes over several spans.
func (c *chunker) next(s *levels.Span) (numLevels int, end bool, err error) {
	c.body = c.body[:0]
	if s.NumValues > 0 {
		clear(c.body[:cap(c.body)]) // as bits are added to
		if c.body, err = c.values.appendPlain(c.body, 0, s); err != nil {
			return 0, false, err
		}
		c.values.takeBounds()
	}
	at, value := 0, 0
	for i := range s.NumLevels {
		if s.Rep.At(i) == 0 && c.ends() {
			return i, true, nil
		}
		def := s.Def.At(i)
		if c.leaf.MaxDef > 0 || c.leaf.MaxRep > 0 {
			c.roll([]byte{byte(def), byte(s.Rep.At(i))}) // which does not count
		}
		if def == c.leaf.MaxDef {
			at += c.rollValue(at, value)
			value++
		}
	}
	return s.NumLevels, false, nil
}

// rollValue takes a value into the hash, which stands in body from at on, and returns its length. A bit counts as a byte,
// so that it does not matter where a span begins.
func (c *chunker) rollValue(at, value int) (n int) {
	switch c.leaf.Physical {
	case typeBoolean:
		c.size++
		c.roll([]byte{c.body[value/8] >> (value % 8) & 1})
		return 0
	case typeInt32, typeFloat:
		n = 4
	case typeInt64, typeDouble:
		n = 8
	case typeFixedLenByteArray:
		n = c.leaf.TypeLength
	case typeByteArray:
		n = 4 + int(binary.LittleEndian.Uint32(c.body[at:]))
	}
	c.size += n
	c.roll(c.body[at : at+n])
	return n
}

// roll takes bytes into the hash, once the page is long enough to end.
func (c *chunker) roll(b []byte) {
	if c.size < c.limits.MinBytes {
		return
	}
	table := &gear[c.table]
	for _, x := range b {
		c.hash = c.hash<<1 + table[x]
		c.matched = c.matched || c.hash&c.mask == 0
	}
}

// ends reports whether the page ends in front of the next record.
func (c *chunker) ends() bool {
	if c.matched {
		c.matched = false
		c.table++
	}
	if c.table < gearTables && c.size < c.limits.MaxBytes {
		return false
	}
	c.reset()
	return true
}

// reset begins a page.
func (c *chunker) reset() { c.hash, c.table, c.matched, c.size = 0, 0, false, 0 }
