package encode

import (
	"encoding/binary"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// byteValues are the values of a BYTE_ARRAY column, or of a FIXED_LEN_BYTE_ARRAY column, which has no lengths.
type byteValues struct {
	source  byteSource
	width   int // 0: a length before each value
	bounds  byteBounds
	limit   int // plain bytes of the dictionary; 0: none
	hashes  *hashes
	content content // nil: values may be anything

	keys    *keys
	remap   remap
	entries byteDictionary
	own     bool // the dictionary's own entries are the storage
	total   int64

	scattered scattered
}

func newByteValues(src byteSource, leaf *leafColumn, o *Options, h *hashes, c content) *byteValues {
	v := &byteValues{source: src, width: leaf.TypeLength, limit: o.DictionaryBytes, hashes: h, content: c}
	v.bounds = newByteBounds(leaf, o.StatisticsBytes)
	v.entries.width = leaf.TypeLength
	return v
}

func (v *byteValues) bind(data arrow.ArrayData) error {
	v.own = false
	dt, ok := levels.StorageType(data.DataType()).(*arrow.DictionaryType)
	if !ok {
		v.keys = nil
		return v.source.bind(data)
	}
	if v.keys == nil {
		v.keys = new(keys)
	}
	dict, err := v.keys.bind(data, dt)
	if err != nil {
		return err
	}
	if v.limit > 0 {
		v.remap.use(dict)
	}
	return v.source.bind(dict)
}

func (v *byteValues) release() { v.source.release() }

func (v *byteValues) fixedBits() int { return 8 * v.width }

func (v *byteValues) plainBits(s *levels.Span) int {
	if v.width > 0 {
		return 8 * v.width * s.NumValues
	}
	n := 4 * s.NumValues
	if v.keys == nil && !v.own && !isScattered(s) {
		return 8 * (n + v.source.numBytes(s))
	}
	_ = v.each(s, func(b *byteBlock) error {
		n += b.numBytes()
		return nil
	})
	return 8 * n
}

func (v *byteValues) mostBits(s *levels.Span) int {
	if v.keys != nil || v.own {
		return v.plainBits(s)
	}
	return 8 * (4*s.NumValues + v.source.mostBytes(s))
}

// each yields the span's values, whatever the storage is.
func (v *byteValues) each(s *levels.Span, yield func(*byteBlock) error) error {
	eachSlot, gather := v.scattered.each, v.source.gather
	switch {
	case v.keys != nil && !v.own:
		eachSlot = v.keys.each
	case v.own && isScattered(s):
		gather = v.entries.gather
	case v.own:
		return v.entries.each(s, yield)
	case !isScattered(s):
		return v.source.each(s, yield)
	}
	done := 0
	return eachSlot(s, func(slots []uint32, times []int) error {
		block, err := gather(slots)
		if err != nil {
			return offsetError(err, done, times)
		}
		done += levels.Standing(times, len(slots))
		block.times = times
		return yield(block)
	})
}

func (v *byteValues) appendPlain(dst []byte, _ int, s *levels.Span) ([]byte, error) {
	first, done, times := len(dst), 0, s.Repeat()
	err := v.each(s, func(b *byteBlock) error {
		if err := v.inspect(b, done); err != nil {
			return err
		}
		done += b.standing()
		at, size := len(dst), b.numBytes()
		// What was sent need not be as long: values may lie in the same bytes.
		if n := at + size*times; n > maxPageBytes {
			return pageSizeError(n)
		}
		if v.width == 0 {
			v.total += int64(size) * int64(times)
		}
		switch {
		case b.times != nil:
			dst = v.appendStanding(dst, b)
		case v.width == 0:
			dst = appendByteArrays(dst, b, size)
		case b.lo == nil:
			dst = append(dst, b.data...)
		default:
			for i := range b.n {
				dst = append(dst, b.at(i)...)
			}
		}
		v.bounds.add(b, times) // now that the values are in the cache
		v.hashes.addBytes(b)
		return nil
	})
	return appendAgain(dst, first, times), err
}

// appendStanding appends the values of a block as often as they stand.
func (v *byteValues) appendStanding(dst []byte, b *byteBlock) []byte {
	for i, times := range b.times {
		at, value := len(dst), b.at(i)
		if v.width == 0 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(value)))
		}
		dst = appendAgain(append(dst, value...), at, times)
	}
	return dst
}

// inspect hands a block to the content, unless its values are the dictionary's, which went there one by one. An error has
// the index of its value, of which done are before the block.
func (v *byteValues) inspect(b *byteBlock, done int) error {
	if v.content == nil || v.own {
		return nil
	}
	for i := range b.n {
		if err := v.content.add(b.at(i)); err != nil {
			return &valueError{done + levels.Standing(b.times, i), err}
		}
	}
	return nil
}

// appendByteArrays appends the values of a block, of so many bytes, each behind its length (Encodings.md, "Plain").
func appendByteArrays(dst []byte, b *byteBlock, numBytes int) []byte {
	const piece = 16 // copied as a whole, whatever the value's length is
	at := len(dst)
	dst = grow(dst, 4*b.n+numBytes+piece)
	to, data := unsafe.Pointer(unsafe.SliceData(dst)), b.data
	starts, ends := b.lo[:b.n], b.hi[:b.n]
	for i, lo := range starts {
		n := ends[i] - lo
		if b.from != nil {
			from := b.from[i]
			if data = b.buffers[from]; from == fromView {
				*(*[viewSize]byte)(dst[at:]) = *(*[viewSize]byte)(data[lo-4:])
				at += 4 + n
				continue
			}
		}
		binary.LittleEndian.PutUint32(dst[at:], uint32(n))
		at += 4
		if n <= piece && lo+piece <= len(data) {
			*(*[piece]byte)(unsafe.Add(to, at)) = *(*[piece]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), lo))
		} else {
			copy(dst[at:], data[lo:ends[i]])
		}
		at += n
	}
	return dst[:at]
}

func (v *byteValues) plainBody(body []byte, _ int) []byte { return body }

func (v *byteValues) takeBounds() pageBounds {
	b := v.bounds.take()
	b.unencodedBytes, v.total = v.total, 0
	return b
}
