package encode

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// chunk gathers the encoded pages of one column chunk, and what the footer and the page index say about them.
type chunk struct {
	leaf      *leafColumn
	codec     codec
	checksums bool
	version   int           // of data pages
	cipher    *columnCipher // nil: not encrypted
	bounds    string        // Options.Statistics

	out           *countingWriter // where data pages go, nil: nowhere before the chunk ends
	store         slabs           // data pages, headers included, that are not written out
	written       int64           // bytes of data pages that are
	start         int64           // offset in the file, 0 before anything is written
	dictionary    [2][]byte       // page, header first
	column        columnIndex
	offset        offsetIndex // offsets count from the first data page
	records       int64
	levels        int64
	nulls         int64
	plainBytes    int64                  // of all pages before compression, headers included
	pages         [maxEncoding + 1]int32 // by encoding
	plainSome     bool                   // one without dictionary indices has values
	lastPageBytes int32                  // as stored, without header and encryption
	total         pageBounds
	unordered     bool // a page with values has no bounds
	distinct      int64
	size          sizeStatistics
	geospatial    *geoStatistics // nil: values are no geometries
}

// page is a data page that is about to be encoded.
type page struct {
	levels, records, nulls int
	rep, def               *pageLevels
	encoding               encodingID
	lead                   []byte // what comes before the body, if it lies elsewhere
	body                   []byte // values, or indices of the dictionary behind their bit width
	bounds                 pageBounds
	again                  int  // as many pages follow that are the same
	mayKeep                bool // the body
	kept                   bool // by the chunk: whoever had the body has it no more
}

// pageScratch is the memory in which one page is put together.
type pageScratch struct {
	header, plain, compressed    []byte
	levels, encoded              []byte // that are measured
	sealedHeader, joined, sealed []byte // of an encrypted page
	indices                      indexWriter
	marks                        []bool // by dictionary entry
}

var scratchPool = sync.Pool{New: func() any { return new(pageScratch) }}

// maxScratchBytes is what a scratch may keep for the next page.
const maxScratchBytes = 4 << 20

func (s *pageScratch) free() {
	if cap(s.plain)+cap(s.encoded)+cap(s.compressed) <= maxScratchBytes && cap(s.joined)+cap(s.sealed) <= maxScratchBytes {
		scratchPool.Put(s)
	}
}

func (c *chunk) init(leaf *leafColumn, codec codec, version int, checksums bool) {
	*c = chunk{leaf: leaf, codec: codec, version: version, checksums: checksums, cipher: c.cipher, bounds: c.bounds, distinct: -1}
	if leaf.MaxDef > 0 {
		c.size.Definition = make([]int64, leaf.MaxDef+1)
	}
	if leaf.MaxRep > 0 {
		c.size.Repetition = make([]int64, leaf.MaxRep+1)
	}
	c.size.UnencodedBytes = -1
	if leaf.Physical == typeByteArray {
		c.size.UnencodedBytes = 0
	}
}

func (c *chunk) numPages() int { return len(c.offset.Pages) }

func (c *chunk) usesDictionary() bool { return c.pages[encodingRLEDictionary] > 0 }

// addPage encodes a data page.
func (c *chunk) addPage(p *page) error {
	s := scratchPool.Get().(*pageScratch)
	defer s.free()
	h := dataPageHeader{
		NumValues: int32(p.levels), NumNulls: int32(p.nulls), NumRows: int32(p.records), Encoding: p.encoding,
	}
	s.plain = p.rep.encode(s.plain[:0], c.version)
	h.RepBytes = int32(len(s.plain))
	s.plain = p.def.encode(s.plain, c.version)
	h.DefBytes = int32(len(s.plain)) - h.RepBytes
	levels := 0
	if c.version == 2 {
		levels = len(s.plain)
	}
	s.plain = append(s.plain, p.lead...)
	if p.encoding != encodingRLEDictionary {
		c.plainSome = c.plainSome || p.nulls < p.levels
	}
	c.pages[p.encoding] += int32(1 + p.again)
	stored, err := c.payload(s, levels, p.body, c.version == 1)
	if err != nil {
		return err
	}
	c.lastPageBytes = stored.size()
	c.reserve(1 + p.again)
	for i := range 1 + p.again {
		sealed := stored
		if i == 0 || c.cipher != nil { // which makes each another one
			if err := c.seal(s, &h, &sealed); err != nil {
				return err
			}
		}
		sealed.mayKeep = p.mayKeep && p.again == 0 && c.cipher == nil && !stored.compressed
		if p.kept, err = c.place(s.header, &sealed, int64(p.records)); err != nil {
			return err
		}
	}
	c.count(p)
	return nil
}

// seal encrypts a data page, if that is wanted, and puts its header into s.header.
func (c *chunk) seal(s *pageScratch, h *dataPageHeader, p *payload) error {
	if err := c.encryptPage(s, p, moduleDataPage); err != nil {
		return err
	}
	h.Uncompressed, h.Compressed, h.IsCompressed = p.plain, p.size(), p.compressed
	if c.checksums {
		h.HasCRC, h.CRC = true, p.checksum()
	}
	if c.version == 2 {
		s.header = appendDataPageHeaderV2(s.header[:0], h)
	} else {
		s.header = appendDataPageHeaderV1(s.header[:0], h)
	}
	return c.encryptHeader(s, moduleDataPageHeader)
}

// place puts a data page of so many records behind the others, and reports whether it keeps the second part as it is.
func (c *chunk) place(header []byte, p *payload, records int64) (kept bool, err error) {
	c.offset.Pages = append(c.offset.Pages, pageLocation{
		Offset:          c.written + c.store.size,
		CompressedBytes: int32(len(header)) + p.size(),
		FirstRow:        c.records,
	})
	for i, part := range [][]byte{header, p.parts[0], p.parts[1]} {
		if i == 2 && p.mayKeep && c.out == nil && c.store.keepBody(part) {
			kept = true
		} else if err := c.put(part); err != nil {
			return false, err
		}
	}
	c.plainBytes += int64(len(header)) + int64(p.plain)
	c.records += records
	return kept, nil
}

// put adds a part of a data page. What goes out does so in large pieces.
func (c *chunk) put(part []byte) error {
	if c.out == nil {
		c.store.append(part)
		return nil
	}
	if len(part) < maxSlabBytes {
		c.store.append(part)
		if c.store.size < maxSlabBytes {
			return nil
		}
		return c.writePages(c.out)
	}
	if err := c.writePages(c.out); err != nil {
		return err
	}
	n, err := c.out.Write(part)
	c.written += int64(n)
	return err
}

// payload is a page as it is stored, without its header.
type payload struct {
	parts      [2][]byte
	plain      int32 // bytes before compression
	compressed bool
	mayKeep    bool // the second part
}

func (p *payload) size() int32 { return int32(len(p.parts[0]) + len(p.parts[1])) }

func (p *payload) checksum() uint32 {
	return crc32.Update(crc32.ChecksumIEEE(p.parts[0]), crc32.IEEETable, p.parts[1])
}

// payload returns a page of s.plain and body as it is stored. The first bytes of s.plain, as many as levels says, are not
// compressed; what follows them is, if it must be or gets smaller.
func (c *chunk) payload(s *pageScratch, levels int, body []byte, must bool) (payload, error) {
	n := len(s.plain) + len(body)
	if n > math.MaxInt32 {
		return payload{}, fmt.Errorf("it has %d bytes, more than a page can hold", n)
	}
	stored := payload{parts: [2][]byte{s.plain, body}, plain: int32(n)}
	if c.codec.ID() == codecNone {
		return stored, nil
	}
	plain := s.plain[levels:]
	if len(plain) == 0 {
		plain = body
	} else if len(body) > 0 {
		s.plain = append(s.plain, body...)
		plain = s.plain[levels:]
	}
	s.compressed = c.codec.compress(s.compressed[:0], plain)
	if !must && len(s.compressed) >= len(plain) {
		return stored, nil
	}
	if n := len(s.compressed) + levels; n > math.MaxInt32 {
		return payload{}, fmt.Errorf("it has %d bytes after compression, more than a page can hold", n)
	}
	stored.parts, stored.compressed = [2][]byte{s.plain[:levels], s.compressed}, true
	return stored, nil
}

// storedSize returns how many bytes the file would have of a page, of the levels that are compressed with its values, and
// them.
func (c *chunk) storedSize(s *pageScratch, levels, values []byte) int {
	n := len(levels) + len(values)
	if c.codec.ID() == codecNone || n == 0 {
		return n
	}
	if len(levels) > 0 {
		s.joined = append(append(s.joined[:0], levels...), values...)
		values = s.joined
	}
	s.compressed = c.codec.compress(s.compressed[:0], values)
	if c.version == 2 {
		return min(len(s.compressed), n)
	}
	return len(s.compressed)
}

func bitWidth(n int) int { return bits.Len(uint(n)) }

// dictionaryBytes returns the size of the dictionary page, 0 if there is none.
func (c *chunk) dictionaryBytes() int { return len(c.dictionary[0]) + len(c.dictionary[1]) }

// addDictionary encodes the dictionary page of the first entries of d. It comes first in the chunk.
func (c *chunk) addDictionary(d dictionary, entries int) error {
	s := scratchPool.Get().(*pageScratch)
	defer s.free()
	s.plain = s.plain[:0]
	plain := d.takeEntries(entries)
	h := dictionaryPageHeader{NumValues: int32(entries)}
	stored, err := c.payload(s, 0, plain, true)
	if err == nil {
		err = c.encryptPage(s, &stored, moduleDictionaryPage)
	}
	if err != nil {
		return err
	}
	h.Uncompressed, h.Compressed = stored.plain, stored.size()
	if c.checksums {
		h.HasCRC, h.CRC = true, stored.checksum()
	}
	s.header = appendDictionaryPageHeader(s.header[:0], &h)
	if err := c.encryptHeader(s, moduleDictionaryPageHeader); err != nil {
		return err
	}
	if stored.compressed || c.cipher != nil {
		plain = slices.Concat(stored.parts[0], stored.parts[1])
	}
	c.dictionary = [2][]byte{bytes.Clone(s.header), plain}
	c.plainBytes += int64(len(s.header)) + int64(h.Uncompressed)
	return nil
}

// writeTo writes out what is left of the chunk, describes it, and begins the next.
func (c *chunk) writeTo(w *countingWriter) (columnChunk, *columnIndex, *offsetIndex, error) {
	err := c.writePages(w)
	meta := c.describe()
	columnIndex, offsetIndex := c.index(meta.DataPageOffset)
	c.init(c.leaf, c.codec, c.version, c.checksums)
	c.cipher.nextRowGroup()
	return meta, columnIndex, offsetIndex, err
}

// writePages writes out the pages that the chunk has so far, the dictionary page first: there will be no other.
func (c *chunk) writePages(w *countingWriter) error {
	if c.start == 0 {
		c.start = w.n
		for _, part := range c.dictionary {
			if _, err := w.Write(part); err != nil {
				c.store.free()
				return err
			}
		}
	}
	c.written += c.store.size
	return c.store.writeTo(w)
}
