package levels

import "math/bits"

// sparseShare is the least number of outer positions for each list that is not null that makes a block a sparse one.
const sparseShare = 8

// isSparse reports whether few of n outer positions, all of them live, are lists that are not null. taken is the number of
// slots before them.
func isSparse(mask Bits, taken, n int) bool {
	lists := mask.Count(taken, n)
	return lists*sparseShare <= n && lists <= extentBlock
}

// expandSparse appends n outer positions that are sparse: the nulls between the lists are appended by words, and their
// offsets not looked at. taken is the number of slots of sc before them.
func (e *expansion) expandSparse(t *Tree, l *listNode, sc scope, slots *slotCursor, mask Bits, taken, n int) error {
	lists, err := e.findLists(l, sc, slots, mask, taken, n)
	if err != nil {
		return err
	}
	at := 0
	for i, p := range e.found[:lists] {
		if err := e.expandHoles(t, l, sc, p-at); err != nil {
			return err
		}
		e.start[0] = e.start[i]
		if err := e.expandBlock(t, l, sc, taken+p, e.count[i:i+1], true); err != nil {
			return err
		}
		at = p + 1
	}
	return e.expandHoles(t, l, sc, n-at)
}

// findLists sets found, start and count for the lists that mask has among n slots, and returns their number. The extents
// of lists that are far apart are looked up together, as memory answers many times as fast then.
func (e *expansion) findLists(l *listNode, sc scope, slots *slotCursor, mask Bits, taken, n int) (lists int, err error) {
	for i := 0; i < n; i += 64 {
		for valid := mask.Word(taken+i) & lowMask(n-i); valid != 0; valid &= valid - 1 {
			e.found[lists] = i + bits.TrailingZeros64(valid)
			lists++
		}
	}
	at := 0
	for i, p := range e.found[:lists] {
		slots.advance(p - at)
		start, count := e.start[i:i+1], e.count[i:i+1]
		if !l.extents(slots.slot()+sc.shift+l.offset, 1, start, count) || !l.within(start, count) {
			return 0, l.extentError(sc, taken+p, start, count)
		}
		at = p
	}
	slots.advance(n - at)
	return lists, nil
}

// expandHoles appends n holes to the frame, and flushes it whenever it is full.
func (e *expansion) expandHoles(t *Tree, l *listNode, sc scope, n int) error {
	for n > 0 {
		f := &e.frame
		take := min(n, MaxSpanLevels-f.numLevels)
		e.continued.clearRange(f.numLevels, take)
		e.live.clearRange(f.numLevels, take)
		f.numLevels += take
		e.nextOuter += take
		if n -= take; n > 0 {
			if err := e.flush(t, l, sc); err != nil {
				return err
			}
		}
	}
	return nil
}

// advance passes over n slots.
func (c *slotCursor) advance(n int) {
	c.skip += n
	for len(c.runs) > 0 && c.skip >= c.runs[0].Len {
		c.skip -= c.runs[0].Len
		c.runs = c.runs[1:]
	}
}

// slot returns the next slot.
func (c *slotCursor) slot() int { return c.runs[0].Slot + c.skip }
