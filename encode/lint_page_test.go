package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
)

// lintedPage is a page. A dictionary page has only values.
type lintedPage struct {
	kind       pageType
	ordinal    int
	offset     int64
	size       int64 // as stored, with its header
	plainBytes int64 // before compression, with its header
	encoding   encodingID
	hasCRC     bool
	stored     []byte // without the header, decrypted

	records     int
	firstRecord int64
	def, rep    []int
	values      [][]byte // in plain encoding without lengths; a bool is a byte
	ids         []uint32
	valueBytes  int // of the values as they lie in the page
}

func (p *lintedPage) nulls() int { return len(p.def) - len(p.values) }

// readPage reads the page at an offset of the file. Nothing of it lies at or behind end.
func (c *lintedChunk) readPage(at, end int64) (*lintedPage, error) {
	v, header, err := c.readHeader(at, end)
	if err != nil {
		return nil, err
	}
	stored, plain := v.int(3), v.int(2)
	if stored < 0 || plain < 0 {
		return nil, fmt.Errorf("%d bytes, %d compressed", plain, stored)
	}
	if end-at-header < stored {
		return nil, fmt.Errorf("%d bytes, of which %d lie in its column chunk", stored, end-at-header)
	}
	p := &lintedPage{kind: pageType(v.int(1)), offset: at, size: header + stored, plainBytes: header + plain}
	b, err := c.file.take(at, p.size, "a page of %q", c.leaf.String())
	if err != nil {
		return nil, err
	}
	b = b[header:]
	if p.hasCRC = v.has(4); p.hasCRC && uint32(v.int(4)) != crc32.ChecksumIEEE(b) {
		return nil, fmt.Errorf("checksum %08x, the page has %08x", uint32(v.int(4)), crc32.ChecksumIEEE(b))
	}
	if b, err = c.openPage(b, p.kind); err != nil {
		return nil, err
	}
	p.stored = b
	if p.kind == pageDataV2 {
		h, ok := v.field(8)
		if !ok {
			return nil, errors.New("a data page of version 2 without a header of one")
		}
		return p, p.readDataV2(c, h, b, int(plain))
	}
	if b, err = decompressTo(c.meta.Codec, b, int(plain)); err != nil {
		return nil, err
	}
	switch p.kind {
	case pageData:
		h, ok := v.field(5)
		if !ok {
			return nil, errors.New("a data page without a header of one")
		}
		return p, p.readDataV1(c, h, b)
	case pageDictionary:
		h, ok := v.field(7)
		if !ok || h.int(2) != int64(encodingPlain) {
			return nil, errors.New("a dictionary page without a header of one, or not in plain encoding")
		}
		p.encoding = encodingPlain
		if p.values, err = readPlain(c.leaf, b, int(h.int(1))); err != nil {
			return nil, fmt.Errorf("dictionary: %w", err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("page type %d", p.kind)
}

func decompressTo(codec codecID, b []byte, size int) ([]byte, error) {
	b, err := decompress(codec, b)
	if err == nil && len(b) != size {
		err = fmt.Errorf("decompressed to %d bytes, not %d", len(b), size)
	}
	return b, err
}

// readDataV1 reads the levels and values of a data page of version 1.
func (p *lintedPage) readDataV1(c *lintedChunk, h thriftValue, b []byte) (err error) {
	n := int(h.int(1))
	p.encoding = encodingID(h.int(2))
	if h.int(3) != int64(encodingRLE) || h.int(4) != int64(encodingRLE) {
		return fmt.Errorf("levels in encodings %d and %d", h.int(3), h.int(4))
	}
	if n < 1 {
		return fmt.Errorf("%d values", n)
	}
	var rep, def []byte
	if c.leaf.maxRep > 0 {
		if rep, b, err = readSized(b); err != nil {
			return fmt.Errorf("repetition levels: %w", err)
		}
	}
	if c.leaf.maxDef > 0 {
		if def, b, err = readSized(b); err != nil {
			return fmt.Errorf("definition levels: %w", err)
		}
	}
	return p.readData(c, n, rep, def, b)
}

// readDataV2 reads the levels and values of a data page of version 2, which has size bytes before compression.
func (p *lintedPage) readDataV2(c *lintedChunk, h thriftValue, b []byte, size int) (err error) {
	n := int(h.int(1))
	p.encoding = encodingID(h.int(4))
	defBytes, repBytes := int(h.int(5)), int(h.int(6))
	if n < 1 || defBytes < 0 || repBytes < 0 || defBytes+repBytes > len(b) {
		return fmt.Errorf("%d values, %d and %d bytes of levels of %d", n, defBytes, repBytes, len(b))
	}
	rep, def, values := b[:repBytes], b[repBytes:repBytes+defBytes], b[repBytes+defBytes:]
	if compressed, ok := h.field(7); !ok {
		return errors.New("it does not say whether it is compressed")
	} else if compressed.typ == thriftTrue {
		if c.meta.Codec == codecNone {
			return errors.New("compressed without a codec")
		}
		stored := len(values)
		if values, err = decompressTo(c.meta.Codec, values, size-defBytes-repBytes); err != nil {
			return err
		}
		if stored >= len(values) {
			return fmt.Errorf("compressed from %d bytes to %d", len(values), stored)
		}
	} else if len(b) != size {
		return fmt.Errorf("not compressed, %d bytes of %d", len(b), size)
	}
	if err := p.readData(c, n, rep, def, values); err != nil {
		return err
	}
	if int(h.int(2)) != p.nulls() || int(h.int(3)) != p.records {
		return fmt.Errorf("its header counts %d nulls and %d records, it has %d and %d", h.int(2), h.int(3), p.nulls(), p.records)
	}
	return nil
}

// readData reads the levels and values of a data page of n levels.
func (p *lintedPage) readData(c *lintedChunk, n int, rep, def, values []byte) (err error) {
	if p.rep, err = readLevels(rep, c.leaf.maxRep, n); err != nil {
		return fmt.Errorf("repetition levels: %w", err)
	}
	if p.def, err = readLevels(def, c.leaf.maxDef, n); err != nil {
		return fmt.Errorf("definition levels: %w", err)
	}
	if p.rep[0] != 0 {
		return errors.New("it does not begin with a record")
	}
	present := 0
	for i := range n {
		if p.rep[i] == 0 {
			p.records++
		}
		if p.def[i] == c.leaf.maxDef {
			present++
		}
	}
	p.valueBytes = len(values)
	if err := p.readValues(c, values, present); err != nil {
		return fmt.Errorf("%d values in encoding %d: %w", present, p.encoding, err)
	}
	return nil
}

// readLevels reads n levels that take all of b.
func readLevels(b []byte, highest, n int) (levels []int, err error) {
	levels = make([]int, n)
	if highest == 0 {
		if len(b) > 0 {
			return nil, fmt.Errorf("%d bytes, though there is one level alone", len(b))
		}
		return levels, nil
	}
	decoded, err := decodeHybrid(b, bits.Len(uint(highest)), n)
	if err != nil {
		return nil, err
	}
	for i, l := range decoded {
		if levels[i] = int(l); levels[i] > highest {
			return nil, fmt.Errorf("level %d is %d, the highest %d", i, l, highest)
		}
	}
	return levels, nil
}

// readSized reads a four-byte length and as many bytes.
func readSized(b []byte) (sized, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, fmt.Errorf("%d bytes where a length should be", len(b))
	}
	n := binary.LittleEndian.Uint32(b)
	if b = b[4:]; uint64(n) > uint64(len(b)) {
		return nil, nil, fmt.Errorf("%d bytes of %d", n, len(b))
	}
	return b[:n], b[n:], nil
}

// readValues reads n values that take all of b.
func (p *lintedPage) readValues(c *lintedChunk, b []byte, n int) (err error) {
	switch p.encoding {
	case encodingPlain:
		p.values, err = readPlain(c.leaf, b, n)
		return err
	case encodingRLE:
		return p.readRLE(c.leaf, b, n)
	case encodingRLEDictionary:
		return p.readIndices(c, b, n)
	case encodingDeltaBinaryPacked:
		p.values, err = readDelta(c.leaf, b, n)
	case encodingDeltaLengthByteArray:
		p.values, err = readDeltaLength(c.leaf, b, n)
	case encodingDeltaByteArray:
		p.values, err = readDeltaStrings(c.leaf, b, n)
	case encodingByteStreamSplit:
		p.values, err = readStreamSplit(c.leaf, b, n)
	default:
		return errors.New("the encoding is not known")
	}
	return err
}

// readPlain reads n values in plain encoding that take all of b.
func readPlain(leaf *lintedLeaf, b []byte, n int) (values [][]byte, err error) {
	if leaf.Type == typeBoolean {
		return readBits(b, n)
	}
	size := map[physicalType]int{
		typeInt32: 4, typeFloat: 4, typeInt64: 8, typeDouble: 8, typeFixedLenByteArray: int(leaf.TypeLength),
	}[leaf.Type]
	for i := range n {
		var v []byte
		if leaf.Type == typeByteArray {
			if v, b, err = readSized(b); err != nil {
				return nil, fmt.Errorf("value %d: %w", i, err)
			}
		} else if size == 0 || len(b) < size {
			return nil, fmt.Errorf("value %d: %d bytes of %d", i, len(b), size)
		} else {
			v, b = b[:size], b[size:]
		}
		values = append(values, v)
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes follow the values", len(b))
	}
	return values, nil
}

// readBits reads n bools that take all of b.
func readBits(b []byte, n int) (values [][]byte, err error) {
	if len(b) != (n+7)/8 {
		return nil, fmt.Errorf("%d bytes for %d bits", len(b), n)
	}
	for i := range 8 * len(b) {
		bit := b[i/8] >> (i % 8) & 1
		if i < n {
			values = append(values, []byte{bit})
		} else if bit != 0 {
			return nil, errors.New("a bit is set behind the last")
		}
	}
	return values, nil
}

func (p *lintedPage) readRLE(leaf *lintedLeaf, b []byte, n int) error {
	if leaf.Type != typeBoolean {
		return fmt.Errorf("values of physical type %d", leaf.Type)
	}
	runs, rest, err := readSized(b)
	if err != nil || len(rest) > 0 {
		return fmt.Errorf("%d bytes follow the values, error %w", len(rest), err)
	}
	decoded, err := decodeHybrid(runs, 1, n)
	for _, v := range decoded {
		p.values = append(p.values, []byte{byte(v)})
	}
	return err
}

func (p *lintedPage) readIndices(c *lintedChunk, b []byte, n int) (err error) {
	if !c.hasDictionary || len(b) == 0 {
		return errors.New("there is no dictionary, or no bit width")
	}
	width := int(b[0])
	if most := bits.Len(uint(max(0, len(c.dictionary)-1))); width > most {
		return fmt.Errorf("bit width %d for a dictionary of %d", width, len(c.dictionary))
	}
	if p.ids, err = decodeHybrid(b[1:], width, n); err != nil {
		return err
	}
	for i, id := range p.ids {
		if int(id) >= len(c.dictionary) {
			return fmt.Errorf("value %d is entry %d of a dictionary of %d", i, id, len(c.dictionary))
		}
		p.values = append(p.values, c.dictionary[id])
	}
	return nil
}
