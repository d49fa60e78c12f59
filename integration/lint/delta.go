package lint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The decoders of lint for the encodings of values beside PLAIN and RLE_DICTIONARY, after Encodings.md and bit by bit.
// Each reads n values that take all of b, and returns them as readPlain does. They are stricter than readers are: what
// could be written in several ways must be written in the shortest.

// readDelta reads DELTA_BINARY_PACKED.
func readDelta(leaf *Leaf, b []byte, n int) (values [][]byte, err error) {
	size := map[Type]int{Int32: 4, Int64: 8}[leaf.Type]
	if size == 0 {
		return nil, fmt.Errorf("values of physical type %d", leaf.Type)
	}
	numbers, rest, err := decodeDelta(b, 8*size, n)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow the values", len(rest))
	}
	plain := make([]byte, 8*len(numbers))
	for i, v := range numbers {
		b := plain[8*i:][:8]
		binary.LittleEndian.PutUint64(b, uint64(v))
		values = append(values, b[:size:size])
	}
	return values, err
}

// readDeltaLength reads DELTA_LENGTH_BYTE_ARRAY.
func readDeltaLength(leaf *Leaf, b []byte, n int) (values [][]byte, err error) {
	if leaf.Type != ByteArray {
		return nil, fmt.Errorf("values of physical type %d", leaf.Type)
	}
	return cutByLengths(b, n)
}

// cutByLengths reads n lengths and as many byte strings.
func cutByLengths(b []byte, n int) (values [][]byte, err error) {
	lengths, b, err := decodeDelta(b, 32, n)
	if err != nil {
		return nil, fmt.Errorf("lengths: %w", err)
	}
	for i, size := range lengths {
		if size < 0 || size > int64(len(b)) {
			return nil, fmt.Errorf("value %d has %d bytes of %d", i, size, len(b))
		}
		values, b = append(values, b[:size:size]), b[size:]
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes follow the values", len(b))
	}
	return values, nil
}

// readDeltaStrings reads DELTA_BYTE_ARRAY.
func readDeltaStrings(leaf *Leaf, b []byte, n int) (values [][]byte, err error) {
	if leaf.Type != ByteArray && leaf.Type != FixedLenByteArray {
		return nil, fmt.Errorf("values of physical type %d", leaf.Type)
	}
	prefixes, b, err := decodeDelta(b, 32, n)
	if err != nil {
		return nil, fmt.Errorf("prefix lengths: %w", err)
	}
	suffixes, err := cutByLengths(b, n)
	if err != nil {
		return nil, fmt.Errorf("suffixes: %w", err)
	}
	var last []byte
	for i, suffix := range suffixes {
		shared := prefixes[i]
		if shared < 0 || shared > int64(len(last)) {
			return nil, fmt.Errorf("value %d shares %d bytes with one of %d", i, shared, len(last))
		}
		if len(suffix) > 0 && shared < int64(len(last)) && suffix[0] == last[shared] {
			return nil, fmt.Errorf("value %d shares more than the %d bytes it says", i, shared)
		}
		last = append(bytes.Clone(last[:shared]), suffix...)
		if leaf.Type == FixedLenByteArray && len(last) != int(leaf.TypeLength) {
			return nil, fmt.Errorf("value %d has %d bytes of %d", i, len(last), leaf.TypeLength)
		}
		values = append(values, last)
	}
	return values, nil
}

// readStreamSplit reads BYTE_STREAM_SPLIT.
func readStreamSplit(leaf *Leaf, b []byte, n int) (values [][]byte, err error) {
	size := map[Type]int{
		Int32: 4, Float: 4, Int64: 8, Double: 8, FixedLenByteArray: int(leaf.TypeLength),
	}[leaf.Type]
	if size == 0 {
		return nil, fmt.Errorf("values of physical type %d", leaf.Type)
	}
	if len(b) != n*size {
		return nil, fmt.Errorf("%d bytes for %d values of %d", len(b), n, size)
	}
	plain := make([]byte, n*size)
	for i := range n {
		v := plain[i*size:][:size:size]
		for k := range v {
			v[k] = b[k*n+i]
		}
		values = append(values, v)
	}
	return values, nil
}

// decodeDelta decodes n numbers of so many bits in DELTA_BINARY_PACKED, and returns what follows them.
func decodeDelta(b []byte, width, n int) (values []int64, rest []byte, err error) {
	r := deltaReader{b: b, width: width}
	block, miniblocks, count, first := r.uvarint(), r.uvarint(), r.uvarint(), r.varint()
	switch {
	case r.err != nil:
		return nil, nil, fmt.Errorf("header: %w", r.err)
	case block == 0 || block%128 != 0 || miniblocks == 0 || block%miniblocks != 0 || block/miniblocks%32 != 0:
		return nil, nil, fmt.Errorf("blocks of %d values in %d miniblocks", block, miniblocks)
	case count != uint64(n):
		return nil, nil, fmt.Errorf("%d values, not %d", count, n)
	case n == 0 && first != 0:
		return nil, nil, fmt.Errorf("no values, the first of which is %d", first)
	case n == 0:
		return nil, r.b, nil
	}
	values = append(make([]int64, 0, n), first)
	for i := 0; len(values) < n; i++ {
		deltas := r.block(int(block), int(miniblocks), n-len(values))
		if r.err != nil {
			return nil, nil, fmt.Errorf("block %d: %w", i, r.err)
		}
		for _, d := range deltas {
			values = append(values, r.wrap(uint64(values[len(values)-1])+d))
		}
	}
	return values, r.b, nil
}

// deltaReader reads the parts of DELTA_BINARY_PACKED, until there is an error.
type deltaReader struct {
	b     []byte
	width int // of the numbers
	err   error
}

// fail keeps the first error.
func (r *deltaReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// wrap returns a number as one of the physical type.
func (r *deltaReader) wrap(v uint64) int64 {
	unused := 64 - r.width
	return int64(v<<unused) >> unused
}

func (r *deltaReader) uvarint() uint64 {
	v, k := binary.Uvarint(r.b)
	if k <= 0 || k != (bits.Len64(v|1)+6)/7 {
		r.fail(fmt.Errorf("a number of %d bytes with %d left", k, len(r.b)))
		return 0
	}
	r.b = r.b[k:]
	return v
}

func (r *deltaReader) varint() int64 {
	u := r.uvarint()
	v := int64(u>>1) ^ -int64(u&1)
	if r.wrap(uint64(v)) != v {
		r.fail(fmt.Errorf("%d takes more than %d bits", v, r.width))
	}
	return v
}

// block reads a block, which has n deltas, or as many as there is room for if that is less.
func (r *deltaReader) block(size, miniblocks, n int) (deltas []uint64) {
	least := r.varint()
	if r.err == nil && len(r.b) < miniblocks {
		r.err = fmt.Errorf("%d bytes where %d bit widths should be", len(r.b), miniblocks)
	}
	if r.err != nil {
		return nil
	}
	widths := r.b[:miniblocks]
	r.b = r.b[miniblocks:]
	for i, width := range widths {
		have := min(size/miniblocks, n-len(deltas))
		if have <= 0 {
			if width != 0 {
				r.fail(fmt.Errorf("miniblock %d, which is not there, has bit width %d", i, width))
			}
			continue
		}
		above := r.miniblock(int(width), size/miniblocks, have)
		if r.err != nil {
			r.err = fmt.Errorf("miniblock %d: %w", i, r.err)
			return nil
		}
		for _, v := range above {
			deltas = append(deltas, uint64(least)+v)
		}
	}
	for _, d := range deltas {
		if d == uint64(least) {
			return deltas
		}
	}
	r.fail(fmt.Errorf("no delta is the least, %d", least))
	return nil
}

// miniblock reads a miniblock of size values, and returns the first n.
func (r *deltaReader) miniblock(width, size, n int) (values []uint64) {
	if width > r.width || len(r.b) < size/8*width {
		r.err = fmt.Errorf("bit width %d, %d bytes", width, len(r.b))
		return nil
	}
	var most uint64
	for i := range size {
		var v uint64
		for j := range width {
			bit := i*width + j
			v |= uint64(r.b[bit/8]>>(bit%8)&1) << j
		}
		most = max(most, v)
		if i >= n && v != 0 {
			r.err = fmt.Errorf("the padding has %d in it", v)
			return nil
		}
		values = append(values, v)
	}
	if bits.Len64(most) != width {
		r.err = fmt.Errorf("bit width %d, the largest value takes %d", width, bits.Len64(most))
	}
	r.b = r.b[size/8*width:]
	return values[:n]
}
