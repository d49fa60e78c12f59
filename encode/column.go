package encode

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// maxPageBytes is the most a page may have, as its header counts in 32 bits.
const maxPageBytes = math.MaxInt32 - 1<<20

// openPage is a page that more may be added to, or whose values may still get another encoding. Plain values are
// elsewhere.
type openPage struct {
	rep     pageLevels
	def     pageLevels
	records int     // that begin in the page
	count   int     // values
	ids     indices // the values, as dictionary indices
	cut     bool    // it ends where its content says so, not at a limit
	again   int     // as many pages of nulls follow that are the same
}

// column writes one leaf column: it cuts the spans into pages and the pages into column chunks.
type column struct {
	leaf    *leafColumn
	values  values
	dict    dictionary // nil: the column never has one
	limits  pageLimits
	chunker *chunker // nil: pages end at limits alone

	candidates []valueEncoding // of pages without dictionary indices
	encoding   *valueEncoding  // of such a page, nil before the first
	choices    schedule        // when another is chosen
	usual      float64         // bytes in the file of a plain byte with that encoding; 0 before there is a page

	indexing bool   // the page in progress holds dictionary indices
	ledger   ledger // of the dictionary
	referred int    // dictionary entries that the pages of the chunk refer to

	storage arrow.ArrayData // that the spans refer to
	bound   bool            // values has it
	openPage
	body    []byte        // plain values of the page
	encoded []byte        // the page's values as they are stored, if that is otherwise
	tiles   []levels.Tile // of the part of a span in hand

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
	if col.indexing = col.dict != nil; !col.indexing && o.Encoding == encodingDictionary {
		const format = "encoding %q, but dictionaries are turned off: leave one of the two out"
		return nil, file.errorFor(leaf, "Encoding", fmt.Errorf(format, o.Encoding))
	}
	col.ledger = ledger{always: o.Encoding == encodingDictionary, limit: o.DictionaryBytes, records: o.RowGroupRecords}
	col.chunk.init(leaf, codec, o.DataPageVersion, !o.NoPageChecksum)
	if o.ContentChunks != nil {
		col.chunker, err = newChunker(leaf, &o)
	}
	return col, err
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
	if c.chunker != nil {
		c.chunker.values.release()
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
		err = c.chunker.values.bind(c.storage)
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
		var piece levels.Span
		if s.Times != nil {
			c.tiles = s.AppendTiles(c.tiles[:0], 1)
			c.tiles[0].Times = 1
			piece = s.TakeTiles(c.tiles)
		} else {
			piece = s.Take(levelEnd(s, min(s.NumRecords, varyingStep)))
		}
		if err := c.putChunked(&piece); err != nil {
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
		for end && c.rep.n > 0 {
			c.cut = true
			if err := c.endPage(); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill adds a span to the page in progress, and to others as it is full.
func (c *column) fill(s *levels.Span) error {
	for s.NumLevels > 0 {
		if err := c.bindFor(s); err != nil {
			return err
		}
		n := c.room(s)
		if n == 0 {
			if err := c.endPage(); err != nil {
				return err
			}
			continue
		}
		var part levels.Span
		if s.Times != nil {
			part = s.TakeTiles(c.tiles)
		} else {
			part = s.Take(n)
			c.tiles = append(c.tiles[:0], levels.Tile{NumLevels: part.NumLevels, NumValues: part.NumValues, Times: 1})
		}
		if err := c.add(&part); err != nil {
			return err
		}
	}
	return nil
}

// add appends a part of a span, which the page has room for, to the page. tiles are what stands so often in it.
func (c *column) add(part *levels.Span) error {
	if part.Times != nil && part.NumRecords > 1 && part.NumValues > 0 && !c.indexing {
		return c.addTiles(part)
	}
	if part.NumValues > 0 {
		full, err := c.addValues(part)
		if err != nil {
			return c.valueError(err, part)
		}
		if full {
			if err := c.leaveDictionary(); err != nil {
				return err
			}
			return c.fill(part)
		}
	}
	numLevels := 0
	for _, tile := range c.tiles {
		numLevels += tile.NumLevels * tile.Times
		c.count += tile.NumValues * tile.Times
	}
	if n := c.rep.n + numLevels; n > math.MaxInt32 {
		return c.errorf(part, part.Standing()-1, "a page of %d levels: one record has more elements than a page can hold", n)
	}
	c.rep.append(part.Rep, c.tiles, numLevels)
	c.def.append(part.Def, c.tiles, numLevels)
	c.records += part.Standing()
	return nil
}

// addTiles is add for several records whose plain values stand several times.
func (c *column) addTiles(part *levels.Span) error {
	var record levels.Span
	tiles := c.tiles
	defer func() { c.tiles = tiles }()
	for i := range tiles {
		c.tiles = tiles[i : i+1]
		record = part.TakeTiles(c.tiles)
		if err := c.add(&record); err != nil {
			return err
		}
	}
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
	} else if err == nil && part.Times != nil {
		c.ids.again(before, c.tiles)
	}
	return full, err
}

// endPage ends the page in progress, if it has levels. A page of indices may have to wait, or turn out to be better
// without them; then it is the page in progress again, or several pages and a rest.
func (c *column) endPage() error {
	if c.rep.n == 0 {
		return nil
	}
	if c.indexing {
		return c.endIndexPage()
	}
	body, encoding := c.encodePage()
	if err := c.startWriting(); err != nil {
		return err
	}
	if err := c.addPage(&c.openPage, encoding, body, c.values.takeBounds()); err != nil {
		return err
	}
	c.watch(len(c.body))
	c.nextPage()
	return nil
}

// addPage adds a page to the chunk.
func (c *column) addPage(o *openPage, encoding encodingID, body []byte, bounds pageBounds) error {
	err := c.chunk.addPage(&page{
		levels:   o.rep.n,
		records:  o.records,
		nulls:    o.rep.n - o.count,
		rep:      &o.rep,
		def:      &o.def,
		encoding: encoding,
		body:     body,
		bounds:   bounds,
	})
	if err != nil {
		return fmt.Errorf("encode: field %q: data page %d: %w", c.leaf, c.chunk.numPages(), err)
	}
	return nil
}

// nextPage begins the next page.
func (c *column) nextPage() {
	c.firstRecord += int64(c.records)
	c.rep.reset()
	c.def.reset()
	c.body, c.ids = c.body[:0], c.ids.truncated(indices{})
	c.records, c.count, c.cut = 0, 0, false
}

// startWriting writes out what the chunk has so far, if there is somewhere to write it to before the chunk ends: the pages
// to come have no dictionary indices, and follow at once.
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

// encodePage returns the body of the page in progress, which has no dictionary indices, and its encoding. A page
// without values is PLAIN, which has no bytes for none.
func (c *column) encodePage() ([]byte, encodingID) {
	plain := c.values.plainBody(c.body, c.count)
	if c.count == 0 {
		return nil, encodingPlain
	}
	c.choose(plain)
	if c.encoding.append == nil {
		return plain, encodingPlain
	}
	c.encoded = c.encoding.append(c.encoded[:0], plain, c.count)
	return c.encoded, c.encoding.id // a little more than plain at most, which addPage has a limit for
}

// finish ends the column chunk: no page is in progress after that.
func (c *column) finish() error {
	for c.rep.n > 0 {
		if err := c.endPage(); err != nil {
			return err
		}
	}
	if err := c.endDictionary(); err != nil {
		return err
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
		c.indexing, c.referred = true, 0
		c.ledger.clear()
	}
	return nil
}

// held returns the bytes of memory that the column chunk keeps so far.
func (c *column) held() int64 {
	n := c.chunk.store.held() + int64(cap(c.body)+cap(c.encoded)) + c.ids.held() + c.hashes.held()
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
	if c.dict != nil {
		c.dict.clear(true)
		c.dict.releaseArrow()
	}
}
