package encode

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// maxPageBytes is the most a page may have, as its header counts in 32 bits.
const maxPageBytes = math.MaxInt32 - 1<<20

// column writes one leaf column: it cuts the spans into pages and the pages into column chunks.
type column struct {
	leaf    *leafColumn
	values  values
	dict    dictionary // nil: the column never has one
	limits  pageLimits
	chunker *chunker // nil: pages end at limits alone

	front      *frontValues    // that values are, if they are
	candidates []valueEncoding // of pages without dictionary indices
	encoding   *valueEncoding  // of such a page, nil before the first
	choices    schedule        // when another is chosen
	usual      float64         // bytes in the file of a plain byte with that encoding; 0 before there is a page

	screen   screen // before there is a dictionary
	indexing bool   // the page in progress holds dictionary indices
	ledger   ledger // of the dictionary
	last     bool   // no more values come in the chunk
	referred int    // dictionary entries that the pages of the chunk refer to

	storage arrow.ArrayData // that the spans refer to
	bound   bool            // values has it
	openPage
	body    []byte        // plain values of the page
	encoded []byte        // the page's values as they are stored, if that is otherwise
	tiles   []levels.Tile // of the part of a span in hand
	runs    []levels.Run  // of a page of indices whose values get another encoding
	part    *levels.Span  // scratch: nil while it is in use
	head    levels.Span   // scratch: of which the size is wanted

	sorted      *sortKey // nil: records are not sorted by it
	hashes      *hashes  // nil: not needed
	shapes      *shapes  // nil: values are no geometries
	bloom       []byte   // the finished chunk's Bloom filter
	chunk       chunk
	out         *countingWriter // where pages may go as they end, nil if they must wait
	firstRecord int64           // of the page, counted from the start of the file
}

func newColumn(leaf *leafColumn, file *Options) (*column, error) {
	o, err := file.forLeaf(leaf)
	if err != nil {
		return nil, err
	}
	codec, err := newCodec(o.Compression, o.CompressionLevel)
	if err != nil {
		return nil, fmt.Errorf("encode: field %q: %w", leaf, err)
	}
	candidates, err := candidateEncodings(leaf, o.Encoding)
	if err != nil {
		return nil, file.errorFor(leaf, "Encoding", err)
	}
	h, seen := newHashes(leaf, &o), newContent(leaf)
	v, err := newValues(leaf, &o, h, seen)
	if err != nil {
		return nil, fmt.Errorf("encode: field %q: %w", leaf, err)
	}
	col := &column{leaf: leaf, values: v, dict: v.dictionary(), candidates: candidates, hashes: h}
	col.limits = pageLimits{bits: 8 * o.DataPageBytes, records: o.DataPageRecords, dictionaryBytes: o.DictionaryBytes}
	col.shapes, _ = seen.(*shapes)
	col.rep.max, col.def.max = leaf.MaxRep, leaf.MaxDef
	col.chunk.bounds = o.Statistics
	if b, ok := v.(*byteValues); ok && col.dict == nil && candidates[0].id == encodingDeltaByteArray {
		col.front = newFrontValues(b)
		col.values = col.front
	}
	if col.dict == nil && o.Encoding == encodingDictionary {
		const format = "encoding %q, but dictionaries are turned off: leave one of the two out"
		return nil, file.errorFor(leaf, "Encoding", fmt.Errorf(format, o.Encoding))
	}
	col.ledger = ledger{always: o.Encoding == encodingDictionary, limit: o.DictionaryBytes, records: o.RowGroupRecords}
	col.chunk.init(leaf, codec, o.DataPageVersion, !o.NoPageChecksum)
	if o.ContentChunks != nil {
		col.chunker, err = newChunker(leaf, &o, v)
	}
	col.startChunk()
	return col, err
}

// startChunk begins a column chunk: with a dictionary, unless it is to be found out whether there will be one.
func (c *column) startChunk() {
	c.last = false
	c.screen.clear()
	c.screen.decided = !c.screens()
	c.indexing = c.dict != nil && c.screen.decided
}

// bind makes data the storage of the spans to come. It is looked at when the first of them has a value, as one of nulls
// alone need not have what it promises.
func (c *column) bind(data arrow.ArrayData) {
	c.storage, c.bound = data, false
}

// release lets go of the storage of a batch.
func (c *column) release() {
	c.storage, c.bound, c.head = nil, false, levels.Span{}
	c.values.release()
	if c.chunker != nil {
		c.chunker.release()
	}
}

// bindFor hands the storage to values, the chunker's too, if the span has some.
func (c *column) bindFor(s *levels.Span) error {
	if s.NumValues == 0 || c.bound {
		return nil
	}
	err := checkSlots(c.storage)
	if err == nil {
		err = c.values.bind(c.storage)
	}
	if err == nil && c.chunker != nil {
		err = c.chunker.bind(c.storage)
	}
	if err != nil {
		return fmt.Errorf("encode: field %q: %w", c.leaf, err)
	}
	c.bound = true
	return nil
}

// put adds a span.
func (c *column) put(s *levels.Span) error {
	if c.chunker == nil {
		return c.fill(s)
	}
	for s.NumLevels > 0 {
		if s.Times != nil {
			if err := c.putTile(s); err != nil {
				return err
			}
			continue
		}
		piece := s.Take(levelEnd(s, c.chunker.step(s)))
		if err := c.putChunked(&piece); err != nil {
			return err
		}
	}
	return nil
}

// putTile takes the first tile off a span: of one record as many times as come before the end of the page, of several
// once.
func (c *column) putTile(s *levels.Span) error {
	if err := c.bindFor(s); err != nil {
		return err
	}
	c.tiles = s.AppendTiles(c.tiles[:0], 1)
	tile, rest := c.tiles[0], *s
	once := rest.TakeOnce()
	if once.NumRecords > 1 {
		once = s.TakeOnce()
		return c.putChunked(&once)
	}
	n, err := c.chunker.standings(&once, tile.Times)
	if err != nil {
		return c.valueError(err, &once)
	}
	if n > 0 {
		c.tiles[0].Times = n
		part := s.TakeTiles(c.tiles)
		if err := c.fill(&part); err != nil {
			return err
		}
	}
	if n == tile.Times {
		return nil
	}
	return c.endChunkedPage()
}

// endChunkedPage ends the page in progress where its content says so.
func (c *column) endChunkedPage() error {
	for c.rep.n > 0 {
		c.cut = true
		if err := c.endPage(); err != nil {
			return err
		}
	}
	return nil
}

// putChunked adds a piece of a span, and ends pages where the chunker finds their ends.
func (c *column) putChunked(s *levels.Span) error {
	for s.NumLevels > 0 {
		if err := c.bindFor(s); err != nil {
			return err
		}
		n, end, err := c.chunker.next(s)
		if err != nil {
			return c.valueError(err, s)
		}
		if n > 0 {
			part := s.Take(n)
			if err := c.fill(&part); err != nil {
				return err
			}
		}
		if end {
			if err := c.endChunkedPage(); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill adds a span to the page in progress, and to others as it is full.
func (c *column) fill(s *levels.Span) error {
	if s.OneNull() {
		return c.fillNulls(s)
	}
	part := c.part
	if c.part = nil; part == nil { // or another span is being filled in
		part = new(levels.Span)
	}
	defer func() { *part, c.part = levels.Span{}, part }()
	for s.NumLevels > 0 {
		if err := c.bindFor(s); err != nil {
			return err
		}
		if c.rep.n == 0 && !c.indexing && c.unscreened() && !c.waitsPlain(s) {
			if err := c.startDictionary(); err != nil {
				return err
			}
		}
		n := c.room(s)
		switch {
		case n > 0:
		case s.Times != nil && s.Each > 1: // the page ends within a tile
			once := s.TakeOnce()
			if err := c.fill(&once); err != nil {
				return err
			}
			continue
		default:
			if err := c.endPage(); err != nil {
				return err
			}
			continue
		}
		if s.Times != nil {
			*part = s.TakeTiles(c.tiles)
		} else {
			*part = s.Take(n)
			c.tiles = append(c.tiles[:0], levels.Tile{NumLevels: part.NumLevels, NumValues: part.NumValues, Times: 1})
		}
		if err := c.add(part); err != nil {
			return err
		}
	}
	return nil
}

// fillNulls is fill for records without values, of one level each, that is the same in all.
func (c *column) fillNulls(s *levels.Span) error {
	for s.NumLevels > 0 {
		n := c.room(s)
		if n == 0 {
			if err := c.endPage(); err != nil {
				return err
			}
			continue
		}
		if err := c.addLevels(s, n, n); err != nil {
			return err
		}
		s.NumLevels, s.NumRecords = s.NumLevels-n, s.NumRecords-n
	}
	return nil
}

// add appends a part of a span, which the page has room for, to the page. tiles are what stands so often in it.
func (c *column) add(part *levels.Span) error {
	if len(part.Times) > 1 && part.NumValues > 0 && !c.indexing {
		return c.addTiles(part)
	}
	if part.NumValues > 0 {
		full, err := c.addValues(part)
		if err != nil {
			return c.valueError(err, part)
		}
		if full {
			return c.overflow(part)
		}
	}
	numLevels := 0
	for _, tile := range c.tiles {
		numLevels += tile.NumLevels * tile.Times
		c.count += tile.NumValues * tile.Times
	}
	return c.addLevels(part, numLevels, part.Standing())
}

// addLevels appends so many levels of a span, of so many records, to the page; of one that is not of one level all over,
// those of the tiles.
func (c *column) addLevels(s *levels.Span, numLevels, records int) error {
	if n := c.rep.n + numLevels; n > math.MaxInt32 {
		return c.errorf(s, records-1, "a page of %d levels: one record has more elements than a page can hold", n)
	}
	c.rep.append(s.Rep, c.tiles, numLevels)
	c.def.append(s.Def, c.tiles, numLevels)
	c.records += records
	return nil
}

// addTiles is add for several tiles whose plain values stand several times.
func (c *column) addTiles(part *levels.Span) error {
	var tile levels.Span
	tiles := c.tiles
	defer func() { c.tiles = tiles }()
	for i := range tiles {
		c.tiles = tiles[i : i+1]
		tile = part.TakeTiles(c.tiles)
		if err := c.add(&tile); err != nil {
			return err
		}
	}
	return nil
}

// addValues adds the values of a part of a span, unless the dictionary has no room for them.
func (c *column) addValues(part *levels.Span) (full bool, err error) {
	if !c.indexing {
		c.growBody()
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
	} else if err == nil && part.Times != nil {
		c.ids.again(before, c.tiles)
	}
	return full, err
}

// growBody makes room for the whole page once a part of it is there, as to double what there is takes as long again, and
// ends at twice the page. Where all values have one length, the limit of records may end the page before.
func (c *column) growBody() {
	const (
		part  = 8
		slack = 4 << 10 // that is written behind the end, or is of a value that is longer than the page
	)
	whole := c.limits.bits/8 + slack
	if c.values.fixedBits() == 0 && len(c.body) > whole/part && cap(c.body) < whole && whole <= maxScratchBytes {
		c.body = append(newBody(whole), c.body...)
	}
}

// finish ends the column chunk: no page is in progress after that.
func (c *column) finish() error {
	c.last = true
	if err := c.endPages(); err != nil {
		return err
	}
	if err := c.endDictionary(); err != nil {
		return err
	}
	if err := c.endPages(); err != nil {
		return err
	}
	if c.dict != nil {
		c.dict.endIDs()
	}
	if err := c.addDictionary(); err != nil {
		return err
	}
	c.chunk.distinct, c.chunk.geospatial = c.distinct(), c.shapes.take()
	var err error
	if c.bloom, err = c.chunk.encryptBloomFilter(c.hashes.finish(&c.chunk)); err != nil {
		return fmt.Errorf("encode: field %q: Bloom filter: %w", c.leaf, err)
	}
	c.encoding, c.choices = nil, schedule{}
	if c.chunker != nil {
		c.chunker.reset()
	}
	if c.dict != nil {
		c.dict.clear(!c.chunk.usesDictionary())
		c.referred = 0
		c.ledger.clear()
		c.startChunk()
	}
	return nil
}

// held returns the bytes of memory that the column chunk keeps so far.
func (c *column) held() int64 {
	n := c.chunk.store.held() + int64(c.chunk.dictionaryBytes()+cap(c.body)+cap(c.encoded)) + c.ids.held() + c.hashes.held()
	if c.front != nil {
		n += c.front.held()
	}
	if c.dict != nil {
		n += 2*int64(c.dict.plainBytes()) + c.ledger.held()
	}
	return n
}

// discard gives back what the column chunk holds, and the Arrow dictionary.
func (c *column) discard() {
	c.chunk.store.free()
	c.hashes.clear()
	c.bloom = nil
	c.ledger.clear()
	c.screen = screen{}
	if c.dict != nil {
		c.dict.clear(true)
		c.dict.releaseArrow()
	}
}
