package lint

import (
	"errors"
	"fmt"
	"slices"
)

// checkRowGroup reads the column chunks of a row group.
func (f *Contents) checkRowGroup(ordinal int, g *RowGroup) error {
	if g.NumRows == 0 {
		return errors.New("it has no records")
	}
	if len(g.Columns) != len(f.Leaves) {
		return fmt.Errorf("%d columns for %d leaves", len(g.Columns), len(f.Leaves))
	}
	if int(g.Ordinal) != ordinal && (ordinal < 1<<15 || g.Ordinal >= 0) {
		return fmt.Errorf("ordinal %d", g.Ordinal)
	}
	var chunks []*Chunk
	var total, compressed int64
	for i := range g.Columns {
		c := &Chunk{Leaf: &f.Leaves[i], Meta: g.Columns[i], Group: ordinal, file: f}
		if err := c.check(g.NumRows); err != nil {
			return at(ColumnMetaData.broken(err), ordinal, c.Leaf.String(), -1, -1)
		}
		if !f.keep && !slices.ContainsFunc(g.SortingColumns, func(s SortingColumn) bool { return int(s.Leaf) == i }) {
			c.stream = Stream{}
		}
		chunks = append(chunks, c)
		total, compressed = total+c.Meta.UncompressedBytes, compressed+c.Meta.CompressedBytes
	}
	if g.TotalBytes != total || g.CompressedBytes != compressed {
		const text = "%d bytes, %d compressed: its columns have %d and %d"
		return fmt.Errorf(text, g.TotalBytes, g.CompressedBytes, total, compressed)
	}
	if first, _ := chunks[0].start(); g.FileOffset != first {
		return fmt.Errorf("it begins at %d, its first page at %d", g.FileOffset, first)
	}
	if err := f.checkSorting(g, chunks); err != nil {
		return Sorting.broken(err)
	}
	if err := checkBloomOffsets(chunks); err != nil {
		return BloomFilters.broken(err)
	}
	if f.keep {
		f.RowGroups = append(f.RowGroups, chunks)
	}
	return nil
}

// checkBloomOffsets checks that the Bloom filters of a row group follow its last page in the order of its columns.
func checkBloomOffsets(chunks []*Chunk) error {
	last := chunks[len(chunks)-1]
	end, _ := last.start()
	end += last.Meta.CompressedBytes
	for _, c := range chunks {
		if c.Meta.BloomOffset == 0 {
			continue
		}
		if c.Meta.BloomOffset != end {
			return fmt.Errorf("the Bloom filter of %q is at %d, not at %d", c.Leaf.String(), c.Meta.BloomOffset, end)
		}
		end += int64(c.Meta.BloomBytes)
	}
	return nil
}
