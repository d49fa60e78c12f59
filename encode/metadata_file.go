package encode

// fileMetaData is the footer of a file (the spec's FileMetaData, format version 1).
type fileMetaData struct {
	Schema       []schemaElement // the root first, then depth first
	NumRows      int64
	RowGroups    []rowGroup
	KeyValues    []KeyValue
	CreatedBy    string        // "" omits it
	ColumnOrders []columnOrder // one per leaf column
}

// rowGroup is the spec's RowGroup.
type rowGroup struct {
	Columns         []columnChunk // one per leaf column, in schema order
	NumRows         int64
	TotalBytes      int64 // of all pages before compression, headers included
	CompressedBytes int64 // of all pages as stored, headers included
	FileOffset      int64 // of the first page, in the file
	Ordinal         int16 // position in the file; negative omits it
	SortingColumns  []sortingColumn
}

// sortingColumn is the spec's SortingColumn: one key of the order that the records of a row group are in.
type sortingColumn struct {
	Leaf       int32 // index of the leaf column
	Descending bool
	NullsFirst bool
}

// append writes m in compact Thrift. The same metadata always gives the same bytes.
func (m *fileMetaData) append(dst []byte) []byte { panic("not built yet") }
