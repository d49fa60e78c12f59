package encode

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/sluice-io/sluice/levels"
)

// valueEncoding is how the values of pages without dictionary indices are stored. Pages gather them in plain encoding.
type valueEncoding struct {
	id   encodingID
	name string
	// append appends n values of plain, which is a bitmap for BOOLEAN. Nil is PLAIN itself.
	append func(dst, plain []byte, n int) []byte
}

var plainEncoding = valueEncoding{id: encodingPlain, name: "plain"}

// encodingsOf returns the encodings that the format has for a leaf (Encodings.md), PLAIN first.
func encodingsOf(leaf *leafColumn) []valueEncoding {
	e := []valueEncoding{plainEncoding}
	add := func(id encodingID, name string, f func(dst, plain []byte, n int) []byte) {
		e = append(e, valueEncoding{id, name, f})
	}
	width := leaf.TypeLength
	split := func(width int) func(dst, plain []byte, _ int) []byte {
		return func(dst, plain []byte, _ int) []byte { return appendStreamSplit(dst, plain, width) }
	}
	strings := func(dst, plain []byte, n int) []byte { return appendDeltaStrings(dst, plain, n, width) }
	switch leaf.Physical {
	case typeBoolean:
		add(encodingRLE, "rle", appendBooleanRuns)
	case typeInt32:
		add(encodingDeltaBinaryPacked, "delta_binary_packed", func(dst, plain []byte, _ int) []byte {
			return appendDelta32(dst, plain)
		})
		add(encodingByteStreamSplit, "byte_stream_split", split(4))
	case typeInt64:
		add(encodingDeltaBinaryPacked, "delta_binary_packed", func(dst, plain []byte, _ int) []byte {
			return appendDelta64(dst, plain)
		})
		add(encodingByteStreamSplit, "byte_stream_split", split(8))
	case typeFloat:
		add(encodingByteStreamSplit, "byte_stream_split", split(4))
	case typeDouble:
		add(encodingByteStreamSplit, "byte_stream_split", split(8))
	case typeByteArray:
		add(encodingDeltaLengthByteArray, "delta_length_byte_array", appendDeltaLength)
		add(encodingDeltaByteArray, "delta_byte_array", strings)
	case typeFixedLenByteArray:
		add(encodingByteStreamSplit, "byte_stream_split", split(width))
		add(encodingDeltaByteArray, "delta_byte_array", strings)
	}
	return e
}

// appendBooleanRuns appends n bits in RLE.
func appendBooleanRuns(dst, plain []byte, n int) []byte {
	at := len(dst)
	padded := levels.AppendBits(plain, n, levels.Bits{Bytes: noBits}, 0)
	dst = appendLevelRuns(append(dst, 0, 0, 0, 0), [][]byte{padded}, n)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// candidateEncodings returns the encodings among which a column may choose, which is one if the option names it.
func candidateEncodings(leaf *leafColumn, name string) ([]valueEncoding, error) {
	all := encodingsOf(leaf)
	switch name {
	case encodingCompatible:
		return all[:1], nil
	case encodingCompact:
		// pyarrow makes dictionaries of PLAIN pages, but of no others; DuckDB and arrow-go do not know all other encodings of
		// FIXED_LEN_BYTE_ARRAY.
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
	return nil, fmt.Errorf("encoding %q is not one for its values: use %s, %s or %s", name,
		strings.Join(known, ", "), encodingCompatible, encodingCompact)
}

// choose returns the candidate that takes the fewest bytes for the n values of a page, after compression. The first of
// equals is the one that most readers know.
func (c *column) choose(plain []byte, n int) *valueEncoding {
	best, least := 0, -1
	var encoded, compressed []byte
	for i := range c.candidates {
		encoded = c.candidates[i].encode(encoded[:0], plain, n)
		size := len(encoded)
		if c.chunk.codec.ID() != codecNone {
			compressed = c.chunk.codec.compress(compressed[:0], encoded)
			size = len(compressed)
		}
		if least < 0 || size < least {
			best, least = i, size
		}
	}
	return &c.candidates[best]
}

// encode appends n values.
func (e *valueEncoding) encode(dst, plain []byte, n int) []byte {
	if e.append == nil {
		return append(dst, plain...)
	}
	return e.append(dst, plain, n)
}
