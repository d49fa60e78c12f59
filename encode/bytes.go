package encode

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// byteValues are the values of a BYTE_ARRAY column, or of a FIXED_LEN_BYTE_ARRAY column, which has no lengths.
type byteValues struct {
	source byteSource
	width  int // 0: a length before each value
	bounds byteBounds
	limit  int // plain bytes of the dictionary; 0: none

	keys    *keys
	remap   remap
	entries byteDictionary
	own     bool // the dictionary's own entries are the storage
	total   int64

	scattered scattered
}

func newByteValues(src byteSource, leaf *leafColumn, dictionaryBytes int) *byteValues {
	v := &byteValues{source: src, width: leaf.TypeLength, limit: dictionaryBytes}
	v.bounds = newByteBounds(leaf)
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
		n += b.numBytes() * b.times
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
	return eachSlot(s, func(slots []uint32, times int) error {
		block, err := gather(slots)
		if err != nil {
			return offsetError(err, done, times)
		}
		done += len(slots) * times
		block.times = times
		return yield(block)
	})
}

func (v *byteValues) appendPlain(dst []byte, _ int, s *levels.Span) ([]byte, error) {
	first := len(dst)
	err := v.each(s, func(b *byteBlock) error {
		at, size := len(dst), b.numBytes()
		// What was sent need not be as long: values may lie in the same bytes.
		if n := at + size*b.times*s.Repeat; n > maxPageBytes {
			return pageSizeError(n)
		}
		v.bounds.add(b, b.times*s.Repeat)
		switch {
		case v.width == 0:
			dst = appendByteArrays(dst, b, size)
			v.total += int64(size) * int64(b.times*s.Repeat)
		case b.lo == nil:
			dst = append(dst, b.data...)
		default:
			for i := range b.n {
				dst = append(dst, b.at(i)...)
			}
		}
		dst = appendAgain(dst, at, b.times)
		return nil
	})
	return appendAgain(dst, first, s.Repeat), err
}

// appendByteArrays appends the values of a block, of so many bytes, each behind its length (Encodings.md, "Plain").
func appendByteArrays(dst []byte, b *byteBlock, numBytes int) []byte {
	const short = 16 // copied as a whole, whatever the value's length is
	at := len(dst)
	dst = grow(dst, 4*b.n+numBytes+short)
	data := b.data
	for i := range b.n {
		lo, hi := b.lo[i], b.hi[i]
		n := hi - lo
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
		if n <= short && lo+short <= len(data) {
			*(*[short]byte)(dst[at:]) = *(*[short]byte)(data[lo:])
		} else {
			copy(dst[at:], data[lo:hi])
		}
		at += n
	}
	return dst[:at]
}

func (v *byteValues) finishPage(body []byte, _ int) ([]byte, encodingID) { return body, encodingPlain }

func (v *byteValues) takeBounds() pageBounds {
	b := v.bounds.take()
	b.unencodedBytes, v.total = v.total, 0
	return b
}

func (v *byteValues) dictionary() dictionary {
	if v.limit <= 0 {
		return nil
	}
	return v
}

func (v *byteValues) appendIDs(x *indices, s *levels.Span) (full bool, err error) {
	if v.keys != nil && !v.own {
		err = v.remap.appendIDs(x, v.keys, s, func(slot uint32) (uint32, error) {
			block, err := v.source.gather([]uint32{slot})
			if err != nil {
				return 0, err
			}
			id, ok := v.entries.intern(block.at(0), v.limit)
			if !ok {
				return 0, errDictionaryFull
			}
			return id, nil
		})
	} else {
		err = v.each(s, func(b *byteBlock) error {
			for i := range b.n {
				id, ok := v.entries.intern(b.at(i), v.limit)
				if !ok {
					return errDictionaryFull
				}
				x.add(id, b.times)
			}
			return nil
		})
	}
	if err == errDictionaryFull {
		return true, nil
	}
	return false, err
}

func (v *byteValues) bindEntries() { v.own = true }

func (v *byteValues) boundsOf(x *indices) pageBounds {
	d := &v.entries
	d.page.begin(d.len())
	for _, id := range x.ids {
		if d.page.first(id) {
			v.bounds.addOne(d.at(id))
		}
	}
	b := v.bounds.take()
	b.unencodedBytes = x.count(func(id uint32) int64 { return int64(d.ends[id+1] - d.ends[id]) })
	if b.nans > 0 { // entries so far
		b.nans = x.count(func(id uint32) int64 { return oneIf(isNaN16(d.at(id))) })
	}
	return b
}

func (v *byteValues) numEntries() int { return v.entries.len() }
func (v *byteValues) plainBytes() int { return v.entries.plainBytes() }

func (v *byteValues) appendEntries(dst []byte, n int) []byte {
	if v.width > 0 {
		return append(dst, v.entries.data[:n*v.width]...)
	}
	for id := range n {
		value := v.entries.at(uint32(id))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(value)))
		dst = append(dst, value...)
	}
	return dst
}

func (v *byteValues) releaseArrow() { v.remap.release() }

func (v *byteValues) clear(free bool) {
	v.entries.clear(free)
	v.remap.forget()
}

// byteDictionary is an open-addressing hash table from a byte string to its id. The strings lie in one buffer in the
// order of their ids, so that it can serve as the storage of a column.
type byteDictionary struct {
	width int // 0: a length is part of a value's plain size
	data  []byte
	ends  []int // value id is data[ends[id]:ends[id+1]]
	table []byteSlot
	page  pageMarks
	block byteBlock
	places
}

type byteSlot struct {
	hash uint32
	next uint32 // id+1; 0: empty
}

var byteSeed = maphash.MakeSeed()

func (d *byteDictionary) len() int { return max(0, len(d.ends)-1) }

func (d *byteDictionary) at(id uint32) []byte { return d.data[d.ends[id]:d.ends[id+1]] }

func (d *byteDictionary) plainBytes() int {
	if d.width > 0 {
		return len(d.data)
	}
	return len(d.data) + 4*d.len()
}

// intern returns the id of a value, and false if it would be a new one that makes the dictionary larger than limit.
func (d *byteDictionary) intern(v []byte, limit int) (uint32, bool) {
	if 2*d.len() >= len(d.table) {
		d.grow()
	}
	mask := len(d.table) - 1
	hash := uint32(maphash.Bytes(byteSeed, v))
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		slot := &d.table[i]
		if slot.next == 0 {
			return d.add(v, limit, slot, hash)
		}
		if slot.hash == hash && bytes.Equal(d.at(slot.next-1), v) {
			return slot.next - 1, true
		}
	}
}

func (d *byteDictionary) add(v []byte, limit int, slot *byteSlot, hash uint32) (uint32, bool) {
	size := len(v)
	if d.width == 0 {
		size += 4
	}
	if d.plainBytes()+size > limit {
		return 0, false
	}
	if len(d.ends) == 0 {
		d.ends = append(d.ends, 0)
	}
	d.data = append(d.data, v...)
	d.ends = append(d.ends, len(d.data))
	id := uint32(d.len() - 1)
	*slot = byteSlot{hash, id + 1}
	return id, true
}

func (d *byteDictionary) grow() {
	old := d.table
	d.table = make([]byteSlot, max(128, 2*len(old)))
	mask := len(d.table) - 1
	for _, slot := range old {
		if slot.next == 0 {
			continue
		}
		i := int(slot.hash) & mask
		for d.table[i].next != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = slot
	}
}

// each yields the entries that the span's slots stand for.
func (d *byteDictionary) each(s *levels.Span, yield func(*byteBlock) error) error {
	d.reserve()
	d.block = byteBlock{data: d.data, width: d.width}
	for run := range s.Runs {
		slot, n := run.Slot, run.Len
		d.block.times = run.Times
		for i := 0; i < n; i += blockValues {
			m := min(blockValues, n-i)
			d.block.n = m
			if d.width > 0 {
				d.block.data = d.data[(slot+i)*d.width : (slot+i+m)*d.width]
			} else {
				for k := range m {
					d.lo[k], d.hi[k] = d.ends[slot+i+k], d.ends[slot+i+k+1]
				}
				d.block.lo, d.block.hi = d.lo, d.hi
			}
			if err := yield(&d.block); err != nil {
				return err
			}
		}
	}
	return nil
}

// gather returns the entries of up to blockValues slots; valid until the next call.
func (d *byteDictionary) gather(slots []uint32) (*byteBlock, error) {
	d.reserve()
	d.block = byteBlock{data: d.data, lo: d.lo, hi: d.hi, n: len(slots), times: 1}
	for i, slot := range slots {
		d.lo[i], d.hi[i] = d.ends[slot], d.ends[slot+1]
	}
	return &d.block, nil
}

func (d *byteDictionary) clear(free bool) {
	if free {
		*d = byteDictionary{width: d.width}
		return
	}
	d.data, d.ends = d.data[:0], d.ends[:0]
	clear(d.table)
	clear(d.page.marks)
	d.page.page = 0
}
