package encode

// columnIndex is the spec's ColumnIndex: the bounds of every data page of a column chunk. All lists but the histograms
// have one entry per page. A null page holds no value, and its bounds are empty.
type columnIndex struct {
	NullPages  []bool
	Min, Max   [][]byte
	Boundary   boundaryOrder
	NullCounts []int64
	Repetition []int64 // histograms of the repetition levels, page after page; nil omits them
	Definition []int64 // histograms of the definition levels, page after page; nil omits them
	NaNCounts  []int64 // for FLOAT, DOUBLE and FLOAT16 alone; nil omits them
}

// offsetIndex is the spec's OffsetIndex: where every data page of a column chunk is.
type offsetIndex struct {
	Pages          []pageLocation
	UnencodedBytes []int64 // per page, as in sizeStatistics; nil for a column that is not a byte array
}

// pageLocation is the spec's PageLocation.
type pageLocation struct {
	Offset          int64 // of the page's header, in the file
	CompressedBytes int32 // as stored, header included
	FirstRow        int64 // the page's first record, in the row group
}

// append writes c in compact Thrift.
func (c *columnIndex) append(dst []byte) []byte { panic("not built yet") }

// append writes o in compact Thrift.
func (o *offsetIndex) append(dst []byte) []byte { panic("not built yet") }
