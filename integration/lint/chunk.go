package lint

import (
	"fmt"
	"slices"
)

// Chunk is a column chunk.
type Chunk struct {
	Leaf  *Leaf
	Meta  ColumnChunk
	Group int // the row group's ordinal

	Dictionary    [][]byte
	HasDictionary bool
	Pages         []*Page // data pages
	Bloom         Bloom   // nil: there is none

	file       *Contents
	bytes      []byte // the pages
	plainBytes int64  // of all pages, headers included
	stream     Stream // of all pages
}

// Stream returns the levels and values of all pages in one.
func (c *Chunk) Stream() Stream { return c.stream }

// extremes returns those of all pages.
func (c *Chunk) extremes() *extremes {
	var values [][]byte
	for _, p := range c.Pages {
		if p.extremes != nil {
			values = append(values, p.extremes.smallest, p.extremes.largest)
		}
	}
	return c.Leaf.extremesOf(values)
}

// start returns where the chunk's first page lies, and where its first data page should.
func (c *Chunk) start() (at int64, hasDictionary bool) {
	if c.Meta.DictionaryPageOffset != 0 {
		return c.Meta.DictionaryPageOffset, true
	}
	return c.Meta.DataPageOffset, false
}

// check reads the chunk, which has that many records, and checks what the footer and the indexes say about it.
func (c *Chunk) check(records int64) error {
	if err := c.openMetaData(); err != nil {
		return Encryption.broken(err)
	}
	if !slices.Equal(c.Meta.Path, c.Leaf.Path) || c.Meta.Type != c.Leaf.Type {
		return fmt.Errorf("it is of %q, physical type %d", c.Meta.Path, c.Meta.Type)
	}
	if err := c.readPages(); err != nil {
		return err
	}
	for _, step := range []struct {
		rule  Rule
		check func() error
	}{
		{ColumnMetaData, func() error { return c.checkCounts(records) }},
		{Encodings, c.checkEncodings},
		{Dictionaries, c.checkDictionary},
		{OffsetIndexes, c.checkOffsetIndex},
		{ColumnIndexes, c.checkColumnIndex},
		{Bounds, c.checkStatistics},
		{Sizes, c.checkSizeStatistics},
		{Geospatial, c.checkGeospatial},
		{BloomFilters, c.checkBloom},
	} {
		if err := step.check(); err != nil {
			return step.rule.broken(err)
		}
	}
	if !c.file.keep {
		c.Pages, c.Dictionary = nil, nil
	}
	return nil
}

// checkCounts checks what the column metadata counts.
func (c *Chunk) checkCounts(records int64) error {
	var next int64
	for _, p := range c.Pages {
		p.FirstRecord = next
		next += int64(p.Records)
	}
	if next != records {
		return fmt.Errorf("%d records in its pages, %d in the row group", next, records)
	}
	if levels := int64(len(c.stream.Def)); c.Meta.NumValues != levels {
		return fmt.Errorf("it counts %d values, its pages have %d with nulls and empty lists", c.Meta.NumValues, levels)
	}
	if c.Meta.UncompressedBytes != c.plainBytes {
		return fmt.Errorf("%d uncompressed bytes, its pages have %d", c.Meta.UncompressedBytes, c.plainBytes)
	}
	return nil
}

// readPages walks the pages from the first to the last byte of the chunk.
func (c *Chunk) readPages() (err error) {
	from, dictionary := c.start()
	size := c.Meta.CompressedBytes
	if size <= 0 || from < 4 || from > c.file.size-size {
		return Layout.brokenf("%d bytes at %d", size, from)
	}
	if c.bytes, err = c.file.readAt(from, size); err != nil {
		return err
	}
	for done := int64(0); done < size; {
		ordinal := len(c.Pages)
		if dictionary && !c.HasDictionary {
			ordinal = -1
		}
		p, err := c.readPage(from + done)
		if err == nil {
			err = c.addPage(p, dictionary)
		}
		if err != nil {
			return at(PageHeaders.broken(err), -1, "", ordinal, from+done)
		}
		c.plainBytes += p.PlainBytes
		done += p.Size
	}
	if dictionary != c.HasDictionary {
		return Dictionaries.brokenf("there is no dictionary page where one should be")
	}
	c.bytes = nil
	c.stream = joined(c.Pages)
	return nil
}

// addPage puts a page behind the others.
func (c *Chunk) addPage(p *Page, dictionary bool) error {
	if c.file.pages++; p.HasCRC {
		c.file.checksums++
	}
	if c.file.checksums != 0 && c.file.checksums != c.file.pages {
		return Checksums.brokenf("some pages have one and some have none")
	}
	switch {
	case p.Kind == DictionaryPage && (!dictionary || c.HasDictionary || len(c.Pages) > 0):
		return Dictionaries.brokenf("a dictionary page that is not the first")
	case p.Kind == DictionaryPage:
		c.HasDictionary, c.Dictionary = true, p.Values
		return nil
	case len(c.Pages) == 0 && p.Offset != c.Meta.DataPageOffset:
		return Layout.brokenf("the first data page lies there, not at %d", c.Meta.DataPageOffset)
	}
	p.Ordinal = len(c.Pages)
	p.extremes = c.Leaf.extremesOf(p.Values)
	if err := c.Leaf.checkRange(p.extremes); err != nil {
		return Values.broken(err)
	}
	c.Pages = append(c.Pages, p)
	return nil
}

// checkEncodings checks the two lists of encodings against the pages.
func (c *Chunk) checkEncodings() error {
	var encodings []Encoding
	var stats []PageEncodingStats
	add := func(kind PageType, e Encoding) {
		encodings = append(encodings, e)
		for i := range stats {
			if stats[i].Page == kind && stats[i].Encoding == e {
				stats[i].Count++
				return
			}
		}
		stats = append(stats, PageEncodingStats{kind, e, 1})
	}
	if c.HasDictionary {
		add(DictionaryPage, Plain)
	}
	for _, p := range c.Pages {
		add(p.Kind, p.Encoding)
	}
	if c.Leaf.MaxDef > 0 {
		encodings = append(encodings, RLE)
	}
	slices.Sort(encodings)
	if want := slices.Compact(encodings); !slices.Equal(c.Meta.Encodings, want) {
		return fmt.Errorf("encodings %v are listed, %v used", c.Meta.Encodings, want)
	}
	slices.SortFunc(stats, func(a, b PageEncodingStats) int {
		if a.Page != b.Page { // the dictionary's, then the one kind of data pages
			return map[bool]int{true: -1, false: 1}[a.Page == DictionaryPage]
		}
		return int(a.Encoding) - int(b.Encoding)
	})
	if !slices.Equal(c.Meta.EncodingStats, stats) {
		return fmt.Errorf("encoding statistics %v, the pages have %v", c.Meta.EncodingStats, stats)
	}
	return nil
}

// checkDictionary checks that every entry of the dictionary is another value, is referred to by some page, and stands
// in the order of first reference.
func (c *Chunk) checkDictionary() error {
	seen := map[string]bool{}
	for i, v := range c.Dictionary {
		if seen[string(v)] {
			return fmt.Errorf("dictionary entry %d, %x, is there twice", i, v)
		}
		seen[string(v)] = true
	}
	next, pages := uint32(0), 0
	for _, p := range c.Pages {
		if p.Encoding != RLEDictionary {
			continue
		}
		pages++
		for _, id := range p.IDs {
			if id > next {
				return fmt.Errorf("page %d: dictionary entry %d is referred to before entry %d", p.Ordinal, id, next)
			}
			next = max(next, id+1)
		}
	}
	if int(next) != len(c.Dictionary) {
		return fmt.Errorf("%d of %d dictionary entries are referred to", next, len(c.Dictionary))
	}
	if c.HasDictionary != (pages > 0) {
		return fmt.Errorf("%d pages refer to a dictionary, which is there: %v", pages, c.HasDictionary)
	}
	return nil
}
