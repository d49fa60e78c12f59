package encode

import (
	"fmt"

	"github.com/sluice-io/sluice/levels"
)

// endIndexPage ends the page in progress, which has dictionary indices: it is kept, or waits, or the dictionary is
// left.
func (c *column) endIndexPage() error {
	bounds := c.dict.boundsOf(&c.ids)
	if c.unscreened() {
		c.screen.addIndices(c.dict, &c.ids, c.plainBytes(&c.openPage, &bounds))
		return c.endScreened()
	}
	body := c.encodeIndices(&c.ids)
	switch c.weigh(body, &bounds) {
	case leavePages:
		return c.leaveDictionary()
	case waitWithPages:
		c.wait()
		return nil
	}
	if len(c.ledger.waiting) > 0 {
		if err := c.keepWaiting(); err != nil {
			return err
		}
		body = c.encodeIndices(&c.ids)
	}
	c.referred = c.dict.numEntries()
	if err := c.addIndexPage(&c.openPage, body, bounds); err != nil {
		return err
	}
	c.nextPage()
	return nil
}

// encodeIndices returns indices as a page has them (Encodings.md, "Dictionary Encoding"), valid until the next call.
func (c *column) encodeIndices(x *indices) []byte {
	s := scratchPool.Get().(*pageScratch)
	defer s.free()
	width := bitWidth(int(x.max()))
	c.encoded = append(c.encoded[:0], byte(width))
	c.encoded = s.indices.appendRuns(c.encoded, x, width)
	return c.encoded
}

// wait has the page in progress wait.
func (c *column) wait() {
	waiting := c.ledger.waiting
	if n := len(waiting); n > 0 && waiting[n-1].sameNulls(&c.openPage) {
		waiting[n-1].again++
		c.nextPage()
		return
	}
	c.firstRecord += int64(c.records)
	c.ledger.waiting = append(waiting, c.takePage())
}

// keepWaiting adds the pages that wait to the chunk.
func (c *column) keepWaiting() error {
	c.referred = c.dict.numEntries()
	for i := range c.ledger.waiting {
		p := &c.ledger.waiting[i]
		if err := c.addIndexPage(p, c.encodeIndices(&p.ids), c.dict.boundsOf(&p.ids)); err != nil {
			return err
		}
		*p = openPage{}
	}
	c.ledger.waiting, c.ledger.waitingValues = c.ledger.waiting[:0], 0
	return nil
}

// overflow adds a part of a span that has a value which the dictionary has no room for. The page in progress ends in
// front of its record. In a column with lists, where that may have begun in a part before, and where content ends pages,
// the page is left with the dictionary.
func (c *column) overflow(part *levels.Span) error {
	if c.leaf.MaxRep == 0 && c.chunker == nil && !c.unscreened() {
		if part.Times != nil {
			return c.overflowTiles(part)
		}
		if n := c.fitting(part); n > 0 {
			head := part.Take(n)
			c.oneTile(&head)
			if err := c.add(&head); err != nil {
				return err
			}
		}
		if err := c.endPage(); err != nil {
			return err
		}
	}
	if c.indexing {
		if err := c.leaveDictionary(); err != nil {
			return err
		}
	}
	return c.fill(part)
}

// overflowTiles is overflow for records that stand several times: they go in tile by tile, and the one that has the value
// is taken apart.
func (c *column) overflowTiles(part *levels.Span) error {
	for c.indexing && part.NumLevels > 0 {
		var next levels.Span
		if len(part.Times) > 1 {
			next = part.TakeTiles(part.AppendTiles(nil, 1))
		} else {
			next = part.TakeOnce()
		}
		if err := c.fill(&next); err != nil {
			return err
		}
	}
	return c.fill(part)
}

// fitting returns how many of the first records of a part of a span, which has a value that the dictionary has no room
// for, are in front of that. The values of these have their ids.
func (c *column) fitting(part *levels.Span) int {
	fits, over := 0, part.NumRecords
	for over-fits > 1 {
		mid := (fits + over) / 2
		head, before := part.Head(mid), c.ids
		full, err := c.dict.appendIDs(&c.ids, &head)
		if c.ids = c.ids.truncated(before); full || err != nil {
			over = mid
		} else {
			fits = mid
		}
	}
	return fits
}

// leaveDictionary writes what is not kept of the column chunk, the page in progress included, without a dictionary, and
// what is left of it. The dictionary is done with.
func (c *column) leaveDictionary() error {
	pages := c.ledger.waiting
	for i := range pages {
		c.firstRecord -= int64(pages[i].records) * int64(1+pages[i].again)
	}
	pages = append(pages, c.takePage())
	if c.ledger.waiting = nil; c.ledger.measuring.pages == 1 && c.encoding != nil {
		c.choices.next = 2 // the encoding is the best for the values that now are the first page's
	}
	c.indexing, c.screen.decided = false, true
	c.dict.endIDs()
	c.dict.bindEntries()
	c.bound = true
	for i := range pages {
		p := &pages[i]
		if err := c.refillAll(p, i == len(pages)-1); err != nil {
			return err
		}
		*p = openPage{}
	}
	c.bound, c.runs, c.ids = false, nil, indices{}
	err := c.addDictionary()
	c.dict.clear(true)
	return err
}

// refillAll is refill of a page and of those that follow it and are the same, or adds them as they are, as the last one,
// which may get more, must not be.
func (c *column) refillAll(p *openPage, last bool) error {
	for ; p.again >= 0; p.again-- {
		if p.count == 0 && p.records == c.limits.records && c.rep.n == 0 && !last {
			return c.addNulls(p)
		}
		if err := c.refill(p); err != nil {
			return err
		}
	}
	return nil
}

// refill puts the levels and values of a page into the page in progress, and into others as it is full.
func (c *column) refill(p *openPage) error {
	if p.rep.n == 0 {
		return nil
	}
	s := p.span(c.runs)
	c.runs = s.Selected
	if err := c.fill(&s); err != nil {
		return err
	}
	if p.cut {
		return c.endPage()
	}
	return nil
}

// addNulls adds a page without values, as often as it stands, which ends where it ended before.
func (c *column) addNulls(p *openPage) error {
	c.firstRecord += int64(p.records) * int64(1+p.again)
	_, err := c.addPlainPage(p, nil, pageBounds{})
	return err
}

// endDictionary decides about the pages that wait at the end of the chunk.
func (c *column) endDictionary() error {
	if c.unscreened() {
		if err := c.obey(c.screen.verdict(&c.ledger, true)); err != nil {
			return err
		}
	}
	if !c.indexing || len(c.ledger.waiting) == 0 {
		return nil
	}
	if c.ledger.paysAtEnd(c.dict) {
		return c.keepWaiting()
	}
	return c.leaveDictionary()
}

// addDictionary adds the dictionary page, if pages refer to one.
func (c *column) addDictionary() error {
	if !c.chunk.usesDictionary() || c.chunk.dictionaryBytes() > 0 {
		return nil
	}
	if err := c.chunk.addDictionary(c.dict, c.referred); err != nil {
		return fmt.Errorf("encode: field %q: dictionary page: %w", c.leaf, err)
	}
	if c.hashes != nil && (c.hashes.bloom || !c.onlyDictionary()) {
		c.dict.hashEntries(c.referred)
	}
	return nil
}
