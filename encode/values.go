package encode

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// values turns the selected slots of one leaf column into Parquet values, in plain encoding or as indices of a
// dictionary that it builds, and keeps the bounds of the page. There is one implementation a family of physical types.
type values interface {
	// bind makes data the storage of the spans to come, after a check of its buffers' lengths.
	bind(data arrow.ArrayData) error
	// release lets go of the storage, not of the dictionary.
	release()
	// plainBits returns how many bits the values of one repetition of the span take in plain encoding.
	plainBits(s *levels.Span) int
	// mostBits returns no fewer, and is fast.
	mostBits(s *levels.Span) int
	// fixedBits is plainBits of one value, 0 if values differ.
	fixedBits() int
	// appendPlain appends the span's values, all its repetitions, to a page body and to the bounds. have is the number of
	// values in dst.
	appendPlain(dst []byte, have int, s *levels.Span) ([]byte, error)
	// plainBody returns a page body of n values as PLAIN has it.
	plainBody(body []byte, n int) []byte
	// takeBounds returns the bounds of the values since the last call.
	takeBounds() pageBounds
	// dictionary is nil for a family that has none.
	dictionary() dictionary
}

// dictionary is the part of values that builds a column chunk's dictionary. Ids are given in the order of first
// reference.
type dictionary interface {
	// appendIDs appends the ids of the values of one repetition of the span. It stops before a value that would make
	// the dictionary larger than the limit, and says so.
	appendIDs(x *indices, s *levels.Span) (full bool, err error)
	// bindEntries makes the dictionary's entries the storage: slot i is entry i. bind ends that.
	bindEntries()
	// boundsOf returns the bounds of the entries that a page refers to, and what their bytes add up to.
	boundsOf(x *indices) pageBounds
	numEntries() int
	plainBytes() int
	// appendPlainIDs appends the ids of n values in plain encoding, unless they make the dictionary larger than the limit.
	appendPlainIDs(x *indices, plain []byte, n int) (full bool)
	// appendHashes appends hashes of n values in plain encoding, or only those in the sample of a screen. They are the same
	// in every process.
	appendHashes(dst []uint64, plain []byte, n int, sampled bool) []uint64
	// appendEntries appends entries in plain encoding: those from one number up to another.
	appendEntries(dst []byte, from, to int) []byte
	// takeEntries returns the first entries in plain encoding. They are the caller's to keep, not to change.
	takeEntries(n int) []byte
	// appendValues appends the values that indices stand for in plain encoding, the first of them alone as far as they have
	// more than the given number of bytes, and returns how many there are.
	appendValues(dst []byte, x *indices, most int) ([]byte, int)
	// hashEntries hashes the first n entries.
	hashEntries(n int)
	// endIDs gives back what ids are found with: no more are asked for before clear.
	endIDs()
	// clear forgets all entries and gives their memory back. The next chunk's dictionary is expected to be as large, unless
	// it begins anew.
	clear(anew bool)
	// releaseArrow lets go of the Arrow dictionary that keys were mapped from.
	releaseArrow()
}

// pageBounds are the smallest and largest value of a page, in plain encoding without length, and what else the
// statistics want of its values. The slices are the caller's to keep.
type pageBounds struct {
	ok                 bool // there is a value that can be compared
	min, max           []byte
	minExact, maxExact bool
	nans               int64
	unencodedBytes     int64 // of a byte array column
}

// newValues returns the values of a leaf column, which are hashed if h is not nil, and looked at by c if that is not nil.
func newValues(leaf *leafColumn, o *Options, h *hashes, c content) (values, error) {
	switch leaf.Physical {
	case typeBoolean:
		return &boolValues{}, nil
	case typeInt32, typeFloat:
		dictionaryBytes := o.DictionaryBytes
		if leaf.Logical.Kind == logicalUnknown { // there will be no values
			dictionaryBytes = 0
		}
		src, err := source32(leaf)
		return newNumberValues(src, bounds32(leaf.Order), dictionaryBytes, h), err
	case typeInt64, typeDouble:
		src, err := source64(leaf)
		return newNumberValues(src, bounds64(leaf.Order), o.DictionaryBytes, h), err
	case typeByteArray, typeFixedLenByteArray:
		src, err := sourceBytes(leaf)
		return newByteValues(src, leaf, o, h, c), err
	}
	return nil, fmt.Errorf("physical type %d", leaf.Physical)
}

func errNoSource(leaf *leafColumn) error {
	return fmt.Errorf("type %s has no values of physical type %d", leaf.Type, leaf.Physical)
}

// source32 returns where the values of an INT32 or FLOAT column come from.
func source32(leaf *leafColumn) (numberSource[uint32], error) {
	switch dt := leaf.Type.(type) {
	case *arrow.Int8Type:
		return &converted[uint32, int8]{convert: widen[int8]}, nil
	case *arrow.Uint8Type:
		return &converted[uint32, uint8]{convert: widen[uint8]}, nil
	case *arrow.Int16Type:
		return &converted[uint32, int16]{convert: widen[int16]}, nil
	case *arrow.Uint16Type:
		return &converted[uint32, uint16]{convert: widen[uint16]}, nil
	case *arrow.Int32Type, *arrow.Uint32Type, *arrow.Float32Type, *arrow.Date32Type, *arrow.NullType:
		return &direct[uint32]{}, nil
	case *arrow.Time32Type:
		if dt.Unit == arrow.Second {
			return &converted[uint32, int32]{convert: secondsToMillis32}, nil
		}
		return &direct[uint32]{}, nil
	case *arrow.Date64Type:
		return &converted[uint32, int64]{convert: days(leaf.cut)}, nil
	case *arrow.Decimal32Type:
		return &converted[uint32, int32]{convert: decimalToInt[uint32, int32](dt.Precision)}, nil
	case *arrow.Decimal64Type:
		return &converted[uint32, int64]{convert: decimalToInt[uint32, int64](dt.Precision)}, nil
	case *arrow.Decimal128Type:
		return &converted[uint32, words128]{convert: narrow128[uint32](dt.Precision)}, nil
	case *arrow.Decimal256Type:
		return &converted[uint32, words256]{convert: narrow256[uint32](dt.Precision)}, nil
	}
	return nil, errNoSource(leaf)
}

// source64 returns where the values of an INT64 or DOUBLE column come from.
func source64(leaf *leafColumn) (numberSource[uint64], error) {
	switch dt := leaf.Type.(type) {
	case *arrow.Int64Type, *arrow.Uint64Type, *arrow.Float64Type, *arrow.Time64Type, *arrow.DurationType:
		return &direct[uint64]{}, nil
	case *arrow.TimestampType:
		return timestampSource(dt.Unit, leaf), nil
	case *arrow.Decimal64Type:
		return &converted[uint64, int64]{convert: decimalToInt[uint64, int64](dt.Precision)}, nil
	case *arrow.Decimal128Type:
		return &converted[uint64, words128]{convert: narrow128[uint64](dt.Precision)}, nil
	case *arrow.Decimal256Type:
		return &converted[uint64, words256]{convert: narrow256[uint64](dt.Precision)}, nil
	}
	return nil, errNoSource(leaf)
}

// sourceBytes returns where the values of a BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY column come from.
func sourceBytes(leaf *leafColumn) (byteSource, error) {
	switch dt := leaf.Type.(type) {
	case *arrow.StringType, *arrow.BinaryType:
		return &offsetBytes[int32]{}, nil
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return &offsetBytes[int64]{}, nil
	case *arrow.StringViewType, *arrow.BinaryViewType:
		return &viewBytes{}, nil
	case *arrow.FixedSizeBinaryType, *arrow.Float16Type:
		return &fixedBytes{width: leaf.TypeLength, from: leaf.TypeLength}, nil
	case *arrow.MonthIntervalType:
		return &fixedBytes{width: intervalBytes, from: 4, convert: intervals(4, monthParts)}, nil
	case *arrow.DayTimeIntervalType:
		return &fixedBytes{width: intervalBytes, from: 8, convert: intervals(8, dayTimeParts)}, nil
	case *arrow.MonthDayNanoIntervalType:
		return &fixedBytes{width: intervalBytes, from: 16, convert: intervals(16, monthDayNanoParts(leaf.cut))}, nil
	case *arrow.Decimal32Type:
		return &fixedBytes{width: leaf.TypeLength, from: 4, convert: bigEndianInts(4, dt.Precision)}, nil
	case *arrow.Decimal64Type:
		return &fixedBytes{width: leaf.TypeLength, from: 8, convert: bigEndianInts(8, dt.Precision)}, nil
	case *arrow.Decimal128Type:
		return &fixedBytes{width: leaf.TypeLength, from: 16, convert: bigEndian128(dt.Precision)}, nil
	case *arrow.Decimal256Type:
		return &fixedBytes{width: leaf.TypeLength, from: 32, convert: bigEndian256(dt.Precision)}, nil
	}
	return nil, errNoSource(leaf)
}
