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
func appendDataPageHeaderV1(dst []byte, h *dataPageHeader) []byte { panic("not built yet") }

// appendDataPageHeaderV2 appends the header of a DATA_PAGE_V2.
func appendDataPageHeaderV2(dst []byte, h *dataPageHeader) []byte { panic("not built yet") }

// appendDictionaryPageHeader appends the header of a DICTIONARY_PAGE.
func appendDictionaryPageHeader(dst []byte, h *dictionaryPageHeader) []byte { panic("not built yet") }
