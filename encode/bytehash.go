package encode

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// shortBytes is the greatest length of byte strings whose bytes are in a shortKey.
const shortBytes = 16

// shortKey holds the bytes of a short byte string, and zeros behind them. With the length it tells all of it.
type shortKey struct{ low, high uint64 }

// shortKeyOf returns the key of a short byte string. No branch depends on its length, as that could not be foretold.
func shortKeyOf(v []byte) shortKey {
	n := len(v)
	if cap(v) >= shortBytes {
		return shortKey{word(v, 0) & lowBytes(n), word(v, 8) & lowBytes(max(n, 8)-8)}
	}
	var b [shortBytes]byte
	copy(b[:], v)
	return shortKey{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
}

// lowBytes has the bits of the lowest n bytes set, of all eight if n is more.
func lowBytes(n int) uint64 { return 1<<(8*uint(n)) - 1 }

// shortMasks have the bits of a short byte string's bytes set, by its length.
var shortMasks = func() (m [shortBytes + 1]shortKey) {
	for n := range m {
		m[n] = shortKey{lowBytes(n), lowBytes(max(n, 8) - 8)}
	}
	return m
}()

// hash hashes a short byte string of length n. Where that falls in a table is unknown to those who send it.
func (k shortKey) hash(n int) uint64 {
	return foldProduct(k.low^hashSeed[1], k.high^(hashSeed[0]+uint64(n)))
}

// mostWords is the greatest length of a byte string of which four words hold all bytes.
const mostWords = 32

var byteSeed = maphash.MakeSeed()

// hashLong hashes a byte string that is not short.
func hashLong(v []byte) uint64 {
	n := len(v)
	if n > mostWords {
		return maphash.Bytes(byteSeed, v)
	}
	a, b, c, d := words(v)
	return foldProduct(c^hashSeed[1], d^foldProduct(a^hashSeed[1], b^(hashSeed[0]+uint64(n))))
}

// equalLong is bytes.Equal for byte strings that are not short.
func equalLong(x, y []byte) bool {
	n := len(x)
	if n != len(y) || n > mostWords {
		return bytes.Equal(x, y)
	}
	a, b, c, d := words(x)
	p, q, r, s := words(y)
	return (a^p)|(b^q)|(c^r)|(d^s) == 0
}

// words returns four numbers that hold all of 16 to 32 bytes.
func words(v []byte) (a, b, c, d uint64) {
	n := len(v)
	return word(v, 0), word(v, 8), word(v, n-16), word(v, n-8)
}

// word returns the eight bytes from one on, which must be there.
func word(v []byte, at int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), at))
}

// foldProduct returns both halves of a product, laid over each other.
func foldProduct(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
