package encode

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// boolValues are the values of a BOOLEAN column: a bitmap that is copied.
type boolValues struct {
	storage []byte
	keys    *keys

	scattered scattered
	bits      [blockValues/8 + 9]byte // a block of dictionary-encoded values
	trues     int
	falses    int
}

func (v *boolValues) bind(data arrow.ArrayData) error {
	dt, ok := levels.StorageType(data.DataType()).(*arrow.DictionaryType)
	if !ok {
		v.keys = nil
	} else {
		if v.keys == nil {
			v.keys = new(keys)
		}
		dict, err := v.keys.bind(data, dt)
		if err != nil {
			return err
		}
		data = dict
	}
	var err error
	v.storage, err = bitsOf(data)
	return err
}

// bitsOf returns the value bitmap of a bool array, after a check of its length.
func bitsOf(data arrow.ArrayData) ([]byte, error) {
	slots := data.Offset() + data.Len()
	if slots == 0 {
		return noBits, nil
	}
	bytes, err := storageBytes(data, 1, (slots-1)/8+1)
	return bytes, err
}

func (v *boolValues) release() { v.storage = nil }

func (v *boolValues) fixedBits() int { return 1 }

func (v *boolValues) plainBits(s *levels.Span) int { return s.NumValues }
func (v *boolValues) mostBits(s *levels.Span) int  { return s.NumValues }

// appendPlain keeps dst as bits: the first have are values, the rest is 0 and may be longer than needed.
func (v *boolValues) appendPlain(dst []byte, have int, s *levels.Span) ([]byte, error) {
	before := have
	if v.keys != nil || isScattered(s) {
		eachSlot := v.scattered.each
		if v.keys != nil {
			eachSlot = v.keys.each
		}
		err := eachSlot(s, func(slots []uint32, times []int) error {
			if times != nil {
				dst = v.appendStanding(dst, have, slots, times)
				have += levels.Standing(times, len(slots))
				return nil
			}
			clear(v.bits[:])
			for i, slot := range slots {
				v.bits[i>>3] |= v.storage[slot>>3] >> (slot & 7) & 1 << (i & 7)
			}
			dst = levels.AppendBits(dst, have, levels.Bits{Bytes: v.bits[:]}, len(slots))
			have += len(slots)
			return nil
		})
		if err != nil {
			return dst, err
		}
	} else {
		ordinal := 0
		for run := range s.Runs {
			var k int
			from := levels.Bits{Bytes: v.storage, Offset: run.Slot}
			dst, k = levels.AppendSelected(dst, have, from, s.Mask.Skip(ordinal), run.Len)
			have, ordinal = have+k, ordinal+run.Len
		}
	}
	trues := levels.Bits{Bytes: dst}.Count(before, have-before)
	v.trues += trues
	v.falses += have - before - trues
	return levels.AppendAgain(dst, before, have-before, s.Repeat()-1), nil
}

// appendStanding appends the values at slots as often as times says.
func (v *boolValues) appendStanding(dst []byte, have int, slots []uint32, times []int) []byte {
	dst = levels.AppendBits(dst, have, levels.Bits{Bytes: noBits}, levels.Standing(times, len(slots)))
	from := have // values from to have-1 are true, and not there yet
	for i, slot := range slots {
		if v.storage[slot>>3]>>(slot&7)&1 == 0 {
			dst = levels.AppendBits(dst, from, levels.Bits{}, have-from)
			from = have + times[i]
		}
		have += times[i]
	}
	return levels.AppendBits(dst, from, levels.Bits{}, have-from)
}

func (v *boolValues) plainBody(body []byte, n int) []byte { return body[:(n+7)/8] }

func (v *boolValues) takeBounds() pageBounds {
	trues, falses := v.trues, v.falses
	v.trues, v.falses = 0, 0
	if trues+falses == 0 {
		return pageBounds{}
	}
	lo, hi := byte(0), byte(1)
	if falses == 0 {
		lo = 1
	}
	if trues == 0 {
		hi = 0
	}
	return exactBounds([]byte{lo}, []byte{hi})
}

func (v *boolValues) dictionary() dictionary { return nil }
