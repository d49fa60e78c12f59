package encode

import (
	"math"

	"github.com/sluice-io/sluice/levels"
)

// fill adds a span to the page in progress, and to others as it is full.
func (c *column) fill(s *levels.Span) error {
	if s.OneNull() {
		return c.fillNulls(s)
	}
	part := c.part
	if c.part = nil; part == nil { // or another span is being filled in
		part = new(levels.Span)
	}
	defer func() { *part, c.part = levels.Span{}, part }()
	for s.NumLevels > 0 {
		if err := c.bindFor(s); err != nil {
			return err
		}
		if c.rep.n == 0 && !c.indexing && c.unscreened() && !c.waitsPlain(s) {
			if err := c.startDictionary(); err != nil {
				return err
			}
		}
		n := c.room(s)
		switch {
		case n > 0:
		case s.Times != nil && s.Each > 1: // the page ends within a tile
			once := s.TakeOnce()
			if err := c.fill(&once); err != nil {
				return err
			}
			continue
		default:
			if err := c.endPage(); err != nil {
				return err
			}
			continue
		}
		if s.Times != nil {
			*part = s.TakeTiles(c.tiles)
		} else {
			*part = s.Take(n)
			c.oneTile(part)
		}
		if err := c.add(part); err != nil {
			return err
		}
	}
	return nil
}

// oneTile makes tiles of a part of a span of records that stand once each.
func (c *column) oneTile(part *levels.Span) {
	c.tiles = append(c.tiles[:0], levels.Tile{NumLevels: part.NumLevels, NumValues: part.NumValues, Times: 1})
}

// fillNulls is fill for records without values, of one level each, that is the same in all.
func (c *column) fillNulls(s *levels.Span) error {
	for s.NumLevels > 0 {
		n := c.room(s)
		if n == 0 {
			if err := c.endPage(); err != nil {
				return err
			}
			continue
		}
		if err := c.addLevels(s, n, n); err != nil {
			return err
		}
		s.NumLevels, s.NumRecords = s.NumLevels-n, s.NumRecords-n
	}
	return nil
}

// add appends a part of a span, which the page has room for, to the page. tiles are what stands so often in it.
func (c *column) add(part *levels.Span) error {
	if len(part.Times) > 1 && part.NumValues > 0 && !c.indexing {
		return c.addTiles(part)
	}
	if part.NumValues > 0 {
		full, err := c.addValues(part)
		if err != nil {
			return c.valueError(err, part)
		}
		if full {
			return c.overflow(part)
		}
	}
	numLevels := 0
	for _, tile := range c.tiles {
		numLevels += tile.NumLevels * tile.Times
		c.count += tile.NumValues * tile.Times
	}
	return c.addLevels(part, numLevels, part.Standing())
}

// addLevels appends so many levels of a span, of so many records, to the page; of one that is not of one level all over,
// those of the tiles.
func (c *column) addLevels(s *levels.Span, numLevels, records int) error {
	if n := c.rep.n + numLevels; n > math.MaxInt32 {
		return c.errorf(s, records-1, "a page of %d levels: one record has more elements than a page can hold", n)
	}
	c.rep.append(s.Rep, c.tiles, numLevels)
	c.def.append(s.Def, c.tiles, numLevels)
	c.records += records
	return nil
}

// addTiles is add for several tiles whose plain values stand several times.
func (c *column) addTiles(part *levels.Span) error {
	var tile levels.Span
	tiles := c.tiles
	defer func() { c.tiles = tiles }()
	for i := range tiles {
		c.tiles = tiles[i : i+1]
		tile = part.TakeTiles(c.tiles)
		if err := c.add(&tile); err != nil {
			return err
		}
	}
	return nil
}

// addValues adds the values of a part of a span, unless the dictionary has no room for them.
func (c *column) addValues(part *levels.Span) (full bool, err error) {
	if !c.indexing {
		c.growBody()
		body, err := c.values.appendPlain(c.body, c.count, part)
		if err == nil && len(body) > maxPageBytes {
			err = pageSizeError(len(body))
		}
		c.body = body
		return false, err
	}
	before := c.ids
	if full, err = c.dict.appendIDs(&c.ids, part); full {
		c.ids = c.ids.truncated(before)
	} else if err == nil && part.Times != nil {
		c.ids.again(before, c.tiles)
	}
	return full, err
}

// growBody makes room for the whole page once a part of it is there, as to double what there is takes as long again, and
// ends at twice the page. Where all values have one length, the limit of records may end the page before.
func (c *column) growBody() {
	const (
		part  = 8
		slack = 4 << 10 // that is written behind the end, or is of a value that is longer than the page
	)
	whole := c.limits.bits/8 + slack
	if c.values.fixedBits() == 0 && len(c.body) > whole/part && cap(c.body) < whole && whole <= maxScratchBytes {
		c.body = append(newBody(whole), c.body...)
	}
}
