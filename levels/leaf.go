package levels

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// leafNode is the end of a path: its spans go to the sink.
type leafNode struct {
	path     path
	index    int // among the tree's leaves
	nullable bool
	maxDef   int
	maxRep   int
	void     bool // of type null

	valid   []byte // validity bitmap of the batch, nil without nulls
	offset  int
	keys    leafKeys
	allNull bool // in the batch

	gathered bitmap
	masked   bitmap
	defined  threshold
	rep      levelSet // of a span without values
	spread   spread
	shifted  []Run
	span     Span
}

func (l *leafNode) bind(t *Tree, data arrow.ArrayData) error {
	l.valid, l.offset = nil, data.Offset()
	if l.allNull = l.void; l.allNull {
		return t.sink.Bind(l.index, data)
	}
	valid, absent, err := nulls(data, l.path)
	if err != nil {
		return err
	}
	if l.allNull = absent; absent {
		return t.sink.Bind(l.index, data)
	}
	l.valid = valid
	if err := l.keys.bind(data, l.path); err != nil {
		return err
	}
	return t.sink.Bind(l.index, data)
}

func (l *leafNode) release() {
	l.valid = nil
	l.keys.release()
	l.span = Span{}
}

func (l *leafNode) walk(t *Tree, sc scope) error {
	if l.allNull {
		return sc.putNulls(t, l.nullable, l.path, t.leafNodes[l.index:l.index+1])
	}
	f := sc.frame
	valid := sc.validity(l.valid, l.offset, &l.gathered)
	if l.keys.hasNulls() {
		valid = l.keys.validity(sc, l.offset, valid, &l.gathered)
	}
	mask, left, err := sc.restrict(valid, l.nullable, l.path, &l.masked)
	if err != nil {
		return err
	}
	if l.nullable {
		l.defined.over(&sc, mask, left)
	}
	l.span = f.span(sc.def, &f.rep)
	switch {
	case !sc.repeated:
		l.selectSlots(sc, mask, left)
	case mask.All():
		l.selectSlots(sc, mask, f.numSlots)
		l.span.Repeated = true
	default:
		l.selectRepeated(sc, mask)
	}
	return t.sink.Put(l.index, &l.span)
}

// putAbsent puts the levels of a scope that has no value of the leaf.
func (l *leafNode) putAbsent(t *Tree, sc scope) error {
	l.defined.def, l.rep = *sc.def, sc.frame.rep
	for l.defined.def.max < l.maxDef {
		l.defined.def = l.defined.def.unreached()
	}
	for l.rep.max < l.maxRep {
		l.rep = l.rep.unreached()
	}
	l.span = sc.frame.span(&l.defined.def, &l.rep)
	return t.sink.Put(l.index, &l.span)
}

// putNulls puts the levels of slots that are all null, of a node with these leaves, without a look at them.
func (sc scope) putNulls(t *Tree, nullable bool, p path, leaves []*leafNode) error {
	if !nullable && sc.mask.Count(0, sc.numEntries) > 0 {
		return p.errorf("record %d: null, but the field is not nullable", sc.recordOfEntry(sc.mask.Select(0)))
	}
	return sc.putAbsent(t, leaves)
}

// putAbsent puts the levels of a scope that has no value of the leaves.
func (sc scope) putAbsent(t *Tree, leaves []*leafNode) error {
	for _, l := range leaves {
		if err := l.putAbsent(t, sc); err != nil {
			return err
		}
	}
	return nil
}

// span returns a span of the frame that has no slots yet.
func (f *frame) span(def, rep *levelSet) Span {
	return Span{
		NumLevels:  f.numLevels,
		NumRecords: f.numRecords,
		Continues:  f.continues,
		Def:        def.levels(),
		Rep:        rep.levels(),
		Times:      f.times,
		Each:       f.each,
	}
}

// storageRuns returns the runs moved to the leaf's own storage.
func (l *leafNode) storageRuns(sc scope) []Run {
	if sc.shift+l.offset == 0 {
		return sc.runs
	}
	l.shifted = append(l.shifted[:0], sc.runs...)
	for i := range l.shifted {
		l.shifted[i].Slot += sc.shift + l.offset
	}
	return l.shifted
}

// selectSlots selects all entries, whose mask leaves so many values.
func (l *leafNode) selectSlots(sc scope, mask Bits, numValues int) {
	l.span.Live, l.span.Mask = sc.frame.live, mask
	l.span.NumSlots, l.span.NumValues = sc.frame.numSlots, numValues
	l.span.Selected = l.storageRuns(sc)
}

// selectRepeated selects the entries that mask leaves, with as many slots as they stand for.
func (l *leafNode) selectRepeated(sc scope, mask Bits) {
	l.shifted = l.shifted[:0]
	slots, entries, entry := 0, 0, 0
	for _, run := range sc.runs {
		run.Slot += sc.shift + l.offset
		if run.Len == 1 {
			if mask.At(entry) {
				l.shifted = append(l.shifted, run)
				slots, entries = slots+run.Times, entries+1
			}
			entry++
			continue
		}
		for end := entry + run.Len; entry < end; {
			n := mask.stretch(entry, end-entry)
			part := Run{run.Slot, n, run.Times}
			if mask.At(entry) {
				l.shifted = append(l.shifted, part)
				slots, entries = slots+part.slots(), entries+n
			}
			run.Slot, entry = run.Slot+n, entry+n
		}
	}
	l.span.Live = sc.reached(mask, &l.spread)
	l.span.NumSlots, l.span.NumValues, l.span.Selected = slots, slots, l.shifted
	l.span.Repeated = slots > entries
}

// numSlots returns how many slots there are in an array and in front of it.
func numSlots(data arrow.ArrayData, p path) (int, error) {
	end := data.Offset() + data.Len()
	if data.Offset() < 0 || data.Len() < 0 || end < 0 {
		return 0, p.errorf("an array of %d slots at offset %d", data.Len(), data.Offset())
	}
	return end, nil
}

// bufferBytes returns buffer i of an array, nil if it has none.
func bufferBytes(data arrow.ArrayData, i int) []byte {
	if buffers := data.Buffers(); len(buffers) > i && buffers[i] != nil {
		return buffers[i].Bytes()
	}
	return nil
}

// nulls returns the validity bitmap of an array, nil if it has no nulls, after a check of its length; or that the array is
// null throughout, in which case nothing else of it is looked at.
func nulls(data arrow.ArrayData, p path) (valid []byte, absent bool, err error) {
	n := data.Len()
	if n > 0 && data.NullN() == n {
		return nil, true, nil
	}
	valid, err = validityBitmap(data, p)
	if n > 0 && data.NullN() < 0 && valid != nil { // which says that nobody has counted
		v := Bits{Bytes: valid, Offset: data.Offset()}
		absent = !v.At(0) && v.stretch(0, n) == n
	}
	return valid, absent, err
}

// validityBitmap returns the validity bitmap of an array, nil if it has no nulls, after a check of its length.
func validityBitmap(data arrow.ArrayData, p path) ([]byte, error) {
	end, err := numSlots(data, p)
	if err != nil {
		return nil, err
	}
	var b []byte
	if data.NullN() != 0 {
		b = bufferBytes(data, 0)
	}
	if len(b) == 0 {
		if data.NullN() > 0 {
			return nil, p.errorf("%d nulls, but no validity bitmap", data.NullN())
		}
		return nil, nil
	}
	if have := len(b) * 8; have < end {
		return nil, p.errorf("the validity bitmap has %d bits for %d slots", have, end)
	}
	return b, nil
}
