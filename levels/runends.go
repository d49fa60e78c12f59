package levels

import (
	"encoding/binary"
	"math"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"
)

// runEndNode is a run-end-encoded field. It has no levels of its own: the scope of its values has an entry for every run
// that the scope around it touches, which stands for as many slots as that has in the run.
type runEndNode struct {
	path   path
	values node
	width  int // bytes a run end

	ends    []byte
	numRuns int
	offset  int
	at      int // run in which the last slot was found
	lo, hi  int // slots of that run

	runs     []Run
	entries  int  // of runs
	repeated bool // one of them has Times above 1
	marks    bitmap
	marked   int
}

// maxRuns is the most runs that a frame of one level has. As many fit the core's nearest cache.
const maxRuns = 1024

func (r *runEndNode) bind(t *Tree, data arrow.ArrayData) error {
	r.release()
	children := data.Children()
	if len(children) != 2 || children[0] == nil || children[1] == nil {
		return r.path.errorf("a run-end-encoded array with %d children, not run ends and values", len(children))
	}
	end, err := numSlots(data, r.path)
	if err != nil {
		return err
	}
	r.offset = data.Offset()
	if data.Len() > 0 {
		if err := r.bindEnds(children[0], end); err != nil {
			return err
		}
		if values := children[1].Len(); values < r.numRuns {
			return r.path.errorf("%d values for %d runs", values, r.numRuns)
		}
	}
	return r.values.bind(t, children[1])
}

// bindEnds checks that the run ends ascend and cover the first end slots, and keeps the runs up to there.
func (r *runEndNode) bindEnds(data arrow.ArrayData, end int) error {
	if nulls := data.NullN(); nulls > 0 {
		return r.path.errorf("%d of the run ends are null", nulls)
	}
	b := bufferBytes(data, 1)
	first, n := data.Offset(), data.Len()
	if have := len(b) / r.width; first < 0 || n < 0 || have-first < n {
		return r.path.errorf("the run ends have room for %d, not for %d from %d on", have, n, first)
	}
	r.ends = b[first*r.width : (first+n)*r.width]
	switch r.width {
	case 2:
		return bindEnds[[2]byte](r, n, end)
	case 4:
		return bindEnds[[4]byte](r, n, end)
	}
	return bindEnds[[8]byte](r, n, end)
}

// bindEnds is the method for the first n run ends, of the width of W.
func bindEnds[W endBytes](r *runEndNode, n, end int) error {
	last := 0
	for i := range n {
		e := endAt[W](r.ends, i)
		if e <= last {
			return r.path.errorf("run %d ends at %d and the one before at %d: run ends must ascend", i, e, last)
		}
		if last = e; e >= end {
			r.numRuns = i + 1
			return nil
		}
	}
	return r.path.errorf("the runs end at %d, the array at %d", last, end)
}

// endBytes are the bytes of a run end. A loop over run ends is compiled for each width, and has no choice to make.
type endBytes interface{ [2]byte | [4]byte | [8]byte }

// endAt returns the slot behind run i.
func endAt[W endBytes](ends []byte, i int) int {
	var w W
	switch b := ends[i*len(w):]; len(w) {
	case 2:
		return int(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		return int(int32(binary.LittleEndian.Uint32(b)))
	default:
		return int(min(int64(binary.LittleEndian.Uint64(b)), math.MaxInt))
	}
}

// end returns the slot behind run i.
func (r *runEndNode) end(i int) int {
	switch r.width {
	case 2:
		return endAt[[2]byte](r.ends, i)
	case 4:
		return endAt[[4]byte](r.ends, i)
	}
	return endAt[[8]byte](r.ends, i)
}

// find returns the run that holds a slot, and the slot behind it.
func (r *runEndNode) find(slot int) (run, end int) {
	if slot < r.lo || slot >= r.hi {
		r.search(slot)
	}
	return r.at, r.hi
}

// search looks for the run that holds a slot. Slots usually come in order.
func (r *runEndNode) search(slot int) {
	if slot < r.lo || r.hi == 0 { // none is found so far
		r.at, r.lo, r.hi = 0, 0, r.end(0)
	}
	for i := 0; i < 4 && r.hi <= slot; i++ {
		r.at++
		r.lo, r.hi = r.hi, r.end(r.at)
	}
	if r.hi <= slot {
		first := r.at + 1
		r.at = first + sort.Search(r.numRuns-first-1, func(i int) bool { return r.end(first+i) > slot })
		r.lo, r.hi = r.end(r.at-1), r.end(r.at)
	}
}

func (r *runEndNode) release() {
	r.ends, r.numRuns, r.at, r.lo, r.hi = nil, 0, 0, 0, 0
	r.values.release()
}

// step returns how many of the n records from record `from` on, none of which has a list, make a frame: a run that is
// long, or as many as a frame has room for, or as many runs if the levels are all one value.
func (r *runEndNode) step(from, n int) int {
	slot, last := from+r.offset, from+r.offset+n
	first, _ := r.find(slot)
	if uniform(r.values) {
		run := min(first+maxRuns, r.numRuns) - 1
		return min(last, r.end(run)) - slot
	}
	if length := r.end(first) - slot; length >= MaxSpanLevels {
		return min(length, n)
	}
	switch r.width {
	case 2:
		return min(shortRuns[[2]byte](r, first, slot, last)-slot, n)
	case 4:
		return min(shortRuns[[4]byte](r, first, slot, last)-slot, n)
	}
	return min(shortRuns[[8]byte](r, first, slot, last)-slot, n)
}

// shortRuns returns the slot behind run first, or behind as many runs from there, each shorter than a frame, as end
// before slot last and fit a frame from slot on.
func shortRuns[W endBytes](r *runEndNode, first, slot, last int) int {
	last = min(last, slot+MaxSpanLevels)
	at := endAt[W](r.ends, first)
	for i := first + 1; at < last; i++ {
		end := endAt[W](r.ends, i)
		if end-at >= MaxSpanLevels {
			break
		}
		at = end
	}
	return min(at, slot+MaxSpanLevels)
}

// uniform reports whether all slots of a node have one level, in each leaf below.
func uniform(n node) bool {
	switch n := n.(type) {
	case *leafNode:
		return n.allNull || n.valid == nil && !n.keys.hasNulls()
	case *structNode:
		for _, c := range n.children {
			if !n.absent && !uniform(c) {
				return false
			}
		}
		return n.valid == nil
	case *runEndNode:
		return uniform(n.values)
	case *dictionaryNode:
		return n.numEntries > 0 && n.valid == nil && uniform(n.values)
	}
	return false
}

// walk gives the values the runs that the scope's slots lie in.
func (r *runEndNode) walk(t *Tree, sc scope) error {
	if r.runs == nil {
		r.runs = make([]Run, 0, min(maxRuns, r.numRuns))
	}
	r.runs, r.entries, r.repeated = r.runs[:0], 0, sc.repeated
	r.marked = 0
	if !sc.mask.All() {
		r.marks.atLeast(sc.numEntries)
	}
	entry := 0
	for _, run := range sc.runs {
		slot := run.Slot + sc.shift + r.offset
		if k := len(r.runs) - 1; k >= 0 && sc.mask.All() && slot >= r.lo && slot+run.Len <= r.hi && r.runs[k].Slot == r.at &&
			r.runs[k].Len == 1 { // all of it lies where what is before it does
			r.runs[k].Times, r.repeated = r.runs[k].Times+run.Len*run.Times, true
			continue
		}
		for end := entry + run.Len; entry < end; {
			n := sc.mask.stretch(entry, end-entry)
			r.split(slot, n, run.Times, sc.mask, entry)
			slot, entry = slot+n, entry+n
		}
	}
	inner := scope{frame: sc.frame, runs: r.runs, numEntries: r.entries, repeated: r.repeated, def: sc.def}
	if !sc.mask.All() {
		inner.mask = r.marks.view()
	}
	return r.values.walk(t, inner)
}

// split appends the runs of n slots, which stand times times each. Bit `entry` of mask holds for them all.
func (r *runEndNode) split(slot, n, times int, mask Bits, entry int) {
	end := slot + n
	run, next := r.find(slot)
	all, set := mask.All(), mask.At(entry)
	r.appendRun(run, (min(end, next)-slot)*times, all, set)
	if next >= end {
		return
	}
	switch r.width {
	case 2:
		splitRuns[[2]byte](r, run, next, end, times, all, set)
	case 4:
		splitRuns[[4]byte](r, run, next, end, times, all, set)
	default:
		splitRuns[[8]byte](r, run, next, end, times, all, set)
	}
}

// splitRuns is split of the slots next to end-1, which begin behind run `run`. That is the last there is.
func splitRuns[W endBytes](r *runEndNode, run, next, end, times int, all, set bool) {
	ends, runs, before, repeated := r.ends, r.runs, run, r.repeated
	single := runs[len(runs)-1].Times == 1 // the last, so another may join it
	slot := 0
	for next < end {
		run++
		slot, next = next, endAt[W](ends, run)
		k := (min(end, next) - slot) * times
		if single && k == 1 {
			runs[len(runs)-1].Len++
		} else {
			runs = append(runs, Run{Slot: run, Len: 1, Times: k})
			single = k == 1
			repeated = repeated || !single
		}
		if !all {
			r.mark(set)
		}
	}
	r.runs, r.at, r.lo, r.hi = runs, run, slot, next
	r.entries, r.repeated = r.entries+run-before, repeated
}

// appendRun appends a run that stands for so many slots, to what goes before if that is of the same run, or of the runs
// before for a slot each. all says that there is no mask, set is the run's bit of it.
func (r *runEndNode) appendRun(run, times int, all, set bool) {
	if k := len(r.runs) - 1; k >= 0 {
		last := &r.runs[k]
		if last.Slot == run && last.Len == 1 && (all || set == r.marks.view().At(r.marked-1)) {
			last.Times, r.repeated = last.Times+times, true
			return
		}
		if times == 1 && last.Times == 1 && last.Slot+last.Len == run {
			last.Len++
			r.entries++
			if !all {
				r.mark(set)
			}
			return
		}
	}
	r.runs = append(r.runs, Run{Slot: run, Len: 1, Times: times})
	r.entries, r.repeated = r.entries+1, r.repeated || times > 1
	if !all {
		r.mark(set)
	}
}

// mark appends a bit to the mask over the entries.
func (r *runEndNode) mark(set bool) {
	i := r.marked
	r.marked++
	if i&63 == 0 {
		if need := numWords(i+1)*8 + 9; len(r.marks) < need {
			grown := make(bitmap, 2*need)
			copy(grown, r.marks)
			r.marks = grown
		}
		r.marks.setWord(i>>6, 0)
	}
	if set {
		r.marks[i>>3] |= 1 << (i & 7)
	}
}
