package encode

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
