package encode

//go:generate go run gen_bitpack.go

// appendPacked appends the low width bits of every value, least significant bit first, without gaps (Parquet's
// bit-packed order). len(values) must be a multiple of 8, and every value below 1<<width.
func appendPacked(dst []byte, values []uint32, width int) []byte {
	if width == 0 {
		return dst
	}
	at, size := len(dst), len(values)/8*width
	dst = grow(dst, size+8) // a packer writes whole words
	packers[width](dst[at:], values)
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
