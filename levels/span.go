package levels

import "math/bits"

// MaxSpanLevels is the most levels a span has, unless it borrows the storage's own validity bitmap or is uniform.
const MaxSpanLevels = 4096

// A Span is a stretch of one leaf column: its definition and repetition levels, and the selection of slots of the
// leaf's storage that stand behind them.
//
//	levels     0 … NumLevels   one per value, null or empty list (Parquet's "value count")
//	slots      0 … NumSlots    one per level that Live marks: the level stands for a slot of the storage
//	values     0 … NumValues   one per slot that Mask marks: the slot holds a non-null value
//
// A span and everything it refers to is valid until the [Sink.Put] that got it returns. Storage is never written.
type Span struct {
	NumLevels  int
	NumRecords int  // records that begin in the span
	Continues  bool // the first level goes on with the record of the span before
	Def, Rep   Levels
	Live       Bits // over levels: which stand for a slot; every level when All. Of no meaning without slots
	NumSlots   int
	Mask       Bits // over slots: which hold a value; every slot when All. Of no meaning without values
	NumValues  int
	// Selected are the runs of storage slots, and Skip the slots of the first run that lie before the span. The runs
	// may go on past NumSlots.
	Selected []Run
	Skip     int
	Repeated bool // a run may have Times above 1
	// Times is how often each tile of the records stands in a row, nil for once each. A span that has it consists of whole
	// tiles, which have as many records as Each says and are counted once above. Before and After are how many of the first
	// and of the last one's times lie before and behind the span.
	Times         []int
	Each          int
	Before, After int
}

// Run is the storage slots Slot, Slot+1 … Slot+Len-1 of a leaf, counted from the start of its buffers; or, with Len 1,
// one slot Times times in a row. A span with such a run has every bit of Mask set: slots without a value are not Live.
type Run struct {
	Slot, Len, Times int
}

// slots returns how many slots of a span the run is.
func (r Run) slots() int { return r.Len * r.Times }

// Levels are definition or repetition levels: bit p of level i is bit First+i of Planes[p]. Without planes every level is
// Uniform. One plane may be the validity bitmap of the storage itself.
type Levels struct {
	Planes  []Bits
	First   int
	Uniform int
}

// At returns level i.
func (l Levels) At(i int) int {
	if l.Planes == nil {
		return l.Uniform
	}
	level := 0
	for p, plane := range l.Planes {
		if plane.Word(l.First+i)&1 != 0 { // as a plane without a set bit need not be as long
			level |= 1 << p
		}
	}
	return level
}

// Runs yields the runs of the selected slots in order, cut to those of the span.
func (s *Span) Runs(yield func(Run) bool) {
	rest, skip := s.NumSlots, s.Skip
	for _, run := range s.Selected {
		if rest == 0 {
			return
		}
		n := min(run.slots()-skip, rest)
		if run.Times == 1 {
			run.Slot, run.Len = run.Slot+skip, n
		} else {
			run.Times = n
		}
		if !yield(run) {
			return
		}
		rest, skip = rest-n, 0
	}
}

// Slots reads the selected slots of a span in order, by blocks.
type Slots struct {
	runs       []Run
	skip, rest int
}

// Slots returns all selected slots.
func (s *Span) Slots() Slots { return Slots{s.Selected, s.Skip, s.NumSlots} }

// Next sets slots to those that come next, and times, which is as long, to how often each stands in a row. It returns how
// many there are, 0 at the end. They are counted in 32 bits: the storage has no more.
func (c *Slots) Next(slots []uint32, times []int) (n int) {
	skip, rest, k := c.skip, c.rest, 0
	for ; k < len(c.runs) && n < len(slots) && rest > 0; k++ {
		run := c.runs[k]
		if run.Times > 1 {
			slots[n], times[n] = uint32(run.Slot), min(run.Times-skip, rest)
			rest, skip = rest-times[n], 0
			n++
			continue
		}
		take := min(run.Len-skip, rest, len(slots)-n)
		for i := range take {
			slots[n+i], times[n+i] = uint32(run.Slot+skip+i), 1
		}
		n, rest = n+take, rest-take
		if skip += take; skip < run.Len {
			break
		}
		skip = 0
	}
	c.runs, c.skip, c.rest = c.runs[k:], skip, rest
	return n
}

// OneNull reports whether the span is of records without a value, of one level each, that is the same in all.
func (s *Span) OneNull() bool {
	return s.NumValues == 0 && s.Times == nil && s.Def.Planes == nil && s.Rep.Planes == nil && s.Rep.Uniform == 0
}

// RecordStart returns the level at which record k of the span begins, 0 <= k < NumRecords.
func (s *Span) RecordStart(k int) int {
	if s.Rep.Planes == nil {
		if s.Rep.Uniform == 0 {
			return k
		}
		panic("levels: a span that only goes on has no record start")
	}
	for i := 0; ; i += 64 {
		starts := ^s.continued(i)
		if n := bits.OnesCount64(starts); k >= n {
			k -= n
			continue
		}
		return i + selectWord(starts, k)
	}
}

// continued returns, for 64 levels from level i on, a set bit for each whose repetition level is above 0.
func (s *Span) continued(i int) uint64 {
	var w uint64
	for _, plane := range s.Rep.Planes {
		w |= plane.Word(s.Rep.First + i)
	}
	return w
}

// Head returns the first n levels as a span of their own. The end must lie before a record (at RecordStart of one, or at
// NumLevels). Both refer to the same storage.
func (s *Span) Head(n int) Span {
	head := *s
	if n == s.NumLevels {
		return head
	}
	head.NumLevels = n
	if s.NumSlots > 0 {
		head.NumSlots = s.Live.Count(0, n)
	}
	if s.NumValues > 0 {
		head.NumValues = s.Mask.Count(0, head.NumSlots)
	}
	head.NumRecords = s.recordsBefore(n)
	if s.Times != nil {
		head.Times, head.After = s.Times[:head.NumRecords/s.Each], 0
	}
	return head
}

// recordsBefore returns how many records begin in the first n levels.
func (s *Span) recordsBefore(n int) int {
	if s.Rep.Planes == nil {
		if s.Rep.Uniform == 0 {
			return n
		}
		return 0
	}
	records := 0
	for i := 0; i < n; i += 64 {
		records += bits.OnesCount64(^s.continued(i) & lowMask(n-i))
	}
	return records
}

// Take cuts Head(n) off the span and returns it.
func (s *Span) Take(n int) Span {
	head := s.Head(n)
	if n == s.NumLevels {
		*s = Span{}
		return head
	}
	s.NumLevels -= n
	s.NumRecords -= head.NumRecords
	s.Continues = false
	s.Def.First, s.Rep.First = s.Def.First+n, s.Rep.First+n
	s.Live = s.Live.Skip(n)
	s.Mask = s.Mask.Skip(head.NumSlots)
	s.NumSlots -= head.NumSlots
	s.NumValues -= head.NumValues
	s.Skip += head.NumSlots
	k := 0
	for k < len(s.Selected) && s.Skip >= s.Selected[k].slots() {
		s.Skip -= s.Selected[k].slots()
		k++
	}
	s.Selected = s.Selected[k:]
	if s.Times != nil {
		s.Times, s.Before = s.Times[head.NumRecords/s.Each:], 0
	}
	return head
}

// RecordOfValue returns the record to which value k belongs, counted from the first that begins in the span, with the
// times that records stand; -1 is the record that goes on from the span before.
func (s *Span) RecordOfValue(k int) int {
	record := s.recordsBefore(s.Live.Select(s.Mask.Select(k))+1) - 1
	if s.Times == nil || record < s.Each {
		return record
	}
	return (Standing(s.Times, record/s.Each)-s.Before)*s.Each + record%s.Each
}
