package encode

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"
)

func checkHashes(t *testing.T, v uint64) {
	t.Helper()
	if got, want := xxHash4(uint32(v)), xxhash.Sum64(plain32(int32(v))); got != want {
		t.Errorf("4 bytes %08x: hash %016x, want %016x", uint32(v), got, want)
	}
	if got, want := xxHash8(v), xxhash.Sum64(plain64(int64(v))); got != want {
		t.Errorf("8 bytes %016x: hash %016x, want %016x", v, got, want)
	}
}

func TestHashesOfNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 64))
	var numbers []uint64
	for bit := range 64 {
		checkHashes(t, 1<<bit)
		checkHashes(t, 1<<bit-1)
		checkHashes(t, ^uint64(0)<<bit)
	}
	for range 10_000 {
		numbers = append(numbers, r.Uint64())
		checkHashes(t, numbers[len(numbers)-1])
	}
	var want4, want8 []uint64
	var short []uint32
	for _, v := range numbers {
		short = append(short, uint32(v))
		want4, want8 = append(want4, xxHash4(uint32(v))), append(want8, xxHash8(v))
	}
	got4, got8 := make([]uint64, len(numbers)+1), make([]uint64, len(numbers)+1)
	xxHashNumbers(got4, short)
	xxHashNumbers(got8, numbers)
	if !slices.Equal(got4[:len(numbers)], want4) || !slices.Equal(got8[:len(numbers)], want8) {
		t.Error("the hashes of a block are not those of its numbers")
	}
}

func FuzzHashesOfNumbers(f *testing.F) {
	f.Add(uint64(0))
	f.Add(^uint64(0))
	f.Fuzz(checkHashes)
}
