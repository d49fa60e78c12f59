package encode

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Byte strings by their differences (Encodings.md, "Delta-length byte array" and "Delta Strings"). All lengths are
// INT32 values in DELTA_BINARY_PACKED:
//
//	DELTA_LENGTH_BYTE_ARRAY   lengths, bytes of all values
//	DELTA_BYTE_ARRAY          lengths of the prefixes that values share with the one before, lengths of what follows
//	                          them, bytes of what follows them

// appendDeltaLength appends the n BYTE_ARRAY values of plain in DELTA_LENGTH_BYTE_ARRAY.
func appendDeltaLength(dst, plain []byte, n int) []byte {
	w := deltaWriter{dst: dst}
	w.lengths(plain, n)
	at := len(w.dst)
	dst = grow(w.dst, len(plain)-4*n+shortCopy)
	for lo := 0; lo < len(plain); {
		size := int(binary.LittleEndian.Uint32(plain[lo:]))
		lo += 4
		copyShort(dst[at:], plain[lo:], size)
		at, lo = at+size, lo+size
	}
	return dst[:at]
}

// deltaLengthSize returns the number of bytes that appendDeltaLength appends.
func deltaLengthSize(plain []byte, n int) int {
	w := deltaWriter{counting: true}
	w.lengths(plain, n)
	return w.size + len(plain) - 4*n
}

// lengths writes the lengths of n BYTE_ARRAY values.
func (w *deltaWriter) lengths(plain []byte, n int) {
	if n == 0 {
		mustEnd(plain, 0)
		w.header(0, 0)
		return
	}
	last := uint64(binary.LittleEndian.Uint32(plain))
	w.header(n, int64(last))
	var b deltaBlock
	at := 4 + int(last)
	for n--; n > 0; {
		m := min(n, deltaBlockValues)
		for i := range b.deltas[:m] {
			size := binary.LittleEndian.Uint32(plain[at:])
			at += 4 + int(size)
			b.deltas[i] = uint64(size)
		}
		last = b.fill(m, last)
		w.block(&b, m)
		n -= m
	}
	mustEnd(plain, at)
}

func mustEnd(plain []byte, at int) {
	if at != len(plain) {
		panic("encode: a page has another number of values than it should")
	}
}

// appendDeltaStrings appends the n values of plain in DELTA_BYTE_ARRAY. They are FIXED_LEN_BYTE_ARRAY of width bytes,
// or BYTE_ARRAY if width is 0.
func appendDeltaStrings(dst, plain []byte, n, width int) []byte {
	// The three parts are written side by side, each behind the most room that those before it may need.
	lengths := maxDeltaHeader32 + (n+deltaBlockValues-1)/deltaBlockValues*maxDeltaBlock32 + packSlack
	at := len(dst)
	dst = grow(dst, 2*lengths+len(plain)+shortCopy)
	suffixesAt, tail := at+lengths, dst[at+2*lengths:]
	f := frontCoder{plain: plain, width: width}
	f.prefixes.dst, f.suffixes.dst = dst[at:at:suffixesAt], dst[suffixesAt:suffixesAt:suffixesAt+lengths]
	tail = tail[:f.encode(tail, n)]
	at += copy(dst[at:], f.prefixes.dst) // which lies there already
	at += copy(dst[at:], f.suffixes.dst)
	at += copy(dst[at:], tail)
	return dst[:at]
}

// deltaStringsSize returns the number of bytes that appendDeltaStrings appends.
func deltaStringsSize(plain []byte, n, width int) int {
	f := frontCoder{plain: plain, width: width}
	f.prefixes.counting, f.suffixes.counting = true, true
	tail := f.encode(nil, n)
	return f.prefixes.size + f.suffixes.size + tail
}

// frontCoder separates values into prefixes and suffixes.
type frontCoder struct {
	plain    []byte
	width    int // 0: a length before each value
	at       int // of the next value
	last     int // where the bytes of the last value begin; they end at at
	prefixes deltaWriter
	suffixes deltaWriter
}

// frontBlock is what a block of values becomes: lengths, and then their deltas.
type frontBlock struct {
	prefixes, suffixes deltaBlock
	from               [deltaBlockValues]int // where in plain the suffixes begin
	sizes              [deltaBlockValues]int // of the suffixes
}

// encode writes n values, and the bytes of their suffixes, whose number it returns, to tail unless it only counts.
func (f *frontCoder) encode(tail []byte, n int) int {
	if n == 0 {
		mustEnd(f.plain, 0)
		f.prefixes.header(0, 0)
		f.suffixes.header(0, 0)
		return 0
	}
	var b frontBlock
	f.split(&b, 1)
	f.prefixes.header(n, 0)
	f.suffixes.header(n, int64(b.sizes[0]))
	end := f.copySuffixes(tail, 0, &b, 1)
	prefix, suffix := uint64(0), uint64(b.sizes[0])
	for n--; n > 0; {
		m := min(n, deltaBlockValues)
		f.split(&b, m)
		prefix, suffix = b.prefixes.fill(m, prefix), b.suffixes.fill(m, suffix)
		f.prefixes.block(&b.prefixes, m)
		f.suffixes.block(&b.suffixes, m)
		end = f.copySuffixes(tail, end, &b, m)
		n -= m
	}
	mustEnd(f.plain, f.at)
	return end
}

// split sets the block to the lengths of the next n values.
func (f *frontCoder) split(b *frontBlock, n int) {
	plain, at, last := f.plain, f.at, f.last
	for i := range n {
		lo, size := at, f.width
		if size == 0 {
			size = int(binary.LittleEndian.Uint32(plain[at:]))
			lo += 4
		}
		shared := sharedPrefix(plain[last:at], plain[lo:lo+size])
		b.prefixes.deltas[i], b.suffixes.deltas[i] = uint64(shared), uint64(size-shared)
		b.from[i], b.sizes[i] = lo+shared, size-shared
		at, last = lo+size, lo
	}
	f.at, f.last = at, last
}

// copySuffixes copies the suffixes of n values to tail[end:], and returns where they end.
func (f *frontCoder) copySuffixes(tail []byte, end int, b *frontBlock, n int) int {
	for i, size := range b.sizes[:n] {
		if !f.prefixes.counting {
			copyShort(tail[end:], f.plain[b.from[i]:], size)
		}
		end += size
	}
	return end
}

// shortCopy is the most bytes that a value may have to be copied without a call.
const shortCopy = 32

// copyShort copies n bytes. It may write up to shortCopy, for which dst has room.
func copyShort(dst, src []byte, n int) {
	const half = shortCopy / 2
	if n > shortCopy || len(src) < shortCopy {
		copy(dst, src[:n])
		return
	}
	*(*[half]byte)(dst) = *(*[half]byte)(src)
	if n > half {
		*(*[half]byte)(dst[half:]) = *(*[half]byte)(src[half:])
	}
}

// sharedPrefix returns how many bytes two values have in common before they differ.
func sharedPrefix(a, b []byte) int {
	const (
		near  = 64  // that far word by word
		chunk = 512 // and then, as long as all of it is the same, by the runtime's comparison
	)
	n, i := min(len(a), len(b)), 0
	for limit := min(n, near); ; limit = n {
		for ; i+8 <= limit; i += 8 {
			if x := word(a, i) ^ word(b, i); x != 0 {
				return i + bits.TrailingZeros64(x)/8
			}
		}
		if limit == n {
			break
		}
		for n-i >= chunk && bytes.Equal(a[i:i+chunk], b[i:i+chunk]) {
			i += chunk
		}
	}
	if n >= 8 { // of the last word, what is left
		return n - 8 + min(8, bits.TrailingZeros64(word(a, n-8)^word(b, n-8))/8)
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
