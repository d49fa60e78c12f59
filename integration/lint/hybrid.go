package lint

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// DecodeHybrid decodes n entries of the RLE/bit-packing hybrid, after the grammar in Encodings.md and bit by bit. It is
// stricter than readers are: no run is empty, nothing but zeros follows the n entries, and no byte is left.
func DecodeHybrid(b []byte, width, n int) ([]uint32, error) {
	out := make([]uint32, 0, min(n+7, 1<<16))
	for len(out) < n {
		header, k := binary.Uvarint(b)
		if k <= 0 {
			return out, fmt.Errorf("no run header after %d of %d entries", len(out), n)
		}
		b = b[k:]
		count := int(header >> 1)
		if count == 0 {
			return out, errors.New("an empty run")
		}
		if header&1 == 0 { // an RLE run of count entries
			size := (width + 7) / 8
			if len(b) < size {
				return out, errors.New("an RLE run without its value")
			}
			var value uint64
			for i, c := range b[:size] {
				value |= uint64(c) << (8 * i)
			}
			b = b[size:]
			if value>>width != 0 {
				return out, fmt.Errorf("an RLE run of %d, which takes more than %d bits", value, width)
			}
			if count > n-len(out) {
				return out, fmt.Errorf("an RLE run of %d where %d entries are left of %d", count, n-len(out), n)
			}
			for range count {
				out = append(out, uint32(value))
			}
			continue
		}
		if count > (n-len(out)+7)/8 || len(b) < count*width { // a bit-packed run of count groups of eight
			const text = "a bit-packed run of %d groups in %d bytes, where %d entries are left"
			return out, fmt.Errorf(text, count, len(b), n-len(out))
		}
		for i := range 8 * count {
			var value uint32
			for j := range width {
				bit := i*width + j
				value |= uint32(b[bit/8]>>(bit%8)&1) << j
			}
			out = append(out, value)
		}
		b = b[count*width:]
	}
	for _, v := range out[n:] {
		if v != 0 {
			return out, fmt.Errorf("the padding has %d in it", v)
		}
	}
	if len(b) > 0 {
		return out, fmt.Errorf("%d bytes follow the last run", len(b))
	}
	return out[:n:n], nil
}
