package encode

// statistics is the spec's Statistics, of a column chunk or of a page. Min and Max are in plain encoding without the
// length in front of a byte array, and follow the column order.
type statistics struct {
	HasMinMax          bool
	Min, Max           []byte
	MinExact, MaxExact bool // false: a bound that need not be a value of the column
	NullCount          int64
	DistinctCount      int64 // -1: unknown
	HasNaNCount        bool  // for FLOAT, DOUBLE and FLOAT16 alone
	NaNCount           int64
}

// sizeStatistics is the spec's SizeStatistics.
type sizeStatistics struct {
	UnencodedBytes int64   // of the values of a byte array column, without their lengths; -1 for any other column
	Repetition     []int64 // how often each repetition level occurs; nil omits it
	Definition     []int64 // how often each definition level occurs; nil omits it
}
