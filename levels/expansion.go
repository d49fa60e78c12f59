package levels

import "math/bits"

// expansion makes the frames of a list's elements out of the frame around the list, at most [MaxSpanLevels] positions
// at a time. A list goes over two frames only if it is longer than one. See the package comment for the bitmaps.
type expansion struct {
	frame      frame
	firstOuter int    // outer position at which the frame's first start lies
	nextOuter  int    // outer position to consume next
	times      []int  // of the records to come, nil: once
	continued  bitmap // positions that go on with a list
	live       bitmap // positions that are no hole
	starts     bitmap
	defs, reps planeScratch // outer planes, deposited
	planes     planeScratch

	// The lists of a block of slots: where their elements start and how many they are.
	start, count [extentBlock]int
	spreadCount  [extentBlock]int // count, over positions
	found        [extentBlock]int // where lists are among nulls
}

// extentBlock is the number of outer positions whose element ranges are looked up at a time.
const extentBlock = 256

// run expands every position of sc's frame and walks the elements. mask is over the frame's slots: the lists that are
// not null.
func (e *expansion) run(t *Tree, l *listNode, sc scope, mask Bits) error {
	f := sc.frame
	e.frame.firstRecord, e.frame.each, e.times, e.nextOuter = f.firstRecord, f.each, f.times, 0
	e.reset()
	slots := slotCursor{runs: sc.runs}
	taken := 0 // slots
	if n := f.numSlots; n == f.numLevels && isSparse(mask, 0, n) {
		if err := e.expandSparse(t, l, sc, &slots, mask, 0, n); err != nil {
			return err
		}
		taken = n
	}
	for at := taken; at < f.numLevels; at += extentBlock {
		n := min(extentBlock, f.numLevels-at)
		k := f.live.Count(at, n)
		if k == n && isSparse(mask, taken, n) {
			if err := e.expandSparse(t, l, sc, &slots, mask, taken, n); err != nil {
				return err
			}
			taken += n
			continue
		}
		adjoin, ok := slots.extents(l, k, sc.shift+l.offset, &e.start, &e.count)
		if !ok {
			return l.extentError(sc, taken, e.start[:k], e.count[:k])
		}
		if e.dropNull(mask, taken, k) {
			adjoin = false
		}
		if !l.within(e.start[:k], e.count[:k]) {
			return l.extentError(sc, taken, e.start[:k], e.count[:k])
		}
		taken += k
		counts := e.count[:n]
		if k < n {
			counts = e.spread(f.live, at, n)
		}
		if err := e.expandBlock(t, l, sc, at, counts, adjoin); err != nil {
			return err
		}
	}
	if e.frame.numLevels > 0 {
		return e.flush(t, l, sc)
	}
	return nil
}

// dropNull makes the lists that are null empty: what they own is not walked. It reports whether they owned anything.
func (e *expansion) dropNull(mask Bits, from, n int) bool {
	if mask.All() {
		return false
	}
	dropped := 0
	for i := 0; i < n; i += 64 {
		for null := ^mask.Word(from+i) & lowMask(n-i); null != 0; null &= null - 1 {
			count := &e.count[i+bits.TrailingZeros64(null)]
			dropped |= *count
			*count = 0
		}
	}
	return dropped != 0
}

// spread returns the counts of a block's slots at the n positions that they stand for; holes are empty lists.
func (e *expansion) spread(live Bits, at, n int) []int {
	slot := 0
	for i := 0; i < n; i += 64 {
		w := live.Word(at + i)
		block := e.spreadCount[i:min(i+64, n)]
		for p := range block {
			bit := int(w & 1)
			w >>= 1
			block[p] = e.count[slot&(extentBlock-1)] & -bit
			slot += bit
		}
	}
	return e.spreadCount[:n]
}

// expandBlock appends lists of so many elements, at the outer positions from at on, to the frame, and flushes it
// whenever the next list finds no room. The elements of all of them adjoin, if so it is said.
func (e *expansion) expandBlock(t *Tree, l *listNode, sc scope, at int, counts []int, adjoin bool) error {
	next, slot := e.start[0], 0
	for i := 0; i < len(counts); {
		before := e.frame.numSlots
		taken := e.appendLists(counts[i:])
		if adjoin {
			e.appendRun(next, e.frame.numSlots-before)
			next += e.frame.numSlots - before
		} else {
			to := slot + sc.frame.live.Count(at+i, taken)
			e.appendRuns(e.start[slot:to], e.count[slot:to])
			slot = to
		}
		if i += taken; i == len(counts) {
			break
		}
		if e.frame.numLevels > 0 {
			if err := e.flush(t, l, sc); err != nil {
				return err
			}
		}
		if count := counts[i]; count > MaxSpanLevels {
			if !adjoin {
				next = e.start[slot]
				slot++
			}
			if err := e.expandLong(t, l, sc, next, count); err != nil {
				return err
			}
			next += count
			i++
		}
	}
	return nil
}

// appendLists appends the positions of as many lists as find room, and returns how many that are. It goes through
// memory a word of positions at a time.
func (e *expansion) appendLists(counts []int) int {
	pos, elements, n := e.frame.numLevels, 0, 0
	word := pos >> 6
	continued, holes := e.continued.word(word), ^e.live.word(word)
	for ; n < len(counts) && pos < MaxSpanLevels; n++ {
		count := counts[n]
		hole := uint64(count-1) >> 63
		next := pos + count + int(hole)
		if next>>6 != word {
			if next > MaxSpanLevels {
				break
			}
			e.continued.setWord(word, continued&^(1<<(pos&63)))
			e.live.setWord(word, ^(holes | hole<<(pos&63)))
			word, continued, holes = next>>6, ^uint64(0), 0
		} else {
			continued &^= 1 << (pos & 63)
			holes |= hole << (pos & 63)
		}
		elements += count
		pos = next
	}
	e.continued.setWord(word, continued)
	e.live.setWord(word, ^holes)
	e.frame.numLevels = pos
	e.frame.numSlots += elements
	e.nextOuter += n
	return n
}

// expandLong appends a list that is longer than a frame to the empty frame, which it flushes as often as it is full.
func (e *expansion) expandLong(t *Tree, l *listNode, sc scope, start, count int) error {
	e.continued.setWord(0, ^uint64(1))
	e.nextOuter++
	for count > 0 {
		take := min(count, MaxSpanLevels)
		e.frame.numLevels, e.frame.numSlots = take, take
		e.appendRun(start, take)
		start, count = start+take, count-take
		if take == MaxSpanLevels {
			if err := e.flush(t, l, sc); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendRun appends the slots of elements.
func (e *expansion) appendRun(start, count int) {
	if count == 0 {
		return
	}
	f := &e.frame
	if k := len(f.runs) - 1; k >= 0 && f.runs[k].Slot+f.runs[k].Len == start {
		f.runs[k].Len += count
		return
	}
	f.runs = append(f.runs, Run{start, count, 1})
}

// appendRuns appends the slots of the elements of lists one after the other.
func (e *expansion) appendRuns(start, count []int) {
	f := &e.frame
	last := Run{Slot: -1, Times: 1}
	runs := f.runs
	if k := len(runs) - 1; k >= 0 {
		last, runs = runs[k], runs[:k]
	}
	end := last.Slot + last.Len
	count = count[:len(start)]
	for i, at := range start {
		n := count[i]
		if at != end && n > 0 {
			if last.Len = end - last.Slot; last.Len > 0 {
				runs = append(runs, last)
			}
			last.Slot, end = at, at
		}
		end += n
	}
	if last.Len = end - last.Slot; last.Len > 0 {
		runs = append(runs, last)
	}
	f.runs = runs
}

// reset empties the frame; its next start is that of the next outer position.
func (e *expansion) reset() {
	if e.live == nil {
		e.continued, e.live, e.starts = newBitmap(MaxSpanLevels), newBitmap(MaxSpanLevels), newBitmap(MaxSpanLevels)
	}
	e.continued.fill()
	e.live.fill()
	f := &e.frame
	f.numLevels, f.numSlots, f.runs = 0, 0, f.runs[:0]
	e.firstOuter = e.nextOuter
}

// flush walks the elements of the frame as it stands, and begins the next.
func (e *expansion) flush(t *Tree, l *listNode, sc scope) error {
	f := &e.frame
	f.live = Bits{}
	if f.numSlots < f.numLevels {
		f.live = e.live.view()
	}
	e.liftLevels(sc)
	f.numRecords = 0
	for i := 0; i < f.numLevels; i += 64 {
		f.numRecords += bits.OnesCount64(^f.rep.above(i) & lowMask(f.numLevels-i))
	}
	f.continues = f.rep.above(0)&1 != 0
	f.times = e.times
	if f.times != nil {
		n := f.numRecords / f.each
		f.times, e.times = e.times[:n], e.times[n:]
	}
	if err := l.elem.walk(t, f.scope()); err != nil {
		return err
	}
	f.firstRecord = f.recordBehind()
	e.reset()
	return nil
}

// liftLevels makes the levels of the frame from those of the outer positions: at the starts they are what they were,
// between them the highest possible.
func (e *expansion) liftLevels(sc scope) {
	f := &e.frame
	n := f.numLevels
	outerDef, outerRep := sc.def, &sc.frame.rep
	var starts Bits
	if !f.live.All() && outerDef.width > 0 || outerRep.width > 0 {
		starts = e.starts.not(e.continued.view(), n)
	}
	f.def = levelSet{max: outerDef.max, uniform: outerDef.uniform}
	switch {
	case f.live.All(): // no hole, no position below the highest level
		f.def.uniform = outerDef.max
	case outerDef.width > 0:
		f.def.width = outerDef.width
		for p, plane := range outerDef.planes[:outerDef.width] {
			fill := outerDef.max>>p&1 != 0
			f.def.planes[p] = e.defs[p].atLeast(MaxSpanLevels).deposit(starts, plane.Skip(e.firstOuter), n, fill)
		}
	}
	f.def = e.planes.raise(f.def, f.live, n)

	f.rep.max = outerRep.max + 1
	f.rep.width = bits.Len(uint(f.rep.max))
	for p := range f.rep.width {
		if p >= outerRep.width {
			f.rep.planes[p] = e.continued.view()
			continue
		}
		fill := f.rep.max>>p&1 != 0
		f.rep.planes[p] = e.reps[p].atLeast(MaxSpanLevels).deposit(starts, outerRep.planes[p].Skip(e.firstOuter), n, fill)
	}
}
