package encode

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is appended in pieces comes out as one, from memory that is never much more.
func TestSlabs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range []int{0, 1, minSlabBytes, minSlabBytes + 1, 70_000, 3 << 20} {
		var s slabs
		var want []byte
		for len(want) < size {
			piece := make([]byte, min(size-len(want), r.IntN(2+size/3)))
			for i := range piece {
				piece[i] = byte(r.IntN(256))
			}
			s.append(piece)
			want = append(want, piece...)
		}
		if s.size != int64(size) {
			t.Errorf("%d bytes: size is %d", size, s.size)
		}
		if most := int64(2*size + minSlabBytes + 1); s.held() < s.size || s.held() > most || size > maxSlabBytes && s.held() > int64(size+2*maxSlabBytes) {
			t.Errorf("%d bytes are held in %d", size, s.held())
		}
		if k := slices.IndexFunc(s.blocks, func(b []byte) bool { return len(b) == 0 }); k >= 0 {
			t.Errorf("%d bytes: block %d is empty", size, k)
		}
		var out bytes.Buffer
		if err := s.writeTo(&out); err != nil || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%d bytes: wrote %d, error %v", size, out.Len(), err)
		}
		if s.size != 0 || s.held() != 0 {
			t.Errorf("%d bytes: %d are held after the write", size, s.held())
		}
	}
}

// A store whose write failed is empty, and can be used again.
func TestSlabsFailedWrite(t *testing.T) {
	var s slabs
	for round := range 3 {
		s.append(make([]byte, 1<<20))
		out := &limitedWriter{limit: round * 300_000}
		if err := s.writeTo(out); !errors.Is(err, errDisk) || out.after > 0 {
			t.Errorf("round %d: error %v, %d writes after it", round, err, out.after)
		}
		if s.size != 0 || s.held() != 0 {
			t.Errorf("round %d: %d bytes held", round, s.held())
		}
	}
}

// Blocks that are given back are not given out twice.
func TestSlabsShareNothing(t *testing.T) {
	fill := func(s *slabs, b byte) { s.append(bytes.Repeat([]byte{b}, 2<<20)) }
	for round := range byte(5) {
		var a, b slabs
		fill(&a, round)
		fill(&b, ^round)
		for name, s := range map[byte]*slabs{round: &a, ^round: &b} {
			var out bytes.Buffer
			if err := s.writeTo(&out); err != nil {
				t.Fatal(err)
			}
			if out.Len() != 2<<20 || bytes.Count(out.Bytes(), []byte{name}) != out.Len() {
				t.Fatalf("round %d: other bytes than were put in", round)
			}
		}
	}
}
