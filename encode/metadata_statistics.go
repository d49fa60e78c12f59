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

// write writes s as a field; nil omits it. The deprecated min and max are left out: their order is not the column's.
func (s *statistics) write(w *thriftWriter, id int16) {
	if s == nil {
		return
	}
	outer := w.begin(id)
	w.i64(3, s.NullCount)
	if s.DistinctCount >= 0 {
		w.i64(4, s.DistinctCount)
	}
	if s.HasMinMax {
		w.bytes(5, s.Max)
		w.bytes(6, s.Min)
		w.bool(7, s.MaxExact)
		w.bool(8, s.MinExact)
	}
	if s.HasNaNCount {
		w.i64(9, s.NaNCount)
	}
	w.end(outer)
}

// write writes s as a field; nil omits it.
func (s *sizeStatistics) write(w *thriftWriter, id int16) {
	if s == nil {
		return
	}
	outer := w.begin(id)
	if s.UnencodedBytes >= 0 {
		w.i64(1, s.UnencodedBytes)
	}
	w.i64s(2, s.Repetition)
	w.i64s(3, s.Definition)
	w.end(outer)
}
