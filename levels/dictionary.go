package levels

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// leafKeys are the keys of a dictionary-encoded leaf, which are needed if its dictionary has nulls among its values: a
// slot is null if its key is, or if the entry is.
type leafKeys struct {
	keys
	entries    Bits
	numEntries int
}

func (l *leafKeys) hasNulls() bool { return l.bytes != nil }

// release forgets the batch.
func (l *leafKeys) release() { *l = leafKeys{keys: keys{width: l.width}} }

// bind keeps the keys of data if they are needed.
func (l *leafKeys) bind(data arrow.ArrayData, p path) error {
	l.release()
	if l.width == 0 {
		return nil
	}
	values, ok := data.Dictionary().(*array.Data)
	if !ok || values == nil || values.Len() == 0 {
		return nil
	}
	entries, err := validityBitmap(values, p.with("dictionary"))
	if err != nil || entries == nil {
		return err
	}
	l.entries = Bits{Bytes: entries, Offset: values.Offset()}
	l.numEntries = values.Len()
	return l.keys.bind(data, p)
}

// validity returns valid less the slots whose entry is null. A key out of range is left valid for the page writer to
// refuse.
func (l *leafKeys) validity(sc scope, offset int, valid Bits, scratch *bitmap) Bits {
	n := sc.numEntries
	dst := scratch.atLeast(n)
	for i := 0; i < n; i += 64 { // in place if valid stands in scratch already
		dst.setWord(i>>6, valid.Word(i))
	}
	at := 0
	for _, run := range sc.runs {
		slot := run.Slot + sc.shift + offset
		for k := range run.Len {
			if key := l.at(slot + k); key < uint64(l.numEntries) && !l.entries.At(int(key)) {
				dst[(at+k)>>3] &^= 1 << ((at + k) & 7)
			}
		}
		at += run.Len
	}
	return dst.view()
}

// dictionaryNode is a dictionary-encoded field whose values are not leaves. It has no levels of its own: its values are
// walked at the slots that the keys name, and are as nullable as it is. Where a key is null, a value counts as null
// whatever it is.
type dictionaryNode struct {
	path     path
	nullable bool
	keys     keys
	values   node
	leaves   []*leafNode // below the values

	valid      []byte
	offset     int
	numEntries int

	runs     []Run
	gathered bitmap
	masked   bitmap
}

func (d *dictionaryNode) bind(t *Tree, data arrow.ArrayData) error {
	d.release()
	valid, err := validityBitmap(data, d.path)
	if err != nil {
		return err
	}
	d.valid, d.offset = valid, data.Offset()
	values, ok := data.Dictionary().(*array.Data)
	if !ok || values == nil {
		return d.path.errorf("a dictionary-encoded array without its dictionary")
	}
	if data.Len() > 0 {
		if err := d.keys.bind(data, d.path); err != nil {
			return err
		}
	}
	if _, err := numSlots(values, d.path.with("dictionary")); err != nil {
		return err
	}
	if d.numEntries = values.Len(); d.numEntries > 0 {
		return d.values.bind(t, values)
	}
	for _, l := range d.leaves {
		if err := t.sink.Bind(l.index, array.NewData(t.leaves[l.index].Field.Type, 0, nil, nil, 0, 0)); err != nil {
			return err
		}
	}
	return nil
}

func (d *dictionaryNode) release() {
	d.valid, d.keys.bytes, d.numEntries = nil, nil, 0
	d.values.release()
}

func (d *dictionaryNode) walk(t *Tree, sc scope) error {
	valid := sc.validity(d.valid, d.offset, &d.gathered)
	mask, left, err := sc.restrict(valid, d.nullable, d.path, &d.masked)
	if err != nil {
		return err
	}
	d.runs = d.runs[:0]
	entry := 0
	for _, run := range sc.runs {
		slot := run.Slot + sc.shift + d.offset
		for k := range run.Len {
			key := uint64(0) // where nobody looks
			if mask.At(entry) {
				if key = d.keys.at(slot + k); key >= uint64(d.numEntries) {
					return d.path.errorf("record %d: %w", sc.recordOfEntry(entry), d.keys.errRange(key, d.numEntries))
				}
			}
			d.appendRun(int(key), run.Times)
			entry++
		}
	}
	if d.numEntries == 0 {
		return sc.putAbsent(t, d.leaves)
	}
	sc.mask, sc.left, sc.counted = mask, left, true
	sc.runs, sc.shift = d.runs, 0
	return d.values.walk(t, sc)
}

// appendRun appends an entry of the dictionary, which stands times times.
func (d *dictionaryNode) appendRun(slot, times int) {
	if k := len(d.runs) - 1; k >= 0 && times == 1 && d.runs[k].Times == 1 && d.runs[k].Slot+d.runs[k].Len == slot {
		d.runs[k].Len++
		return
	}
	d.runs = append(d.runs, Run{slot, 1, times})
}
