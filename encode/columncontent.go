package encode

import "github.com/sluice-io/sluice/levels"

// put adds a span.
func (c *column) put(s *levels.Span) error {
	if c.chunker == nil {
		return c.fill(s)
	}
	for s.NumLevels > 0 {
		if s.Times != nil {
			if err := c.putTile(s); err != nil {
				return err
			}
			continue
		}
		piece := s.Take(levelEnd(s, c.chunker.step(s)))
		if err := c.putChunked(&piece); err != nil {
			return err
		}
	}
	return nil
}

// putTile takes the first tile off a span as many times as come before the end of the page, and with the page's end the
// time in which it lies.
func (c *column) putTile(s *levels.Span) error {
	if err := c.bindFor(s); err != nil {
		return err
	}
	c.tiles = s.AppendTiles(c.tiles[:0], 1)
	tile, rest := c.tiles[0], *s
	once := rest.TakeOnce()
	n, numLevels, err := c.chunker.standings(&once, tile.Times)
	if err != nil {
		return c.valueError(err, &once)
	}
	if n > 0 {
		c.tiles[0].Times = n
		part := s.TakeTiles(c.tiles)
		if err := c.fill(&part); err != nil {
			return err
		}
	}
	if n == tile.Times {
		return nil
	}
	if numLevels == 0 {
		return c.endChunkedPage()
	}
	once = s.TakeOnce()
	front := once.Take(numLevels)
	if err := c.fill(&front); err != nil {
		return err
	}
	if err := c.endChunkedPage(); err != nil {
		return err
	}
	return c.putChunked(&once)
}

// endChunkedPage ends the page in progress where its content says so.
func (c *column) endChunkedPage() error {
	for c.rep.n > 0 {
		c.cut = true
		if err := c.endPage(); err != nil {
			return err
		}
	}
	return nil
}

// putChunked adds a piece of a span, and ends pages where the chunker finds their ends.
func (c *column) putChunked(s *levels.Span) error {
	for s.NumLevels > 0 {
		if err := c.bindFor(s); err != nil {
			return err
		}
		n, end, err := c.chunker.next(s)
		if err != nil {
			return c.valueError(err, s)
		}
		if n > 0 {
			part := s.Take(n)
			if err := c.fill(&part); err != nil {
				return err
			}
		}
		if end {
			if err := c.endChunkedPage(); err != nil {
				return err
			}
		}
	}
	return nil
}
