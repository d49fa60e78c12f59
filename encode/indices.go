package encode

import (
	"encoding/binary"
	"slices"
)

// indices are the dictionary indices of a page. An index that stands many times in a row is kept once.
type indices struct {
	ids     []uint32
	repeats []repeat // in order
	n       int      // indices, each as often as it stands
}

// repeat says that ids[at] stands times times.
type repeat struct {
	at, times int
}

// minRepeat is the least number of times that is kept as such.
const minRepeat = 8

// add appends an id that stands times times.
func (x *indices) add(id uint32, times int) {
	x.n += times
	if times >= minRepeat {
		x.repeats = append(x.repeats, repeat{len(x.ids), times})
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
	x.ids = slices.Grow(x.ids, len(tail)*(times-1))
	for k := 1; k < times; k++ {
		x.ids = append(x.ids, tail...)
		for _, r := range repeats {
			x.repeats = append(x.repeats, repeat{r.at + k*len(tail), r.times})
		}
	}
}

// truncated returns x as it was at mark.
func (x *indices) truncated(mark indices) indices {
	return indices{x.ids[:len(mark.ids)], x.repeats[:len(mark.repeats)], mark.n}
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
		total += f(x.ids[r.at]) * int64(r.times-1)
	}
	return total
}

// indexWriter writes the indices of a page as RLE and bit-packed runs; see hybrid.go. A stretch of one index gets an RLE
// run, from where the bit-packed groups before it end to its own end, if it is long enough.
type indexWriter struct {
	dst   []byte
	width int
	least int // groups of one index that are worth a run

	packed []uint32  // whole groups that are in no run yet
	open   [8]uint32 // the group behind them
	have   int       // entries of it
	value  uint32    // or, instead of the group, the index that a stretch is of,
	count  int       // which has this many entries so far: none, or eight and more
}

// appendRuns appends the indices, all below 1<<width.
func (w *indexWriter) appendRuns(dst []byte, x *indices, width int) []byte {
	if x.n == 0 {
		return dst
	}
	if width == 0 {
		return binary.AppendUvarint(dst, uint64(x.n)<<1)
	}
	*w = indexWriter{dst: dst, width: width, least: minUniformGroups(width), packed: w.packed[:0]}
	at := 0
	for _, r := range x.repeats {
		w.literals(x.ids[at:r.at])
		w.repeat(x.ids[r.at], r.times)
		at = r.at + 1
	}
	w.literals(x.ids[at:])
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
			ids = w.groups(ids)
		}
	}
}

// groups takes whole groups up to the first of one index alone, or what is left behind the last. It returns the rest.
func (w *indexWriter) groups(ids []uint32) []uint32 {
	g := 0
	for ; g+8 <= len(ids); g += 8 {
		if sameEight(ids[g:]) {
			w.packed = append(w.packed, ids[:g]...)
			w.value, w.count = ids[g], 8
			return ids[g+8:]
		}
	}
	w.packed = append(w.packed, ids[:g]...)
	w.have = copy(w.open[:], ids[g:])
	return nil
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
		w.packed = append(w.packed, w.open[:]...)
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

// settle decides about the stretch, which ends here.
func (w *indexWriter) settle() {
	if w.count/8 >= w.least {
		w.run(w.value, w.count)
		return
	}
	for range w.count / 8 * 8 {
		w.packed = append(w.packed, w.value)
	}
	w.have = w.count % 8
	for i := range w.have {
		w.open[i] = w.value
	}
	w.count = 0
}

// run writes what is packed, and count times value.
func (w *indexWriter) run(value uint32, count int) {
	w.flush()
	w.have, w.count = 0, 0
	w.dst = appendRun(w.dst, value, w.width, count)
}

func (w *indexWriter) flush() {
	if len(w.packed) > 0 {
		w.dst = binary.AppendUvarint(w.dst, uint64(len(w.packed)/8)<<1|1)
		w.dst = appendPacked(w.dst, w.packed, w.width)
		w.packed = w.packed[:0]
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
		w.packed = append(w.packed, w.open[:]...)
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
