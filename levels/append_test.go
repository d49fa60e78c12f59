package levels

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAppendAgainstSingleBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var dst []byte
		var want []bool
		for range 1 + r.IntN(8) {
			n := r.IntN(200)
			src, mask := randomBits(r, n), randomBits(r, n)
			if r.IntN(4) == 0 {
				src = Bits{}
			}
			if r.IntN(2) == 0 {
				mask = Bits{}
			}
			var k int
			dst, k = AppendSelected(dst, len(want), src, mask, n)
			if k != mask.Count(0, n) {
				t.Fatalf("AppendSelected added %d of %d bits", k, mask.Count(0, n))
			}
			for i := range n {
				if mask.At(i) {
					want = append(want, src.At(i))
				}
			}
			if again, times := r.IntN(1+min(len(want), 1+r.IntN(200))), r.IntN(40); r.IntN(2) == 0 {
				dst = AppendAgain(dst, len(want)-again, again, times)
				want = append(want, slices.Repeat(want[len(want)-again:], times)...)
			}
		}
		got := Bits{Bytes: dst}
		for i, w := range want {
			if got.At(i) != w {
				t.Fatalf("bit %d of %d is %v", i, len(want), got.At(i))
			}
		}
		if n := len(dst)*8 - len(want); got.Count(len(want), n) != 0 {
			t.Fatalf("bits past the end are set")
		}
	}
}

// Whole bytes are put in their place wherever the source begins and ends, also before its storage does.
func TestAppendBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		src := Bits{Bytes: make([]byte, r.IntN(80)), Offset: r.IntN(70)}
		for i := range src.Bytes {
			src.Bytes[i] = byte(r.Uint32())
		}
		var dst []byte
		var want []bool
		for range 3 {
			from, n := r.IntN(40), r.IntN(400)
			dst = AppendBits(dst, len(want), src.Skip(from), n)
			for i := range n {
				want = append(want, src.Word(from+i)&1 != 0)
			}
		}
		got := make([]bool, len(dst)*8)
		for i := range got {
			got[i] = dst[i>>3]>>(i&7)&1 != 0
		}
		if !slices.Equal(got[:len(want)], want) || slices.Contains(got[len(want):], true) {
			t.Fatalf("from bit %d of %x: %x", src.Offset, src.Bytes, dst)
		}
	}
}
