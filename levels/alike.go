package levels

// Records that are the same as those before them, because runs say so, are walked once. What is here finds them, and
// bounds their levels, by a look at run ends, offsets and validity alone. Nothing is checked: where the storage is wrong,
// a record is alike to none, and the walk tells what is wrong with it.

// tooMany is a number of levels that no span holds.
const tooMany = MaxSpanLevels + 1

// mostAlike is the most slots that are looked at for whether they are alike.
const mostAlike = 1 << 24

const (
	// tileGroup is how many tiles are made before a look at whether they are worth it.
	tileGroup = 16
	// tileShare is the least number of records for each tile, on average, for which they are.
	tileShare = 3
)

// mostInTurn is the most records that a tile has.
const mostInTurn = 4

// stepTiles makes a frame of tiles, which are records, or a few that come in turn, that stand in a row as often as times
// says. They fit a span in every leaf. It returns 0 if records do not stand often enough in a row, or if the first have
// too many levels.
func (t *Tree) stepTiles(from, n int) (taken int) {
	for each := 1; each <= mostInTurn && taken == 0; each++ {
		if each > 1 {
			if enough := tileShare * each; n < enough {
				break
			} else if same, _ := t.root.alike(from, enough, each); same < enough {
				continue
			}
		}
		taken = t.stepTilesOf(from, n, each)
	}
	return taken
}

// stepTilesOf is stepTiles for tiles of so many records.
func (t *Tree) stepTilesOf(from, n, each int) (taken int) {
	f := &t.top
	f.runs, t.times = f.runs[:0], t.times[:0]
	levels, before := 0, 0
	for taken+each <= n {
		same, most := t.root.alike(from+taken, min(n-taken, MaxSpanLevels), each)
		if levels += most; levels > MaxSpanLevels {
			break
		}
		f.runs, t.times = append(f.runs, Run{from + taken, each, 1}), append(t.times, same/each)
		taken += same / each * each
		if k := len(t.times); k%tileGroup == 0 {
			if taken-before < tileGroup*tileShare*each {
				f.runs, t.times, taken = f.runs[:k-tileGroup], t.times[:k-tileGroup], before
				break
			}
			before = taken
		}
	}
	k := len(t.times)
	if taken < k*tileShare*each {
		return 0
	}
	f.numLevels, f.numRecords, f.numSlots, f.times, f.each = k*each, k*each, k*each, t.times, each
	return taken
}

// hasList reports whether there is a list at the node or below it.
func hasList(n node) bool {
	switch n := n.(type) {
	case *listNode:
		return true
	case *runEndNode:
		return hasList(n.values)
	case *dictionaryNode:
		return hasList(n.values)
	case *structNode:
		for _, c := range n.children {
			if hasList(c) {
				return true
			}
		}
	}
	return false
}

// inRuns reports whether all leaves below a node are below run ends, so that slots of the node may be alike.
func inRuns(n node) bool {
	switch n := n.(type) {
	case *runEndNode:
		return true
	case *listNode:
		return inRuns(n.elem)
	case *structNode:
		for _, c := range n.children {
			if !inRuns(c) {
				return false
			}
		}
		return true
	}
	return false
}

func (l *leafNode) alike(_, _, k int) (same, levels int) { return k, k }
func (l *leafNode) most(_, n int) int                    { return n }

func (d *dictionaryNode) alike(slot, _, k int) (same, levels int) { return k, d.most(slot, k) }

func (d *dictionaryNode) most(slot, n int) int {
	levels := 0
	for i := 0; i < n && levels < tooMany; i++ {
		if key := d.keys.at(slot + d.offset + i); key < uint64(d.numEntries) {
			levels += d.values.most(int(key), 1)
		} else {
			levels++
		}
	}
	return levels
}

func (s *structNode) alike(slot, n, k int) (same, levels int) {
	if s.absent {
		return n, k
	}
	slot += s.offset
	valid := Bits{Bytes: s.valid}
	same, levels = n, k
	if valid.Count(slot, k) > 0 {
		for _, c := range s.children {
			all, most := c.alike(slot, same, k)
			same, levels = min(same, all), max(levels, most)
		}
	}
	return valid.recurring(slot, same, k), levels
}

func (s *structNode) most(slot, n int) int {
	levels := n
	if s.absent {
		return n
	}
	for _, c := range s.children {
		levels = max(levels, c.most(slot+s.offset, n))
	}
	return levels
}

func (r *runEndNode) alike(slot, n, k int) (same, levels int) {
	run, end := r.find(slot + r.offset)
	if end -= r.offset; slot+k > end {
		return k, r.most(slot, k)
	}
	_, levels = r.values.alike(run, 1, 1)
	return min(n, end-slot), levels * k
}

func (r *runEndNode) most(slot, n int) int {
	slot += r.offset
	levels := 0
	for end := slot + n; slot < end && levels < tooMany; {
		run, next := r.find(slot)
		levels += (min(next, end, slot+tooMany) - slot) * r.values.most(run, 1)
		slot = min(next, end)
	}
	return min(levels, tooMany)
}

func (l *listNode) alike(slot, n, k int) (same, levels int) {
	if l.absent {
		return n, k
	}
	slot += l.offset
	valid := Bits{Bytes: l.valid}
	if k == 1 && !valid.At(slot) {
		return valid.recurring(slot, n, k), 1
	}
	start, count := &l.expand.start, &l.expand.count
	if !l.extents(slot, k, start[:], count[:]) || !l.within(start[:k], count[:k]) || k > 1 && l.views() {
		return k, tooMany
	}
	first := start[0]
	size := start[k-1] + count[k-1] - first
	if size >= tooMany {
		return k, tooMany
	}
	levels = k
	elements := 0 // from the first on that are alike
	if n > k && size > 0 {
		all, most := l.elem.alike(first, min(size*(n/k), mostAlike, l.numElements-first), 1)
		elements = all
		n, levels = min(n, max(1, elements/size)*k), k-1+size*most
	}
	if n = valid.recurring(slot, n, k); n == k || elements < size {
		return k, k - 1 + max(1, l.elem.most(first, size))
	}
	if l.views() {
		return l.sameViews(slot, n, first, elements), levels
	}
	return l.recurring(slot, n, k, size), levels
}

// sameViews returns how many of n views from slot on, the first among them, are as long as that and lie in the elements
// from `first` on.
func (l *listNode) sameViews(slot, n, first, elements int) (same int) {
	start, count := &l.expand.start, &l.expand.count
	size := count[0]
	for same = 1; same < n; {
		block := min(extentBlock, n-same)
		l.extents(slot+same, block, start[:], count[:])
		k := 0
		for k < block && count[k] == size && (size == 0 || start[k] >= first && start[k]+size <= first+elements) {
			k++
		}
		if same += k; k < block {
			break
		}
	}
	return same
}

// recurring returns how many of n lists from slot on, which are no views, are as long as those k before them, the first k
// included, which have size elements in all.
func (l *listNode) recurring(slot, n, k, size int) int {
	switch l.form {
	case formOffsets32:
		return ofStride(l.offsets32[slot+1:slot+n+1], k, int32(size)) + k
	case formOffsets64:
		return ofStride(l.offsets64[slot+1:slot+n+1], k, int64(size)) + k
	}
	return n // all are of one length
}

// ofStride returns how many offsets, in a row, are greater by size than those k before them.
func ofStride[T int32 | int64](offsets []T, k int, size T) (n int) {
	before, offsets := offsets[:len(offsets)-k], offsets[k:]
	for ; n+8 <= len(offsets); n += 8 {
		o, b := offsets[n:n+8:n+8], before[n:n+8:n+8]
		differs := (o[0] - b[0] ^ size) | (o[1] - b[1] ^ size) | (o[2] - b[2] ^ size) | (o[3] - b[3] ^ size) |
			(o[4] - b[4] ^ size) | (o[5] - b[5] ^ size) | (o[6] - b[6] ^ size) | (o[7] - b[7] ^ size)
		if differs != 0 {
			break
		}
	}
	for n < len(offsets) && offsets[n]-before[n] == size {
		n++
	}
	return n
}

func (l *listNode) most(slot, n int) int {
	slot += l.offset
	if n == 0 || l.absent {
		return n
	}
	var start, count [2]int
	if l.views() {
		levels := n
		for i := 0; i < n && levels < tooMany; i++ {
			l.extents(slot+i, 1, start[:], count[:])
			if !l.within(start[:1], count[:1]) || count[0] >= tooMany {
				return tooMany
			}
			levels += l.elem.most(start[0], max(0, count[0]))
		}
		return levels
	}
	if !l.extents(slot, 1, start[:], count[:]) || !l.extents(slot+n-1, 1, start[1:], count[1:]) {
		return tooMany
	}
	if size := start[1] + count[1] - start[0]; size >= 0 && size < tooMany {
		return n + l.elem.most(start[0], size)
	}
	return tooMany
}
