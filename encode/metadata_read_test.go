package encode

// The structs of the footer, taken from parsed Thrift that has passed checkThrift.

func (v thriftValue) int(id int16) int64 {
	f, _ := v.field(id)
	return f.num
}

// intOr returns the number in a field, or missing if there is none.
func (v thriftValue) intOr(id int16, missing int64) int64 {
	if f, ok := v.field(id); ok {
		return f.num
	}
	return missing
}

func (v thriftValue) str(id int16) string { return string(v.blob(id)) }

func (v thriftValue) blob(id int16) []byte {
	f, _ := v.field(id)
	return f.bytes
}

func (v thriftValue) flag(id int16) bool {
	f, _ := v.field(id)
	return f.typ == thriftTrue
}

func (v thriftValue) has(id int16) bool {
	_, ok := v.field(id)
	return ok
}

// each returns what from makes of every element of a list; nil if there is no list.
func each[T any](v thriftValue, id int16, from func(thriftValue) T) []T {
	f, ok := v.field(id)
	if !ok {
		return nil
	}
	out := make([]T, 0, len(f.list))
	for _, e := range f.list {
		out = append(out, from(e))
	}
	return out
}

func numOf(v thriftValue) int64           { return v.num }
func stringOf(v thriftValue) string       { return string(v.bytes) }
func encodingOf(v thriftValue) encodingID { return encodingID(v.num) }

func fileMetaDataOf(v thriftValue) fileMetaData {
	return fileMetaData{
		Schema:       each(v, 2, schemaElementOf),
		NumRows:      v.int(3),
		RowGroups:    each(v, 4, rowGroupOf),
		KeyValues:    each(v, 5, keyValueOf),
		CreatedBy:    v.str(6),
		ColumnOrders: each(v, 7, func(v thriftValue) columnOrder { return columnOrder(v.ids[0]) }),

		Encryption:         encryptionAlgorithmOf(v.field(8)),
		SigningKeyMetadata: v.blob(9),
	}
}

func schemaElementOf(v thriftValue) schemaElement {
	e := schemaElement{
		Name:        v.str(4),
		NumChildren: int32(v.int(5)),
		Repetition:  repetition(v.int(3)),
		Type:        physicalType(v.int(1)),
		TypeLength:  int32(v.int(2)),
		HasFieldID:  v.has(9),
		FieldID:     int32(v.int(9)),
	}
	if l, ok := v.field(10); ok {
		e.Logical = logicalTypeOf(l)
	} else if v.intOr(6, -1) == int64(convertedInterval) {
		e.Logical.Kind = logicalInterval
	}
	return e
}

func logicalTypeOf(v thriftValue) logicalType {
	l := logicalType{Kind: logicalKind(v.ids[0])}
	p := v.fields[0]
	switch l.Kind {
	case logicalDecimal:
		l.Scale, l.Precision = int32(p.int(1)), int32(p.int(2))
	case logicalTime, logicalTimestamp:
		unit, _ := p.field(2)
		l.UTC, l.Unit = p.flag(1), timeUnit(unit.ids[0])
	case logicalInteger:
		l.BitWidth, l.Signed = int8(p.int(1)), p.flag(2)
	case logicalVariant:
		l.Version = int8(p.int(1))
	case logicalGeometry, logicalGeography:
		l.CRS, l.Edges = p.str(1), edgeAlgorithm(p.int(2))
	}
	return l
}

func keyValueOf(v thriftValue) KeyValue { return KeyValue{Key: v.str(1), Value: v.str(2)} }

func rowGroupOf(v thriftValue) rowGroup {
	return rowGroup{
		Columns:         each(v, 1, columnChunkOf),
		TotalBytes:      v.int(2),
		NumRows:         v.int(3),
		SortingColumns:  each(v, 4, sortingColumnOf),
		FileOffset:      v.int(5),
		CompressedBytes: v.int(6),
		Ordinal:         int16(v.intOr(7, -1)),
	}
}

func sortingColumnOf(v thriftValue) sortingColumn {
	return sortingColumn{Leaf: int32(v.int(1)), Descending: v.flag(2), NullsFirst: v.flag(3)}
}

func columnChunkOf(v thriftValue) columnChunk {
	m, visible := v.field(3)
	c := columnMetaDataOf(m)
	c.OffsetIndexOffset, c.OffsetIndexBytes = v.int(4), int32(v.int(5))
	c.ColumnIndexOffset, c.ColumnIndexBytes = v.int(6), int32(v.int(7))
	c.Crypto = columnCryptoOf(v.field(8))
	c.EncryptedMetaData, c.HideMetaData = v.blob(9), !visible
	return c
}

// columnMetaDataOf gives what a columnChunk has of its ColumnMetaData.
func columnMetaDataOf(m thriftValue) columnChunk {
	return columnChunk{
		Type:                 physicalType(m.int(1)),
		Encodings:            each(m, 2, encodingOf),
		Path:                 each(m, 3, stringOf),
		Codec:                codecID(m.int(4)),
		NumValues:            m.int(5),
		UncompressedBytes:    m.int(6),
		CompressedBytes:      m.int(7),
		KeyValues:            each(m, 8, keyValueOf),
		DataPageOffset:       m.int(9),
		DictionaryPageOffset: m.int(11),
		Statistics:           statisticsOf(m.field(12)),
		EncodingStats:        each(m, 13, pageEncodingStatsOf),
		BloomOffset:          m.int(14),
		BloomBytes:           int32(m.int(15)),
		SizeStatistics:       sizeStatisticsOf(m.field(16)),
	}
}

func pageEncodingStatsOf(v thriftValue) pageEncodingStats {
	return pageEncodingStats{Page: pageType(v.int(1)), Encoding: encodingID(v.int(2)), Count: int32(v.int(3))}
}

func statisticsOf(v thriftValue, ok bool) *statistics {
	if !ok {
		return nil
	}
	return &statistics{
		HasMinMax:     v.has(5) && v.has(6),
		Min:           v.blob(6),
		Max:           v.blob(5),
		MinExact:      v.flag(8),
		MaxExact:      v.flag(7),
		NullCount:     v.int(3),
		DistinctCount: v.intOr(4, -1),
		HasNaNCount:   v.has(9),
		NaNCount:      v.int(9),
	}
}

func sizeStatisticsOf(v thriftValue, ok bool) *sizeStatistics {
	if !ok {
		return nil
	}
	return &sizeStatistics{
		UnencodedBytes: v.intOr(1, -1),
		Repetition:     each(v, 2, numOf),
		Definition:     each(v, 3, numOf),
	}
}

func encryptionAlgorithmOf(v thriftValue, ok bool) *encryptionAlgorithm {
	if !ok {
		return nil
	}
	p := v.fields[0]
	return &encryptionAlgorithm{CTR: v.ids[0] == 2, AADPrefix: p.blob(1), FileUnique: p.blob(2), SupplyAADPrefix: p.flag(3)}
}

func columnCryptoOf(v thriftValue, ok bool) *columnCrypto {
	switch {
	case !ok:
		return nil
	case v.ids[0] == 1:
		return &columnCrypto{}
	}
	return &columnCrypto{Path: each(v.fields[0], 1, stringOf), KeyMetadata: v.fields[0].blob(2)}
}
