package encode

import "slices"

// reserve makes room in the indexes for so many pages more.
func (c *chunk) reserve(pages int) {
	if pages == 1 {
		return
	}
	ci := &c.column
	ci.NullPages, ci.NullCounts = slices.Grow(ci.NullPages, pages), slices.Grow(ci.NullCounts, pages)
	ci.Min, ci.Max = slices.Grow(ci.Min, pages), slices.Grow(ci.Max, pages)
	ci.Definition = slices.Grow(ci.Definition, pages*len(c.size.Definition))
	ci.Repetition = slices.Grow(ci.Repetition, pages*len(c.size.Repetition))
	c.offset.Pages = slices.Grow(c.offset.Pages, pages)
}

// count enters a page into the indexes and the statistics, as often as it stands.
func (c *chunk) count(p *page) {
	times := 1 + p.again
	c.levels += int64(p.levels) * int64(times)
	c.nulls += int64(p.nulls) * int64(times)
	ci := &c.column
	for range times {
		ci.NullPages = append(ci.NullPages, p.nulls == p.levels)
		ci.NullCounts = append(ci.NullCounts, int64(p.nulls))
		ci.Min = append(ci.Min, p.bounds.min)
		ci.Max = append(ci.Max, p.bounds.max)
		if c.hasNaNs() {
			ci.NaNCounts = append(ci.NaNCounts, p.bounds.nans)
			c.total.nans += p.bounds.nans
		}
		if c.leaf.Physical == typeByteArray {
			c.offset.UnencodedBytes = append(c.offset.UnencodedBytes, p.bounds.unencodedBytes)
			c.size.UnencodedBytes += p.bounds.unencodedBytes
		}
	}
	ci.Definition = c.histogram(ci.Definition, c.size.Definition, p.def, times)
	ci.Repetition = c.histogram(ci.Repetition, c.size.Repetition, p.rep, times)
	c.widen(&p.bounds, p.nulls < p.levels)
}

// histogram appends the page's counts, as often as it stands, to those of the pages before, and adds them to the chunk's.
func (c *chunk) histogram(pages, total []int64, l *pageLevels, times int) []int64 {
	if total == nil {
		return pages
	}
	at := len(pages)
	pages = append(pages, make([]int64, len(total))...)
	page := pages[at:]
	l.histogram(page)
	for level, n := range page {
		total[level] += n * int64(times)
	}
	for range times - 1 {
		pages = append(pages, page...)
	}
	return pages
}

func (c *chunk) hasNaNs() bool {
	return c.leaf.hasNaNs()
}

// widen makes the chunk's bounds include a page's.
func (c *chunk) widen(b *pageBounds, hasValues bool) {
	if !b.ok {
		c.unordered = c.unordered || hasValues
		return
	}
	t := &c.total
	lo, hi := -1, 1
	if t.ok {
		lo, hi = c.compare(b.min, t.min), c.compare(b.max, t.max)
	}
	// A bound that was cut may be a value of another page.
	if lo < 0 || lo == 0 && b.minExact {
		t.min, t.minExact = b.min, b.minExact
	}
	if hi > 0 || hi == 0 && b.maxExact {
		t.max, t.maxExact = b.max, b.maxExact
	}
	t.ok = true
}

func (c *chunk) compare(a, b []byte) int { return compareBounds(c.leaf.Order, c.leaf.Physical, a, b) }

// describe returns the chunk's entry in the footer, once it is written.
func (c *chunk) describe() columnChunk {
	size := c.size
	meta := columnChunk{
		Type:              c.leaf.Physical,
		Path:              c.leaf.Path,
		Codec:             c.codec.ID(),
		NumValues:         c.levels,
		UncompressedBytes: c.plainBytes,
		CompressedBytes:   c.written + int64(c.dictionaryBytes()),
		DataPageOffset:    c.start + int64(c.dictionaryBytes()),
		SizeStatistics:    &size,
		Geospatial:        c.geospatial,
		Statistics: &statistics{
			NullCount:     c.nulls,
			DistinctCount: c.distinct,
			HasMinMax:     c.total.ok && c.bounds != statisticsNone,
			Min:           c.total.min,
			Max:           c.total.max,
			MinExact:      c.total.minExact,
			MaxExact:      c.total.maxExact,
			HasNaNCount:   c.hasNaNs(),
			NaNCount:      c.total.nans,
		},
	}
	if c.bounds == statisticsNone {
		meta.Geospatial = nil
	}
	c.describeEncodings(&meta)
	if c.dictionaryBytes() > 0 {
		meta.DictionaryPageOffset = c.start
	}
	return meta
}

// describeEncodings lists the encodings in the order of their numbers.
func (c *chunk) describeEncodings(meta *columnChunk) {
	kind := pageData
	if c.version == 2 {
		kind = pageDataV2
	}
	used := c.pages
	if c.usesDictionary() {
		meta.EncodingStats = append(meta.EncodingStats, pageEncodingStats{pageDictionary, encodingPlain, 1})
		used[encodingPlain]++
	}
	if c.leaf.MaxDef > 0 || c.leaf.MaxRep > 0 {
		used[encodingRLE]++
	}
	for e, n := range c.pages {
		if used[e] > 0 {
			meta.Encodings = append(meta.Encodings, encodingID(e))
		}
		if n > 0 {
			meta.EncodingStats = append(meta.EncodingStats, pageEncodingStats{kind, encodingID(e), n})
		}
	}
}

// index returns the page index of the chunk, whose data pages begin at the given offset. There is no column index if the
// options want none, or a page has values that none of its bounds tell of (PageIndex.md).
func (c *chunk) index(firstPage int64) (*columnIndex, *offsetIndex) {
	oi := c.offset
	for i := range oi.Pages {
		oi.Pages[i].Offset += firstPage
	}
	if c.unordered || len(oi.Pages) == 0 || c.bounds != statisticsPage {
		return nil, &oi
	}
	ci := c.column
	ci.Boundary = c.boundaryOrder()
	return &ci, &oi
}

// boundaryOrder tells whether the bounds of the pages that have values ascend or descend.
func (c *chunk) boundaryOrder() boundaryOrder {
	ascending, descending := true, true
	last := -1
	for i, null := range c.column.NullPages {
		if null {
			continue
		}
		if last >= 0 {
			lo := c.compare(c.column.Min[last], c.column.Min[i])
			hi := c.compare(c.column.Max[last], c.column.Max[i])
			ascending = ascending && lo <= 0 && hi <= 0
			descending = descending && lo >= 0 && hi >= 0
		}
		last = i
	}
	switch {
	case ascending:
		return boundaryAscending
	case descending:
		return boundaryDescending
	}
	return boundaryUnordered
}
