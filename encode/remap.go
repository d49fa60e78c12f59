package encode

import (
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// errDictionaryFull ends a walk over values whose next one does not go into the dictionary.
var errDictionaryFull = errors.New("dictionary full")

// remap turns the keys of an Arrow dictionary into ids of the column chunk's, with one look at each entry that is
// referenced. It holds on to the Arrow dictionary, so that the next batch with the same one finds its ids.
type remap struct {
	dict  arrow.ArrayData
	ids   []uint32 // by dictionary slot: id+1, 0 if not referenced so far
	known bool     // there are ids
}

// use makes dict the dictionary of the keys to come.
func (r *remap) use(dict arrow.ArrayData) {
	if r.dict == dict {
		return
	}
	r.release()
	dict.Retain()
	r.dict, r.known = dict, false
}

// start makes ids of a dictionary that has none so far, which is not before somebody asks for one: it takes as much
// memory as its keys.
func (r *remap) start() {
	n := r.dict.Offset() + r.dict.Len()
	if cap(r.ids) < n {
		r.ids = make([]uint32, n)
	}
	r.ids, r.known = r.ids[:n], true
	clear(r.ids)
}

// forget drops the ids, as no more are asked for before the chunk's dictionary begins anew.
func (r *remap) forget() { r.ids, r.known = nil, false }

// release lets go of the Arrow dictionary.
func (r *remap) release() {
	if r.dict != nil {
		r.dict.Release()
		r.dict = nil
	}
}

// appendIDs appends the ids of the span's values. intern gives an id to a dictionary slot that has none.
func (r *remap) appendIDs(x *indices, k *keys, s *levels.Span, intern func(slot uint32) (uint32, error)) error {
	if !r.known {
		r.start()
	}
	first := x.n
	return k.each(s, func(slots []uint32, times []int) error {
		for i, slot := range slots {
			id := r.ids[slot]
			if id == 0 {
				got, err := intern(slot)
				if err != nil {
					return atValue(err, x.n-first+levels.Standing(times, i))
				}
				id = got + 1
				r.ids[slot] = id
			}
			slots[i] = id - 1
		}
		x.addEach(slots, times)
		return nil
	})
}

// atValue makes err the error of value i of a span.
func atValue(err error, i int) error {
	if e, ok := err.(*valueError); ok {
		e.index = i
	}
	return err
}
