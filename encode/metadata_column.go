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
	BloomOffset          int64
	BloomBytes           int32 // header included
	OffsetIndexOffset    int64
	OffsetIndexBytes     int32
	ColumnIndexOffset    int64
	ColumnIndexBytes     int32
}

// pageEncodingStats counts the pages of one type and encoding in a column chunk.
type pageEncodingStats struct {
	Page     pageType
	Encoding encodingID
	Count    int32
}
