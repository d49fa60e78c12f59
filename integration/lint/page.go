package lint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
)

// Page is a page. A dictionary page has only values.
type Page struct {
	Kind       PageType
	Ordinal    int   // of a data page
	Offset     int64 // in the file
	Size       int64 // as stored, with its header
	PlainBytes int64 // before compression, with its header
	Encoding   Encoding
	HasCRC     bool
	Stored     []byte // without the header, decrypted

	Records     int
	FirstRecord int64 // of the row group
	Def, Rep    []int
	Values      [][]byte // in plain encoding without lengths; a bool is a byte
	IDs         []uint32 // of dictionary entries
	ValueBytes  int      // of the values as they lie in the page

	extremes *extremes // of the values
}

// Nulls counts the levels without a value.
func (p *Page) Nulls() int { return len(p.Def) - len(p.Values) }

// readPage reads the page at an offset of the file.
func (c *Chunk) readPage(offset int64) (*Page, error) {
	first, _ := c.start()
	b := c.bytes[offset-first:]
	v, header, err := c.readHeader(b)
	if err != nil {
		return nil, err
	}
	stored, plain := v.Int(3), v.Int(2)
	if stored < 0 || plain < 0 {
		return nil, fmt.Errorf("%d bytes, %d compressed", plain, stored)
	}
	if int64(len(b))-header < stored {
		return nil, fmt.Errorf("%d bytes, of which %d lie in its column chunk", stored, int64(len(b))-header)
	}
	p := &Page{Kind: PageType(v.Int(1)), Offset: offset, Size: header + stored, PlainBytes: header + plain}
	if err := c.file.take(offset, p.Size, "a page of %q", c.Leaf.String()); err != nil {
		return nil, err
	}
	b = b[header:p.Size:p.Size]
	if p.HasCRC = v.Has(4); p.HasCRC && uint32(v.Int(4)) != crc32.ChecksumIEEE(b) {
		return nil, Checksums.brokenf("%08x, the page has %08x", uint32(v.Int(4)), crc32.ChecksumIEEE(b))
	}
	if p.Stored, err = c.openPage(b, p.Kind); err != nil {
		return nil, Encryption.broken(err)
	}
	return p, p.readBody(c, v, int(plain))
}

// readBody reads what is behind the header, which has plain bytes before compression.
func (p *Page) readBody(c *Chunk, header Value, plain int) error {
	members := map[PageType]int16{DataPage: 5, DictionaryPage: 7, DataPageV2: 8}
	h, ok := header.Field(members[p.Kind])
	if !ok {
		return fmt.Errorf("page type %d without a header of one", p.Kind)
	}
	for _, member := range members {
		if member != members[p.Kind] && header.Has(member) {
			return fmt.Errorf("page type %d with the header of another, field %d", p.Kind, member)
		}
	}
	if p.Kind == DataPageV2 {
		return p.readDataV2(c, h, p.Stored, plain)
	}
	b, err := decompressTo(c.Meta.Codec, p.Stored, plain)
	switch {
	case err != nil:
		return Compression.broken(err)
	case p.Kind == DataPage:
		return p.readDataV1(c, h, b)
	case h.Int(2) != int64(Plain):
		return fmt.Errorf("a dictionary in encoding %d", h.Int(2))
	}
	p.Encoding = Plain
	if p.Values, err = readPlain(c.Leaf, b, int(h.Int(1))); err != nil {
		return Values.brokenf("dictionary: %w", err)
	}
	return nil
}

// decompressTo decompresses to so many bytes.
func decompressTo(codec Codec, b []byte, size int) ([]byte, error) {
	b, err := Decompress(codec, b)
	if err == nil && len(b) != size {
		err = fmt.Errorf("decompressed to %d bytes, not %d", len(b), size)
	}
	return b, err
}

// readDataV1 reads the levels and values of a data page of version 1.
func (p *Page) readDataV1(c *Chunk, h Value, b []byte) (err error) {
	n := int(h.Int(1))
	p.Encoding = Encoding(h.Int(2))
	if h.Int(3) != int64(RLE) || h.Int(4) != int64(RLE) {
		return fmt.Errorf("levels in encodings %d and %d", h.Int(3), h.Int(4))
	}
	if n < 1 {
		return fmt.Errorf("%d values", n)
	}
	var rep, def []byte
	if c.Leaf.MaxRep > 0 {
		if rep, b, err = readSized(b); err != nil {
			return Levels.brokenf("repetition levels: %w", err)
		}
	}
	if c.Leaf.MaxDef > 0 {
		if def, b, err = readSized(b); err != nil {
			return Levels.brokenf("definition levels: %w", err)
		}
	}
	return p.readData(c, n, rep, def, b)
}

// readDataV2 reads the levels and values of a data page of version 2, which has size bytes before compression.
func (p *Page) readDataV2(c *Chunk, h Value, b []byte, size int) (err error) {
	n := int(h.Int(1))
	p.Encoding = Encoding(h.Int(4))
	defBytes, repBytes := int(h.Int(5)), int(h.Int(6))
	if n < 1 || defBytes < 0 || repBytes < 0 || defBytes+repBytes > len(b) {
		return fmt.Errorf("%d values, %d and %d bytes of levels of %d", n, defBytes, repBytes, len(b))
	}
	rep, def, values := b[:repBytes], b[repBytes:repBytes+defBytes], b[repBytes+defBytes:]
	if compressed, ok := h.Field(7); !ok {
		return errors.New("it does not say whether it is compressed")
	} else if compressed.Type == ThriftTrue {
		if c.Meta.Codec == Uncompressed {
			return errors.New("compressed without a codec")
		}
		stored := len(values)
		if values, err = decompressTo(c.Meta.Codec, values, size-defBytes-repBytes); err != nil {
			return Compression.broken(err)
		}
		if stored >= len(values) {
			return Compression.brokenf("compressed from %d bytes to %d", len(values), stored)
		}
	} else if len(b) != size {
		return fmt.Errorf("not compressed, %d bytes of %d", len(b), size)
	}
	if err := p.readData(c, n, rep, def, values); err != nil {
		return err
	}
	if int(h.Int(2)) != p.Nulls() || int(h.Int(3)) != p.Records {
		const text = "its header counts %d nulls and %d records, it has %d and %d"
		return fmt.Errorf(text, h.Int(2), h.Int(3), p.Nulls(), p.Records)
	}
	return nil
}

// readData reads the levels and values of a data page of n levels.
func (p *Page) readData(c *Chunk, n int, rep, def, values []byte) (err error) {
	if p.Rep, err = readLevels(rep, c.Leaf.MaxRep, n); err != nil {
		return Levels.brokenf("repetition levels: %w", err)
	}
	if p.Def, err = readLevels(def, c.Leaf.MaxDef, n); err != nil {
		return Levels.brokenf("definition levels: %w", err)
	}
	if p.Rep[0] != 0 {
		return Levels.brokenf("it does not begin with a record")
	}
	present := 0
	for i := range n {
		if p.Rep[i] == 0 {
			p.Records++
		}
		if p.Def[i] == c.Leaf.MaxDef {
			present++
		}
	}
	p.ValueBytes = len(values)
	if err := p.readValues(c, values, present); err != nil {
		return Values.brokenf("%d values in encoding %d: %w", present, p.Encoding, err)
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
	decoded, err := DecodeHybrid(b, bits.Len(uint(highest)), n)
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
func (p *Page) readValues(c *Chunk, b []byte, n int) (err error) {
	if p.Encoding == RLEDictionary {
		return p.readIndices(c, b, n)
	}
	p.Values, err = DecodeValues(c.Leaf, p.Encoding, b, n)
	return err
}

// DecodeValues decodes n values that take all of b, in any encoding but that of indices. They come in plain encoding,
// without lengths; a bool is a byte. It is stricter than readers are: what could be written in several ways must be
// written in the shortest.
func DecodeValues(leaf *Leaf, e Encoding, b []byte, n int) ([][]byte, error) {
	switch e {
	case Plain:
		return readPlain(leaf, b, n)
	case RLE:
		return readRLE(leaf, b, n)
	case DeltaBinaryPacked:
		return readDelta(leaf, b, n)
	case DeltaLengthByteArray:
		return readDeltaLength(leaf, b, n)
	case DeltaByteArray:
		return readDeltaStrings(leaf, b, n)
	case ByteStreamSplit:
		return readStreamSplit(leaf, b, n)
	}
	return nil, errors.New("the encoding is not known")
}

// readPlain reads n values in plain encoding that take all of b.
func readPlain(leaf *Leaf, b []byte, n int) (values [][]byte, err error) {
	if leaf.Type == Boolean {
		return readBits(b, n)
	}
	size := map[Type]int{
		Int32: 4, Float: 4, Int64: 8, Double: 8, FixedLenByteArray: int(leaf.TypeLength),
	}[leaf.Type]
	values = make([][]byte, 0, max(0, min(n, len(b)))) // a value has a byte at least, or a length
	for i := range n {
		var v []byte
		if leaf.Type == ByteArray {
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

// plainBools are the two values that a bool has.
var plainBools = [2][]byte{{0}, {1}}

// readBits reads n bools that take all of b.
func readBits(b []byte, n int) (values [][]byte, err error) {
	if len(b) != (n+7)/8 {
		return nil, fmt.Errorf("%d bytes for %d bits", len(b), n)
	}
	values = make([][]byte, 0, n)
	for i := range 8 * len(b) {
		bit := b[i/8] >> (i % 8) & 1
		if i < n {
			values = append(values, plainBools[bit])
		} else if bit != 0 {
			return nil, errors.New("a bit is set behind the last")
		}
	}
	return values, nil
}

// readRLE reads n bools in runs.
func readRLE(leaf *Leaf, b []byte, n int) (values [][]byte, err error) {
	if leaf.Type != Boolean {
		return nil, fmt.Errorf("values of physical type %d", leaf.Type)
	}
	runs, rest, err := readSized(b)
	if err != nil || len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes follow the values, error %w", len(rest), err)
	}
	decoded, err := DecodeHybrid(runs, 1, n)
	for _, v := range decoded {
		values = append(values, plainBools[v])
	}
	return values, err
}

// readIndices reads n entries of the dictionary.
func (p *Page) readIndices(c *Chunk, b []byte, n int) (err error) {
	if !c.HasDictionary {
		return Dictionaries.brokenf("there is none, and the page has indices of it")
	}
	if len(b) == 0 {
		return errors.New("there is no bit width")
	}
	width := int(b[0])
	if most := bits.Len(uint(max(0, len(c.Dictionary)-1))); width > most {
		return fmt.Errorf("bit width %d for a dictionary of %d", width, len(c.Dictionary))
	}
	if p.IDs, err = DecodeHybrid(b[1:], width, n); err != nil {
		return err
	}
	p.Values = make([][]byte, 0, len(p.IDs))
	for i, id := range p.IDs {
		if int(id) >= len(c.Dictionary) {
			return fmt.Errorf("value %d is entry %d of a dictionary of %d", i, id, len(c.Dictionary))
		}
		p.Values = append(p.Values, c.Dictionary[id])
	}
	return nil
}
