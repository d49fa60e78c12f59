package levels

import "math/bits"

// frame is a stretch of positions at one repetition depth: the records of a batch, or the element positions of a list.
// A position is live if it stands for a slot of the nodes right below; otherwise it is a hole, which a null or empty
// list left.
type frame struct {
	numLevels   int
	numRecords  int   // records that begin here
	firstRecord int64 // number of the first of them
	continues   bool  // position 0 goes on with a record of the frame before
	live        Bits  // over positions
	numSlots    int   // live positions
	runs        []Run // the slots of the live positions, before the offsets of the nodes below
	def, rep    levelSet
	times       []int // how often each tile of the records stands in a row; nil: once
	each        int   // records of a tile
}

// records makes the frame n records, from record slot from on, without nulls so far.
func (f *frame) records(from, n int) {
	f.numLevels, f.numRecords, f.numSlots = n, n, n
	f.runs, f.times = append(f.runs[:0], Run{from, n, 1}), nil
}

// recordBehind returns the number of the first record behind the frame.
func (f *frame) recordBehind() int64 {
	if f.times == nil {
		return f.firstRecord + int64(f.numRecords)
	}
	return f.firstRecord + int64(Standing(f.times, len(f.times))*f.each)
}

// recordAt returns the number of the record to which a position belongs.
func (f *frame) recordAt(position int) int64 {
	before := 0
	for i := 0; i <= position; i += 64 {
		before += bits.OnesCount64(^f.rep.above(i) & lowMask(position+1-i))
	}
	if before == 0 {
		return f.firstRecord - 1
	}
	if before--; f.times == nil {
		return f.firstRecord + int64(before)
	}
	return f.firstRecord + int64(Standing(f.times, before/f.each)*f.each+before%f.each)
}

// scope is a node's view of a frame: the slots of the node's parent that the live positions stand for, and what the
// validity of the parents within the frame leaves of them. Below run ends one entry may stand for many positions in a
// row; without them, entries and live positions are one and the same.
type scope struct {
	frame      *frame
	runs       []Run
	numEntries int  // slots of the runs, each counted once
	repeated   bool // a run may have Times above 1
	shift      int  // to add to the slots of the runs
	mask       Bits // over entries: no null parent within the frame
	left       int  // entries that mask leaves, if that is counted
	counted    bool
	known      [2]Bits   // a mask, if there is one, and the positions that it leaves
	def        *levelSet // over positions: the frame's definition levels and the thresholds of the parents within
}

// scope returns the view of the node right below the frame.
func (f *frame) scope() scope {
	return scope{frame: f, runs: f.runs, numEntries: f.numSlots, def: &f.def}
}

// recordOfEntry returns the number of the record that entry k begins in.
func (sc scope) recordOfEntry(k int) int64 {
	if sc.repeated {
		before := 0
		for _, run := range sc.runs {
			if k < run.Len {
				break
			}
			k -= run.Len
			before += run.slots()
		}
		k += before
	}
	return sc.frame.recordAt(sc.frame.live.Select(k))
}

// spread is the scratch space in which a bitmap over entries becomes one over positions.
type spread struct {
	slots, positions bitmap
}

// reached spreads a bitmap over entries to the positions of the frame: holes get 0.
func (sc scope) reached(overEntries Bits, s *spread) Bits {
	f := sc.frame
	if overEntries.All() {
		return f.live
	}
	if overEntries.is(sc.known[0]) {
		return sc.known[1]
	}
	overSlots := overEntries
	if sc.repeated {
		overSlots = sc.overSlots(overEntries, &s.slots)
	}
	if f.live.All() {
		return overSlots
	}
	return s.positions.atLeast(f.numLevels).deposit(f.live, overSlots, f.numLevels, false)
}

// overSlots repeats the bits of a bitmap over entries as often as the entries stand in the frame.
func (sc scope) overSlots(overEntries Bits, scratch *bitmap) Bits {
	n := sc.frame.numSlots
	dst := scratch.atLeast(n)
	dst.clear(n)
	entry, at, from := 0, 0, 0 // positions from to at-1 are to be set
	for _, run := range sc.runs {
		switch {
		case run.Times == 1:
			dst.setRange(from, at-from)
			dst.appendBits(at, overEntries, entry, run.Len)
			from = at + run.Len
		case !overEntries.At(entry):
			dst.setRange(from, at-from)
			from = at + run.Times
		}
		entry, at = entry+run.Len, at+run.slots()
	}
	dst.setRange(from, at-from)
	return dst.view()
}

// validity collects the validity bits of an array at the scope's entries, in their order. It borrows the array's bitmap
// where they are one run, and fills scratch otherwise. offset is the array's own.
func (sc scope) validity(bitmap []byte, offset int, scratch *bitmap) Bits {
	if bitmap == nil {
		return Bits{}
	}
	if len(sc.runs) == 1 {
		return Bits{Bytes: bitmap, Offset: offset + sc.shift + sc.runs[0].Slot}
	}
	dst := scratch.atLeast(sc.numEntries)
	src := Bits{Bytes: bitmap, Offset: offset + sc.shift}
	var word uint64 // of dst
	k, have := 0, 0 // it is word k, of which so many bits are there
	for i := 0; i < len(sc.runs); {
		from := sc.runs[i].Slot
		end := from
		for i < len(sc.runs) && sc.runs[i].Slot == end {
			end += sc.runs[i].Len
			i++
		}
		for from < end {
			take := min(64-have, end-from)
			word |= src.Word(from) & lowMask(take) << have
			from, have = from+take, have+take
			if have == 64 {
				dst.setWord(k, word)
				word, k, have = 0, k+1, 0
			}
		}
	}
	if have > 0 {
		dst.setWord(k, word)
	}
	return dst.view()
}

// atLeast returns the bitmap with room for n bits; its bits are undefined.
func (m *bitmap) atLeast(n int) bitmap {
	if need := numWords(n)*8 + 9; len(*m) < need {
		*m = newBitmap(n)
	}
	return *m
}

// restrict takes the validity of a nullable or required node at the scope's entries and returns the mask that is left
// for what is below, and how many it leaves. The mask has every bit set, without storage, where that is so. A null in a
// required node is an error if its parents are not null.
func (sc scope) restrict(valid Bits, nullable bool, p path, scratch *bitmap) (mask Bits, left int, err error) {
	n := sc.numEntries
	if !nullable {
		if err := sc.required(valid, p); err != nil {
			return Bits{}, 0, err
		}
	}
	switch {
	case nullable && sc.mask.All():
		mask, left = valid, valid.Count(0, n)
	case nullable && !valid.All():
		mask = scratch.atLeast(n).and(sc.mask, valid, n)
		left = mask.Count(0, n)
	case sc.counted:
		mask, left = sc.mask, sc.left
	default:
		mask, left = sc.mask, sc.mask.Count(0, n)
	}
	if left == n {
		mask = Bits{}
	}
	return mask, left, nil
}

// required checks that a field that is not nullable has a value wherever its parents have one.
func (sc scope) required(valid Bits, p path) error {
	if valid.All() {
		return nil
	}
	n := sc.numEntries
	for i := 0; i < n; i += 64 {
		if lost := sc.mask.Word(i) &^ valid.Word(i) & lowMask(n-i); lost != 0 {
			record := sc.recordOfEntry(i + bits.TrailingZeros64(lost))
			return p.errorf("record %d: null, but the field is not nullable", record)
		}
	}
	return nil
}
