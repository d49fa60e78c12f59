package encode

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/sluice-io/sluice/levels"
)

// valueEncoding is how the values of pages without dictionary indices are stored. Pages gather them in plain encoding.
type valueEncoding struct {
	id   encodingID
	name string
	// append appends n values of plain, which is a bitmap for BOOLEAN. Nil is PLAIN itself.
	append func(dst, plain []byte, n int) []byte
	// size returns how many bytes append appends. Nil: as many as plain has.
	size func(plain []byte, n int) int
}

var plainEncoding = valueEncoding{id: encodingPlain, name: "plain"}

// encodingsOf returns the encodings that the format has for a leaf (Encodings.md), PLAIN first.
func encodingsOf(leaf *leafColumn) []valueEncoding {
	switch leaf.Physical {
	case typeBoolean:
		size := func(plain []byte, n int) int { return len(appendBooleanRuns(nil, plain, n)) }
		return []valueEncoding{plainEncoding, {encodingRLE, "rle", appendBooleanRuns, size}}
	case typeInt32:
		return []valueEncoding{plainEncoding, deltaOf(appendDelta32, deltaSize32), streamSplitOf(4)}
	case typeInt64:
		return []valueEncoding{plainEncoding, deltaOf(appendDelta64, deltaSize64), streamSplitOf(8)}
	case typeFloat:
		return []valueEncoding{plainEncoding, streamSplitOf(4)}
	case typeDouble:
		return []valueEncoding{plainEncoding, streamSplitOf(8)}
	case typeByteArray:
		lengths := valueEncoding{encodingDeltaLengthByteArray, "delta_length_byte_array", appendDeltaLength, deltaLengthSize}
		return []valueEncoding{plainEncoding, lengths, deltaStringsOf(0)}
	case typeFixedLenByteArray:
		return []valueEncoding{plainEncoding, streamSplitOf(leaf.TypeLength), deltaStringsOf(leaf.TypeLength)}
	}
	return []valueEncoding{plainEncoding}
}

func deltaOf(add func(dst, plain []byte) []byte, size func(plain []byte) int) valueEncoding {
	return valueEncoding{encodingDeltaBinaryPacked, "delta_binary_packed",
		func(dst, plain []byte, _ int) []byte { return add(dst, plain) },
		func(plain []byte, _ int) int { return size(plain) }}
}

func streamSplitOf(width int) valueEncoding {
	return valueEncoding{encodingByteStreamSplit, "byte_stream_split",
		func(dst, plain []byte, _ int) []byte { return appendStreamSplit(dst, plain, width) }, nil}
}

func deltaStringsOf(width int) valueEncoding {
	return valueEncoding{encodingDeltaByteArray, "delta_byte_array",
		func(dst, plain []byte, n int) []byte { return appendDeltaStrings(dst, plain, n, width) },
		func(plain []byte, n int) int { return deltaStringsSize(plain, n, width) }}
}

// appendBooleanRuns appends n bits in RLE.
func appendBooleanRuns(dst, plain []byte, n int) []byte {
	at := len(dst)
	padded := levels.AppendBits(plain, n, levels.Bits{Bytes: noBits}, 0)
	dst = appendLevelRuns(append(dst, 0, 0, 0, 0), [][]byte{padded}, nil, n)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// candidateEncodings returns the encodings among which a column may choose, which is one if the option names it.
func candidateEncodings(leaf *leafColumn, name string) ([]valueEncoding, error) {
	all := encodingsOf(leaf)
	switch {
	case name == encodingCompatible, name == encodingDictionary && leaf.Physical != typeBoolean:
		return all[:1], nil
	case name == encodingCompact:
		// pyarrow makes dictionaries of PLAIN pages, but of no others; DuckDB and arrow-go do not know all other
		// encodings of FIXED_LEN_BYTE_ARRAY.
		if leaf.Dictionary || leaf.Physical == typeFixedLenByteArray {
			return all[:1], nil
		}
		return all, nil
	}
	var known []string
	for _, e := range all {
		if e.name == name {
			return []valueEncoding{e}, nil
		}
		known = append(known, e.name)
	}
	if leaf.Physical != typeBoolean {
		known = append(known, encodingDictionary)
	}
	return nil, fmt.Errorf("encoding %q is not one for its values: use %s, %s or %s", name,
		strings.Join(known, ", "), encodingCompatible, encodingCompact)
}

// choose sets the encoding of pages without dictionary indices, if there are several and it is time, to the best one
// for a page, whose values in plain encoding are given.
func (c *column) choose(p *openPage, plain []byte) {
	if c.encoding == nil {
		c.encoding = &c.candidates[0]
	}
	if len(c.candidates) == 1 || !c.choices.due() {
		return
	}
	s := scratchPool.Get().(*pageScratch)
	defer s.free()
	best, _, clearly := c.smallest(s, c.encodeLevels(s, p), plain, p.count)
	if clearly {
		c.choices.relax()
	}
	c.encoding, c.usual = best, 0
}

// encodeLevels returns the levels of a page, if they are compressed together with its values.
func (c *column) encodeLevels(s *pageScratch, p *openPage) []byte {
	if c.chunk.version == 2 || c.chunk.codec.ID() == codecNone {
		return nil
	}
	s.levels = p.def.encode(p.rep.encode(s.levels[:0], 1), 1)
	return s.levels
}

// smallest returns the candidate that takes the fewest bytes for n values, behind levels, after compression, their number,
// and whether all others take a third more. One that more readers know and that is faster, as those before it are, is
// taken if it takes little more.
func (c *column) smallest(s *pageScratch, levels, plain []byte, n int) (best *valueEncoding, least int, clearly bool) {
	const little = 256
	second := math.MaxInt
	for i := range c.candidates {
		size := c.candidateBytes(s, &c.candidates[i], levels, plain, n)
		switch {
		case best == nil:
			best, least = &c.candidates[i], size
		case size < least-least/little:
			best, least, second = &c.candidates[i], size, min(second, least)
		default:
			second = min(second, size)
		}
	}
	return best, least, second-least > least/3
}

// candidateBytes returns how many bytes the file would have of n values in an encoding, and of the levels before them.
func (c *column) candidateBytes(s *pageScratch, e *valueEncoding, levels, plain []byte, n int) int {
	switch {
	case c.chunk.codec.ID() == codecNone && e.size != nil:
		return e.size(plain, n)
	case c.chunk.codec.ID() == codecNone:
		return len(plain)
	case e.append == nil:
		return c.chunk.storedSize(s, levels, plain)
	}
	s.encoded = e.append(s.encoded[:0], plain, n)
	return c.chunk.storedSize(s, levels, s.encoded)
}

// watch has another encoding chosen soon if the page that was added last, of so many plain bytes, came out otherwise
// than the first one after the choice.
func (c *column) watch(plainBytes int) {
	if len(c.candidates) == 1 || plainBytes == 0 {
		return
	}
	rate := float64(c.chunk.lastPageBytes) / float64(plainBytes)
	switch {
	case c.usual == 0:
		c.usual = rate
	case rate < c.usual*7/8 || rate > c.usual*9/8:
		c.choices.hasten()
	}
}
