package encode

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A set has what a map has, the hash 0 too, and gives all of it back once.
func TestHashSet(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{0, 1, 100, 127, 128, 129, 5000, 100_000} {
		var s hashSet
		want := map[uint64]bool{}
		for range 2 { // the second time in a set that was cleared
			clear(want)
			for len(want) < n {
				block := make([]uint64, r.IntN(50))
				for i := range block {
					block[i] = r.Uint64() >> (r.IntN(2) * 50) // 0 now and then, others again
					if want[block[i]] = true; len(want) == n {
						block = block[:i+1]
						break
					}
				}
				if rest := s.add(block, math.MaxInt); rest != nil {
					t.Fatalf("%d hashes were not taken", len(rest))
				}
			}
			checkHashSet(t, &s, want)
			s.clear()
		}
	}
}

func checkHashSet(t *testing.T, s *hashSet, want map[uint64]bool) {
	t.Helper()
	if s.len() != len(want) || s.held() > 32*int64(max(len(want), minHashSlots)) {
		t.Errorf("%d hashes in %d bytes, want %d", s.len(), s.held(), len(want))
	}
	seen := map[uint64]bool{}
	s.each(func(hashes []uint64) {
		for _, h := range hashes {
			if seen[h] || !want[h] || !s.has(h) {
				t.Errorf("hash %x: twice %v, added %v, found %v", h, seen[h], want[h], s.has(h))
			}
			seen[h] = true
		}
	})
	if len(seen) != len(want) {
		t.Errorf("%d hashes come back, want %d", len(seen), len(want))
	}
	for range 100 {
		if h := rand.Uint64(); s.has(h) != want[h] {
			t.Errorf("hash %x is found", h)
		}
	}
}

// A set gives back what it has no room for.
func TestHashSetFull(t *testing.T) {
	var s hashSet
	if rest := s.add([]uint64{1, 0, 2, 2, 3, 4, 5}, 2); s.len() != 4 || len(rest) != 2 || rest[0] != 4 {
		t.Errorf("%d hashes, %v are left", s.len(), rest)
	}
}
