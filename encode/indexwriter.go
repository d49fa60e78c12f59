package encode

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// indexWriter writes the indices of a page as RLE and bit-packed runs; see hybrid.go. A stretch of one index gets an RLE
// run, from where the bit-packed groups before it end to its own end, if it is worth one.
type indexWriter struct {
	dst   []byte
	width int
	least leastGroups

	packed int       // where in dst the whole groups begin, packed, that are in no run yet, behind room for their header
	groups int       // of them
	before int       // if there are none: groups of the RLE run in front
	room   int       // bytes that the header of any run takes at most
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
	*w = indexWriter{dst: dst, width: width, least: newLeastGroups(width), block: w.block[:0]}
	w.room = len(binary.AppendUvarint(nil, uint64(x.n/8+1)<<1|1))
	at := 0
	for repeats := x.repeats; len(repeats) > 0; {
		r := repeats[0]
		w.literals(x.ids[at:r.at])
		n := 1
		if at = int(r.at); r.n == 1 {
			n = w.repeats(x.ids[at:], repeats)
		} else {
			w.repeatAll(r.of(x.ids), int(r.times))
		}
		at, repeats = repeats[n-1].end(), repeats[n:]
	}
	w.literals(x.ids[at:])
	w.finish()
	return w.dst
}

// repeats takes the first of ids, which stand as often as the first of repeats say, one each, and returns how many.
func (w *indexWriter) repeats(ids []uint32, repeats []repeat) int {
	first, n := repeats[0].at, 0
	for n < len(repeats) && repeats[n].n == 1 && repeats[n].at == first+uint32(n) {
		w.repeat(ids[n], int(repeats[n].times))
		if n++; w.groups == 0 && w.have == 0 {
			n += w.runs(ids[n:], repeats[n:], first+uint32(n))
		}
	}
	return n
}

// maxShortRun is the most that an RLE run counts whose header has two bytes.
const maxShortRun = 1<<13 - 1

// runs is repeats for what only needs to be written as RLE runs, one behind the other: no bit-packed run is open, and
// there is a stretch. The first of ids is at `at`. It returns how many it took, of which the last is the stretch then.
func (w *indexWriter) runs(ids []uint32, repeats []repeat, at uint32) int {
	repeats = repeats[:min(len(repeats), blockValues)]
	ids = ids[:min(len(ids), len(repeats))]
	const most = 8 // bytes that are written of a run
	to := len(w.dst)
	dst := slices.Grow(w.dst, most*len(ids)+most)[:to+most*len(ids)+most]
	value, count, least := uint64(w.value), uint64(w.count), uint64(8*w.least.apart(0))
	bytes := (w.width + 7) / 8
	n := 0
	for i, id := range ids {
		r := repeats[i]
		if r.n != 1 || r.times < 8 || r.at != at+uint32(i) || uint64(id) == value || count < least || count > maxShortRun {
			break
		}
		header, size := count<<1, 1
		if count >= 64 {
			header, size = header&0x7f|0x80|header>>7<<8, 2
		}
		binary.LittleEndian.PutUint64(dst[to:], header|value<<(8*size&63))
		to += size + bytes
		w.before, value, count = int(count/8), uint64(id), uint64(r.times)
		n++
	}
	w.dst, w.value, w.count = dst[:to], uint32(value), int(count)
	return n
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
	if len(ids) == 0 {
		return
	}
	if w.groups == 0 {
		w.packed = len(w.dst) + w.room
		w.dst = grow(w.dst, w.room)
	}
	w.dst = appendPacked(w.dst, ids, w.width)
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

// repeatAll takes indices that stand times times: up to where a group begins one by one, and then as many times at once
// as take whole groups.
func (w *indexWriter) repeatAll(ids []uint32, times int) {
	if sameIDs(ids) {
		w.repeat(ids[0], len(ids)*times)
		return
	}
	if w.count > 0 { // which ends here
		w.literals(ids)
		times--
	}
	from, left := 0, len(ids)*times
	if w.have > 0 && w.count == 0 {
		from = min(8-w.have, left)
		w.around(ids, 0, from)
		from, left = from%len(ids), left-from
	}
	each := len(ids) * 8 >> min(3, bits.TrailingZeros(uint(len(ids)))) // indices that take whole groups
	if left >= each && w.have == 0 && w.count == 0 {
		block := ids
		if from > 0 || len(ids) < each {
			w.block = append(w.block[:0], ids[from:]...)
			for len(w.block) < each {
				w.block = append(w.block, ids[:min(len(ids), each-len(w.block))]...)
			}
			block = w.block
		}
		if mixedGroups(block) == each {
			w.pack(block)
			w.dst = appendAgain(w.dst, len(w.dst)-each/8*w.width, left/each)
			w.groups += each / 8 * (left/each - 1)
			left %= each
		}
	}
	w.around(ids, from, left)
}

// around takes n indices one by one, from one of ids on, and after the last of them from the first again.
func (w *indexWriter) around(ids []uint32, from, n int) {
	for n > 0 {
		part := ids[from:min(len(ids), from+n)]
		w.literals(part)
		from, n = 0, n-len(part)
	}
}

// settle decides about the stretch, which ends here.
func (w *indexWriter) settle() {
	least := w.least.packed()
	if w.groups == 0 {
		least = w.least.apart(w.before)
	}
	if w.count/8 >= least {
		w.run(w.value, w.count)
		return
	}
	for i := range w.open {
		w.open[i] = w.value
	}
	if groups := w.count / 8; groups > 0 {
		w.pack(w.open[:])
		w.dst = appendAgain(w.dst, len(w.dst)-w.width, groups)
		w.groups += groups - 1
	}
	w.have, w.count = w.count%8, 0
}

// run writes what is packed, and count times value.
func (w *indexWriter) run(value uint32, count int) {
	w.flush()
	w.have, w.count, w.before = 0, 0, count/8
	w.dst = appendRun(w.dst, value, w.width, count)
}

// flush makes a run of what is packed.
func (w *indexWriter) flush() {
	if w.groups == 0 {
		return
	}
	at := w.packed - w.room
	header := len(binary.AppendUvarint(w.dst[at:at], uint64(w.groups)<<1|1))
	if header < w.room {
		n := copy(w.dst[at+header:], w.dst[w.packed:])
		w.dst = w.dst[:at+header+n]
	}
	w.groups = 0
}

// finish writes the rest. What would fill a last group in part counts as a group.
func (w *indexWriter) finish() {
	least := w.least.last(w.groups > 0)
	if w.count > 0 {
		if (w.count+7)/8 >= least {
			w.run(w.value, w.count)
			return
		}
		w.settle()
	}
	if w.have > 0 {
		if least == 1 && sameIDs(w.open[:w.have]) {
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
