package encode

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// contentHash is a rolling hash over levels and values, word by word:
//
//	"Zürich" with levels    levels      length      text
//	                        00 01       00000007    5a c3 bc 72 69 63 68
//	hash                    = hash<<1 + mix(word), for each of them in turn
//
// A word's trace has left the hash 64 words on, so that the hash is the same again where the content is. It matches
// behind a word of n bytes by a chance in proportion to n: sizes of what lies between two matches are counted in bytes,
// whatever the values are. Levels have no bytes.
type contentHash struct {
	hash    uint64
	least   uint64 // a word of n bytes matches below n times as much
	round   uint64 // of the mix, each time another
	matched bool
}

// newContentHash returns a hash that matches every so many bytes in the mean, rounded down to a power of two.
func newContentHash(mean int) contentHash {
	zeros := min(max(4, bits.Len(uint(mean))-1), 60) // a whole word's chance is a half at most
	return contentHash{least: math.MaxUint64>>zeros + 1}
}

// The mix is a product by an odd number with many ones, of which both halves count.
const (
	contentMix   = 0x9e3779b97f4a7c15
	contentRound = 0xbf58476d1ce4e5b9 // that one round of the mix differs from the next by
)

func (h *contentHash) mixed(w uint64) uint64 { return foldProduct(w^h.round, contentMix) }

// level takes a definition and a repetition level.
func (h *contentHash) level(def, rep byte) {
	h.hash = h.hash<<1 + (uint64(rep)<<8|uint64(def)+1)*contentMix
}

// word takes a word of 1 to 8 bytes.
func (h *contentHash) word(w uint64, bytes int) {
	h.hash = h.hash<<1 + h.mixed(w)
	h.matched = h.matched || h.hash < h.least*uint64(bytes)
}

// text takes bytes, of which the last word may have fewer than eight.
func (h *contentHash) text(b []byte) {
	hash, matched, limit := h.hash, h.matched, 8*h.least
	for ; len(b) >= 8; b = b[8:] {
		hash = hash<<1 + h.mixed(binary.LittleEndian.Uint64(b))
		if hash < limit {
			matched = true
		}
	}
	h.hash, h.matched = hash, matched
	if len(b) > 0 {
		h.word(tailWord(b), len(b))
	}
}

// tailWord returns one to seven bytes as a word, another one for any other bytes of that number.
func tailWord(b []byte) uint64 {
	if n := len(b); n >= 4 {
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	}
	return uint64(b[0]) | uint64(b[len(b)/2])<<8 | uint64(b[len(b)-1])<<16
}

// numbers takes values of one width until it matches, and returns how many.
func (h *contentHash) numbers(b []byte, width int) (n int) {
	if width != 4 && width != 8 {
		for n < len(b)/width && !h.matched {
			h.text(b[n*width : (n+1)*width])
			n++
		}
		return n
	}
	hash, limit := h.hash, h.least*uint64(width)
	for n < len(b)/width {
		w := uint64(0)
		if width == 8 {
			w = binary.LittleEndian.Uint64(b[8*n:])
		} else {
			w = tailWord(b[4*n : 4*n+4])
		}
		hash = hash<<1 + h.mixed(w)
		n++
		if hash < limit {
			h.matched = true
			break
		}
	}
	h.hash = hash
	return n
}

// next begins another round, once it has matched.
func (h *contentHash) next() {
	h.matched = false
	h.round += contentRound
}

func (h *contentHash) reset() { h.hash, h.round, h.matched = 0, 0, false }
