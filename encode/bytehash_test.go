package encode

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestHashBytes changes every byte of strings of all lengths that have a way of their own: each must reach the hash, and
// be seen by equalBytes.
func TestHashBytes(t *testing.T) {
	c := rand.New(rand.NewPCG(1, 0))
	for n := range 3 * shortBytes {
		v := make([]byte, n)
		for i := range v {
			v[i] = byte(c.IntN(256))
		}
		same := bytes.Clone(v)
		if hashBytes(v) != hashBytes(same) || !equalBytes(v, same) {
			t.Errorf("%d bytes are not what they are", n)
		}
		if n > 0 && equalBytes(v, v[:n-1]) {
			t.Errorf("%d bytes are the same as %d", n, n-1)
		}
		for i := range same {
			same[i] ^= byte(1 + c.IntN(255))
			if equalBytes(v, same) {
				t.Errorf("%d bytes: another byte %d makes no difference", n, i)
			}
			if hashBytes(v) == hashBytes(same) {
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
