package encode

import (
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// indexBits is what a value counts towards a page's limit while it is written as a dictionary index.
const indexBits = 16

// levelBits is what a level of a column with lists counts towards a page's limit: a list may have any number of nulls.
const levelBits = 1

// varyingStep is how many records of values of different lengths are looked at together when a page's end is sought.
const varyingStep = 1024

// maxPageBytes is the most a page may have, as its header counts in 32 bits.
const maxPageBytes = math.MaxInt32 - 1<<20

// column writes one leaf column: it cuts the spans into pages and the pages into column chunks.
type column struct {
	leaf     *leafColumn
	values   values
	dict     dictionary // nil: the column never has one
	limits   pageLimits
	indexing bool // the page in progress holds dictionary indices
	referred int  // dictionary entries that the pages of the chunk refer to

	storage arrow.ArrayData // that the spans refer to
	bound   bool            // values has it
	rep     pageLevels
	def     pageLevels
	records int     // that begin in the page
	count   int     // values of the page
	body    []byte  // plain values of the page
	ids     indices // dictionary indices of the page

	chunk       chunk
	firstRecord int64 // of the page, counted from the start of the file
}

// pageLimits is where a page ends.
type pageLimits struct {
	bits            int
	records         int
	dictionaryBytes int
}

func newColumn(leaf *leafColumn, o *Options, c codec) (*column, error) {
	v, err := newValues(leaf, o)
	if err != nil {
		return nil, fmt.Errorf("encode: field %q: %w", leaf, err)
	}
	col := &column{leaf: leaf, values: v, dict: v.dictionary()}
	col.limits = pageLimits{bits: 8 * o.DataPageBytes, records: o.DataPageRecords, dictionaryBytes: o.DictionaryBytes}
	col.rep.max, col.def.max = leaf.MaxRep, leaf.MaxDef
	col.indexing = col.dict != nil
	col.chunk.init(leaf, c, o.DataPageVersion, !o.NoPageChecksum)
	return col, nil
}

// bind makes data the storage of the spans to come. It is looked at when the first of them has a value, as one of nulls
// alone need not have what it promises.
func (c *column) bind(data arrow.ArrayData) {
	c.storage, c.bound = data, false
}

// release lets go of the storage of a batch.
func (c *column) release() {
	c.storage, c.bound = nil, false
	c.values.release()
}

// put adds a span.
func (c *column) put(s *levels.Span) error {
	for s.NumLevels > 0 {
		if s.NumValues > 0 && !c.bound {
			err := checkSlots(c.storage)
			if err == nil {
				err = c.values.bind(c.storage)
			}
			if err != nil {
				return fmt.Errorf("encode: field %q: %w", c.leaf, err)
			}
			c.bound = true
		}
		n := c.room(s)
		if n == 0 {
			if err := c.endPage(false); err != nil {
				return err
			}
			continue
		}
		var part levels.Span
		if s.Repeat > 1 {
			part = s.TakeRepeats(n)
		} else {
			part = s.Take(n)
		}
		if err := c.add(&part); err != nil {
			return err
		}
	}
	return nil
}

// add appends a part of a span, which the page has room for, to the page.
func (c *column) add(part *levels.Span) error {
	if part.NumValues > 0 {
		full, err := c.addValues(part)
		if err != nil {
			return c.valueError(err, part)
		}
		if full {
			if err := c.leaveDictionary(); err != nil {
				return err
			}
			return c.put(part)
		}
	}
	if n := c.rep.n + part.NumLevels*part.Repeat; n > math.MaxInt32 {
		return c.errorf(part, part.NumRecords-1, "a page of %d levels: one record has more elements than a page can hold", n)
	}
	c.rep.append(part.Rep, part.NumLevels, part.Repeat)
	c.def.append(part.Def, part.NumLevels, part.Repeat)
	c.records += part.NumRecords * part.Repeat
	c.count += part.NumValues * part.Repeat
	return nil
}

// addValues adds the values of a part of a span, unless the dictionary has no room for them.
func (c *column) addValues(part *levels.Span) (full bool, err error) {
	if !c.indexing {
		body, err := c.values.appendPlain(c.body, c.count, part)
		if err == nil && len(body) > maxPageBytes {
			err = pageSizeError(len(body))
		}
		c.body = body
		return false, err
	}
	before := c.ids
	if full, err = c.dict.appendIDs(&c.ids, part); full {
		c.ids = c.ids.truncated(before)
	} else if err == nil {
		c.ids.again(before, part.Repeat)
	}
	return full, err
}

// valueError names the record of an error that concerns one value of a span, or its last record.
func (c *column) valueError(err error, s *levels.Span) error {
	var value *valueError
	var size pageSizeError
	switch {
	case errors.As(err, &value):
		return c.errorf(s, s.RecordOfValue(value.index), "%w", value.err)
	case errors.As(err, &size):
		return c.errorf(s, s.NumRecords-1, "%w", size)
	}
	return fmt.Errorf("encode: field %q: %w", c.leaf, err)
}

// pageSizeError is the error of a page of so many bytes.
type pageSizeError int

func (e pageSizeError) Error() string {
	return fmt.Sprintf("a page of %d bytes: one record has more data than a page can hold", int(e))
}

// errorf makes an error that names the field and a record, which is counted from the first that begins in the span.
func (c *column) errorf(s *levels.Span, record int, format string, a ...any) error {
	number := c.firstRecord + int64(c.records+record)
	return fmt.Errorf("encode: field %q: record %d: %w", c.leaf, number, fmt.Errorf(format, a...))
}

// full reports whether the page in progress must end before the next record, whatever that holds. Without lists it
// must not for its size: a null still goes in.
func (c *column) full() bool {
	return c.records >= c.limits.records || c.leaf.MaxRep > 0 && c.pageBits() >= c.limits.bits
}

// pageBits is what the page counts towards its limit.
func (c *column) pageBits() int {
	if fixed := c.fixedBits(); fixed > 0 {
		return c.levelBits(c.rep.n) + c.count*fixed
	}
	return c.levelBits(c.rep.n) + 8*len(c.body)
}

// levelBits is what n levels count towards a page's limit.
func (c *column) levelBits(n int) int {
	if c.leaf.MaxRep > 0 {
		return n * levelBits
	}
	return 0
}

// room returns how many levels of the span (repetitions, if it has several), up to a record's start or the span's end, go into the page before it
// is full; 0 if it is full as it stands. The answer depends on the records alone, not on how they are cut into spans: a column without
// lists ends its page before the record that would exceed the limit, one with lists after the record that did.
func (c *column) room(s *levels.Span) int {
	if !s.Continues && c.rep.n > 0 && c.full() {
		return 0
	}
	if s.Repeat > 1 {
		return c.roomRepeats(s)
	}
	records := min(s.NumRecords, c.limits.records-c.records)
	if c.leaf.MaxRep > 0 {
		return c.roomNested(s, records)
	}
	fixed := c.fixedBits()
	if fixed == 0 && s.NumValues > 0 {
		records = min(records, varyingStep)
	}
	left := c.limits.bits - c.pageBits()
	if fixed > 0 && records*fixed <= left {
		return records
	}
	if head := s.Head(records); c.mostBits(&head) <= left || c.bits(s, records) <= left {
		return records
	}
	// The first `fits` records fit, the first `over` do not.
	fits, over := 0, records
	for over-fits > 1 {
		if mid := (fits + over) / 2; c.bits(s, mid) <= left {
			fits = mid
		} else {
			over = mid
		}
	}
	if fits == 0 && c.rep.n == 0 {
		return 1
	}
	return fits
}

// roomRepeats returns how many repetitions of a span of one record go into the page, which is not full, until it is.
func (c *column) roomRepeats(s *levels.Span) int {
	n := min(s.Repeat, c.limits.records-c.records)
	if each := c.bits(s, s.NumLevels); each > 0 {
		left := c.limits.bits - c.pageBits()
		n = min(n, (left+each-1)/each)
	}
	return n
}

// roomNested is room for a column with lists, at most up to the given number of records that begin in the span.
func (c *column) roomNested(s *levels.Span, records int) int {
	end := levelEnd(s, records)
	left := c.limits.bits - c.pageBits()
	if head := s.Head(end); c.mostBits(&head) < left || c.bits(s, end) < left {
		return end
	}
	// Before record `under` the page is not full yet, before record `over` it is.
	under, over := 0, records
	for over-under > 1 {
		if mid := (under + over) / 2; c.bits(s, s.RecordStart(mid)) < left {
			under = mid
		} else {
			over = mid
		}
	}
	if s.Continues && s.NumRecords > 0 && c.bits(s, s.RecordStart(0)) >= left {
		over = 0
	}
	return levelEnd(s, over)
}

// levelEnd returns the level behind the first records of a span.
func levelEnd(s *levels.Span, records int) int {
	if records >= s.NumRecords {
		return s.NumLevels
	}
	return s.RecordStart(records)
}

// fixedBits is what every value counts towards the page's limit, 0 if that differs.
func (c *column) fixedBits() int {
	if c.indexing {
		return indexBits
	}
	return c.values.fixedBits()
}

// mostBits is no less than what a span counts towards the page's limit, and quickly found.
func (c *column) mostBits(s *levels.Span) int {
	if fixed := c.fixedBits(); fixed > 0 || s.NumValues == 0 {
		return c.levelBits(s.NumLevels) + fixed*s.NumValues
	}
	return c.levelBits(s.NumLevels) + c.values.mostBits(s)
}

// bits is what the span's first levels, with their values, count towards the page's limit.
func (c *column) bits(s *levels.Span, numLevels int) int {
	head := s.Head(numLevels)
	if c.indexing || head.NumValues == 0 {
		return c.levelBits(numLevels) + head.NumValues*indexBits
	}
	return c.levelBits(numLevels) + c.values.plainBits(&head)
}

// leaveDictionary writes what is left of the column chunk, the page in progress included, in plain encoding.
func (c *column) leaveDictionary() error {
	page := c.pageSpan()
	rep, def := c.rep, c.def
	c.rep, c.def = pageLevels{max: rep.max}, pageLevels{max: def.max}
	c.records, c.count, c.ids, c.indexing = 0, 0, indices{}, false
	c.dict.bindEntries()
	c.bound = true
	err := c.put(&page)
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

// endPage ends the page in progress, if it has levels. A page of indices may turn out to be better plain; then it is
// the page in progress again, or several pages and a rest.
func (c *column) endPage(last bool) error {
	if c.rep.n == 0 {
		return nil
	}
	if c.indexing && c.plainIsBetter(last) {
		return c.leaveDictionary()
	}
	p := page{
		levels:  c.rep.n,
		records: c.records,
		nulls:   c.rep.n - c.count,
		rep:     &c.rep,
		def:     &c.def,
	}
	switch {
	case c.indexing:
		p.encoding, p.ids = encodingRLEDictionary, &c.ids
		p.bounds = c.dict.boundsOf(&c.ids)
		c.referred = c.dict.numEntries()
	default:
		p.body, p.encoding = c.values.finishPage(c.body, c.count)
		p.bounds = c.values.takeBounds()
	}
	if err := c.chunk.addPage(&p); err != nil {
		return fmt.Errorf("encode: field %q: data page %d: %w", c.leaf, c.chunk.numPages(), err)
	}
	c.firstRecord += int64(c.records)
	c.rep.reset()
	c.def.reset()
	c.body, c.ids = c.body[:0], c.ids.truncated(indices{})
	c.records, c.count = 0, 0
	return nil
}

// plainIsBetter decides about the dictionary at the end of the first page with values, and at the end of a chunk that
// has only that. A chunk that ends is known in full. Otherwise the dictionary is given up if, were the values drawn evenly from
// as many as its limit allows, a page would be expected to have fewer distinct ones than this one has: it would
// overflow later, after a great deal of hashing.
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

// finish ends the column chunk: no page is in progress after that.
func (c *column) finish() error {
	for c.rep.n > 0 {
		if err := c.endPage(true); err != nil {
			return err
		}
	}
	if c.chunk.usesDictionary() {
		if err := c.chunk.addDictionary(c.dict, c.referred); err != nil {
			return fmt.Errorf("encode: field %q: dictionary page: %w", c.leaf, err)
		}
	}
	if c.dict != nil {
		c.dict.clear(!c.chunk.usesDictionary())
		c.indexing, c.referred = true, 0
	}
	return nil
}

// held returns the bytes of memory that the column chunk keeps so far.
func (c *column) held() int64 {
	n := c.chunk.store.held() + int64(cap(c.body)+4*cap(c.ids.ids))
	if c.dict != nil {
		n += 2 * int64(c.dict.plainBytes())
	}
	return n
}

// discard gives back what the column chunk holds, and the Arrow dictionary.
func (c *column) discard() {
	c.chunk.store.free()
	if c.dict != nil {
		c.dict.clear(true)
		c.dict.releaseArrow()
	}
}
