package lint

import "math/bits"

// The enumerations of parquet.thrift, under the numbers that stand in the file.

// Type is a physical type.
type Type int32

// The physical types. INT96 (3) is deprecated, and refused.
const (
	Boolean           Type = 0
	Int32             Type = 1
	Int64             Type = 2
	Float             Type = 4
	Double            Type = 5
	ByteArray         Type = 6
	FixedLenByteArray Type = 7
)

// Encoding is one of values or of levels.
type Encoding int32

// The encodings. The deprecated ones are refused.
const (
	Plain                Encoding = 0
	RLE                  Encoding = 3
	DeltaBinaryPacked    Encoding = 5
	DeltaLengthByteArray Encoding = 6
	DeltaByteArray       Encoding = 7
	RLEDictionary        Encoding = 8
	ByteStreamSplit      Encoding = 9
)

// Codec is what pages are compressed with.
type Codec int32

// The codecs. LZO (3) and the Hadoop framing of LZ4 (5) are refused.
const (
	Uncompressed Codec = 0
	Snappy       Codec = 1
	Gzip         Codec = 2
	Brotli       Codec = 4
	Zstd         Codec = 6
	LZ4Raw       Codec = 7
)

// PageType is what a page holds.
type PageType int32

// The types of pages.
const (
	DataPage       PageType = 0
	DictionaryPage PageType = 2
	DataPageV2     PageType = 3
)

// Repetition says how often a field stands in its group.
type Repetition int32

// The repetitions.
const (
	Required Repetition = 0
	Optional Repetition = 1
	Repeated Repetition = 2
)

// BoundaryOrder is how the bounds of a column index run from page to page.
type BoundaryOrder int32

// The boundary orders.
const (
	Unordered  BoundaryOrder = 0
	Ascending  BoundaryOrder = 1
	Descending BoundaryOrder = 2
)

// ColumnOrder is the field of the spec's ColumnOrder union.
type ColumnOrder int16

// ConvertedType is what stood in the place of logical types before.
type ConvertedType int32

const convertedInterval ConvertedType = 21

// LogicalKind is the field of the spec's LogicalType union. Interval has a number reserved there, and is a converted
// type alone.
type LogicalKind int16

// The logical types.
const (
	NoLogicalType LogicalKind = 0
	String        LogicalKind = 1
	Map           LogicalKind = 2
	List          LogicalKind = 3
	Enum          LogicalKind = 4
	Decimal       LogicalKind = 5
	Date          LogicalKind = 6
	Time          LogicalKind = 7
	Timestamp     LogicalKind = 8
	Interval      LogicalKind = 9
	Integer       LogicalKind = 10
	Unknown       LogicalKind = 11
	JSON          LogicalKind = 12
	BSON          LogicalKind = 13
	UUID          LogicalKind = 14
	Float16       LogicalKind = 15
	Variant       LogicalKind = 16
	Geometry      LogicalKind = 17
	Geography     LogicalKind = 18
)

// TimeUnit is the field of the spec's TimeUnit union.
type TimeUnit int16

// The units of times and timestamps.
const (
	Millis TimeUnit = 1
	Micros TimeUnit = 2
	Nanos  TimeUnit = 3
)

// EdgeAlgorithm is the spec's EdgeInterpolationAlgorithm.
type EdgeAlgorithm int32

// LogicalType is the meaning of a schema element. The zero value is none.
type LogicalType struct {
	Kind      LogicalKind
	BitWidth  int8          // integer
	Signed    bool          // integer
	Precision int32         // decimal
	Scale     int32         // decimal
	Unit      TimeUnit      // time, timestamp
	UTC       bool          // time, timestamp: an instant, not a local time
	Version   int8          // variant: of its specification
	CRS       string        // geometry, geography: "" is the spec's default
	Edges     EdgeAlgorithm // geography
}

// converted returns the converted type that LogicalTypes.md has beside a logical type, if there is one.
func (l LogicalType) converted() (t ConvertedType, ok bool) {
	switch l.Kind {
	case String:
		return 0, true
	case Map:
		return 1, true
	case List:
		return 3, true
	case Enum:
		return 4, true
	case Decimal:
		return 5, true
	case Date:
		return 6, true
	case Time:
		return 6 + ConvertedType(l.Unit), l.Unit != Nanos
	case Timestamp:
		return 8 + ConvertedType(l.Unit), l.Unit != Nanos
	case Integer: // unsigned ones of 8 to 64 bits are 11 to 14, signed ones 15 to 18
		first := ConvertedType(11)
		if l.Signed {
			first = 15
		}
		return first + ConvertedType(bits.TrailingZeros8(uint8(l.BitWidth))-3), true
	case JSON:
		return 19, true
	case BSON:
		return 20, true
	case Interval:
		return convertedInterval, true
	}
	return 0, false
}
