package encode

import "github.com/sluice-io/sluice/levels"

// indexBits is what a value counts towards a page's limit while it is written as a dictionary index.
const indexBits = 16

// levelBits is what a level of a column with lists counts towards a page's limit: a list may have any number of nulls.
const levelBits = 1

// varyingStep is how many values of different lengths, about, are looked at together when a page's end is sought.
const varyingStep = 1024

// pageLimits is where a page ends.
type pageLimits struct {
	bits            int
	records         int
	dictionaryBytes int
}

// full reports whether the page in progress must end before the next record, whatever that holds. Without lists it
// must not for its size: a null still goes in.
func (c *column) full() bool {
	return c.records >= c.limits.records || c.leaf.MaxRep > 0 && c.pageBits() >= c.limits.bits
}

// pageBits is what the page counts towards its limit.
func (c *column) pageBits() int {
	if fixed := c.fixedBits(); fixed > 0 {
		return c.levelBits(c.rep.n) + c.count*fixed
	}
	if c.front != nil {
		return c.levelBits(c.rep.n) + c.front.pageBits(c.body, c.count)
	}
	return c.levelBits(c.rep.n) + 8*len(c.body)
}

// levelBits is what n levels count towards a page's limit.
func (c *column) levelBits(n int) int {
	if c.leaf.MaxRep > 0 {
		return n * levelBits
	}
	return 0
}

// room returns how many levels of the span (tiles, if records stand several times), up to a record's start or the span's end,
// go into the page before it is full; 0 if it is full as it stands. The answer depends on the records alone, not on how
// they are cut into spans: a column without lists ends its page before the record that would exceed the limit, one with
// lists after the record that did.
func (c *column) room(s *levels.Span) int {
	if !s.Continues && c.rep.n > 0 && c.full() {
		return 0
	}
	if s.Times != nil {
		return c.roomTiles(s)
	}
	records := min(s.NumRecords, c.limits.records-c.records)
	if c.leaf.MaxRep > 0 {
		return c.roomNested(s, records)
	}
	fixed := c.fixedBits()
	if fixed == 0 && s.NumValues > 0 {
		records = min(records, c.varyingRecords(s))
	}
	left := c.limits.bits - c.pageBits()
	if fixed > 0 && records*fixed <= left {
		return records
	}
	if c.mostBits(c.headOf(s, records)) <= left || c.bits(s, records) <= left {
		return records
	}
	// The first `fits` records fit, the first `over` do not.
	fits, over := 0, records
	for over-fits > 1 {
		if mid := (fits + over) / 2; c.bits(s, mid) <= left {
			fits = mid
		} else {
			over = mid
		}
	}
	if fits == 0 && c.rep.n == 0 {
		return 1
	}
	return fits
}

// varyingRecords returns how many records of values of different lengths are looked at together.
func (c *column) varyingRecords(s *levels.Span) int {
	if c.front == nil || s.NumRecords == 0 {
		return varyingStep * max(1, s.NumRecords/max(1, s.NumValues))
	}
	return max(1, min(varyingStep, 8*frontBytes*s.NumRecords/max(1, c.mostBits(s))))
}

// tileStep is how many records that stand several times are looked at together when a page's end is sought.
const tileStep = 256

// roomTiles is room for a span of records that may stand several times: it makes tiles of those that go into the page, as
// far as it looks. The last may stand less often there. If the page ends within a tile of several records there is no room
// for it.
func (c *column) roomTiles(s *levels.Span) int {
	left, most := c.limits.bits-c.pageBits(), c.limits.records-c.records
	fixed, nested := c.fixedBits(), c.leaf.MaxRep > 0
	step := tileStep
	if fixed == 0 && s.NumValues > 0 {
		step = 1
	}
	c.tiles = s.AppendTiles(c.tiles[:0], step)
	whole := s.Each > 1
	for i, tile := range c.tiles {
		each := c.levelBits(tile.NumLevels) + fixed*tile.NumValues
		if step == 1 {
			each = c.bits(s, tile.NumLevels)
			if c.front != nil && each > 0 {
				again := c.againBits(s, tile.NumLevels)
				left, each = left-(each-again), again
			}
		}
		n := min(tile.Times, most/s.Each)
		switch {
		case n*each <= left:
		case nested && !whole: // until it is full, as it is not yet
			n = max(1, (left+each-1)/each)
		case left < 0:
			n = 0
		default:
			n = left / each
		}
		if n == 0 && i == 0 && c.rep.n == 0 && !whole {
			n = 1
		}
		most, left = most-n*s.Each, left-n*each
		if n < tile.Times || most == 0 || nested && left <= 0 {
			c.tiles[i].Times = n
			return c.cutTiles(i)
		}
	}
	return len(c.tiles)
}

// cutTiles drops the tiles behind tile i, and that one if it does not stand at all.
func (c *column) cutTiles(i int) int {
	if c.tiles[i].Times > 0 {
		i++
	}
	c.tiles = c.tiles[:i]
	return i
}

// roomNested is room for a column with lists, at most up to the given number of records that begin in the span.
func (c *column) roomNested(s *levels.Span, records int) int {
	end := levelEnd(s, records)
	left := c.limits.bits - c.pageBits()
	if c.mostBits(c.headOf(s, end)) < left || c.bits(s, end) < left {
		return end
	}
	// Before record `under` the page is not full yet, before record `over` it is.
	under, over := 0, records
	for over-under > 1 {
		if mid := (under + over) / 2; c.bits(s, s.RecordStart(mid)) < left {
			under = mid
		} else {
			over = mid
		}
	}
	if s.Continues && s.NumRecords > 0 && c.bits(s, s.RecordStart(0)) >= left {
		over = 0
	}
	return levelEnd(s, over)
}

// levelEnd returns the level behind the first records of a span.
func levelEnd(s *levels.Span, records int) int {
	if records >= s.NumRecords {
		return s.NumLevels
	}
	return s.RecordStart(records)
}

// fixedBits is what every value counts towards the page's limit, 0 if that differs.
func (c *column) fixedBits() int {
	if c.indexing {
		return indexBits
	}
	return c.values.fixedBits()
}

// headOf returns the first levels of a span, valid until the next call.
func (c *column) headOf(s *levels.Span, numLevels int) *levels.Span {
	c.head = s.Head(numLevels)
	return &c.head
}

// mostBits is no less than what a span counts towards the page's limit, and quickly found.
func (c *column) mostBits(s *levels.Span) int {
	if fixed := c.fixedBits(); fixed > 0 || s.NumValues == 0 {
		return c.levelBits(s.NumLevels) + fixed*s.NumValues
	}
	return c.levelBits(s.NumLevels) + c.values.mostBits(s)
}

// bits is what the span's first levels, with their values, count towards the page's limit.
func (c *column) bits(s *levels.Span, numLevels int) int {
	head := c.headOf(s, numLevels)
	if c.indexing || head.NumValues == 0 {
		return c.levelBits(numLevels) + head.NumValues*indexBits
	}
	return c.levelBits(numLevels) + c.values.plainBits(head)
}

// againBits is bits of another time that the record stands which these levels are.
func (c *column) againBits(s *levels.Span, numLevels int) int {
	head := s.Head(numLevels)
	if head.NumValues == 0 {
		return c.levelBits(numLevels)
	}
	return c.levelBits(numLevels) + c.front.againBits(&head)
}
