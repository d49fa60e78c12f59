package lint

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// The decoders of the linter. Where the format is small they are our own, by its specification, and gzip's is the
// standard library's, so none of these shares code with the encoder. Brotli's and Zstandard's decoders come from the
// encoders' libraries; their pages are read by others in the tests with real readers.

var lintZstd, _ = zstd.NewReader(nil)

// Decompress gives back a page. It wants one frame, member or block that takes all of b.
func Decompress(codec Codec, b []byte) ([]byte, error) {
	switch codec {
	case Uncompressed:
		return b, nil
	case Snappy:
		return decodeSnappy(b)
	case Gzip:
		return decodeGzip(b)
	case Brotli:
		return io.ReadAll(brotli.NewReader(bytes.NewReader(b)))
	case Zstd:
		return lintZstd.DecodeAll(b, nil)
	case LZ4Raw:
		return decodeLZ4(b)
	}
	return nil, fmt.Errorf("codec %d", codec)
}

func decodeGzip(b []byte) ([]byte, error) {
	rest := bytes.NewReader(b)
	r, err := gzip.NewReader(rest)
	if err != nil {
		return nil, err
	}
	r.Multistream(false)
	page, err := io.ReadAll(r)
	if err == nil && rest.Len() > 0 {
		err = fmt.Errorf("%d bytes follow the member", rest.Len())
	}
	return page, err
}

var errCut = errors.New("the block is cut off")

// decodeSnappy reads a block of Snappy's format_description.txt.
func decodeSnappy(b []byte) ([]byte, error) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > math.MaxUint32 {
		return nil, errors.New("no length of 32 bits in front")
	}
	b = b[n:]
	page := make([]byte, 0, min(size, 1<<24))
	for len(b) > 0 {
		distance, length, rest, err := snappyElement(b)
		if err != nil {
			return nil, err
		}
		if distance < 0 {
			page, b = append(page, rest[:length]...), rest[length:]
			continue
		}
		if page, err = appendMatch(page, distance, length); err != nil {
			return nil, err
		}
		b = rest
	}
	if uint64(len(page)) != size {
		return nil, fmt.Errorf("%d bytes of %d", len(page), size)
	}
	return page, nil
}

// snappyElement reads the tag of an element and what belongs to it. Literals, which are then at the front of rest, have
// no distance: -1.
func snappyElement(b []byte) (distance, length int, rest []byte, err error) {
	tag := int(b[0])
	behind := [...]int{max(0, tag>>2-59), 1, 2, 4}[tag&3] // the tag, in bytes
	if b = b[1:]; len(b) < behind {
		return 0, 0, nil, errCut
	}
	var word [8]byte
	copy(word[:], b[:behind])
	value := int(binary.LittleEndian.Uint64(word[:]))
	b = b[behind:]
	switch {
	case tag&3 == 1:
		return tag>>5<<8 | value, tag>>2&7 + 4, b, nil
	case tag&3 != 0:
		return value, tag>>2 + 1, b, nil
	case behind == 0:
		value = tag >> 2
	}
	if len(b) <= value {
		return 0, 0, nil, errCut
	}
	return -1, value + 1, b, nil
}

// appendMatch repeats what stands at a distance before the end, itself too if it is longer.
func appendMatch(page []byte, distance, length int) ([]byte, error) {
	if distance < 1 || distance > len(page) {
		return nil, fmt.Errorf("a match %d bytes back at byte %d", distance, len(page))
	}
	from := len(page) - distance
	for length > 0 {
		n := min(length, len(page)-from)
		page = append(page, page[from:from+n]...)
		length -= n
	}
	return page, nil
}

// decodeLZ4 reads a block of lz4_Block_format.md and holds it to its end of block conditions: the last sequence has
// literals only, and behind a match at least five; the last match begins twelve bytes before the end or earlier.
func decodeLZ4(b []byte) ([]byte, error) {
	var page []byte
	lastMatch := -1
	for len(b) > 0 {
		token := b[0]
		literals, rest, err := lz4Length(int(token>>4), b[1:])
		if err != nil || len(rest) < literals {
			return nil, errCut
		}
		page, b = append(page, rest[:literals]...), rest[literals:]
		if len(b) == 0 {
			switch {
			case token&15 != 0:
				return nil, errors.New("the block ends in a match")
			case lastMatch >= 0 && (literals < 5 || len(page)-lastMatch < 12):
				return nil, fmt.Errorf("%d literals in the end, the last match %d bytes before it", literals, len(page)-lastMatch)
			}
			return page, nil
		}
		if len(b) < 2 {
			return nil, errCut
		}
		distance := int(binary.LittleEndian.Uint16(b))
		length, rest, err := lz4Length(int(token&15), b[2:])
		if err != nil {
			return nil, err
		}
		b, lastMatch = rest, len(page)
		if page, err = appendMatch(page, distance, length+4); err != nil {
			return nil, err
		}
	}
	return nil, errCut
}

// lz4Length adds to a length of 15 the bytes behind it, up to the first below 255.
func lz4Length(length int, b []byte) (int, []byte, error) {
	if length < 15 {
		return length, b, nil
	}
	for i, more := range b {
		length += int(more)
		if more < 255 {
			return length, b[i+1:], nil
		}
	}
	return 0, nil, errCut
}
