package encode

import (
	"math/bits"
	"unsafe"
)

// The multipliers of XXH64.
const (
	xxPrime1 uint64 = 0x9e3779b185ebca87
	xxPrime2 uint64 = 0xc2b2ae3d27d4eb4f
	xxPrime3 uint64 = 0x165667b19e3779f9
	xxPrime4 uint64 = 0x85ebca77c2b2ae63
	xxPrime5 uint64 = 0x27d4eb2f165667c5
)

// xxHash4 is XXH64, with seed 0, of the four bytes of v. No two numbers have the same hash, nor in xxHash8: every step
// can be undone.
func xxHash4(v uint32) uint64 {
	h := xxPrime5 + 4 ^ uint64(v)*xxPrime1
	return xxMix(bits.RotateLeft64(h, 23)*xxPrime2 + xxPrime3)
}

// xxHash8 is XXH64, with seed 0, of the eight bytes of v.
func xxHash8(v uint64) uint64 {
	h := xxPrime5 + 8 ^ bits.RotateLeft64(v*xxPrime2, 31)*xxPrime1
	return xxMix(bits.RotateLeft64(h, 27)*xxPrime1 + xxPrime4)
}

func xxMix(h uint64) uint64 {
	h = (h ^ h>>33) * xxPrime2
	h = (h ^ h>>29) * xxPrime3
	return h ^ h>>32
}

// xxHashNumbers sets dst to the hashes of as many numbers.
func xxHashNumbers[T uint32 | uint64](dst []uint64, block []T) {
	dst = dst[:len(block)]
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		for i, v := range block {
			dst[i] = xxHash4(uint32(v))
		}
		return
	}
	for i, v := range block {
		dst[i] = xxHash8(uint64(v))
	}
}
