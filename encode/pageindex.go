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
func (c *columnIndex) append(dst []byte) []byte {
	w := thriftWriter{buf: dst}
	w.list(1, thriftTrue, len(c.NullPages))
	for _, null := range c.NullPages {
		w.elemBool(null)
	}
	w.list(2, thriftBinary, len(c.Min))
	for _, v := range c.Min {
		w.elemBytes(v)
	}
	w.list(3, thriftBinary, len(c.Max))
	for _, v := range c.Max {
		w.elemBytes(v)
	}
	w.i32(4, int32(c.Boundary))
	w.i64s(5, c.NullCounts)
	w.i64s(6, c.Repetition)
	w.i64s(7, c.Definition)
	w.i64s(8, c.NaNCounts)
	return w.finish()
}

// append writes o in compact Thrift.
func (o *offsetIndex) append(dst []byte) []byte {
	w := thriftWriter{buf: dst}
	w.list(1, thriftStruct, len(o.Pages))
	for i := range o.Pages {
		outer := w.beginElem()
		w.i64(1, o.Pages[i].Offset)
		w.i32(2, o.Pages[i].CompressedBytes)
		w.i64(3, o.Pages[i].FirstRow)
		w.end(outer)
	}
	w.i64s(2, o.UnencodedBytes)
	return w.finish()
}
