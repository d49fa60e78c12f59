package encode

import (
	"fmt"
	"slices"
)

// checkLimits checks that pages, dictionaries and row groups end just where the options say.
func checkLimits(f *lintedFile, options *Options) error {
	o, err := options.withDefaults()
	if err != nil {
		return err
	}
	for i, g := range f.groups {
		records := f.meta.RowGroups[i].NumRows
		if last := i == len(f.groups)-1; records > o.RowGroupRecords || records < o.RowGroupRecords && !last {
			return fmt.Errorf("row group %d has %d records", i, records)
		}
		if err := f.checkSorting(i, &o); err != nil {
			return fmt.Errorf("row group %d: %w", i, err)
		}
		for _, c := range g {
			leaf, err := o.forLeaf(&leafColumn{Path: c.leaf.path})
			if err == nil {
				err = c.checkLimits(&leaf)
			}
			if err != nil {
				return fmt.Errorf("row group %d, column %q: %w", i, c.leaf.String(), err)
			}
		}
	}
	return nil
}

// checkSorting checks that a row group claims the order that the options do.
func (f *lintedFile) checkSorting(group int, o *Options) error {
	var columns []SortingColumn
	for _, s := range f.meta.RowGroups[group].SortingColumns {
		columns = append(columns, SortingColumn{f.leaves[s.Leaf].String(), s.Descending, s.NullsFirst})
	}
	if !slices.Equal(columns, o.SortingColumns) {
		return fmt.Errorf("sorted by %+v", columns)
	}
	return nil
}

func (c *lintedChunk) checkLimits(o *Options) error {
	if n := c.plainSize(c.dictionary); n > max(0, o.DictionaryBytes) {
		return fmt.Errorf("a dictionary of %d bytes", n)
	}
	if err := c.checkBloom(o); err != nil {
		return err
	}
	counted := c.meta.Statistics.DistinctCount >= 0
	if o.DistinctCounts && !counted || !o.DistinctCounts && counted && c.leaf.isFloat() {
		return fmt.Errorf("its distinct values are counted: %v", counted)
	}
	for i, p := range c.pages {
		if p.hasCRC == o.NoPageChecksum {
			return fmt.Errorf("page %d has a checksum: %v", i, p.hasCRC)
		}
		if p.records > o.DataPageRecords {
			return fmt.Errorf("page %d has %d records", i, p.records)
		}
		if i == len(c.pages)-1 {
			continue
		}
		if err := c.checkEnd(p, c.pages[i+1], o); err != nil {
			return fmt.Errorf("page %d of %d records and %d values: %w", i, p.records, len(p.values), err)
		}
	}
	return nil
}

// checkEnd checks that a page ends where it must, the next one having begun: with lists behind the record that reached
// the limit, without them in front of the record that would exceed it.
func (c *lintedChunk) checkEnd(p, next *lintedPage, o *Options) error {
	limit := 8 * o.DataPageBytes
	size := c.sizeOf(p, p.values, len(p.def))
	last := lastRecord(p)
	values := 0
	for _, d := range p.def[last:] {
		if d == c.leaf.maxDef {
			values++
		}
	}
	head := c.sizeOf(p, p.values[:len(p.values)-values], last)
	if c.leaf.maxRep > 0 {
		switch {
		case head >= limit:
			return fmt.Errorf("%d bits before its last record, the limit is %d", head, limit)
		case size < limit && p.records < o.DataPageRecords && o.ContentChunks == nil:
			return fmt.Errorf("%d bits, the limit is %d", size, limit)
		}
		return nil
	}
	following := 0
	if next.def[0] == c.leaf.maxDef {
		following = c.sizeOf(p, next.values[:1], 1)
	}
	switch {
	case size > limit && p.records > 1:
		return fmt.Errorf("%d bits, the limit is %d", size, limit)
	case size+following <= limit && p.records < o.DataPageRecords && o.ContentChunks == nil:
		return fmt.Errorf("%d bits, the next record has %d, the limit is %d", size, following, limit)
	}
	return nil
}

// lastRecord returns the level at which a page's last record begins.
func lastRecord(p *lintedPage) int {
	for i := len(p.rep) - 1; ; i-- {
		if p.rep[i] == 0 {
			return i
		}
	}
}

// sizeOf is what levels and values count towards the limit of a page: a level below a list is a bit, a value 16 bits as
// an index, and otherwise what it is in plain encoding.
func (c *lintedChunk) sizeOf(p *lintedPage, values [][]byte, levels int) int {
	if c.leaf.maxRep == 0 {
		levels = 0
	}
	switch {
	case p.encoding == encodingRLEDictionary:
		return levels + 16*len(values)
	case c.leaf.Type == typeBoolean:
		return levels + len(values)
	}
	return levels + 8*c.plainSize(values)
}

// plainSize is the bytes that values take in plain encoding.
func (c *lintedChunk) plainSize(values [][]byte) int {
	n := int(byteCount(values))
	if c.leaf.Type == typeByteArray {
		n += 4 * len(values)
	}
	return n
}
