package encode

import (
	"fmt"
	"math"

	"github.com/sluice-io/sluice/levels"
)

// plainIsBetter decides about the dictionary at the end of the first page with values, and at the end of a chunk that
// has only that. A chunk that ends is known in full. Otherwise the dictionary is given up if, were the values drawn
// evenly from as many as its limit allows, a page would be expected to have fewer distinct ones than this one has: it
// would overflow later, after a great deal of hashing.
func (c *column) plainIsBetter(last bool) bool {
	if c.referred > 0 || c.count == 0 {
		return false
	}
	distinct, dictionaryBytes := c.dict.numEntries(), c.dict.plainBytes()
	if last {
		page := c.pageSpan()
		c.dict.bindEntries()
		plain := c.values.plainBits(&page) / 8
		indices := c.count * bitWidth(distinct-1) / 8
		return dictionaryBytes+indices >= plain
	}
	most := float64(c.limits.dictionaryBytes) * float64(distinct) / float64(max(1, dictionaryBytes))
	n := float64(c.count)
	return float64(distinct) > most*-math.Expm1(-n/most)
}

// leaveDictionary writes what is left of the column chunk, the page in progress included, in plain encoding.
func (c *column) leaveDictionary() error {
	page := c.pageSpan()
	rep, def := c.rep, c.def
	c.rep, c.def = pageLevels{max: rep.max}, pageLevels{max: def.max}
	c.records, c.count, c.ids, c.indexing = 0, 0, indices{}, false
	c.dict.bindEntries()
	c.bound = true
	err := c.fill(&page)
	c.bound = false
	if c.referred == 0 {
		c.dict.clear(true)
	}
	return err
}

// pageSpan returns the page in progress as a span whose storage is the dictionary's entries.
func (c *column) pageSpan() levels.Span {
	s := levels.Span{
		NumLevels:  c.rep.n,
		NumRecords: c.records,
		Rep:        c.rep.view(),
		Def:        c.def.view(),
		Live:       c.def.reached(),
		NumSlots:   c.ids.n,
		NumValues:  c.ids.n,
		Repeat:     1,
	}
	for ids, times := range c.ids.stretches {
		if len(ids) == 1 {
			s.Selected = append(s.Selected, levels.Run{Slot: int(ids[0]), Len: 1, Times: times})
			continue
		}
		for range times {
			s.Selected = appendSlots(s.Selected, ids)
		}
	}
	return s
}

// appendSlots appends slots that stand once each.
func appendSlots(runs []levels.Run, slots []uint32) []levels.Run {
	for _, slot := range slots {
		last := len(runs) - 1
		if last >= 0 && runs[last].Times == 1 && runs[last].Slot+runs[last].Len == int(slot) {
			runs[last].Len++
		} else {
			runs = append(runs, levels.Run{Slot: int(slot), Len: 1, Times: 1})
		}
	}
	return runs
}

// addDictionary adds the dictionary page, if pages refer to one.
func (c *column) addDictionary() error {
	if !c.chunk.usesDictionary() || len(c.chunk.dictionary) > 0 {
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
