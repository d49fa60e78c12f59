package levels

import "math/bits"

// Tile is a record of a span, or several that come in turn, and how often they stand in a row.
type Tile struct {
	NumLevels, NumValues, Times int
}

// AppendTiles appends the first tiles, at most n, of a span that has Times.
func (s *Span) AppendTiles(tiles []Tile, n int) []Tile {
	first := len(tiles)
	n = min(n, len(s.Times))
	if s.Rep.Planes == nil {
		for range n {
			tiles = append(tiles, Tile{NumLevels: s.Each})
		}
	} else {
		tiles = s.appendLevels(tiles, first+n)
	}
	level, slot := 0, 0
	for k := range tiles[first:] {
		tile := &tiles[first+k]
		tile.Times = s.timesOf(k)
		switch {
		case s.NumValues == s.NumLevels:
			tile.NumValues = tile.NumLevels
		case s.NumValues > 0:
			n := s.Live.Count(level, tile.NumLevels)
			tile.NumValues = s.Mask.Count(slot, n)
			level, slot = level+tile.NumLevels, slot+n
		}
	}
	return tiles
}

// appendLevels appends tiles with the levels of each, until there are n, by a look at 64 levels at a time.
func (s *Span) appendLevels(tiles []Tile, n int) []Tile {
	before, left := 0, s.Each // records that begin in the tile
	for i := 0; i < s.NumLevels; i += 64 {
		starts := ^s.continued(i) & lowMask(s.NumLevels-i)
		if i == 0 {
			starts &^= 1
		}
		for ; starts != 0; starts &= starts - 1 {
			if left--; left > 0 {
				continue
			}
			left = s.Each
			level := i + bits.TrailingZeros64(starts)
			if tiles = append(tiles, Tile{NumLevels: level - before}); len(tiles) == n {
				return tiles
			}
			before = level
		}
	}
	return append(tiles, Tile{NumLevels: s.NumLevels - before})
}

// timesOf returns how often tile k stands in the span.
func (s *Span) timesOf(k int) int {
	times := s.Times[k]
	if k == 0 {
		times -= s.Before
	}
	if k == len(s.Times)-1 {
		times -= s.After
	}
	return times
}

// Standing returns how many records begin in the span, with the times that they stand.
func (s *Span) Standing() int {
	if s.Times == nil {
		return s.NumRecords
	}
	return (Standing(s.Times, len(s.Times)) - s.Before - s.After) * s.Each
}

// TakeTiles cuts tiles off a span. They are its first ones; the last of them may stand less often than in the span, which
// keeps the rest of its times.
func (s *Span) TakeTiles(tiles []Tile) Span {
	last := len(tiles) - 1
	level := 0
	for _, tile := range tiles[:last] {
		level += tile.NumLevels
	}
	left := s.timesOf(last) - tiles[last].Times
	if left == 0 {
		return s.Take(level + tiles[last].NumLevels)
	}
	after := left
	if last == len(s.Times)-1 {
		after += s.After
	}
	head := s.Head(level + tiles[last].NumLevels)
	head.After = after
	s.Take(level)
	s.Before = s.Times[0] - after
	return head
}

// TakeOnce cuts the first tile off a span, once, as a span of records that stand once each.
func (s *Span) TakeOnce() Span {
	var one [1]Tile
	tiles := s.AppendTiles(one[:0], 1)
	tiles[0].Times = 1
	once := s.TakeTiles(tiles)
	once.Times, once.Before, once.After = nil, 0, 0
	return once
}

// Repeat returns how often the values of a span stand in a row: as often as its only tile, or once.
func (s *Span) Repeat() int {
	if len(s.Times) != 1 {
		return 1
	}
	return s.timesOf(0)
}

// Standing returns how many records or values the first n are that stand as often as times says, or once each if that
// is nil.
func Standing(times []int, n int) int {
	if times == nil {
		return n
	}
	total := 0
	for _, k := range times[:n] {
		total += k
	}
	return total
}
