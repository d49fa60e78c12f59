package encode

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// shortBytes is the greatest length of byte strings that are taken whole, in four overlapping words, if they have at
// least one word. No branch depends on how long they are.
const shortBytes = 32

var byteSeed = maphash.MakeSeed()

// hashBytes hashes a byte string. Where that falls in a table is unknown to those who send it.
func hashBytes(v []byte) uint64 {
	n := len(v)
	if n > shortBytes {
		return maphash.Bytes(byteSeed, v)
	}
	seed := hashSeed[0] + uint64(n)
	if n >= 8 {
		a, b, c, d := words(v)
		return foldProduct(c^hashSeed[1], d^foldProduct(a^hashSeed[1], b^seed))
	}
	a, b := halves(v)
	return foldProduct(a^hashSeed[1], b^seed)
}

// words returns four numbers that hold all of 8 to 32 bytes.
func words(v []byte) (a, b, c, d uint64) {
	last := len(v) - 8
	step := min(8, last)
	return word(v, 0), word(v, step), word(v, last-step), word(v, last)
}

// word returns the eight bytes from one on, which must be there.
func word(v []byte, at int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), at))
}

// halves returns two numbers that hold all of up to 7 bytes.
func halves(v []byte) (a, b uint64) {
	n := len(v)
	switch {
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(v)), uint64(binary.LittleEndian.Uint32(v[n-4:]))
	case n > 0:
		return uint64(v[0]) | uint64(v[n/2])<<8, uint64(v[n-1])
	}
	return 0, 0
}

// foldProduct returns both halves of a product, laid over each other.
func foldProduct(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// equalBytes is bytes.Equal, faster for short ones.
func equalBytes(x, y []byte) bool {
	n := len(x)
	if n != len(y) || n < 8 || n > shortBytes {
		return bytes.Equal(x, y)
	}
	a, b, c, d := words(x)
	p, q, r, s := words(y)
	return (a^p)|(b^q)|(c^r)|(d^s) == 0
}
