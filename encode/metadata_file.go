package encode

// fileMetaData is the footer of a file (the spec's FileMetaData, format version 1).
type fileMetaData struct {
	Schema       []schemaElement // the root first, then depth first
	NumRows      int64
	RowGroups    []rowGroup
	KeyValues    []KeyValue
	CreatedBy    string        // "" omits it
	ColumnOrders []columnOrder // one per leaf column

	Encryption         *encryptionAlgorithm // of a plaintext footer that is signed
	SigningKeyMetadata []byte               // empty omits it
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
func (m *fileMetaData) append(dst []byte) []byte {
	w := thriftWriter{buf: dst}
	w.i32(1, 1)
	w.list(2, thriftStruct, len(m.Schema))
	for i := range m.Schema {
		m.Schema[i].write(&w, i == 0)
	}
	w.i64(3, m.NumRows)
	w.list(4, thriftStruct, len(m.RowGroups))
	for i := range m.RowGroups {
		m.RowGroups[i].write(&w)
	}
	writeKeyValues(&w, 5, m.KeyValues)
	if m.CreatedBy != "" {
		w.string(6, m.CreatedBy)
	}
	w.list(7, thriftStruct, len(m.ColumnOrders))
	for _, order := range m.ColumnOrders {
		outer := w.beginElem()
		w.empty(int16(order))
		w.end(outer)
	}
	m.Encryption.write(&w, 8)
	if len(m.SigningKeyMetadata) > 0 {
		w.bytes(9, m.SigningKeyMetadata)
	}
	return w.finish()
}

// write writes g as an element of a list.
func (g *rowGroup) write(w *thriftWriter) {
	outer := w.beginElem()
	w.list(1, thriftStruct, len(g.Columns))
	for i := range g.Columns {
		g.Columns[i].write(w)
	}
	w.i64(2, g.TotalBytes)
	w.i64(3, g.NumRows)
	if len(g.SortingColumns) > 0 {
		w.list(4, thriftStruct, len(g.SortingColumns))
		for _, s := range g.SortingColumns {
			s.write(w)
		}
	}
	w.i64(5, g.FileOffset)
	w.i64(6, g.CompressedBytes)
	if g.Ordinal >= 0 {
		w.i16(7, g.Ordinal)
	}
	w.end(outer)
}

// write writes s as an element of a list.
func (s sortingColumn) write(w *thriftWriter) {
	outer := w.beginElem()
	w.i32(1, s.Leaf)
	w.bool(2, s.Descending)
	w.bool(3, s.NullsFirst)
	w.end(outer)
}

// writeKeyValues writes pairs as a list field; none omits it.
func writeKeyValues(w *thriftWriter, id int16, pairs []KeyValue) {
	if len(pairs) == 0 {
		return
	}
	w.list(id, thriftStruct, len(pairs))
	for _, p := range pairs {
		outer := w.beginElem()
		w.string(1, p.Key)
		w.string(2, p.Value)
		w.end(outer)
	}
}
