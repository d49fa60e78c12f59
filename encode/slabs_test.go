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

// Bodies of large pages are kept as they are among what is copied, and come back when they are written.
func TestSlabsKeepBodies(t *testing.T) {
	const size = 1 << 20
	var s slabs
	var want []byte
	for i := range byte(5) {
		header := bytes.Repeat([]byte{i}, 40+3000*int(i))
		s.append(header)
		body := append(newBody(size), bytes.Repeat([]byte{^i}, size-1000*int(i))...)
		if !s.keepBody(body) {
			t.Fatalf("body %d was not kept", i)
		}
		if k := len(s.blocks) - 1; &s.blocks[k][0] != &body[0] {
			t.Fatalf("body %d was copied", i)
		}
		want = append(append(want, header...), body...)
	}
	for name, body := range map[string][]byte{
		"small":        make([]byte, 100_000),
		"mostly empty": make([]byte, size, size*5/4),
	} {
		if s.keepBody(body) {
			t.Errorf("a %s body was kept", name)
		}
	}
	if s.size != int64(len(want)) || s.held() < s.size || s.held() > s.size+s.size/20 {
		t.Errorf("%d bytes are %d, held in %d", len(want), s.size, s.held())
	}
	var out bytes.Buffer
	if err := s.writeTo(&out); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("wrote %d bytes of %d, error %v", out.Len(), len(want), err)
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
