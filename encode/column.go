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
