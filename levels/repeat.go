package levels

// longTile is the least number of records for which a repeated list gets a frame of its own.
const longTile = 32

// flat reports whether there are no lists below the list: its frame is then all there is of a record.
func (l *listNode) flat() bool { return !hasList(l.elem) }

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

// walkRepeated walks lists that stand several times in a row. One list that is all of a frame of equal records, and fits
// a frame itself, is walked once as a record that repeats; others are walked as often as they stand.
func (l *listNode) walkRepeated(t *Tree, sc scope, mask Bits) error {
	f := sc.frame
	if len(sc.runs) > 1 || sc.runs[0].Len > 1 || f.rep.max > 0 || f.repeat > 1 || sc.def.width > 0 {
		return l.walkFlat(t, sc, mask)
	}
	var start, count [1]int
	slot := sc.runs[0].Slot + sc.shift + l.offset
	if mask.At(0) && (!l.extents(slot, 1, start[:], count[:]) || !l.within(start[:], count[:])) {
		return l.extentError(sc, 0, start[:], count[:])
	}
	piece := frame{firstRecord: f.firstRecord, def: *sc.def, rep: f.rep}
	if l.flat() && count[0] <= MaxSpanLevels {
		piece.records(sc.runs[0].Slot, 1)
		piece.repeat = f.numLevels
		sc.frame, sc.runs, sc.repeated = &piece, piece.runs, false
		return l.expand.run(t, l, sc, mask)
	}
	for rest := f.numLevels; rest > 0; {
		n := min(rest, MaxSpanLevels)
		piece.records(0, n)
		sc.frame, sc.runs = &piece, []Run{{sc.runs[0].Slot, 1, n}}
		if err := l.walkFlat(t, sc, mask); err != nil {
			return err
		}
		piece.firstRecord += int64(n)
		rest -= n
	}
	return nil
}

// walkFlat walks every list as often as it stands.
func (l *listNode) walkFlat(t *Tree, sc scope, mask Bits) error {
	if !mask.All() {
		mask = sc.overSlots(mask, &l.flatMask)
	}
	l.flatRuns = l.flatRuns[:0]
	for _, run := range sc.runs {
		if run.Times == 1 {
			l.flatRuns = append(l.flatRuns, run)
			continue
		}
		for range run.Times {
			l.flatRuns = append(l.flatRuns, Run{run.Slot, 1, 1})
		}
	}
	sc.runs, sc.numEntries, sc.repeated = l.flatRuns, sc.frame.numSlots, false
	return l.expand.run(t, l, sc, mask)
}
