package encode

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/sluice-io/sluice/levels"
)

// byteDictionary is an open-addressing hash table from a byte string to its id. The strings lie in one buffer in the
// order of their ids, so that it can serve as the storage of a column.
type byteDictionary struct {
	width int        // 0: a length is part of a value's plain size
	data  []byte     // values of a width lie in it side by side
	ends  []int      // of other widths: value id is data[ends[id]:ends[id+1]]
	short []shortKey // of these, by id, of values that are short
	table []byteSlot
	start int // slots of the first table
	shift int // from a tag's hash to the slot
	room  int // values that the table may have
	block byteBlock
	ids   []uint32 // of a block
	last  uint32   // the long value that was found last
	places
}

type byteSlot struct {
	tag  uint32
	next uint32 // id+1; 0: empty
}

// tagOf returns 24 bits of a value's hash above its length, which is 255 if it is more.
func tagOf(hash uint64, n int) uint32 { return uint32(hash)<<8 | uint32(min(n, 255)) }

func (d *byteDictionary) len() int {
	if d.width > 0 {
		return len(d.data) / d.width
	}
	return max(0, len(d.ends)-1)
}

func (d *byteDictionary) at(id uint32) []byte {
	if d.width > 0 {
		return d.data[int(id)*d.width:][:d.width]
	}
	return d.data[d.ends[id]:d.ends[id+1]]
}

// isShort reports whether entry id is the short value with that key and length.
func (d *byteDictionary) isShort(id uint32, key shortKey) bool {
	if d.width > 0 {
		return shortKeyOf(d.at(id)) == key
	}
	return d.short[id] == key
}

func (d *byteDictionary) plainBytes() int {
	if d.width > 0 {
		return len(d.data)
	}
	return len(d.data) + 4*d.len()
}

// most returns how many values a dictionary of so many bytes may have.
func (d *byteDictionary) most(limit int) int {
	if d.width > 0 {
		return limit / d.width
	}
	return limit / 4 // as each has a length
}

// intern returns the id of a value, and false if it would be a new one that makes the dictionary larger than limit.
func (d *byteDictionary) intern(v []byte, limit int) (uint32, bool) {
	if n := d.len(); n >= d.room && (n < d.most(limit) || n == 0) {
		d.grow(limit)
	}
	if len(v) > shortBytes {
		return d.internLong(v, limit)
	}
	key := shortKeyOf(v)
	tag := tagOf(key.hash(len(v)), len(v))
	mask := len(d.table) - 1
	for i := int(tag>>8) << d.shift & mask; ; i = (i + 1) & mask {
		slot := &d.table[i]
		if slot.next == 0 {
			return d.add(v, key, limit, slot, tag)
		}
		if slot.tag == tag && d.isShort(slot.next-1, key) {
			return slot.next - 1, true
		}
	}
}

// hugeBytes is from what length on a value is compared with the last one before it is hashed, which takes longer.
const hugeBytes = 256

func (d *byteDictionary) internLong(v []byte, limit int) (uint32, bool) {
	if id := d.last; len(v) >= hugeBytes && int(id) < d.len() && bytes.Equal(d.at(id), v) {
		return id, true
	}
	tag := tagOf(hashLong(v), len(v))
	mask := len(d.table) - 1
	for i := int(tag>>8) << d.shift & mask; ; i = (i + 1) & mask {
		slot := &d.table[i]
		if slot.next == 0 {
			return d.add(v, shortKey{}, limit, slot, tag)
		}
		if slot.tag == tag && equalLong(d.at(slot.next-1), v) {
			d.last = slot.next - 1
			return d.last, true
		}
	}
}

// internAll appends the ids of a block. It returns false if a value does not go in, and has appended none then.
func (d *byteDictionary) internAll(x *indices, b *byteBlock, limit int) bool {
	d.ids = slices.Grow(d.ids[:0], b.n)[:b.n]
	for i := 0; i < b.n; i += 64 {
		ids := d.ids[i:min(i+64, b.n)]
		for missed := d.lookup(ids, b, i); missed != 0; missed &= missed - 1 {
			k := bits.TrailingZeros64(missed)
			id, ok := d.intern(b.at(i+k), limit)
			if !ok {
				return false
			}
			ids[k] = id
		}
	}
	x.addEach(d.ids, b.times)
	return true
}

// lookup sets ids to those of up to 64 values of a block from one on, and returns a bit for each that is not short or not in
// the first slot that it could be in, whose id means nothing.
func (d *byteDictionary) lookup(ids []uint32, b *byteBlock, from int) (missed uint64) {
	if len(d.table) == 0 {
		return lowBits(len(ids))
	}
	table, shift := d.table, uint(d.shift)
	mask, data := len(table)-1, b.data
	for i := range ids {
		at, n := (from+i)*b.width, b.width
		if b.lo != nil {
			at = b.lo[from+i]
			n = b.hi[from+i] - at
		}
		if b.from != nil {
			data = b.buffers[b.from[from+i]]
		}
		if n > shortBytes || at+shortBytes > len(data) {
			missed |= 1 << i
			continue
		}
		keep := &shortMasks[n]
		key := shortKey{word(data, at) & keep.low, word(data, at+8) & keep.high}
		tag := tagOf(key.hash(n), n)
		slot := table[int(tag>>8)<<shift&mask]
		id := slot.next - 1
		if slot.tag != tag || slot.next == 0 || !d.isShort(id, key) {
			missed |= 1 << i
		}
		ids[i] = id
	}
	return missed
}

func (d *byteDictionary) add(v []byte, key shortKey, limit int, slot *byteSlot, tag uint32) (uint32, bool) {
	size := len(v)
	if d.width == 0 {
		size += 4
	}
	if d.plainBytes()+size > limit {
		return 0, false
	}
	if need := len(d.data) + len(v); need > cap(d.data) { // much more, as what was too small is garbage
		d.data = append(make([]byte, 0, max(need, min(4*cap(d.data), limit), minDataBytes)), d.data...)
	}
	d.data = append(d.data, v...)
	if d.width == 0 {
		d.ends, d.short = append(d.ends, len(d.data)), append(d.short, key)
	}
	id := uint32(d.len() - 1)
	*slot = byteSlot{tag, id + 1}
	return id, true
}

// roomyBytes is the size of the largest table that has room for a quarter of its slots only: 128 KiB.
const roomyBytes = 1 << 14

// minDataBytes is how many bytes of entries a dictionary has room for to begin with.
const minDataBytes = 1 << 10

// grow makes a first table, or one twice as large, and makes room for as many values as it may have.
func (d *byteDictionary) grow(limit int) {
	old, slots := d.table, max(minTableSlots, d.start)
	if len(old) > 0 {
		slots = 2 * len(old)
	}
	d.table = make([]byteSlot, slots)
	d.room, d.shift = tableRoom(len(d.table), roomyBytes), max(0, bits.Len(uint(len(d.table)))-25)
	if d.width == 0 {
		most := min(d.room, d.most(limit))
		d.ends = append(append(make([]int, 0, 1+most), d.ends...), make([]int, oneIf(len(d.ends) == 0))...)
		d.short = append(make([]shortKey, 0, most), d.short...)
	}
	mask := len(d.table) - 1
	for _, slot := range old {
		if slot.next == 0 {
			continue
		}
		i := int(slot.tag>>8) << d.shift & mask
		for d.table[i].next != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = slot
	}
}

// numBytes returns the bytes of the entries that indices stand for.
func (d *byteDictionary) numBytes(x *indices) int64 {
	n, ends := 0, d.ends
	if len(x.repeats) == len(x.ids) { // one each
		for i, id := range x.ids {
			n += (ends[id+1] - ends[id]) * int(x.repeats[i].times)
		}
		return int64(n)
	}
	for _, id := range x.ids {
		n += ends[id+1] - ends[id]
	}
	for _, r := range x.repeats {
		for _, id := range r.of(x.ids) {
			n += (ends[id+1] - ends[id]) * int(r.times-1)
		}
	}
	return int64(n)
}

// each yields the entries that the span's slots stand for.
func (d *byteDictionary) each(s *levels.Span, yield func(*byteBlock) error) error {
	d.reserve()
	d.block = byteBlock{data: d.data, width: d.width}
	for run := range s.Runs {
		slot, n := run.Slot, run.Len
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
	d.block = byteBlock{data: d.data, lo: d.lo, hi: d.hi, n: len(slots)}
	for i, slot := range slots {
		if d.width > 0 {
			d.lo[i], d.hi[i] = int(slot)*d.width, (int(slot)+1)*d.width
		} else {
			d.lo[i], d.hi[i] = d.ends[slot], d.ends[slot+1]
		}
	}
	return &d.block, nil
}

// endIDs gives back the table, and has the one of the next column chunk begin as large.
func (d *byteDictionary) endIDs() { d.start, d.table, d.room, d.short = len(d.table), nil, 0, nil }

// clear forgets all entries, and how many there were if told so.
func (d *byteDictionary) clear(anew bool) {
	start := d.start
	if *d = (byteDictionary{width: d.width}); !anew {
		d.start = start
	}
}
