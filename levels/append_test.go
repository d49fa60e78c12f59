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
