package levels

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// dictionaryKeys are the keys of a dictionary-encoded leaf whose dictionary has nulls among its values: a slot is null
// if its key is, or if the entry is.
type dictionaryKeys struct {
	keys    []byte
	width   int // bytes a key, 0 without a dictionary
	entries Bits
	numKeys int
}

func (d *dictionaryKeys) hasNulls() bool { return d.keys != nil }

// release forgets the batch.
func (d *dictionaryKeys) release() { *d = dictionaryKeys{width: d.width} }

// bind keeps the keys of data if they are needed.
func (d *dictionaryKeys) bind(data arrow.ArrayData, p path) error {
	d.release()
	if d.width == 0 {
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
	if len(data.Buffers()) > 1 && data.Buffers()[1] != nil {
		d.keys = data.Buffers()[1].Bytes()
	}
	if have := len(d.keys) / d.width; have < data.Offset()+data.Len() {
		return p.errorf("%d dictionary keys for %d slots", have, data.Offset()+data.Len())
	}
	d.entries = Bits{Bytes: entries, Offset: values.Offset()}
	d.numKeys = values.Len()
	return nil
}

// validity returns valid less the slots whose entry is null. A key out of range is left valid for the page writer to
// refuse.
func (d *dictionaryKeys) validity(sc scope, offset int, valid Bits, scratch *bitmap) Bits {
	n := sc.numEntries
	dst := scratch.atLeast(n)
	for i := 0; i < n; i += 64 { // in place if valid stands in scratch already
		dst.setWord(i>>6, valid.Word(i))
	}
	at := 0
	for _, run := range sc.runs {
		slot := run.Slot + sc.shift + offset
		for k := range run.Len {
			if key := d.key(slot + k); key < uint64(d.numKeys) && !d.entries.At(int(key)) {
				dst[(at+k)>>3] &^= 1 << ((at + k) & 7)
			}
		}
		at += run.Len
	}
	return dst.view()
}

// key returns the key at a storage slot; a negative one comes out as a very large number.
func (d *dictionaryKeys) key(slot int) uint64 {
	b := d.keys[slot*d.width:]
	switch d.width {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}
