package levels

import "math/bits"

// sparseShare is the least number of outer positions for each list that is not null that makes a block a sparse one.
const sparseShare = 8

// expandSparse appends n outer positions, all of them live, of which few are lists that are not null: the nulls between
// them are appended by words, and their offsets not looked at. taken is the number of slots of sc before them.
func (e *expansion) expandSparse(t *Tree, l *listNode, sc scope, slots *slotCursor, mask Bits, taken, n int) error {
	at := 0
	for i := 0; i < n; i += 64 {
		for valid := mask.Word(taken+i) & lowMask(n-i); valid != 0; valid &= valid - 1 {
			p := i + bits.TrailingZeros64(valid)
			if err := e.expandHoles(t, l, sc, p-at); err != nil {
				return err
			}
			slots.advance(p - at)
			_, ok := slots.extents(l, 1, sc.shift+l.offset, &e.start, &e.count)
			if !ok || !l.within(e.start[:1], e.count[:1]) {
				return l.extentError(sc, taken+p, e.start[:1], e.count[:1])
			}
			if err := e.expandBlock(t, l, sc, taken+p, e.count[:1], true); err != nil {
				return err
			}
			at = p + 1
		}
	}
	slots.advance(n - at)
	return e.expandHoles(t, l, sc, n-at)
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
