package lint

// The structs of the footer, taken from parsed Thrift that has passed checkThrift.

// each returns what from makes of every element of a list; nil if there is no list.
func each[T any](v Value, id int16, from func(Value) T) []T {
	f, ok := v.Field(id)
	if !ok {
		return nil
	}
	out := make([]T, 0, len(f.List))
	for _, e := range f.List {
		out = append(out, from(e))
	}
	return out
}

func numOf(v Value) int64         { return v.Num }
func stringOf(v Value) string     { return string(v.Bytes) }
func encodingOf(v Value) Encoding { return Encoding(v.Num) }

// FileMetaDataOf gives the footer as a struct.
func FileMetaDataOf(v Value) FileMetaData {
	return FileMetaData{
		Schema:       each(v, 2, SchemaElementOf),
		NumRows:      v.Int(3),
		RowGroups:    each(v, 4, rowGroupOf),
		KeyValues:    each(v, 5, keyValueOf),
		CreatedBy:    string(v.Blob(6)),
		ColumnOrders: each(v, 7, func(v Value) ColumnOrder { return ColumnOrder(v.IDs[0]) }),

		Encryption:         encryptionAlgorithmOf(v.Field(8)),
		SigningKeyMetadata: v.Blob(9),
	}
}

// SchemaElementOf gives a node of the schema as a struct.
func SchemaElementOf(v Value) SchemaElement {
	e := SchemaElement{
		Name:        string(v.Blob(4)),
		NumChildren: int32(v.Int(5)),
		Repetition:  Repetition(v.Int(3)),
		Type:        Type(v.Int(1)),
		TypeLength:  int32(v.Int(2)),
		HasFieldID:  v.Has(9),
		FieldID:     int32(v.Int(9)),
	}
	if l, ok := v.Field(10); ok {
		e.Logical = logicalTypeOf(l)
	} else if v.IntOr(6, -1) == int64(convertedInterval) {
		e.Logical.Kind = Interval
	}
	return e
}

func logicalTypeOf(v Value) LogicalType {
	l := LogicalType{Kind: LogicalKind(v.IDs[0])}
	p := v.Fields[0]
	switch l.Kind {
	case Decimal:
		l.Scale, l.Precision = int32(p.Int(1)), int32(p.Int(2))
	case Time, Timestamp:
		unit, _ := p.Field(2)
		l.UTC, l.Unit = p.Flag(1), TimeUnit(unit.IDs[0])
	case Integer:
		l.BitWidth, l.Signed = int8(p.Int(1)), p.Flag(2)
	case Variant:
		l.Version = int8(p.Int(1))
	case Geometry, Geography:
		l.CRS, l.Edges = string(p.Blob(1)), EdgeAlgorithm(p.Int(2))
	}
	return l
}

func keyValueOf(v Value) KeyValue { return KeyValue{Key: string(v.Blob(1)), Value: string(v.Blob(2))} }

func rowGroupOf(v Value) RowGroup {
	return RowGroup{
		Columns:         each(v, 1, columnChunkOf),
		TotalBytes:      v.Int(2),
		NumRows:         v.Int(3),
		SortingColumns:  each(v, 4, sortingColumnOf),
		FileOffset:      v.Int(5),
		CompressedBytes: v.Int(6),
		Ordinal:         int16(v.IntOr(7, -1)),
	}
}

func sortingColumnOf(v Value) SortingColumn {
	return SortingColumn{Leaf: int32(v.Int(1)), Descending: v.Flag(2), NullsFirst: v.Flag(3)}
}

func columnChunkOf(v Value) ColumnChunk {
	m, visible := v.Field(3)
	c := columnMetaDataOf(m)
	c.OffsetIndexOffset, c.OffsetIndexBytes = v.Int(4), int32(v.Int(5))
	c.ColumnIndexOffset, c.ColumnIndexBytes = v.Int(6), int32(v.Int(7))
	c.Crypto = columnCryptoOf(v.Field(8))
	c.EncryptedMetaData, c.HideMetaData = v.Blob(9), !visible
	return c
}

// columnMetaDataOf gives what a ColumnChunk has of its ColumnMetaData.
func columnMetaDataOf(m Value) ColumnChunk {
	return ColumnChunk{
		Type:                 Type(m.Int(1)),
		Encodings:            each(m, 2, encodingOf),
		Path:                 each(m, 3, stringOf),
		Codec:                Codec(m.Int(4)),
		NumValues:            m.Int(5),
		UncompressedBytes:    m.Int(6),
		CompressedBytes:      m.Int(7),
		KeyValues:            each(m, 8, keyValueOf),
		DataPageOffset:       m.Int(9),
		DictionaryPageOffset: m.Int(11),
		Statistics:           statisticsOf(m.Field(12)),
		EncodingStats:        each(m, 13, pageEncodingStatsOf),
		BloomOffset:          m.Int(14),
		BloomBytes:           int32(m.Int(15)),
		SizeStatistics:       sizeStatisticsOf(m.Field(16)),
		Geospatial:           geospatialOf(m.Field(17)),
	}
}

func pageEncodingStatsOf(v Value) PageEncodingStats {
	return PageEncodingStats{Page: PageType(v.Int(1)), Encoding: Encoding(v.Int(2)), Count: int32(v.Int(3))}
}

func statisticsOf(v Value, ok bool) *Statistics {
	if !ok {
		return nil
	}
	return &Statistics{
		HasMinMax:     v.Has(5) && v.Has(6),
		Min:           v.Blob(6),
		Max:           v.Blob(5),
		MinExact:      v.Flag(8),
		MaxExact:      v.Flag(7),
		NullCount:     v.Int(3),
		DistinctCount: v.IntOr(4, -1),
		HasNaNCount:   v.Has(9),
		NaNCount:      v.Int(9),
	}
}

func sizeStatisticsOf(v Value, ok bool) *SizeStatistics {
	if !ok {
		return nil
	}
	return &SizeStatistics{
		UnencodedBytes: v.IntOr(1, -1),
		Repetition:     each(v, 2, numOf),
		Definition:     each(v, 3, numOf),
	}
}

func encryptionAlgorithmOf(v Value, ok bool) *EncryptionAlgorithm {
	if !ok {
		return nil
	}
	p := v.Fields[0]
	return &EncryptionAlgorithm{
		CTR: v.IDs[0] == 2, AADPrefix: p.Blob(1), FileUnique: p.Blob(2), SupplyAADPrefix: p.Flag(3),
	}
}

func columnCryptoOf(v Value, ok bool) *ColumnCrypto {
	switch {
	case !ok:
		return nil
	case v.IDs[0] == 1:
		return &ColumnCrypto{}
	}
	return &ColumnCrypto{Path: each(v.Fields[0], 1, stringOf), KeyMetadata: v.Fields[0].Blob(2)}
}
