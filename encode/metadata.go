package encode

// The enumerations of parquet.thrift that the writer uses, under the numbers that stand in the file.

// physicalType is the spec's Type: how the values of a leaf column are stored. INT96 (3) is deprecated and never written.
type physicalType int32

const (
	typeBoolean           physicalType = 0
	typeInt32             physicalType = 1
	typeInt64             physicalType = 2
	typeFloat             physicalType = 4
	typeDouble            physicalType = 5
	typeByteArray         physicalType = 6
	typeFixedLenByteArray physicalType = 7
)

// encodingID is the spec's Encoding, of values or of levels. The deprecated ones are never written.
type encodingID int32

const (
	encodingPlain                encodingID = 0
	encodingRLE                  encodingID = 3
	encodingDeltaBinaryPacked    encodingID = 5
	encodingDeltaLengthByteArray encodingID = 6
	encodingDeltaByteArray       encodingID = 7
	encodingRLEDictionary        encodingID = 8
	encodingByteStreamSplit      encodingID = 9

	maxEncoding = encodingByteStreamSplit
)

// codecID is the spec's CompressionCodec. LZO (3) and the Hadoop framing of LZ4 (5) are never written.
type codecID int32

const (
	codecNone   codecID = 0
	codecSnappy codecID = 1
	codecGzip   codecID = 2
	codecBrotli codecID = 4
	codecZstd   codecID = 6
	codecLZ4Raw codecID = 7
)

// pageType is the spec's PageType.
type pageType int32

const (
	pageData       pageType = 0
	pageDictionary pageType = 2
	pageDataV2     pageType = 3
)

// repetition is the spec's FieldRepetitionType.
type repetition int32

const (
	repetitionRequired repetition = 0
	repetitionOptional repetition = 1
	repetitionRepeated repetition = 2
)

// boundaryOrder is the spec's BoundaryOrder: how the bounds of a column index run from page to page.
type boundaryOrder int32

const (
	boundaryUnordered  boundaryOrder = 0
	boundaryAscending  boundaryOrder = 1
	boundaryDescending boundaryOrder = 2
)

// columnOrder is the field of the spec's ColumnOrder union: what the bounds of a leaf column are ordered by.
type columnOrder int16

const (
	columnOrderType    columnOrder = 1 // TYPE_ORDER: by the leaf's logical type, or else its physical one
	columnOrderIEEE754 columnOrder = 2 // IEEE_754_TOTAL_ORDER: floats alone
)
