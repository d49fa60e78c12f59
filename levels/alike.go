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

// stepTiles makes a frame of tiles, which are records that stand in a row as often as times says. They fit a span in
// every leaf. It returns 0 if records do not stand often enough in a row, or if the first has too many levels.
func (t *Tree) stepTiles(from, n int) (taken int) {
	f := &t.top
	f.runs, t.times = f.runs[:0], t.times[:0]
	levels, before := 0, 0
	for taken < n {
		same, most := t.root.alike(from+taken, min(n-taken, MaxSpanLevels))
		if levels += most; levels > MaxSpanLevels {
			break
		}
		f.runs, t.times = append(f.runs, Run{from + taken, 1, 1}), append(t.times, same)
		taken += same
		if k := len(t.times); k%tileGroup == 0 {
			if taken-before < tileGroup*tileShare {
				f.runs, t.times, taken = f.runs[:k-tileGroup], t.times[:k-tileGroup], before
				break
			}
			before = taken
		}
	}
	k := len(t.times)
	if taken < k*tileShare {
		return 0
	}
	f.numLevels, f.numRecords, f.numSlots, f.times = k, k, k, t.times
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

func (l *leafNode) alike(_, _ int) (same, levels int) { return 1, 1 }
func (l *leafNode) most(_, n int) int                 { return n }

func (d *dictionaryNode) alike(slot, _ int) (same, levels int) { return 1, d.most(slot, 1) }

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

func (s *structNode) alike(slot, n int) (same, levels int) {
	if s.absent {
		return n, 1
	}
	slot += s.offset
	same, levels = n, 1
	valid := Bits{Bytes: s.valid}
	if valid.At(slot) {
		for _, c := range s.children {
			k, most := c.alike(slot, same)
			same, levels = min(same, k), max(levels, most)
		}
	}
	return valid.stretch(slot, same), levels
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

func (r *runEndNode) alike(slot, n int) (same, levels int) {
	slot += r.offset
	run, end := r.find(slot)
	_, levels = r.values.alike(run, 1)
	return min(n, end-slot), levels
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

func (l *listNode) alike(slot, n int) (same, levels int) {
	if l.absent {
		return n, 1
	}
	slot += l.offset
	valid := Bits{Bytes: l.valid}
	if !valid.At(slot) {
		return valid.stretch(slot, n), 1
	}
	start, count := &l.expand.start, &l.expand.count
	if !l.extents(slot, 1, start[:], count[:]) || !l.within(start[:1], count[:1]) {
		return 1, tooMany
	}
	first, size := start[0], count[0]
	if size >= tooMany {
		return 1, tooMany
	}
	if n == 1 {
		return 1, max(1, l.elem.most(first, size))
	}
	elements := 0 // from the first on that are alike
	if size > 0 {
		elements, levels = l.elem.alike(first, min(size*n, mostAlike, l.numElements-first))
		if elements < size {
			return 1, max(1, l.elem.most(first, size))
		}
		n = min(n, elements/size)
	}
	same, n = 1, valid.stretch(slot, n)
	for same < n {
		block := min(extentBlock, n-same)
		if !l.extents(slot+same, block, start[:], count[:]) {
			break
		}
		k := 0
		for k < block && count[k] == size && (size == 0 || start[k] >= first && start[k]+size <= first+elements) {
			k++
		}
		if same += k; k < block {
			break
		}
	}
	return same, max(1, size*levels)
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
