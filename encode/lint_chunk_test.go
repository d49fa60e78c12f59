package encode

import (
	"errors"
	"fmt"
	"slices"
)

// lintedChunk is a column chunk.
type lintedChunk struct {
	file  *lintedFile
	leaf  *lintedLeaf
	meta  columnChunk
	group int

	dictionary    [][]byte // nil: there is none
	hasDictionary bool
	pages         []*lintedPage
	plainBytes    int64 // of all pages, headers included
	bloom         lintedBloom
}

// levels returns the levels and values of all pages in one.
func (c *lintedChunk) levels() (s stream) {
	for _, p := range c.pages {
		s.def, s.rep, s.values = append(s.def, p.def...), append(s.rep, p.rep...), append(s.values, p.values...)
	}
	return s
}

// start returns where the chunk's first page lies, and where its first data page should.
func (c *lintedChunk) start() (at int64, hasDictionary bool) {
	if c.meta.DictionaryPageOffset != 0 {
		return c.meta.DictionaryPageOffset, true
	}
	return c.meta.DataPageOffset, false
}

func (c *lintedChunk) lint(records int64) error {
	m := &c.meta
	if m.Type != c.leaf.Type || !slices.Equal(m.Path, c.leaf.path) {
		return fmt.Errorf("its metadata is of %q, physical type %d", m.Path, m.Type)
	}
	if err := c.readPages(); err != nil {
		return err
	}
	var levels, next int64
	for _, p := range c.pages {
		p.firstRecord = next
		next += int64(p.records)
		levels += int64(len(p.def))
	}
	if next != records {
		return fmt.Errorf("%d records in its pages, %d in the row group", next, records)
	}
	if m.NumValues != levels {
		return fmt.Errorf("it counts %d values, its pages %d", m.NumValues, levels)
	}
	if m.UncompressedBytes != c.plainBytes {
		return fmt.Errorf("%d uncompressed bytes, its pages have %d", m.UncompressedBytes, c.plainBytes)
	}
	if err := c.lintEncodings(); err != nil {
		return err
	}
	if err := c.lintDictionary(); err != nil {
		return err
	}
	if err := c.lintIndexes(); err != nil {
		return err
	}
	if err := c.lintBloom(); err != nil {
		return fmt.Errorf("Bloom filter: %w", err)
	}
	return nil
}

// readPages walks the pages from the first to the last byte of the chunk.
func (c *lintedChunk) readPages() error {
	at, dictionary := c.start()
	end := at + c.meta.CompressedBytes
	if c.meta.CompressedBytes <= 0 || at < 4 || end > int64(len(c.file.data)) {
		return fmt.Errorf("%d bytes at %d", c.meta.CompressedBytes, at)
	}
	for at < end {
		p, err := c.readPage(at, end)
		if err != nil {
			return fmt.Errorf("page at %d: %w", at, err)
		}
		switch {
		case p.kind == pageDictionary && (!dictionary || c.hasDictionary || len(c.pages) > 0):
			return fmt.Errorf("page at %d: a dictionary page that is not the first", at)
		case p.kind == pageDictionary:
			c.hasDictionary, c.dictionary = true, p.values
		case len(c.pages) == 0 && at != c.meta.DataPageOffset:
			return fmt.Errorf("the first data page lies at %d, not at %d", at, c.meta.DataPageOffset)
		default:
			p.ordinal = len(c.pages)
			c.pages = append(c.pages, p)
		}
		c.plainBytes += p.plainBytes
		at += p.size
	}
	if dictionary != c.hasDictionary {
		return errors.New("there is no dictionary page where one should be")
	}
	return nil
}

// lintEncodings checks the two lists of encodings against the pages.
func (c *lintedChunk) lintEncodings() error {
	var encodings []encodingID
	var stats []pageEncodingStats
	add := func(kind pageType, e encodingID) {
		encodings = append(encodings, e)
		for i := range stats {
			if stats[i].Page == kind && stats[i].Encoding == e {
				stats[i].Count++
				return
			}
		}
		stats = append(stats, pageEncodingStats{kind, e, 1})
	}
	if c.hasDictionary {
		add(pageDictionary, encodingPlain)
	}
	for _, p := range c.pages {
		add(p.kind, p.encoding)
	}
	if c.leaf.maxDef > 0 {
		encodings = append(encodings, encodingRLE)
	}
	slices.Sort(encodings)
	if want := slices.Compact(encodings); !slices.Equal(c.meta.Encodings, want) {
		return fmt.Errorf("encodings %v are listed, %v used", c.meta.Encodings, want)
	}
	slices.SortFunc(stats, func(a, b pageEncodingStats) int {
		if a.Page != b.Page { // the dictionary's, then the one kind of data pages
			return map[bool]int{true: -1, false: 1}[a.Page == pageDictionary]
		}
		return int(a.Encoding) - int(b.Encoding)
	})
	if !slices.Equal(c.meta.EncodingStats, stats) {
		return fmt.Errorf("encoding statistics %v, the pages have %v", c.meta.EncodingStats, stats)
	}
	return nil
}

// lintDictionary checks that every entry of the dictionary is another value, is referred to by some page, and stands
// in the order of first reference.
func (c *lintedChunk) lintDictionary() error {
	seen := map[string]bool{}
	for i, v := range c.dictionary {
		if seen[string(v)] {
			return fmt.Errorf("dictionary entry %d, %x, is there twice", i, v)
		}
		seen[string(v)] = true
	}
	next, pages := uint32(0), 0
	for _, p := range c.pages {
		if p.encoding != encodingRLEDictionary {
			continue
		}
		pages++
		for _, id := range p.ids {
			if id > next {
				return fmt.Errorf("page %d: dictionary entry %d is referred to before entry %d", p.ordinal, id, next)
			}
			next = max(next, id+1)
		}
	}
	if int(next) != len(c.dictionary) {
		return fmt.Errorf("%d of %d dictionary entries are referred to", next, len(c.dictionary))
	}
	if c.hasDictionary != (pages > 0) {
		return fmt.Errorf("%d pages refer to a dictionary, which is there: %v", pages, c.hasDictionary)
	}
	return nil
}
