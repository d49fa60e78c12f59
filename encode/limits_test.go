package encode

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-io/sluice/integration/lint"
)

// checkLimits checks that pages, dictionaries and row groups end just where the options say.
func checkLimits(f *lintedFile, options *Options) error {
	o, err := options.withDefaults()
	if err != nil {
		return err
	}
	for i, g := range f.RowGroups {
		records := f.Meta.RowGroups[i].NumRows
		if last := i == len(f.RowGroups)-1; records > o.RowGroupRecords || records < o.RowGroupRecords && !last {
			return fmt.Errorf("row group %d has %d records", i, records)
		}
		if err := f.checkSorting(i, &o); err != nil {
			return fmt.Errorf("row group %d: %w", i, err)
		}
		for _, c := range g {
			leaf, err := o.forLeaf(&leafColumn{Path: c.Leaf.Path})
			if err == nil {
				err = checkChunk(c, &leaf)
			}
			if err != nil {
				return fmt.Errorf("row group %d, column %q: %w", i, c.Leaf.String(), err)
			}
		}
	}
	return nil
}

// checkSorting checks that a row group claims the order that the options do.
func (f *lintedFile) checkSorting(group int, o *Options) error {
	var columns []SortingColumn
	for _, s := range f.Meta.RowGroups[group].SortingColumns {
		columns = append(columns, SortingColumn{f.Leaves[s.Leaf].String(), s.Descending, s.NullsFirst})
	}
	if !slices.Equal(columns, o.SortingColumns) {
		return fmt.Errorf("sorted by %+v", columns)
	}
	return nil
}

// checkChunk checks the limits of a column.
func checkChunk(c *lint.Chunk, o *Options) error {
	if n := plainSize(c, c.Dictionary); n > max(0, o.DictionaryBytes) {
		return fmt.Errorf("a dictionary of %d bytes", n)
	}
	if err := checkBloom(c, o); err != nil {
		return err
	}
	counted := c.Meta.Statistics.DistinctCount >= 0
	if o.DistinctCounts && !counted || !o.DistinctCounts && counted && c.Leaf.IsFloat() {
		return fmt.Errorf("its distinct values are counted: %v", counted)
	}
	for i, p := range c.Pages {
		if p.HasCRC == o.NoPageChecksum {
			return fmt.Errorf("page %d has a checksum: %v", i, p.HasCRC)
		}
		if p.Records > o.DataPageRecords {
			return fmt.Errorf("page %d has %d records", i, p.Records)
		}
		if i == len(c.Pages)-1 {
			continue
		}
		if err := checkEnd(c, p, c.Pages[i+1], o); err != nil {
			return fmt.Errorf("page %d of %d records and %d values: %w", i, p.Records, len(p.Values), err)
		}
	}
	return nil
}

// checkEnd checks that a page ends where it must, the next one having begun: with lists behind the record that reached
// the limit, without them in front of the record that would exceed it.
func checkEnd(c *lint.Chunk, p, next *lint.Page, o *Options) error {
	limit := 8 * o.DataPageBytes
	size := sizeOf(c, p, o, nil, p.Values, len(p.Def))
	last := lastRecord(p)
	values := 0
	for _, d := range p.Def[last:] {
		if d == c.Leaf.MaxDef {
			values++
		}
	}
	head := sizeOf(c, p, o, nil, p.Values[:len(p.Values)-values], last)
	if c.Leaf.MaxRep > 0 {
		switch {
		case head >= limit:
			return fmt.Errorf("%d bits before its last record, the limit is %d", head, limit)
		case size < limit && p.Records < o.DataPageRecords && o.ContentChunks == nil:
			return fmt.Errorf("%d bits, the limit is %d", size, limit)
		}
		return nil
	}
	following := 0
	if next.Def[0] == c.Leaf.MaxDef {
		following = sizeOf(c, p, o, p.Values, next.Values[:1], 1)
	}
	switch {
	case size > limit && p.Records > 1:
		return fmt.Errorf("%d bits, the limit is %d", size, limit)
	case following > 0 && p.Encoding == lint.RLEDictionary && next.Encoding != lint.RLEDictionary &&
		plainSize(c, c.Dictionary)+plainSize(c, next.Values[:1]) > o.DictionaryBytes: // which is full
		return nil
	case size+following <= limit && p.Records < o.DataPageRecords && o.ContentChunks == nil:
		return fmt.Errorf("%d bits, the next record has %d, the limit is %d", size, following, limit)
	}
	return nil
}

// lastRecord returns the level at which a page's last record begins.
func lastRecord(p *lint.Page) int {
	for i := len(p.Rep) - 1; ; i-- {
		if p.Rep[i] == 0 {
			return i
		}
	}
}

// sizeOf is what levels and values count towards the limit of a page: a level below a list is a bit, a value 16 bits as
// an index, 16 and what it does not share with the one before it where there is DELTA_BYTE_ARRAY alone, 16 if there is none
// before it, and otherwise what it is in plain encoding. The values come behind others.
func sizeOf(c *lint.Chunk, p *lint.Page, o *Options, before, values [][]byte, levels int) int {
	if c.Leaf.MaxRep == 0 {
		levels = 0
	}
	switch {
	case p.Encoding == lint.RLEDictionary:
		return levels + 16*len(values)
	case c.Leaf.Type == lint.Boolean:
		return levels + len(values)
	case o.Encoding == "delta_byte_array" && o.DictionaryBytes < 0:
		return levels + 16*len(values) + 8*suffixBytes(before, values)
	}
	return levels + 8*plainSize(c, values)
}

// suffixBytes is how many bytes values, which come behind others, do not share with the one before each.
func suffixBytes(before, values [][]byte) (n int) {
	all := slices.Concat(before, values)
	for i := max(1, len(before)); i < len(all); i++ {
		last, v := all[i-1], all[i]
		shared := 0
		for shared < len(v) && shared < len(last) && v[shared] == last[shared] {
			shared++
		}
		n += len(v) - shared
	}
	return n
}

// plainSize is the bytes that values take in plain encoding.
func plainSize(c *lint.Chunk, values [][]byte) int {
	n := len(bytes.Join(values, nil))
	if c.Leaf.Type == lint.ByteArray {
		n += 4 * len(values)
	}
	return n
}

// checkBloom checks that the filter is there if the options ask for it, and that it is as small as they let it be.
func checkBloom(c *lint.Chunk, o *Options) error {
	asked := o.BloomFilterFPP > 0 && c.Leaf.Type != lint.Boolean && c.Leaf.Logical.Kind != lint.Unknown
	if c.Bloom == nil {
		if asked && c.BloomOf(o.BloomFilterBytes).Rate() <= max(0.5, o.BloomFilterFPP) {
			return errors.New("its Bloom filter is missing")
		}
		return nil
	}
	size, rate := len(c.Bloom), c.Bloom.Rate()
	switch {
	case !asked:
		return errors.New("it has a Bloom filter")
	case size > o.BloomFilterBytes:
		return fmt.Errorf("a Bloom filter of %d bytes", size)
	case rate > o.BloomFilterFPP && size < o.BloomFilterBytes:
		return fmt.Errorf("a Bloom filter of %d bytes with a rate of %g", size, rate)
	case size > 32 && c.BloomOf(size/2).Rate() <= o.BloomFilterFPP:
		return fmt.Errorf("a Bloom filter of %d bytes where half would do", size)
	}
	return nil
}
