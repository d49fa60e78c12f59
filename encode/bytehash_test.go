package encode

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHashBytes changes every byte of strings of all lengths that have a way of their own: each must reach the hash, and
// be seen by the comparison, whatever lies behind the string.
func TestHashBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	hash := func(v []byte) uint64 {
		if len(v) > shortBytes {
			return hashLong(v)
		}
		return shortKeyOf(v).hash(len(v))
	}
	equal := func(a, b []byte) bool {
		if len(a) > shortBytes {
			return equalLong(a, b)
		}
		return len(a) == len(b) && shortKeyOf(a) == shortKeyOf(b)
	}
	for n := range 2 * mostWords {
		v := make([]byte, n, n+r.IntN(20))
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = byte(r.IntN(256))
		}
		same := slices.Clip(bytes.Clone(v))
		if hash(v) != hash(same) || !equal(v, same) {
			t.Errorf("%d bytes are not what they are", n)
		}
		if n > 0 && (equal(v, v[:n-1]) || equal(v[:n-1], v)) {
			t.Errorf("%d bytes are the same as %d", n, n-1)
		}
		for i := range same {
			same[i] ^= byte(1 + r.IntN(255))
			if equal(v, same) {
				t.Errorf("%d bytes: another byte %d makes no difference", n, i)
			}
			if hash(v) == hash(same) {
				t.Errorf("%d bytes: another byte %d has the same hash", n, i)
			}
			same[i] = v[i]
		}
	}
}

// TestByteDictionary interns strings of few letters, many of them more than once, as a map does.
func TestByteDictionary(t *testing.T) {
	c := rand.New(rand.NewPCG(2, 0))
	var d byteDictionary
	want := map[string]uint32{}
	for range 50_000 {
		v := make([]byte, c.IntN(40))
		for i := range v {
			v[i] = "ab"[c.IntN(2)&c.IntN(2)&c.IntN(2)]
		}
		id, known := want[string(v)]
		if !known {
			id = uint32(len(want))
			want[string(v)] = id
		}
		got, ok := d.intern(v, 1<<30)
		if !ok || got != id || !bytes.Equal(d.at(got), v) {
			t.Fatalf("%q has id %d, %t, want %d", v, got, ok, id)
		}
	}
	if len(want) < 5000 || d.len() != len(want) {
		t.Errorf("%d entries, want %d, and no fewer than 5000", d.len(), len(want))
	}
}
