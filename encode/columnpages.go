package encode

import (
	"fmt"
	"unsafe"
)

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
	kept, err := c.addPlainPage(&c.openPage, c.body, c.values.takeBounds())
	if err != nil {
		return err
	}
	if kept {
		c.body = newBody(cap(c.body))
	}
	c.nextPage()
	return nil
}

// addPlainPage adds a page of values in plain encoding to the chunk, as often as it stands. The body is no longer the
// column's if it is kept.
func (c *column) addPlainPage(p *openPage, body []byte, bounds pageBounds) (kept bool, err error) {
	lead, stored, encoding := c.encodePage(p, body)
	if err := c.startWriting(); err != nil {
		return false, err
	}
	mayKeep := len(stored) > 0 && unsafe.SliceData(stored) == unsafe.SliceData(body)
	kept, err = c.addPage(p, encoding, lead, stored, bounds, mayKeep)
	if err == nil {
		c.watch(len(body))
	}
	return kept, err
}

// addIndexPage adds a page of indices to the chunk, as often as it stands.
func (c *column) addIndexPage(p *openPage, body []byte, bounds pageBounds) error {
	_, err := c.addPage(p, encodingRLEDictionary, nil, body, bounds, false)
	return err
}

func (c *column) addPage(
	o *openPage, encoding encodingID, lead, body []byte, bounds pageBounds, mayKeep bool,
) (kept bool, err error) {
	p := page{
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
		mayKeep:  mayKeep,
	}
	if err := c.chunk.addPage(&p); err != nil {
		return false, fmt.Errorf("encode: field %q: data page %d: %w", c.leaf, c.chunk.numPages(), err)
	}
	return p.kept, nil
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
