package encode

import (
	"io"
	"math/bits"
	"sync"
	"unsafe"
)

const (
	minSlabBytes = 1 << 10
	maxSlabBytes = 256 << 10
)

// slabPools keep slabs, each those of twice the size of the one before.
var slabPools [9]sync.Pool

// bodyPool keeps the bodies of large pages.
var bodyPool sync.Pool

// slabs is an append-only byte store in blocks that grow from 1 KiB to 256 KiB, so that a small column chunk stays small
// and a large one is never copied to grow. The last of them, which may be empty but for a byte, has an eighth of their bytes
// at most, or 1 KiB: with many columns there are many last blocks. The bodies of large pages are blocks as they are. The
// zero value is empty.
type slabs struct {
	blocks [][]byte
	size   int64
	bodies int64 // bytes up to the end of the last body
}

// append adds a copy of p.
func (s *slabs) append(p []byte) {
	s.size += int64(len(p))
	for len(p) > 0 {
		k := len(s.blocks) - 1
		if k < 0 || len(s.blocks[k]) == cap(s.blocks[k]) {
			s.blocks = append(s.blocks, newSlab(s.size-s.bodies))
			k++
		}
		b := s.blocks[k]
		n := copy(b[len(b):cap(b)], p)
		s.blocks[k] = b[:len(b)+n]
		p = p[n:]
	}
}

// keepBody makes a body of a page the next block, if that is worth a block of its own and leaves little of its memory
// unused. It belongs to the store then.
func (s *slabs) keepBody(body []byte) bool {
	if len(body) < 2*maxSlabBytes || cap(body)-len(body) > len(body)/16 {
		return false
	}
	s.blocks = append(s.blocks, body)
	s.size += int64(len(body))
	s.bodies = s.size
	return true
}

// newBody returns an empty body for a page of so many bytes.
func newBody(size int) []byte {
	if p, ok := bodyPool.Get().(*[]byte); ok && cap(*p) == size {
		return (*p)[:0]
	}
	return make([]byte, 0, size)
}

// newSlab returns an empty block for a store that is about to hold size bytes.
func newSlab(size int64) []byte {
	class := min(bits.Len64(uint64(size/16)/minSlabBytes), len(slabPools)-1)
	n := minSlabBytes << class
	if p, ok := slabPools[class].Get().(*byte); ok {
		return unsafe.Slice(p, n)[:0]
	}
	return make([]byte, 0, n)
}

// writeTo writes everything out and gives each block back as soon as it is written. The store is empty afterwards, in
// case of an error too.
func (s *slabs) writeTo(w io.Writer) error {
	defer s.free()
	for len(s.blocks) > 0 {
		b := s.blocks[0]
		s.blocks = s.blocks[1:]
		_, err := w.Write(b)
		freeSlab(b)
		if err != nil {
			return err
		}
	}
	return nil
}

func freeSlab(b []byte) {
	if cap(b) > maxSlabBytes {
		bodyPool.Put(&b)
		return
	}
	slabPools[bits.Len(uint(cap(b)-1)/minSlabBytes)].Put(unsafe.SliceData(b))
}

// held returns the bytes of memory that the store keeps.
func (s *slabs) held() int64 {
	var n int64
	for _, b := range s.blocks {
		n += int64(cap(b))
	}
	return n
}

// free gives all blocks back.
func (s *slabs) free() {
	for _, b := range s.blocks {
		freeSlab(b)
	}
	*s = slabs{}
}
