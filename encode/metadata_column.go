package encode

// columnChunk is the spec's ColumnChunk with its ColumnMetaData. Offsets count from the start of the file; an offset of
// zero says that there is no such thing (zero is where the file's magic bytes are).
type columnChunk struct {
	Type                 physicalType
	Encodings            []encodingID // each once, of pages and of levels
	EncodingStats        []pageEncodingStats
	Path                 []string
	Codec                codecID
	NumValues            int64 // levels: nulls and empty lists count
	UncompressedBytes    int64 // of all pages, headers included
	CompressedBytes      int64 // of all pages as stored, headers included
	DataPageOffset       int64
	DictionaryPageOffset int64
	KeyValues            []KeyValue
	Statistics           *statistics     // nil omits them
	SizeStatistics       *sizeStatistics // nil omits them
	Geospatial           *geoStatistics  // nil omits them
	BloomOffset          int64
	BloomBytes           int32 // header included
	OffsetIndexOffset    int64
	OffsetIndexBytes     int32
	ColumnIndexOffset    int64
	ColumnIndexBytes     int32
	Crypto               *columnCrypto // nil: the column is not encrypted
	EncryptedMetaData    []byte        // the ColumnMetaData as a module; nil omits it
	HideMetaData         bool          // the ColumnMetaData is there as a module alone
}

// pageEncodingStats counts the pages of one type and encoding in a column chunk.
type pageEncodingStats struct {
	Page     pageType
	Encoding encodingID
	Count    int32
}

// write writes c as an element of a list.
func (c *columnChunk) write(w *thriftWriter) {
	outer := w.beginElem()
	w.i64(2, 0) // a deprecated offset, which the spec wants to be zero
	if !c.HideMetaData {
		meta := w.begin(3)
		c.writeMetaData(w)
		w.end(meta)
	}
	if c.OffsetIndexOffset != 0 {
		w.i64(4, c.OffsetIndexOffset)
		w.i32(5, c.OffsetIndexBytes)
	}
	if c.ColumnIndexOffset != 0 {
		w.i64(6, c.ColumnIndexOffset)
		w.i32(7, c.ColumnIndexBytes)
	}
	c.Crypto.write(w, 8)
	if c.EncryptedMetaData != nil {
		w.bytes(9, c.EncryptedMetaData)
	}
	w.end(outer)
}

// writeMetaData writes the fields of the ColumnMetaData into the struct that is open: encryption keeps them apart from
// the rest of c.
func (c *columnChunk) writeMetaData(w *thriftWriter) {
	w.i32(1, int32(c.Type))
	w.list(2, thriftI32, len(c.Encodings))
	for _, e := range c.Encodings {
		w.elemInt(int64(e))
	}
	w.list(3, thriftBinary, len(c.Path))
	for _, name := range c.Path {
		w.elemString(name)
	}
	w.i32(4, int32(c.Codec))
	w.i64(5, c.NumValues)
	w.i64(6, c.UncompressedBytes)
	w.i64(7, c.CompressedBytes)
	writeKeyValues(w, 8, c.KeyValues)
	w.i64(9, c.DataPageOffset)
	if c.DictionaryPageOffset != 0 {
		w.i64(11, c.DictionaryPageOffset)
	}
	c.Statistics.write(w, 12)
	c.writeEncodingStats(w)
	if c.BloomOffset != 0 {
		w.i64(14, c.BloomOffset)
		w.i32(15, c.BloomBytes)
	}
	c.SizeStatistics.write(w, 16)
	c.Geospatial.write(w, 17)
}

func (c *columnChunk) writeEncodingStats(w *thriftWriter) {
	if len(c.EncodingStats) == 0 {
		return
	}
	w.list(13, thriftStruct, len(c.EncodingStats))
	for _, s := range c.EncodingStats {
		outer := w.beginElem()
		w.i32(1, int32(s.Page))
		w.i32(2, int32(s.Encoding))
		w.i32(3, s.Count)
		w.end(outer)
	}
}
