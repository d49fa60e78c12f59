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
}

// records makes the frame n records, from record slot from on, without nulls so far.
func (f *frame) records(from, n int) {
	f.numLevels, f.numRecords, f.numSlots = n, n, n
	f.runs = append(f.runs[:0], Run{from, n})
}

// recordAt returns the number of the record to which a position belongs.
func (f *frame) recordAt(position int) int64 {
	before := 0
	for i := 0; i <= position; i += 64 {
		before += bits.OnesCount64(^f.rep.above(i) & lowMask(position+1-i))
	}
	return f.firstRecord + int64(before) - 1
}

// deposit spreads a bitmap over slots to the positions of the frame: holes get 0.
func (f *frame) deposit(overSlots Bits, scratch *bitmap) Bits {
	if f.live.All() {
		return overSlots
	}
	if overSlots.All() {
		return f.live
	}
	return scratch.atLeast(f.numLevels).deposit(f.live, overSlots, f.numLevels, false)
}

// scope is a node's view of a frame: the frame's slots, moved by the offsets of the structs between, and what those
// structs' validity leaves of them.
type scope struct {
	frame *frame
	shift int       // to add to the slots of the frame's runs
	mask  Bits      // over slots: no null parent within the frame
	def   *levelSet // over positions: the frame's definition levels and the thresholds of the structs
}

// recordOfSlot returns the number of the record that holds slot k (in order) of the scope.
func (sc scope) recordOfSlot(k int) int64 { return sc.frame.recordAt(sc.frame.live.Select(k)) }

// validity collects the validity bits of an array at the scope's slots, in their order. It borrows the array's bitmap
// where the slots are one run, and fills scratch otherwise. offset is the array's own.
func (sc scope) validity(bitmap []byte, offset int, scratch *bitmap) Bits {
	if bitmap == nil {
		return Bits{}
	}
	runs := sc.frame.runs
	if len(runs) == 1 {
		return Bits{Bytes: bitmap, Offset: offset + sc.shift + runs[0].Slot}
	}
	n := sc.frame.numSlots
	dst := scratch.atLeast(n)
	dst.clear(n)
	at := 0
	for _, run := range runs {
		dst.appendBits(at, Bits{Bytes: bitmap, Offset: offset + sc.shift}, run.Slot, run.Len)
		at += run.Len
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

// restrict takes the validity of a nullable or required node at the scope's slots and returns the mask that is left
// for what is below. The mask has every bit set, without storage, where that is so. A null in a required node is an error if its
// parents are not null.
func (sc scope) restrict(valid Bits, nullable bool, p path, scratch *bitmap) (mask Bits, numValues int, err error) {
	n := sc.frame.numSlots
	if !nullable {
		if err := sc.required(valid, p); err != nil {
			return Bits{}, 0, err
		}
		return sc.mask, sc.mask.Count(0, n), nil
	}
	mask = valid
	if !sc.mask.All() {
		mask = scratch.atLeast(n).and(sc.mask, valid, n)
	}
	numValues = mask.Count(0, n)
	if numValues == n {
		mask = Bits{}
	}
	return mask, numValues, nil
}

// required checks that a field that is not nullable has a value wherever its parents have one.
func (sc scope) required(valid Bits, p path) error {
	if valid.All() {
		return nil
	}
	n := sc.frame.numSlots
	for i := 0; i < n; i += 64 {
		if lost := sc.mask.Word(i) &^ valid.Word(i) & lowMask(n-i); lost != 0 {
			record := sc.recordOfSlot(i + bits.TrailingZeros64(lost))
			return p.errorf("record %d: null, but the field is not nullable", record)
		}
	}
	return nil
}
