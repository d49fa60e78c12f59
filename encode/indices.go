package encode

import (
	"encoding/binary"
	"slices"
)

// indices are the dictionary indices of a page. What stands many times in a row is kept once.
type indices struct {
	ids     []uint32
	repeats []repeat // in order, apart from each other
	n       int      // indices, each as often as it stands
}

// repeat says that ids[at:at+n] stands times times.
type repeat struct {
	at, n, times int
}

// minRepeat is how many indices must be more than one time there for a repeat.
const minRepeat = 8

// add appends an id that stands times times.
func (x *indices) add(id uint32, times int) {
	x.n += times
	if times >= minRepeat {
		x.repeats = append(x.repeats, repeat{len(x.ids), 1, times})
		times = 1
	}
	for range times {
		x.ids = append(x.ids, id)
	}
}

// again appends what came after mark, which is a former state of x, so often that it stands times times.
func (x *indices) again(mark indices, times int) {
	tail, n := x.ids[len(mark.ids):], x.n-mark.n
	repeats := x.repeats[len(mark.repeats):]
	if times == 1 || n == 0 {
		return
	}
	if len(tail) == 1 {
		id := tail[0]
		*x = x.truncated(mark)
		x.add(id, n*times)
		return
	}
	x.n += n * (times - 1)
	if len(repeats) == 0 && n*(times-1) >= minRepeat {
		x.repeats = append(x.repeats, repeat{len(mark.ids), n, times})
		return
	}
	x.ids = slices.Grow(x.ids, len(tail)*(times-1))
	for k := 1; k < times; k++ {
		x.ids = append(x.ids, tail...)
		for _, r := range repeats {
			x.repeats = append(x.repeats, repeat{r.at + k*len(tail), r.n, r.times})
		}
	}
}

// truncated returns x as it was at mark.
func (x *indices) truncated(mark indices) indices {
	return indices{x.ids[:len(mark.ids)], x.repeats[:len(mark.repeats)], mark.n}
}

// stretches yields the indices in order, in stretches that stand so many times.
func (x *indices) stretches(yield func(ids []uint32, times int) bool) {
	at := 0
	for _, r := range x.repeats {
		if r.at > at && !yield(x.ids[at:r.at], 1) || !yield(x.ids[r.at:r.at+r.n], r.times) {
			return
		}
		at = r.at + r.n
	}
	if at < len(x.ids) {
		yield(x.ids[at:], 1)
	}
}

func (x *indices) max() uint32 {
	var m uint32
	for _, id := range x.ids {
		m = max(m, id)
	}
	return m
}

// count adds up f of every index, as often as it stands.
func (x *indices) count(f func(id uint32) int64) int64 {
	var total int64
	for _, id := range x.ids {
		total += f(id)
	}
	for _, r := range x.repeats {
		for _, id := range x.ids[r.at : r.at+r.n] {
			total += f(id) * int64(r.times-1)
		}
	}
	return total
}

// indexWriter writes the indices of a page as RLE and bit-packed runs; see hybrid.go. A stretch of one index gets an RLE
// run, from where the bit-packed groups before it end to its own end, if it is long enough.
type indexWriter struct {
	dst   []byte
	width int
	least int // groups of one index that are worth a run

	packed []byte    // whole groups, packed, that are in no run yet
	groups int       // of them
	open   [8]uint32 // the group behind them
	have   int       // entries of it
	value  uint32    // or, instead of the group, the index that a stretch is of,
	count  int       // which has this many entries so far: none, or eight and more
	block  []uint32  // groups that come again
}

// appendRuns appends the indices, all below 1<<width.
func (w *indexWriter) appendRuns(dst []byte, x *indices, width int) []byte {
	if x.n == 0 {
		return dst
	}
	if width == 0 {
		return binary.AppendUvarint(dst, uint64(x.n)<<1)
	}
	*w = indexWriter{dst: dst, width: width, least: minUniformGroups(width), packed: w.packed[:0], block: w.block[:0]}
	for ids, times := range x.stretches {
		switch {
		case times == 1:
			w.literals(ids)
		case len(ids) == 1:
			w.repeat(ids[0], times)
		default:
			w.repeatAll(ids, times)
		}
	}
	w.finish(x.n)
	return w.dst
}

// literals takes indices one by one, or whole groups at a time where one begins.
func (w *indexWriter) literals(ids []uint32) {
	for len(ids) > 0 {
		if w.count > 0 {
			n := 0
			for n < len(ids) && ids[n] == w.value {
				n++
			}
			w.count += n
			if ids = ids[n:]; len(ids) == 0 {
				return
			}
			w.settle()
		}
		for w.have > 0 && len(ids) > 0 {
			w.one(ids[0])
			ids = ids[1:]
		}
		if w.count == 0 && w.have == 0 {
			ids = w.wholeGroups(ids)
		}
	}
}

// wholeGroups takes whole groups up to the first of one index alone, or what is left behind the last. It returns the
// rest.
func (w *indexWriter) wholeGroups(ids []uint32) []uint32 {
	n := mixedGroups(ids)
	w.pack(ids[:n])
	if n+8 <= len(ids) {
		w.value, w.count = ids[n], 8
		return ids[n+8:]
	}
	w.have = copy(w.open[:], ids[n:])
	return nil
}

// mixedGroups returns how many ids there are in front of the first group that has one index alone, or that is not whole.
func mixedGroups(ids []uint32) int {
	n := 0
	for ; n+8 <= len(ids) && !sameEight(ids[n:]); n += 8 {
	}
	return n
}

// pack packs whole groups.
func (w *indexWriter) pack(ids []uint32) {
	w.packed = appendPacked(w.packed, ids, w.width)
	w.groups += len(ids) / 8
}

// one adds an index to the open group.
func (w *indexWriter) one(id uint32) {
	w.open[w.have] = id
	if w.have++; w.have < 8 {
		return
	}
	w.have = 0
	if sameEight(w.open[:]) {
		w.value, w.count = id, 8
	} else {
		w.pack(w.open[:])
	}
}

// repeat takes an index that stands times times.
func (w *indexWriter) repeat(id uint32, times int) {
	if w.count > 0 && w.value != id {
		w.settle()
	}
	for ; w.have > 0 && times > 0; times-- {
		w.one(id)
	}
	switch {
	case w.count > 0 && times > 0: // of id, as what filled the group was
		w.count += times
	case times >= 8:
		w.value, w.count = id, times
	default:
		for range times {
			w.one(id)
		}
	}
}

// repeatAll takes indices that stand times times: one time after another until a group begins with them, and then as
// many times at once as take whole groups.
func (w *indexWriter) repeatAll(ids []uint32, times int) {
	most := 8 // times until a group begins with them, if it ever does
	for ; times > 0 && (w.have > 0 || w.count > 0) && most > 0; times-- {
		w.literals(ids)
		most--
	}
	each := 1 // times that take whole groups
	for each*len(ids)%8 != 0 {
		each++
	}
	if times > each && most > 0 {
		w.block = w.block[:0]
		for range each {
			w.block = append(w.block, ids...)
		}
		if mixedGroups(w.block) == len(w.block) {
			at := len(w.packed)
			w.pack(w.block)
			w.packed = appendAgain(w.packed, at, times/each)
			w.groups += len(w.block) / 8 * (times/each - 1)
			times %= each
		}
	}
	for range times {
		w.literals(ids)
	}
}

// settle decides about the stretch, which ends here.
func (w *indexWriter) settle() {
	if w.count/8 >= w.least {
		w.run(w.value, w.count)
		return
	}
	for i := range w.open {
		w.open[i] = w.value
	}
	for range w.count / 8 {
		w.pack(w.open[:])
	}
	w.have, w.count = w.count%8, 0
}

// run writes what is packed, and count times value.
func (w *indexWriter) run(value uint32, count int) {
	w.flush()
	w.have, w.count = 0, 0
	w.dst = appendRun(w.dst, value, w.width, count)
}

func (w *indexWriter) flush() {
	if w.groups > 0 {
		w.dst = binary.AppendUvarint(w.dst, uint64(w.groups)<<1|1)
		w.dst = append(w.dst, w.packed...)
		w.packed, w.groups = w.packed[:0], 0
	}
}

// finish writes the rest, as the end of n indices. What would fill a last group in part counts as a group.
func (w *indexWriter) finish(n int) {
	if w.count > 0 {
		if (w.count+7)/8 >= w.least || w.count == n {
			w.run(w.value, w.count)
			return
		}
		w.settle()
	}
	if w.have > 0 {
		if (w.least == 1 || w.have == n) && sameIDs(w.open[:w.have]) {
			w.run(w.open[0], w.have)
			return
		}
		clear(w.open[w.have:])
		w.pack(w.open[:])
	}
	w.flush()
}

// sameEight reports whether the first eight ids are one value.
func sameEight(ids []uint32) bool {
	v := ids[:8:8]
	a := v[0]
	return (v[1]^a)|(v[2]^a)|(v[3]^a)|(v[4]^a)|(v[5]^a)|(v[6]^a)|(v[7]^a) == 0
}

func sameIDs(ids []uint32) bool {
	for _, id := range ids {
		if id != ids[0] {
			return false
		}
	}
	return true
}
