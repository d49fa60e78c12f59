package encode

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// numberValues are the values of an INT32, INT64, FLOAT or DOUBLE column, as their bits.
type numberValues[T uint32 | uint64] struct {
	source numberSource[T]
	bounds numberBounds[T]
	limit  int // plain bytes of the dictionary; 0: none
	hashes *hashes

	keys    *keys
	remap   remap
	entries numberDictionary[T]
	own     bool // the dictionary's own entries are the storage

	scattered scattered
	scratch   []T
}

func newNumberValues[T uint32 | uint64](src numberSource[T], b numberBounds[T], dictionaryBytes int, h *hashes) *numberValues[T] {
	return &numberValues[T]{source: src, bounds: b, limit: dictionaryBytes, hashes: h}
}

func (v *numberValues[T]) width() int { var zero T; return int(unsafe.Sizeof(zero)) }

func (v *numberValues[T]) bind(data arrow.ArrayData) error {
	v.own = false
	dt, ok := levels.StorageType(data.DataType()).(*arrow.DictionaryType)
	if !ok {
		v.keys = nil
		return v.source.bind(data)
	}
	if v.keys == nil {
		v.keys = new(keys)
	}
	dict, err := v.keys.bind(data, dt)
	if err != nil {
		return err
	}
	if v.limit > 0 {
		v.remap.use(dict)
	}
	return v.source.bind(dict)
}

func (v *numberValues[T]) release() { v.source.release() }

func (v *numberValues[T]) fixedBits() int { return 8 * v.width() }

func (v *numberValues[T]) plainBits(s *levels.Span) int { return s.NumValues * v.fixedBits() }
func (v *numberValues[T]) mostBits(s *levels.Span) int  { return s.NumValues * v.fixedBits() }

// block is where up to blockValues are gathered.
func (v *numberValues[T]) block() []T {
	if v.scratch == nil {
		v.scratch = make([]T, blockValues)
	}
	return v.scratch
}

// each yields the span's values, whatever the storage is. Each stands as often as times says, or once if that is nil; a
// block of which that is told has at most blockValues.
func (v *numberValues[T]) each(s *levels.Span, yield func(block []T, times []int) error) error {
	once := func(block []T) error { return yield(block, nil) }
	eachSlot := v.scattered.each
	switch {
	case v.keys != nil && !v.own:
		eachSlot = v.keys.each
	case isScattered(s):
	case v.own:
		return eachSelected(s, v.entries.values(), nil, once)
	default:
		return v.source.each(s, once)
	}
	done := 0
	return eachSlot(s, func(slots []uint32, times []int) error {
		block := v.block()[:len(slots)]
		if v.own {
			gatherSlots(block, v.entries.values(), slots)
		} else if err := v.source.gather(block, slots); err != nil {
			return offsetError(err, done, times)
		}
		done += levels.Standing(times, len(slots))
		return yield(block, times)
	})
}

// offsetError moves the index of a value error from a block, whose values stand as often as times says, to the span.
func offsetError(err error, done int, times []int) error {
	if e, ok := err.(*valueError); ok {
		e.index = done + levels.Standing(times, e.index)
	}
	return err
}

func (v *numberValues[T]) appendPlain(dst []byte, _ int, s *levels.Span) ([]byte, error) {
	at := len(dst)
	err := v.each(s, func(block []T, times []int) error {
		dst = appendStanding(dst, block, times)
		v.bounds.add(block, times, s.Repeat())
		addNumbers(v.hashes, block, v.bounds)
		return nil
	})
	return appendAgain(dst, at, s.Repeat()), err
}

func (v *numberValues[T]) plainBody(body []byte, _ int) []byte { return body }

func (v *numberValues[T]) takeBounds() pageBounds { return v.bounds.take() }

func (v *numberValues[T]) dictionary() dictionary {
	if v.limit <= 0 {
		return nil
	}
	return v
}

func (v *numberValues[T]) appendIDs(x *indices, s *levels.Span) (full bool, err error) {
	most := v.limit / v.width()
	if v.keys != nil && !v.own {
		err = v.remap.appendIDs(x, v.keys, s, func(slot uint32) (uint32, error) {
			one := v.block()[:1]
			if err := v.source.gather(one, []uint32{slot}); err != nil {
				return 0, err
			}
			id, ok := v.entries.intern(one[0], most)
			if !ok {
				return 0, errDictionaryFull
			}
			return id, nil
		})
	} else {
		err = v.each(s, func(block []T, times []int) error {
			if !v.entries.internAll(x, block, times, most) {
				return errDictionaryFull
			}
			return nil
		})
	}
	if err == errDictionaryFull {
		return true, nil
	}
	return false, err
}

func (v *numberValues[T]) bindEntries() { v.own = true }

func (v *numberValues[T]) boundsOf(x *indices) pageBounds {
	values, rest := v.entries.values(), x.ids
	if len(values) <= len(rest)/8 { // as marking one takes half as long as comparing it
		for id := range x.referred(len(values)) {
			v.bounds.add(values[id:id+1], nil, 1)
		}
		rest = nil
	}
	for len(rest) > 0 {
		block := v.block()[:min(len(rest), blockValues)]
		gatherSlots(block, values, rest[:len(block)])
		v.bounds.add(block, nil, 1)
		rest = rest[len(block):]
	}
	b := v.bounds.take()
	if b.nans > 0 { // entries so far
		b.nans = x.count(func(id uint32) int64 { return oneIf(v.bounds.isNaN(values[id])) })
	}
	return b
}

func oneIf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (v *numberValues[T]) numEntries() int { return v.entries.len() }
func (v *numberValues[T]) plainBytes() int { return v.entries.len() * v.width() }
func (v *numberValues[T]) appendPlainIDs(x *indices, plain []byte, n int) (full bool) {
	values := keysAs[T](plain)[:n]
	for len(values) > 0 && !full {
		block := values[:min(len(values), blockValues)]
		full = !v.entries.internAll(x, block, nil, v.limit/v.width())
		values = values[len(block):]
	}
	return full
}

func (v *numberValues[T]) appendHashes(dst []uint64, plain []byte, n int, sampled bool) []uint64 {
	for _, value := range keysAs[T](plain)[:n] {
		if h := screenHash(uint64(value)); !sampled || isSampled(h) {
			dst = append(dst, h)
		}
	}
	return dst
}

func (v *numberValues[T]) appendEntries(dst []byte, from, to int) []byte {
	return append(dst, bytesOf(v.entries.values()[from:to])...)
}

func (v *numberValues[T]) takeEntries(n int) []byte { return bytesOf(v.entries.values()[:n]) }

func (v *numberValues[T]) appendValues(dst []byte, x *indices, most int) ([]byte, int) {
	n := min(x.n, max(1, most/v.width()))
	left := n
	for ids, times := range x.stretches {
		for range times {
			for rest := ids; len(rest) > 0 && left > 0; {
				block := v.block()[:min(left, len(rest), blockValues)]
				gatherSlots(block, v.entries.values(), rest[:len(block)])
				dst = append(dst, bytesOf(block)...)
				rest, left = rest[len(block):], left-len(block)
			}
		}
		if left == 0 {
			break
		}
	}
	return dst, n
}

func (v *numberValues[T]) hashEntries(n int) { addNumbers(v.hashes, v.entries.values()[:n], v.bounds) }

func (v *numberValues[T]) releaseArrow() { v.remap.release() }

func (v *numberValues[T]) endIDs() {
	v.entries.endIDs()
	v.remap.forget()
}

func (v *numberValues[T]) clear(anew bool) {
	v.entries.clear(anew)
	v.remap.forget()
}
