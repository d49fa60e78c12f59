package encode

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// numberDictionary is an open-addressing hash table from a value's bits to its id.
type numberDictionary[T uint32 | uint64] struct {
	values []T // by id
	table  []numberSlot[T]
	page   pageMarks
	ids    []uint32 // of a block
}

type numberSlot[T uint32 | uint64] struct {
	value T
	next  uint32 // id+1; 0: empty
}

// hashSeed makes where a value falls in a table unknown to those who send it.
var hashSeed = [2]uint64{rand.Uint64(), rand.Uint64() | 1}

func hashNumber(v uint64) uint64 {
	return foldProduct(v^hashSeed[0], hashSeed[1])
}

// intern returns the id of a value, and false if it would be a new one beyond the first most.
func (d *numberDictionary[T]) intern(v T, most int) (uint32, bool) {
	if len(d.values) >= d.room() {
		d.grow()
	}
	mask := uint64(len(d.table) - 1)
	for i := hashNumber(uint64(v)) & mask; ; i = (i + 1) & mask {
		slot := &d.table[i]
		if slot.next == 0 {
			if len(d.values) >= most {
				return 0, false
			}
			d.values = append(d.values, v)
			*slot = numberSlot[T]{v, uint32(len(d.values))}
			return slot.next - 1, true
		}
		if slot.value == v {
			return slot.next - 1, true
		}
	}
}

// internAll appends the ids of a block whose values stand as often as times says, or once if that is nil. It returns
// false if a value does not go in, and has appended none then.
func (d *numberDictionary[T]) internAll(x *indices, block []T, times []int, most int) bool {
	d.ids = slices.Grow(d.ids[:0], len(block))[:len(block)]
	for i := 0; i < len(block); i += 64 {
		part := block[i:min(i+64, len(block))]
		to := d.ids[i:][:len(part)]
		for missed := d.lookup(to, part); missed != 0; missed &= missed - 1 {
			k := bits.TrailingZeros64(missed)
			id, ok := d.intern(part[k], most)
			if !ok {
				return false
			}
			to[k] = id
		}
	}
	x.addEach(d.ids, times)
	return true
}

// lookup sets ids to those of up to 64 values, and returns a bit for each that is not in the first slot that it could be
// in, whose id means nothing. It has no branch that depends on a value, as none could be foretold.
func (d *numberDictionary[T]) lookup(ids []uint32, values []T) (missed uint64) {
	if len(d.table) == 0 {
		return lowBits(len(values))
	}
	mask := uint64(len(d.table) - 1)
	for i, v := range values {
		slot := &d.table[hashNumber(uint64(v))&mask]
		ids[i] = slot.next - 1
		missed |= uint64(oneIf(slot.value != v)|oneIf(slot.next == 0)) << (i & 63)
	}
	return missed
}

// room returns how many values the table may have: a quarter of a small one, so that most are where lookup finds them,
// and half of a large one.
func (d *numberDictionary[T]) room() int { return tableRoom(len(d.table)) }

func tableRoom(slots int) int {
	if slots <= roomySlots {
		return slots / 4
	}
	return slots / 2
}

// roomySlots is the size of the largest hash table that has room for a quarter of its slots only.
const roomySlots = 1 << 14

func (d *numberDictionary[T]) grow() {
	d.table = make([]numberSlot[T], max(128, 2*len(d.table)))
	mask := uint64(len(d.table) - 1)
	for id, v := range d.values {
		i := hashNumber(uint64(v)) & mask
		for d.table[i].next != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = numberSlot[T]{v, uint32(id + 1)}
	}
}

func (d *numberDictionary[T]) clear(free bool) {
	if free {
		*d = numberDictionary[T]{}
		return
	}
	d.values = d.values[:0]
	clear(d.table)
	clear(d.page.marks)
	d.page.page = 0
}
