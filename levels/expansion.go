package levels

// expansion makes the frames of a list's elements out of the frame around the list, [MaxSpanLevels] positions at a
// time. See the package comment for the bitmaps.
type expansion struct {
	frame      frame
	numHoles   int
	firstOuter int // outer position at which the frame's first start lies
	nextOuter  int // outer position to consume next
	starts     bitmap
	holes      bitmap
	lives      bitmap
	continued  bitmap
	defs, reps []bitmap
	start      [extentBlock]int
	count      [extentBlock]int
}

// extentBlock is the number of outer positions whose element ranges are looked up at a time.
const extentBlock = 256

// run expands every position of sc's frame and walks the elements. mask is over the frame's slots: the lists that are
// not null.
func (e *expansion) run(t *Tree, l *listNode, sc scope, mask Bits) error {
	f := sc.frame
	e.reset(0)
	e.frame.firstRecord, e.nextOuter = f.firstRecord, 0
	slots := slotCursor{runs: f.runs}
	taken := 0 // slots
	for at := 0; at < f.numLevels; at += extentBlock {
		n := min(extentBlock, f.numLevels-at)
		k := f.live.Count(at, n)
		slots.extents(l, k, sc.shift+l.offset, e.start[:], e.count[:])
		e.dropNull(mask, taken, k)
		taken += k
		if k < n {
			e.spread(f.live, at, n, k)
		}
		if err := e.expandBlock(t, l, sc, n); err != nil {
			return err
		}
	}
	if e.frame.numLevels > 0 {
		return e.flush(t, l, sc)
	}
	return nil
}

// dropNull makes the lists that are null empty: what they own is not walked.
func (e *expansion) dropNull(mask Bits, from, n int) {
	if mask.All() {
		return
	}
	for i := 0; i < n; i += 64 {
		w := mask.Word(from + i)
		for j := range e.count[i:min(i+64, n)] {
			e.count[i+j] &= -int(w >> j & 1)
		}
	}
}

// spread moves the extents of the k slots of a block to the n positions that they stand for; holes get none.
func (e *expansion) spread(live Bits, at, n, k int) {
	for p := n - 1; p >= 0; p-- {
		if live.At(at + p) {
			k--
			e.start[p], e.count[p] = e.start[k], e.count[k]
		} else {
			e.count[p] = 0
		}
	}
}

// expandBlock appends n outer positions to the frame, and flushes it whenever it is full.
func (e *expansion) expandBlock(t *Tree, l *listNode, sc scope, n int) error {
	for i := range n {
		start, count := e.start[i], e.count[i]
		pos := e.frame.numLevels
		e.starts.set(pos)
		e.nextOuter++
		if count == 0 {
			e.holes.set(pos)
			e.numHoles++
			e.frame.numLevels = pos + 1
		} else {
			for count > MaxSpanLevels-e.frame.numLevels {
				take := MaxSpanLevels - e.frame.numLevels
				e.appendElements(start, take)
				start, count = start+take, count-take
				if err := e.flush(t, l, sc); err != nil {
					return err
				}
			}
			e.appendElements(start, count)
		}
		if e.frame.numLevels == MaxSpanLevels {
			if err := e.flush(t, l, sc); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *expansion) appendElements(start, count int) {
	f := &e.frame
	f.numLevels += count
	f.numSlots += count
	if k := len(f.runs) - 1; k >= 0 && f.runs[k].Slot+f.runs[k].Len == start {
		f.runs[k].Len += count
		return
	}
	f.runs = append(f.runs, Run{start, count})
}

// reset empties the frame; the next start is that of an outer position.
func (e *expansion) reset(outer int) {
	if e.starts == nil {
		e.starts, e.holes = newBitmap(MaxSpanLevels), newBitmap(MaxSpanLevels)
		e.lives, e.continued = newBitmap(MaxSpanLevels), newBitmap(MaxSpanLevels)
	}
	e.starts.clear(MaxSpanLevels)
	e.holes.clear(MaxSpanLevels)
	f := &e.frame
	f.numLevels, f.numSlots, f.runs = 0, 0, f.runs[:0]
	e.numHoles, e.firstOuter = 0, outer
}

// flush walks the elements of the frame as it stands, and begins the next.
func (e *expansion) flush(t *Tree, l *listNode, sc scope) error {
	f := &e.frame
	n := f.numLevels
	starts := e.starts.view()

	f.live = Bits{}
	if e.numHoles > 0 {
		f.live = e.lives.not(e.holes.view(), n)
	}
	f.def = append(e.deposit(f.def[:0], l.outer, starts, &e.defs), f.live)
	f.rep = append(e.deposit(f.rep[:0], sc.frame.rep, starts, &e.reps), e.continued.not(starts, n))
	f.repLevels = f.planes.levels(f.rep, n)
	f.numRecords = n - f.rep[0].Count(0, n)
	f.continues = f.rep[0].At(0)

	if err := l.elem.walk(t, scope{frame: f}); err != nil {
		return err
	}
	f.firstRecord += int64(f.numRecords)
	e.reset(e.nextOuter)
	return nil
}

// deposit appends to dst the thresholds of the outer positions as they are for the frame: at the starts what they
// were, and set for all that follows a start.
func (e *expansion) deposit(dst, outer []Bits, starts Bits, scratch *[]bitmap) []Bits {
	for len(*scratch) < len(outer) {
		*scratch = append(*scratch, newBitmap(MaxSpanLevels))
	}
	for k, b := range outer {
		if !b.All() {
			b = (*scratch)[k].deposit(starts, b.Skip(e.firstOuter), e.frame.numLevels, true)
		}
		dst = append(dst, b)
	}
	return dst
}

// slotCursor goes through the slots of runs in order.
type slotCursor struct {
	runs []Run
	skip int // slots of the first run that are done
}

// extents fills start and count for the next n slots of the list l.
func (c *slotCursor) extents(l *listNode, n, shift int, start, count []int) {
	at := 0
	for at < n {
		run := c.runs[0]
		take := min(run.Len-c.skip, n-at)
		l.extents(run.Slot+c.skip+shift, take, start[at:], count[at:])
		at, c.skip = at+take, c.skip+take
		if c.skip == run.Len {
			c.runs, c.skip = c.runs[1:], 0
		}
	}
}
