package lint

// The structs of a footer, by the names that the package encode has for them. Offsets count from the start of the file;
// one of 0 says that there is no such thing.

// FileMetaData is the footer.
type FileMetaData struct {
	Schema             []SchemaElement
	NumRows            int64
	RowGroups          []RowGroup
	KeyValues          []KeyValue
	CreatedBy          string
	ColumnOrders       []ColumnOrder
	Encryption         *EncryptionAlgorithm // nil: there is none in this struct
	SigningKeyMetadata []byte
}

// SchemaElement is a node of the schema, in depth-first order; the root comes first.
type SchemaElement struct {
	Name        string
	NumChildren int32
	Repetition  Repetition
	Type        Type  // of a leaf
	TypeLength  int32 // of FIXED_LEN_BYTE_ARRAY
	Logical     LogicalType
	HasFieldID  bool
	FieldID     int32
}

// KeyValue is an entry of key-value metadata.
type KeyValue struct {
	Key, Value string
}

// RowGroup is the metadata of a row group.
type RowGroup struct {
	Columns         []ColumnChunk
	TotalBytes      int64
	NumRows         int64
	SortingColumns  []SortingColumn
	FileOffset      int64
	CompressedBytes int64
	Ordinal         int16 // -1: it has none
}

// SortingColumn is a column by which records are sorted.
type SortingColumn struct {
	Leaf       int32
	Descending bool
	NullsFirst bool
}

// ColumnChunk is the metadata of a column chunk: the spec's ColumnChunk and ColumnMetaData in one.
type ColumnChunk struct {
	Type                 Type
	Encodings            []Encoding
	EncodingStats        []PageEncodingStats
	Path                 []string
	Codec                Codec
	NumValues            int64
	UncompressedBytes    int64
	CompressedBytes      int64
	DataPageOffset       int64
	DictionaryPageOffset int64
	KeyValues            []KeyValue
	Statistics           *Statistics
	SizeStatistics       *SizeStatistics
	Geospatial           *GeospatialStatistics
	BloomOffset          int64
	BloomBytes           int32
	OffsetIndexOffset    int64
	OffsetIndexBytes     int32
	ColumnIndexOffset    int64
	ColumnIndexBytes     int32
	Crypto               *ColumnCrypto // nil: the column is not encrypted
	EncryptedMetaData    []byte
	HideMetaData         bool // the ColumnMetaData is there in its encrypted form alone
}

// PageEncodingStats counts the pages of one type and encoding.
type PageEncodingStats struct {
	Page     PageType
	Encoding Encoding
	Count    int32
}

// Statistics are those of a column chunk or a page.
type Statistics struct {
	HasMinMax          bool
	Min, Max           []byte
	MinExact, MaxExact bool
	NullCount          int64
	DistinctCount      int64 // -1: unknown
	HasNaNCount        bool
	NaNCount           int64
}

// SizeStatistics are those of a column chunk.
type SizeStatistics struct {
	UnencodedBytes int64 // -1: none
	Repetition     []int64
	Definition     []int64
}

// EncryptionAlgorithm says how a file is encrypted.
type EncryptionAlgorithm struct {
	CTR             bool
	AADPrefix       []byte
	FileUnique      []byte
	SupplyAADPrefix bool
}

// ColumnCrypto says with what key a column is encrypted: the footer key if it has no path.
type ColumnCrypto struct {
	Path        []string
	KeyMetadata []byte
}

// withFooterKey reports whether the footer key is the column's.
func (c *ColumnCrypto) withFooterKey() bool { return c.Path == nil }
