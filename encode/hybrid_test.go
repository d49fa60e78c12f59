package encode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-io/sluice/integration/lint"
	"github.com/sluice-io/sluice/levels"
)

// planesOf returns the entries as bit planes, readable as appendLevelRuns wants them.
func planesOf(entries []uint32, width int) [][]byte {
	planes := make([][]byte, width)
	for p := range planes {
		planes[p] = make([]byte, len(entries)/8+10)
		for i, v := range entries {
			planes[p][i/8] |= byte(v>>p&1) << (i % 8)
		}
	}
	return planes
}

// hybridEntries makes n entries of runs, noise and rare other values, each of random length.
func hybridEntries(c chance, n, width int) []uint32 {
	entries := make([]uint32, 0, n)
	value := func() uint32 {
		v := uint32(c.IntN(1<<16))<<16 | uint32(c.IntN(1<<16))
		if c.IntN(8) == 0 {
			v = ^uint32(0)
		}
		return uint32(uint64(v) & (1<<width - 1))
	}
	for len(entries) < n {
		length := 1 + c.IntN([]int{4, 12, 70, 600}[c.IntN(4)])
		base, percent := value(), []int{0, 0, 1, 10, 50, 100}[c.IntN(6)]
		for range min(length, n-len(entries)) {
			v := base
			if percent > 0 && c.IntN(100) < percent {
				v = value()
			}
			entries = append(entries, v)
		}
	}
	return entries
}

// checkHybrid encodes entries in every way there is: the bytes must be the same, decode to the entries, and be no more
// than a single bit-packed run would take.
func checkHybrid(entries []uint32, width int) error {
	n := len(entries)
	prefix := []byte("before")
	padding := slices.Repeat([]uint32{^uint32(0)}, n%3*8) // what lies behind the ids is not theirs
	ids := append(slices.Clone(entries), padding...)[:n]
	var w indexWriter
	got := w.appendRuns(prefix, &indices{ids: ids, n: n}, width)
	if !bytes.HasPrefix(got, prefix) {
		return fmt.Errorf("the bytes in front became %q", got[:len(prefix)])
	}
	got = got[len(prefix):]
	if !slices.Equal(ids, entries) {
		return errors.New("the ids were written to")
	}
	back, err := lint.DecodeHybrid(got, width, n)
	if err != nil {
		return err
	}
	if !slices.Equal(back, entries) {
		return fmt.Errorf("decoded to %v", back)
	}
	groups := (n + 7) / 8
	most := len(binary.AppendUvarint(nil, uint64(groups)<<1|1)) + groups*width
	if width == 0 { // RLE counts entries, and not groups
		most = len(binary.AppendUvarint(nil, uint64(n)<<1))
	}
	if len(got) > most {
		return fmt.Errorf("%d bytes, a single bit-packed run takes %d", len(got), most)
	}
	folded := indices{}
	for _, run := range runsOf(entries) {
		folded.add(run[0], int(run[1]))
	}
	if runs := w.appendRuns(nil, &folded, width); !bytes.Equal(runs, got) {
		return fmt.Errorf("as ids:\n%x\nas ids that stand several times:\n%x", got, runs)
	}
	if width == 0 {
		return nil
	}
	if want := hybridRuns(entries, width); !bytes.Equal(got, want) {
		return fmt.Errorf("as ids:\n%x\nwant:\n%x", got, want)
	}
	if width > 8 {
		return nil
	}
	levels := appendLevelRuns(prefix, planesOf(entries, width), nil, n)[len(prefix):]
	if !bytes.Equal(levels, got) {
		return fmt.Errorf("as ids:\n%x\nas levels:\n%x", got, levels)
	}
	if n > 0 && !slices.ContainsFunc(entries, func(v uint32) bool { return v != entries[0] }) {
		if levels := appendRun(nil, entries[0], width, n); !bytes.Equal(levels, got) {
			return fmt.Errorf("as ids:\n%x\nas uniform levels:\n%x", got, levels)
		}
	}
	return nil
}

// hybridRuns is the reference: group after group, with a look at every entry.
func hybridRuns(entries []uint32, width int) (out []byte) {
	n, least := len(entries), newLeastGroups(width)
	done, before := 0, 0
	pack := func(end int) {
		if ids := slices.Clone(entries[done:end]); len(ids) > 0 {
			ids = append(ids, make([]uint32, -len(ids)&7)...)
			out = binary.AppendUvarint(out, uint64(len(ids)/8)<<1|1)
			out = appendPacked(out, ids, width)
		}
	}
	for at := 0; at < n; {
		end := at
		for end < n && entries[end] == entries[at] {
			end++
		}
		groups, worth := (end-at)/8, least.packed()
		switch {
		case end == n: // and the last group counts, if it is not whole
			groups, worth = (end-at+7)/8, least.last(at > done)
		case at == done:
			worth = least.apart(before)
		}
		if groups == 0 || groups < worth {
			at += 8 * max(1, groups)
			continue
		}
		pack(at)
		out = appendRun(out, entries[at], width, end-at)
		done, before, at = end, groups, end
	}
	pack(n)
	return out
}

// How many groups are worth an RLE run, by what is in front of them.
func TestLeastGroups(t *testing.T) {
	const apart, behindLong, open, last, lastOpen = 0, 1, 2, 3, 4
	for width, want := range map[int][5]int{1: {2, 1, 3, 1, 2}, 2: {1, 1, 2, 1, 1}, 3: {1, 1, 1, 1, 1}, 9: {1, 1, 1, 1, 1}} {
		l := newLeastGroups(width)
		got := [5]int{apart: l.apart(0), behindLong: l.apart(4), open: l.packed(), last: l.last(false), lastOpen: l.last(true)}
		if got != want {
			t.Errorf("width %d: %v, want %v", width, got, want)
		}
	}
}

// runsOf returns the value and the length of every run of entries.
func runsOf(entries []uint32) (runs [][2]uint32) {
	for _, v := range entries {
		if k := len(runs) - 1; k >= 0 && runs[k][0] == v {
			runs[k][1]++
		} else {
			runs = append(runs, [2]uint32{v, 1})
		}
	}
	return runs
}

func TestHybrid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		width := r.IntN(33)
		if round%2 == 0 {
			width = 1 + r.IntN(8)
		}
		n := r.IntN([]int{30, 300, 5001}[r.IntN(3)])
		entries := hybridEntries(r, n, width)
		if err := checkHybrid(entries, width); err != nil {
			t.Fatalf("width %d, %d entries %v: %v", width, n, entries, err)
		}
	}
}

// Indices that stand several times, in any order of add and again, are what they are one by one.
func TestIndicesThatStandSeveralTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 5000 {
		width := 1 + r.IntN(20)
		var x indices
		var all []uint32
		for range 1 + r.IntN(6) {
			mark, from := x, len(all)
			for range 1 + r.IntN(5) {
				if r.IntN(3) == 0 {
					id, times := uint32(r.IntN(1<<width)), 1+r.IntN(pick(r, 3, 40))
					x.add(id, times)
					all = append(all, slices.Repeat([]uint32{id}, times)...)
				} else {
					ids := hybridEntries(r, 1+r.IntN(pick(r, 3, 10, 40)), width)
					x.ids, x.n = append(x.ids, ids...), x.n+len(ids)
					all = append(all, ids...)
				}
				if r.IntN(4) == 0 {
					mark, from = x, len(all)
				}
			}
			tiles := randomTiles(r, x.n-mark.n)
			if r.IntN(2) == 0 {
				tiles = []levels.Tile{{NumValues: x.n - mark.n, Times: 1 + r.IntN(pick(r, 2, 40))}}
			}
			x.again(mark, tiles)
			once := slices.Clone(all[from:])
			all = all[:from]
			for _, tile := range tiles {
				all = append(all, slices.Repeat(once[:tile.NumValues], tile.Times)...)
				once = once[tile.NumValues:]
			}
		}
		got := new(indexWriter).appendRuns(nil, &x, width)
		if want := new(indexWriter).appendRuns(nil, &indices{ids: all, n: len(all)}, width); !bytes.Equal(got, want) {
			t.Fatalf("width %d, %v: %v\ngot  %x\nwant %x", width, x, all, got, want)
		}
		if x.n != len(all) || x.max() != slices.Max(all) {
			t.Fatalf("%d indices up to %d, want %d up to %d", x.n, x.max(), len(all), slices.Max(all))
		}
		var want int64
		for _, id := range all {
			want += int64(id)
		}
		if got := x.count(func(id uint32) int64 { return int64(id) }); got != want {
			t.Fatalf("%v count to %d, want %d", x, got, want)
		}
	}
}

// randomTiles cuts n levels or values into pieces that stand several times.
func randomTiles(r *rand.Rand, n int) (tiles []levels.Tile) {
	for n > 0 {
		k := 1 + r.IntN(pick(r, n, min(n, 9)))
		tiles = append(tiles, levels.Tile{NumLevels: k, NumValues: k, Times: 1 + r.IntN(pick(r, 1, 2, 40))})
		n -= k
	}
	return tiles
}

// Every sequence of up to twelve levels of one bit, and of up to six of two: whatever begins, ends or fills a group.
func TestHybridShort(t *testing.T) {
	for width, most := range map[int]int{1: 12, 2: 6} {
		for n := range most + 1 {
			for code := range 1 << (n * width) {
				entries := make([]uint32, n)
				for i := range entries {
					entries[i] = uint32(code>>(i*width)) & (1<<width - 1)
				}
				if err := checkHybrid(entries, width); err != nil {
					t.Fatalf("width %d, entries %v: %v", width, entries, err)
				}
			}
		}
	}
}

// Runs whose ends lie on and around the borders of groups and of words of groups.
func TestHybridRuns(t *testing.T) {
	for _, width := range []int{1, 2, 3, 4, 8, 9, 17, 32} {
		for _, before := range []int{0, 1, 7, 8, 9, 63, 64, 65} {
			for run := 1; run < 150; run++ {
				for _, after := range []int{0, 1, 7, 8, 9, 65} {
					entries := make([]uint32, 0, before+run+after)
					for i := range before {
						entries = append(entries, uint32(i&1))
					}
					entries = append(entries, slices.Repeat([]uint32{1}, run)...)
					for i := range after {
						entries = append(entries, uint32(i&1))
					}
					if err := checkHybrid(entries, width); err != nil {
						t.Fatalf("width %d, a run of %d between %d and %d others: %v", width, run, before, after, err)
					}
				}
			}
		}
	}
}

func FuzzHybrid(f *testing.F) {
	f.Add(uint8(1), []byte{3, 0, 0, 1, 0, 9, 4})
	f.Add(uint8(32), bytes.Repeat([]byte{7, 1, 255}, 60))
	f.Fuzz(func(t *testing.T, width uint8, input []byte) {
		c := newByteChance(input)
		w := int(width) % 33
		entries := hybridEntries(c, c.IntN(1000), w)
		if err := checkHybrid(entries, w); err != nil {
			t.Fatalf("width %d, entries %v: %v", w, entries, err)
		}
	})
}

// The decoder is what everything else is checked by: it must see what is wrong.
func TestDecodeHybridErrors(t *testing.T) {
	for name, c := range map[string]struct {
		bytes    []byte
		width, n int
	}{
		"nothing":              {nil, 1, 1},
		"empty RLE run":        {[]byte{0, 0, 2, 1}, 1, 1},
		"empty packed run":     {[]byte{1, 2, 1}, 1, 1},
		"value too wide":       {[]byte{2, 2}, 1, 1},
		"RLE run too long":     {[]byte{6, 1}, 1, 2},
		"no value":             {[]byte{2}, 8, 1},
		"packed run too short": {[]byte{3, 1}, 2, 8},
		"packed run too long":  {[]byte{5, 1, 0}, 1, 8},
		"padding":              {[]byte{3, 0x82}, 1, 7},
		"rest":                 {[]byte{2, 1, 0}, 1, 1},
	} {
		if got, err := lint.DecodeHybrid(c.bytes, c.width, c.n); err == nil {
			t.Errorf("%s: decoded to %v", name, got)
		}
	}
	got, err := lint.DecodeHybrid([]byte{3, 0xa5, 4, 1}, 1, 10)
	if want := []uint32{1, 0, 1, 0, 0, 1, 0, 1, 1, 1}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v and error %v, want %v", got, err, want)
	}
}

// The marks of nextUniform, for every byte at every place.
func TestUniformBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 200_000 {
		w := r.Uint64()
		for i := range 8 {
			switch r.IntN(4) {
			case 0:
				w &^= 0xff << (8 * i)
			case 1:
				w |= 0xff << (8 * i)
			}
		}
		var want uint64
		for i := range 8 {
			if b := byte(w >> (8 * i)); b == 0 || b == 0xff {
				want |= 0x80 << (8 * i)
			}
		}
		if got := uniformBytes(w); got != want {
			t.Fatalf("%016x: %016x, want %016x", w, got, want)
		}
	}
	if bits.OnesCount64(uniformBytes(0)) != 8 {
		t.Error("zero has eight uniform bytes")
	}
}
