package encode

// dataPageHeader is the spec's PageHeader with its DataPageHeader or DataPageHeaderV2.
type dataPageHeader struct {
	NumValues    int32 // levels: nulls and empty lists count
	NumNulls     int32 // version 2 alone
	NumRows      int32 // version 2 alone
	Uncompressed int32 // bytes of the page before compression, without this header
	Compressed   int32 // bytes of the page as stored, without this header
	Encoding     encodingID
	DefBytes     int32 // version 2 alone: bytes of the definition levels
	RepBytes     int32 // version 2 alone: bytes of the repetition levels
	CRC          uint32
	HasCRC       bool
	IsCompressed bool        // version 2 alone: the values went through the codec
	Statistics   *statistics // nil omits them
}

// dictionaryPageHeader is the spec's PageHeader with its DictionaryPageHeader. A dictionary is in plain encoding.
type dictionaryPageHeader struct {
	NumValues    int32
	Uncompressed int32 // bytes of the page before compression, without this header
	Compressed   int32 // bytes of the page as stored, without this header
	CRC          uint32
	HasCRC       bool
	Sorted       bool // ascending
}

// appendDataPageHeaderV1 appends the header of a DATA_PAGE, whose levels are both in RLE.
func appendDataPageHeaderV1(dst []byte, h *dataPageHeader) []byte {
	w := thriftWriter{buf: dst}
	writePageHeader(&w, pageData, h.Uncompressed, h.Compressed, h.CRC, h.HasCRC)
	outer := w.begin(5)
	w.i32(1, h.NumValues)
	w.i32(2, int32(h.Encoding))
	w.i32(3, int32(encodingRLE))
	w.i32(4, int32(encodingRLE))
	h.Statistics.write(&w, 5)
	w.end(outer)
	return w.finish()
}

// appendDataPageHeaderV2 appends the header of a DATA_PAGE_V2.
func appendDataPageHeaderV2(dst []byte, h *dataPageHeader) []byte {
	w := thriftWriter{buf: dst}
	writePageHeader(&w, pageDataV2, h.Uncompressed, h.Compressed, h.CRC, h.HasCRC)
	outer := w.begin(8)
	w.i32(1, h.NumValues)
	w.i32(2, h.NumNulls)
	w.i32(3, h.NumRows)
	w.i32(4, int32(h.Encoding))
	w.i32(5, h.DefBytes)
	w.i32(6, h.RepBytes)
	w.bool(7, h.IsCompressed)
	h.Statistics.write(&w, 8)
	w.end(outer)
	return w.finish()
}

// appendDictionaryPageHeader appends the header of a DICTIONARY_PAGE.
func appendDictionaryPageHeader(dst []byte, h *dictionaryPageHeader) []byte {
	w := thriftWriter{buf: dst}
	writePageHeader(&w, pageDictionary, h.Uncompressed, h.Compressed, h.CRC, h.HasCRC)
	outer := w.begin(7)
	w.i32(1, h.NumValues)
	w.i32(2, int32(encodingPlain))
	w.bool(3, h.Sorted)
	w.end(outer)
	return w.finish()
}

// writePageHeader writes the fields that all pages share. The spec stores the checksum as a signed number.
func writePageHeader(w *thriftWriter, t pageType, uncompressed, compressed int32, crc uint32, hasCRC bool) {
	w.i32(1, int32(t))
	w.i32(2, uncompressed)
	w.i32(3, compressed)
	if hasCRC {
		w.i32(4, int32(crc))
	}
}
