package encode

import "fmt"

// endPage ends the page in progress, if it has levels. A page of indices may have to wait, or turn out to be better
// without them; then it is the page in progress again, or several pages and a rest.
func (c *column) endPage() error {
	if c.rep.n == 0 {
		return nil
	}
	if c.indexing {
		return c.endIndexPage()
	}
	if c.unscreened() {
		return c.endScreenedPage()
	}
	if err := c.addPlainPage(&c.openPage, c.body, c.values.takeBounds()); err != nil {
		return err
	}
	c.nextPage()
	return nil
}

// addPlainPage adds a page of values in plain encoding to the chunk, as often as it stands.
func (c *column) addPlainPage(p *openPage, body []byte, bounds pageBounds) error {
	lead, stored, encoding := c.encodePage(p, body)
	if err := c.startWriting(); err != nil {
		return err
	}
	if err := c.addPage(p, encoding, lead, stored, bounds); err != nil {
		return err
	}
	c.watch(len(body))
	return nil
}

// addPage adds a page to the chunk, as often as it stands.
func (c *column) addPage(o *openPage, encoding encodingID, lead, body []byte, bounds pageBounds) error {
	err := c.chunk.addPage(&page{
		levels:   o.rep.n,
		records:  o.records,
		nulls:    o.rep.n - o.count,
		rep:      &o.rep,
		def:      &o.def,
		encoding: encoding,
		lead:     lead,
		body:     body,
		bounds:   bounds,
		again:    o.again,
	})
	if err != nil {
		return fmt.Errorf("encode: field %q: data page %d: %w", c.leaf, c.chunk.numPages(), err)
	}
	return nil
}

// nextPage begins the next page.
func (c *column) nextPage() {
	c.firstRecord += int64(c.records)
	c.rep.reset()
	c.def.reset()
	c.body, c.ids = c.body[:0], c.ids.truncated(indices{})
	c.records, c.count, c.cut = 0, 0, false
}

// startWriting writes out what the chunk has so far, if there is somewhere to write it to before the chunk ends: the
// pages to come have no dictionary indices, and follow at once.
func (c *column) startWriting() error {
	if c.out == nil || c.chunk.out != nil {
		return nil
	}
	if err := c.addDictionary(); err != nil {
		return err
	}
	if err := c.chunk.writePages(c.out); err != nil {
		return fmt.Errorf("encode: write column %q: %w", c.leaf, err)
	}
	c.chunk.out = c.out
	return nil
}

// encodePage returns the body of a page that has no dictionary indices, in two parts, and its encoding. A page without
// values is PLAIN, which has no bytes for none.
func (c *column) encodePage(p *openPage, body []byte) (lead, rest []byte, id encodingID) {
	if p.count == 0 {
		return nil, nil, encodingPlain
	}
	if c.front != nil {
		c.encoded = c.front.appendLengths(c.encoded[:0], p.count)
		return c.encoded, body, encodingDeltaByteArray
	}
	plain := c.values.plainBody(body, p.count)
	c.choose(p, plain)
	if c.encoding.append == nil {
		return nil, plain, encodingPlain
	}
	c.encoded = c.encoding.append(c.encoded[:0], plain, p.count)
	return nil, c.encoded, c.encoding.id // a little more than plain at most, which addPage has a limit for
}

// endPages ends the page in progress, and those that it becomes.
func (c *column) endPages() error {
	for c.rep.n > 0 {
		if err := c.endPage(); err != nil {
			return err
		}
	}
	return nil
}
