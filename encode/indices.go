package encode

import (
	"slices"
	"unsafe"

	"github.com/sluice-io/sluice/levels"
)

// indices are the dictionary indices of a page. What stands many times in a row is kept once.
type indices struct {
	ids     []uint32
	repeats []repeat // in order, apart from each other
	n       int      // indices, each as often as it stands
}

// repeat says that ids[at:at+n] stands times times. A page counts in 31 bits.
type repeat struct {
	at, n, times uint32
}

// of returns the ids that stand several times, of all of a page.
func (r repeat) of(ids []uint32) []uint32 { return ids[r.at:r.end()] }

// end returns where the ids end.
func (r repeat) end() int { return int(r.at + r.n) }

// minRepeat is how many indices must be more than one time there for a repeat.
const minRepeat = 8

// add appends an id that stands times times.
func (x *indices) add(id uint32, times int) {
	x.n += times
	if times >= minRepeat {
		x.repeats = append(x.repeats, repeat{uint32(len(x.ids)), 1, uint32(times)})
		times = 1
	}
	for range times {
		x.ids = append(x.ids, id)
	}
}

// addEach appends ids that stand as often as times says, or once each if that is nil.
func (x *indices) addEach(ids []uint32, times []int) {
	if times == nil {
		x.ids, x.n = append(x.roomFor(len(ids)), ids...), x.n+len(ids)
		return
	}
	least, n := minRepeat, 0
	for _, k := range times {
		least, n = min(least, k), n+k
	}
	x.n += n
	if least < minRepeat {
		x.addFew(ids, times)
		return
	}
	at, have := uint32(len(x.ids)), len(x.repeats)
	x.ids = append(x.ids, ids...)
	x.repeats = slices.Grow(x.repeats, len(ids))[:have+len(ids)]
	repeats := x.repeats[have:]
	for i, k := range times[:len(repeats)] {
		repeats[i] = repeat{at + uint32(i), 1, uint32(k)}
	}
}

// roomFor returns the ids with room for n more. It makes twice as much, as append leaves several times as much behind as
// garbage, but not much more than the 20,000 that a page has as a rule.
func (x *indices) roomFor(n int) []uint32 {
	if have := cap(x.ids); cap(x.ids)-len(x.ids) < n {
		x.ids = append(make([]uint32, 0, max(len(x.ids)+n, have+max(have/4, min(have, 4096)))), x.ids...)
	}
	return x.ids
}

// addFew appends ids of which some stand too few times for a repeat. They are counted already.
func (x *indices) addFew(ids []uint32, times []int) {
	to, repeats := slices.Grow(x.ids, len(ids)), slices.Grow(x.repeats, len(ids))
	for i, id := range ids {
		k := times[i]
		if k >= minRepeat {
			repeats, to = append(repeats, repeat{uint32(len(to)), 1, uint32(k)}), append(to, id)
			continue
		}
		for range k {
			to = append(to, id)
		}
	}
	x.ids, x.repeats = to, repeats
}

// again makes the indices that came after mark, a former state of x, stand as often as their tiles.
func (x *indices) again(mark indices, tiles []levels.Tile) {
	if len(x.repeats) > len(mark.repeats) {
		x.againRepeats(mark, tiles)
		return
	}
	at := len(mark.ids)
	for _, tile := range tiles {
		if n := tile.NumValues; n > 0 && tile.Times > 1 {
			x.repeats = append(x.repeats, repeat{uint32(at), uint32(n), uint32(tile.Times)})
			x.n += n * (tile.Times - 1)
		}
		at += tile.NumValues
	}
}

// againRepeats is again for indices of which some stand many times in a row already.
func (x *indices) againRepeats(mark indices, tiles []levels.Tile) {
	tail := indices{slices.Clone(x.ids[len(mark.ids):]), slices.Clone(x.repeats[len(mark.repeats):]), 0}
	for i := range tail.repeats {
		tail.repeats[i].at -= uint32(len(mark.ids))
	}
	*x = x.truncated(mark)
	tile, left, before := -1, 0, mark
	for ids, times := range tail.stretches {
		for n := len(ids) * times; n > 0; {
			if left == 0 {
				for tile++; tiles[tile].NumValues == 0; tile++ {
				}
				left, before = tiles[tile].NumValues, *x
			}
			take := min(n, left)
			if times > 1 {
				x.add(ids[0], take)
			} else {
				x.ids, x.n = append(x.ids, ids[:take]...), x.n+take
				ids = ids[take:]
			}
			if n, left = n-take, left-take; left == 0 {
				x.copies(before, tiles[tile].Times)
			}
		}
	}
}

// copies makes what came after mark stand times times.
func (x *indices) copies(mark indices, times int) {
	ids, repeats, n := x.ids[len(mark.ids):], x.repeats[len(mark.repeats):], x.n-mark.n
	x.n += n * (times - 1)
	switch {
	case times == 1:
	case len(repeats) == 0:
		x.repeats = append(x.repeats, repeat{uint32(len(mark.ids)), uint32(n), uint32(times)})
	case len(ids) == 1:
		repeats[0].times *= uint32(times)
	default:
		x.ids = slices.Grow(x.ids, len(ids)*(times-1))
		for k := 1; k < times; k++ {
			x.ids = append(x.ids, ids...)
			for _, r := range repeats {
				x.repeats = append(x.repeats, repeat{r.at + uint32(k*len(ids)), r.n, r.times})
			}
		}
	}
}

// truncated returns x as it was at mark.
func (x *indices) truncated(mark indices) indices {
	return indices{x.ids[:len(mark.ids)], x.repeats[:len(mark.repeats)], mark.n}
}

func (x *indices) clone() indices { return indices{slices.Clone(x.ids), slices.Clone(x.repeats), x.n} }

// held returns the bytes of memory that the indices take.
func (x *indices) held() int64 {
	return 4*int64(cap(x.ids)) + int64(unsafe.Sizeof(repeat{}))*int64(cap(x.repeats))
}

// stretches yields the indices in order, in stretches that stand so many times.
func (x *indices) stretches(yield func(ids []uint32, times int) bool) {
	at := 0
	for _, r := range x.repeats {
		if from := int(r.at); from > at && !yield(x.ids[at:from], 1) || !yield(r.of(x.ids), int(r.times)) {
			return
		}
		at = r.end()
	}
	if at < len(x.ids) {
		yield(x.ids[at:], 1)
	}
}

// referred yields once each index that there is, in no order. There are so many dictionary entries.
func (x *indices) referred(entries int) func(yield func(id uint32) bool) {
	return func(yield func(id uint32) bool) {
		s := scratchPool.Get().(*pageScratch)
		defer s.free()
		s.marks = slices.Grow(s.marks[:0], entries)[:entries]
		marks := s.marks
		clear(marks)
		if entries > len(x.ids) {
			for _, id := range x.ids {
				if !marks[id] {
					marks[id] = true
					if !yield(id) {
						return
					}
				}
			}
			return
		}
		for _, id := range x.ids { // no branch that could not be foretold
			marks[id] = true
		}
		for id, marked := range marks {
			if marked && !yield(uint32(id)) {
				return
			}
		}
	}
}

func (x *indices) max() uint32 {
	var a, b, c, d uint32 // which do not wait for each other
	rest := x.ids
	for ; len(rest) >= 4; rest = rest[4:] {
		v := rest[:4:4]
		a, b, c, d = max(a, v[0]), max(b, v[1]), max(c, v[2]), max(d, v[3])
	}
	for _, id := range rest {
		a = max(a, id)
	}
	return max(a, b, c, d)
}

// count adds up f of every index, as often as it stands.
func (x *indices) count(f func(id uint32) int64) int64 {
	var total int64
	for _, id := range x.ids {
		total += f(id)
	}
	for _, r := range x.repeats {
		for _, id := range r.of(x.ids) {
			total += f(id) * int64(r.times-1)
		}
	}
	return total
}
