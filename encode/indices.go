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
const minRepeat = 16

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

// indexWriter writes the indices of a page as RLE and bit-packed runs, by the rules of hybrid.go.
type indexWriter struct {
	dst   []byte
	width int
	least int // uniform groups that are worth a run

	packed []uint32  // whole groups that are in no run yet
	value  uint32    // of the uniform groups behind them,
	groups int       // which are not decided about yet
	open   [8]uint32 // the group behind those
	have   int       // entries of it
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

// literals takes indices one by one.
func (w *indexWriter) literals(ids []uint32) {
	for w.have > 0 && len(ids) > 0 {
		w.one(ids[0])
		ids = ids[1:]
	}
	if w.have > 0 {
		return
	}
	mixed := 0 // first of the groups that are not uniform, before group g
	g := 0
	for ; g+8 <= len(ids); g += 8 {
		if sameEight(ids[g:]) {
			w.mixed(ids[mixed:g])
			w.uniform(ids[g], 1)
			mixed = g + 8
		}
	}
	w.mixed(ids[mixed:g])
	w.have = copy(w.open[:], ids[g:])
}

// one adds an index to the open group.
func (w *indexWriter) one(id uint32) {
	w.open[w.have] = id
	if w.have++; w.have < 8 {
		return
	}
	w.have = 0
	if sameEight(w.open[:]) {
		w.uniform(id, 1)
	} else {
		w.mixed(w.open[:])
	}
}

// repeat takes an index that stands times times.
func (w *indexWriter) repeat(id uint32, times int) {
	for ; w.have > 0 && times > 0; times-- {
		w.one(id)
	}
	if times >= 8 {
		w.uniform(id, times/8)
	}
	for range times % 8 {
		w.one(id)
	}
}

// mixed adds whole groups that are not uniform.
func (w *indexWriter) mixed(ids []uint32) {
	if len(ids) > 0 {
		w.settle()
		w.packed = append(w.packed, ids...)
	}
}

// uniform adds groups of one value.
func (w *indexWriter) uniform(value uint32, groups int) {
	if w.groups > 0 && w.value == value {
		w.groups += groups
		return
	}
	w.settle()
	w.value, w.groups = value, groups
}

// settle decides about the uniform groups, which end here.
func (w *indexWriter) settle() {
	if w.groups >= w.least {
		w.run(w.groups * 8)
		return
	}
	for range w.groups * 8 {
		w.packed = append(w.packed, w.value)
	}
	w.groups = 0
}

// run writes what is packed, and count times the value of the uniform groups.
func (w *indexWriter) run(count int) {
	w.flush()
	w.groups = 0
	w.dst = appendRun(w.dst, w.value, w.width, count)
}

func (w *indexWriter) flush() {
	if len(w.packed) > 0 {
		w.dst = binary.AppendUvarint(w.dst, uint64(len(w.packed)/8)<<1|1)
		w.dst = appendPacked(w.dst, w.packed, w.width)
		w.packed = w.packed[:0]
	}
}

// finish writes the rest, as the end of n indices.
func (w *indexWriter) finish(n int) {
	tail := w.open[:w.have]
	if w.groups == 0 && len(tail) == n {
		w.value = tail[0]
	}
	joined := w.groups*8 + len(tail)
	joins := len(tail) > 0 && sameIDs(tail, w.value) && (w.groups > 0 || len(tail) == n)
	switch {
	case joins && (w.groups+1 >= w.least && w.groups > 0 || joined == n):
		w.run(joined)
		return
	case w.groups*8 == n:
		w.run(n)
		return
	}
	w.settle()
	if len(tail) > 0 {
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

func sameIDs(ids []uint32, value uint32) bool {
	for _, id := range ids {
		if id != value {
			return false
		}
	}
	return true
}
