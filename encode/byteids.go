package encode

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"github.com/sluice-io/sluice/levels"
)

func (v *byteValues) dictionary() dictionary {
	if v.limit <= 0 {
		return nil
	}
	return v
}

func (v *byteValues) appendIDs(x *indices, s *levels.Span) (full bool, err error) {
	if v.keys != nil && !v.own {
		err = v.remap.appendIDs(x, v.keys, s, func(slot uint32) (uint32, error) {
			block, err := v.source.gather([]uint32{slot})
			if err != nil {
				return 0, err
			}
			return v.intern(block.at(0))
		})
	} else {
		done := 0
		err = v.each(s, func(b *byteBlock) error {
			if err := v.internAll(x, b, done); err != nil {
				return err
			}
			done += b.standing()
			return nil
		})
	}
	if err == errDictionaryFull {
		return true, nil
	}
	return false, err
}

// internAll appends the ids of a block, whose new values go to the content. The first is value `from` of the span.
func (v *byteValues) internAll(x *indices, b *byteBlock, from int) error {
	before := v.entries.len()
	ok := v.entries.internAll(x, b, v.limit)
	if v.content != nil {
		for id := before; id < v.entries.len(); id++ {
			value := v.entries.at(uint32(id))
			if err := v.content.add(value); err != nil {
				i := 0
				for !bytes.Equal(b.at(i), value) {
					i++
				}
				return &valueError{from + levels.Standing(b.times, i), err}
			}
		}
	}
	if !ok {
		return errDictionaryFull
	}
	return nil
}

// intern returns the id of a value, which goes to the content if it is new. The index of an error's value is the
// caller's to set.
func (v *byteValues) intern(value []byte) (uint32, error) {
	before := v.entries.len()
	id, ok := v.entries.intern(value, v.limit)
	if !ok {
		return 0, errDictionaryFull
	}
	if v.content != nil && int(id) == before {
		if err := v.content.add(value); err != nil {
			return 0, &valueError{err: err}
		}
	}
	return id, nil
}

func (v *byteValues) bindEntries() { v.own = true }

func (v *byteValues) boundsOf(x *indices) pageBounds {
	d := &v.entries
	for id := range x.referred(d.len()) {
		v.bounds.addOne(d.at(id))
	}
	b := v.bounds.take()
	if v.width == 0 {
		b.unencodedBytes = d.numBytes(x)
	}
	if b.nans > 0 { // entries so far
		b.nans = x.count(func(id uint32) int64 { return oneIf(isNaN16(d.at(id))) })
	}
	return b
}

func (v *byteValues) numEntries() int { return v.entries.len() }
func (v *byteValues) plainBytes() int { return v.entries.plainBytes() }

// eachPlain yields n values in plain encoding until it has enough.
func (v *byteValues) eachPlain(plain []byte, n int, yield func(value []byte) bool) {
	for range n {
		size := v.width
		if size == 0 {
			size, plain = int(binary.LittleEndian.Uint32(plain)), plain[4:]
		}
		if !yield(plain[:size]) {
			return
		}
		plain = plain[size:]
	}
}

func (v *byteValues) appendPlainIDs(x *indices, plain []byte, n int) (full bool) {
	v.eachPlain(plain, n, func(value []byte) bool {
		id, ok := v.entries.intern(value, v.limit)
		if ok {
			x.ids, x.n = append(x.ids, id), x.n+1
		}
		full = !ok
		return ok
	})
	return full
}

func (v *byteValues) appendHashes(dst []uint64, plain []byte, n int, sampled bool) []uint64 {
	v.eachPlain(plain, n, func(value []byte) bool {
		if h := xxhash.Sum64(value); !sampled || isSampled(h) {
			dst = append(dst, h)
		}
		return true
	})
	return dst
}

func (v *byteValues) appendEntries(dst []byte, from, to int) []byte {
	if v.width > 0 {
		return append(dst, v.entries.data[from*v.width:to*v.width]...)
	}
	for id := from; id < to; id++ {
		value := v.entries.at(uint32(id))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(value)))
		dst = append(dst, value...)
	}
	return dst
}

func (v *byteValues) takeEntries(n int) []byte {
	d := &v.entries
	if d.width > 0 {
		return d.data[: n*d.width : n*d.width]
	}
	if n == 0 {
		return nil
	}
	return v.appendEntries(make([]byte, 0, 4*n+d.ends[n]), 0, n)
}

func (v *byteValues) appendValues(dst []byte, x *indices, most int) ([]byte, int) {
	n, limit := 0, len(dst)+most
	for ids, times := range x.stretches {
		for range times {
			for _, id := range ids {
				value := v.entries.at(id)
				if n > 0 && len(dst)+4+len(value) > limit {
					return dst, n
				}
				if v.width == 0 {
					dst = binary.LittleEndian.AppendUint32(dst, uint32(len(value)))
				}
				dst = append(dst, value...)
				n++
			}
		}
	}
	return dst, n
}

func (v *byteValues) hashEntries(n int) {
	if n == 0 {
		return
	}
	d := &v.entries
	block := byteBlock{data: d.data, width: d.width, n: n}
	if d.width == 0 {
		block.lo, block.hi = d.ends, d.ends[1:]
	}
	v.hashes.addBytes(&block)
}

func (v *byteValues) releaseArrow() { v.remap.release() }

func (v *byteValues) endIDs() {
	v.entries.endIDs()
	v.remap.forget()
}

func (v *byteValues) clear(anew bool) {
	v.entries.clear(anew)
	v.remap.forget()
}
