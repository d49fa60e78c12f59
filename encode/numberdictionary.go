package encode

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// numberDictionary is an open-addressing hash table from a value's bits to its id.
type numberDictionary[T uint32 | uint64] struct {
	entries []T      // by id+1; the first means none
	table   []uint32 // id+1; 0: empty
	start   int      // slots of the first table
	ids     []uint32 // of a block
}

// values are the entries by id.
func (d *numberDictionary[T]) values() []T { return d.entries[min(1, len(d.entries)):] }

func (d *numberDictionary[T]) len() int { return max(0, len(d.entries)-1) }

// hashSeed makes where a value falls in a table unknown to those who send it.
var hashSeed = [2]uint64{rand.Uint64(), rand.Uint64() | 1}

func hashNumber(v uint64) uint64 {
	return foldProduct(v^hashSeed[0], hashSeed[1])
}

// intern returns the id of a value, and false if it would be a new one beyond the first most.
func (d *numberDictionary[T]) intern(v T, most int) (uint32, bool) {
	if n := d.len(); n >= tableRoom(len(d.table), roomyNumbers) && (n < most || n == 0) {
		d.grow(most)
	}
	mask := uint64(len(d.table) - 1)
	for i := hashNumber(uint64(v)) & mask; ; i = (i + 1) & mask {
		next := d.table[i]
		if next == 0 {
			if d.len() >= most {
				return 0, false
			}
			d.table[i] = uint32(len(d.entries))
			d.entries = append(d.entries, v)
			return d.table[i] - 1, true
		}
		if d.entries[next] == v {
			return next - 1, true
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
		next := d.table[hashNumber(uint64(v))&mask]
		ids[i] = next - 1
		missed |= uint64(oneIf(d.entries[next] != v)|oneIf(next == 0)) << (i & 63)
	}
	return missed
}

// tableRoom returns how many values a hash table may have: a quarter of its slots, so that most values are where they are
// looked for first, or half of them if it has more than roomy slots.
func tableRoom(slots, roomy int) int {
	if slots <= roomy {
		return slots / 4
	}
	return slots / 2
}

const minTableSlots = 128

// roomyNumbers is the size of the largest table of numbers that has room for a quarter of its slots only: 256 KiB.
const roomyNumbers = 1 << 16

// grow makes a first table, or one twice as large, and makes room for as many values as it may have, or more: what was too
// small is garbage.
func (d *numberDictionary[T]) grow(most int) {
	slots := max(minTableSlots, d.start)
	if len(d.table) > 0 {
		slots = 2 * len(d.table)
	}
	d.table = make([]uint32, slots)
	if room := tableRoom(slots, roomyNumbers); cap(d.entries) < 1+min(most, room) {
		entries := make([]T, 1, 1+min(most, 2*room)) // what is not used is not touched
		d.entries = append(entries, d.values()...)
	}
	mask := uint64(len(d.table) - 1)
	for id, v := range d.values() {
		i := hashNumber(uint64(v)) & mask
		for d.table[i] != 0 {
			i = (i + 1) & mask
		}
		d.table[i] = uint32(id + 1)
	}
}

// endIDs gives back the table, and has the one of the next column chunk begin as large.
func (d *numberDictionary[T]) endIDs() { d.start, d.table = len(d.table), nil }

// clear forgets all entries, and how many there were if told so.
func (d *numberDictionary[T]) clear(anew bool) {
	start := d.start
	if *d = (numberDictionary[T]{}); !anew {
		d.start = start
	}
}
