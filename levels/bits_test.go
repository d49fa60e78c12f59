package levels

import (
	"math/rand/v2"
	"testing"
)

func randomBits(r *rand.Rand, n int) Bits {
	off := r.IntN(70)
	b := make([]byte, (off+n+7)/8+r.IntN(3))
	density := r.Float64()
	for i := range len(b) * 8 {
		if r.Float64() < density {
			b[i>>3] |= 1 << (i & 7)
		}
	}
	return Bits{Bytes: b, Offset: off}
}

func TestBitsAgainstSingleBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := 1 + r.IntN(300)
		a := randomBits(r, n)
		if r.IntN(8) == 0 {
			a = Bits{}
		}
		i := r.IntN(n)
		w := a.Word(i)
		for j := range min(64, n-i) {
			if got := w>>j&1 != 0; got != a.At(i+j) {
				t.Fatalf("Word(%d) bit %d = %v, At = %v", i, j, got, a.At(i+j))
			}
		}
		count := 0
		for j := i; j < n; j++ {
			if a.At(j) {
				if got := a.Select(a.Count(0, i) + count); got != j {
					t.Fatalf("Select(%d) = %d, want %d", count, got, j)
				}
				count++
			}
		}
		if got := a.Count(i, n-i); got != count {
			t.Fatalf("Count(%d, %d) = %d, want %d", i, n-i, got, count)
		}
	}
}

func TestBitmapOperationsAgainstSingleBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		n := 1 + r.IntN(300)
		a, b, m := randomBits(r, n), randomBits(r, n), newBitmap(n)
		check := func(op string, got Bits, want func(i int) bool) {
			t.Helper()
			for i := range n {
				if got.At(i) != want(i) {
					t.Fatalf("%s: bit %d of %d is %v", op, i, n, got.At(i))
				}
			}
		}
		check("and", m.and(a, b, n), func(i int) bool { return a.At(i) && b.At(i) })
		check("not", m.not(a, n), func(i int) bool { return !a.At(i) })
		for _, fill := range []bool{false, true} {
			check("deposit", m.deposit(a, b, n, fill), func(i int) bool {
				if a.At(i) {
					return b.At(a.Count(0, i))
				}
				return fill
			})
		}
		at := r.IntN(n)
		m.clear(n)
		m.appendBits(at, a, 1, n-at-1)
		check("append", m.view(), func(i int) bool { return i >= at && i < n-1 && a.At(i-at+1) })
	}
}
