package encode

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Paths match as their names do one by one, with dots wherever they are.
func TestPathMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	name := func(words ...string) string { return words[r.IntN(len(words))] }
	matched := 0
	for range 20_000 {
		var path, column []string
		for range 1 + r.IntN(4) {
			path = append(path, name("a", "b", "ab", "*", "", "a*"))
		}
		for range 1 + r.IntN(4) {
			column = append(column, name("a", "b", "ab", "a.b", "", ".", "*", "a."))
		}
		names := strings.Split(strings.Join(column, "."), ".")
		want := len(path) <= len(names) &&
			slices.EqualFunc(path, names[:min(len(path), len(names))], func(p, c string) bool { return p == "*" || p == c })
		if got := pathMatches(strings.Join(path, "."), column); got != want {
			t.Fatalf("%q matches %q: %v, want %v", strings.Join(path, "."), column, got, want)
		}
		if want {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("%d paths matched", matched)
	}
}
