package encode

import "math/bits"

// logicalKind tells the logical types apart. The numbers are the fields of the spec's LogicalType union; interval has a
// number reserved there, and is written as a converted type alone.
type logicalKind int16

const (
	logicalNone      logicalKind = 0
	logicalString    logicalKind = 1
	logicalMap       logicalKind = 2
	logicalList      logicalKind = 3
	logicalEnum      logicalKind = 4
	logicalDecimal   logicalKind = 5
	logicalDate      logicalKind = 6
	logicalTime      logicalKind = 7
	logicalTimestamp logicalKind = 8
	logicalInterval  logicalKind = 9
	logicalInteger   logicalKind = 10
	logicalUnknown   logicalKind = 11
	logicalJSON      logicalKind = 12
	logicalBSON      logicalKind = 13
	logicalUUID      logicalKind = 14
	logicalFloat16   logicalKind = 15
	logicalVariant   logicalKind = 16
	logicalGeometry  logicalKind = 17
	logicalGeography logicalKind = 18
)

// logicalNames are the names of LogicalTypes.md.
var logicalNames = [...]string{
	logicalString: "STRING", logicalMap: "MAP", logicalList: "LIST", logicalEnum: "ENUM", logicalDecimal: "DECIMAL",
	logicalDate: "DATE", logicalTime: "TIME", logicalTimestamp: "TIMESTAMP", logicalInterval: "INTERVAL",
	logicalInteger: "INT", logicalUnknown: "UNKNOWN", logicalJSON: "JSON", logicalBSON: "BSON", logicalUUID: "UUID",
	logicalFloat16: "FLOAT16", logicalVariant: "VARIANT", logicalGeometry: "GEOMETRY", logicalGeography: "GEOGRAPHY",
}

// String returns the spec's name, "" for none.
func (k logicalKind) String() string { return logicalNames[k] }

// timeUnit is the field of the spec's TimeUnit union.
type timeUnit int16

const (
	unitMillis timeUnit = 1
	unitMicros timeUnit = 2
	unitNanos  timeUnit = 3
)

// edgeAlgorithm is the spec's EdgeInterpolationAlgorithm.
type edgeAlgorithm int32

// logicalType is the meaning of a schema element, from which its converted type follows. The zero value is none.
type logicalType struct {
	Kind      logicalKind
	BitWidth  int8          // integer: 8, 16, 32 or 64
	Signed    bool          // integer
	Precision int32         // decimal
	Scale     int32         // decimal
	Unit      timeUnit      // time, timestamp
	UTC       bool          // time, timestamp: an instant, not a local time
	Version   int8          // variant: of its specification
	CRS       string        // geometry, geography: "" is the spec's default
	Edges     edgeAlgorithm // geography
}

// convertedType is the spec's ConvertedType, what stood in the place of logical types before.
type convertedType int32

const (
	convertedUTF8            convertedType = 0
	convertedMap             convertedType = 1
	convertedList            convertedType = 3
	convertedEnum            convertedType = 4
	convertedDecimal         convertedType = 5
	convertedDate            convertedType = 6
	convertedTimeMillis      convertedType = 7
	convertedTimeMicros      convertedType = 8
	convertedTimestampMillis convertedType = 9
	convertedTimestampMicros convertedType = 10
	convertedUint8           convertedType = 11 // then 16, 32, 64 bits
	convertedInt8            convertedType = 15 // then 16, 32, 64 bits
	convertedJSON            convertedType = 19
	convertedBSON            convertedType = 20
	convertedInterval        convertedType = 21
)

// converted returns the converted type that the spec wants beside l, if there is one. A local time has that of an
// instant.
func (l logicalType) converted() (t convertedType, ok bool) {
	switch l.Kind {
	case logicalString:
		return convertedUTF8, true
	case logicalMap:
		return convertedMap, true
	case logicalList:
		return convertedList, true
	case logicalEnum:
		return convertedEnum, true
	case logicalDecimal:
		return convertedDecimal, true
	case logicalDate:
		return convertedDate, true
	case logicalTime:
		return convertedTimeMillis + convertedType(l.Unit-unitMillis), l.Unit != unitNanos
	case logicalTimestamp:
		return convertedTimestampMillis + convertedType(l.Unit-unitMillis), l.Unit != unitNanos
	case logicalInterval:
		return convertedInterval, true
	case logicalInteger:
		first := convertedUint8
		if l.Signed {
			first = convertedInt8
		}
		return first + convertedType(bits.TrailingZeros8(uint8(l.BitWidth))-3), true
	case logicalJSON:
		return convertedJSON, true
	case logicalBSON:
		return convertedBSON, true
	}
	return 0, false
}

// write writes l as a field of the spec's LogicalType union; none, and interval, omit it.
func (l logicalType) write(w *thriftWriter, id int16) {
	if l.Kind == logicalNone || l.Kind == logicalInterval {
		return
	}
	outer := w.begin(id)
	member := w.begin(int16(l.Kind))
	l.writeParameters(w)
	w.end(member)
	w.end(outer)
}

// writeParameters writes the fields of the union's member; most have none.
func (l logicalType) writeParameters(w *thriftWriter) {
	switch l.Kind {
	case logicalDecimal:
		w.i32(1, l.Scale)
		w.i32(2, l.Precision)
	case logicalTime, logicalTimestamp:
		w.bool(1, l.UTC)
		outer := w.begin(2)
		w.empty(int16(l.Unit))
		w.end(outer)
	case logicalInteger:
		w.i8(1, l.BitWidth)
		w.bool(2, l.Signed)
	case logicalVariant:
		w.i8(1, l.Version)
	case logicalGeometry, logicalGeography:
		if l.CRS != "" {
			w.string(1, l.CRS)
		}
		if l.Kind == logicalGeography {
			w.i32(2, int32(l.Edges))
		}
	}
}
