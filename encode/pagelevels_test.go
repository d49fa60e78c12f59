package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-io/sluice/levels"
)

// levelsOf gives a stretch of levels the form that a span may have: uniform if they are, otherwise planes with offsets
// of their own and other bits around.
func levelsOf(r *rand.Rand, all []uint32, highest int) levels.Levels {
	if !slices.ContainsFunc(all, func(l uint32) bool { return l != all[0] }) && r.IntN(4) > 0 {
		return levels.Levels{Uniform: int(all[0])}
	}
	var l levels.Levels
	for p := range bits.Len(uint(highest)) {
		offset, set := r.IntN(70), true
		b := make([]byte, (offset+len(all)+7)/8+r.IntN(12))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		for i, level := range all {
			at := offset + i
			b[at/8] &^= 1 << (at % 8)
			b[at/8] |= byte(level>>p&1) << (at % 8)
			set = set && level>>p&1 != 0
		}
		if set && r.IntN(2) == 0 {
			l.Planes = append(l.Planes, levels.Bits{})
		} else {
			l.Planes = append(l.Planes, levels.Bits{Bytes: b, Offset: offset})
		}
	}
	return l
}

// A page of levels that came in pieces of any form is what it would be in one piece, page after page.
func TestPageLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 300 {
		highest := 1 + r.IntN(pick(r, 1, 3, 8, 255))
		page := pageLevels{max: highest}
		for range 4 {
			all := hybridEntries(r, 1+r.IntN(pick(r, 20, 2000)), 32)
			for i := range all {
				all[i] %= uint32(highest) + 1
			}
			again := 0 // levels after which the same come again
			if r.IntN(3) == 0 {
				again = 1 + r.IntN(min(len(all), 100))
				copy(all[again:], slices.Repeat(all[:again], len(all)/again))
			}
			rest := all
			for all = nil; len(rest) > 0; {
				n := 1 + r.IntN(len(rest))
				var tiles []levels.Tile
				switch {
				case again > 0:
					n = max(1, n/again) * again
					if n = min(n, len(rest)); n%again > 0 {
						n, again = len(rest), 0
						break
					}
					tiles = slices.Repeat([]levels.Tile{{NumLevels: again, Times: 1 + r.IntN(50)}}, n/again)
				case r.IntN(2) == 0:
					tiles = randomTiles(r, n)
				}
				if tiles == nil {
					tiles = []levels.Tile{{NumLevels: n, Times: 1}}
				}
				l, before := levelsOf(r, rest[:n], highest), len(all)
				for _, tile := range tiles {
					all = append(all, slices.Repeat(rest[:tile.NumLevels], tile.Times)...)
					rest = rest[tile.NumLevels:]
				}
				page.append(l, tiles, len(all)-before)
			}
			if err := checkPageLevels(&page, all, highest); err != nil {
				t.Fatalf("levels %v of %d: %v", all, highest, err)
			}
			page.reset()
		}
	}
}

func checkPageLevels(page *pageLevels, all []uint32, highest int) error {
	encoded := page.encode(nil, 1)
	want := hybridRuns(all, bits.Len(uint(highest)))
	if sized := append(binary.LittleEndian.AppendUint32(nil, uint32(len(want))), want...); !bytes.Equal(encoded, sized) {
		return fmt.Errorf("encoded as %x, want %x", encoded, sized)
	}
	if got := page.encode(nil, 2); !bytes.Equal(got, want) {
		return fmt.Errorf("encoded for version 2 as %x, want %x", got, want)
	}
	counts, wantCounts := make([]int64, highest+1), make([]int64, highest+1)
	page.histogram(counts)
	view, reached := page.view(), page.reached()
	for i, l := range all {
		wantCounts[l]++
		if view.At(i) != int(l) || reached.At(i) != (int(l) == highest) {
			return fmt.Errorf("level %d is %d, the highest: %v", i, view.At(i), reached.At(i))
		}
	}
	if !slices.Equal(counts, wantCounts) {
		return fmt.Errorf("histogram %v, want %v", counts, wantCounts)
	}
	return nil
}

// A column without levels has none in its pages.
func TestNoPageLevels(t *testing.T) {
	page := pageLevels{}
	page.append(levels.Levels{}, []levels.Tile{{NumLevels: 7, Times: 1}}, 7)
	if got := page.encode([]byte{1}, 1); page.n != 7 || len(got) != 1 || !page.reached().All() {
		t.Errorf("%d levels in %d bytes", page.n, len(got)-1)
	}
}
