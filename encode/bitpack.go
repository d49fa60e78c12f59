package encode

import "encoding/binary"

// appendPacked appends the low width bits of every value, least significant bit first, without gaps (Parquet's
// bit-packed order). len(values) must be a multiple of 8, and every value below 1<<width.
func appendPacked(dst []byte, values []uint32, width int) []byte {
	if width == 0 {
		return dst
	}
	size := len(values) / 8 * width
	at := len(dst)
	dst = grow(dst, size+8)
	out := dst[at : at+size+8]
	if width == 8 {
		for i, v := range values {
			out[i] = byte(v)
		}
		return dst[:at+size]
	}
	var acc uint64
	var have uint
	k := 0
	for _, v := range values {
		acc |= uint64(v) << have
		have += uint(width)
		if have >= 32 {
			binary.LittleEndian.PutUint32(out[k:], uint32(acc))
			acc >>= 32
			have -= 32
			k += 4
		}
	}
	if have > 0 {
		binary.LittleEndian.PutUint32(out[k:], uint32(acc))
	}
	return dst[:at+size]
}

// grow returns dst with n bytes more, whose contents are undefined.
func grow(dst []byte, n int) []byte {
	need := len(dst) + n
	if need <= cap(dst) {
		return dst[:need]
	}
	grown := make([]byte, need, max(need, 2*cap(dst)))
	copy(grown, dst)
	return grown
}
