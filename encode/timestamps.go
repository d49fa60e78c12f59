package encode

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// ticks is how many of a unit a second has.
func ticks(u timeUnit) int64 {
	switch u {
	case unitNanos:
		return 1_000_000_000
	case unitMicros:
		return 1_000_000
	}
	return 1_000
}

// unitNames are those of messages.
var unitNames = map[timeUnit]string{unitMillis: "milliseconds", unitMicros: "microseconds", unitNanos: "nanoseconds"}

// timestampSource returns where the values of a TIMESTAMP column come from.
func timestampSource(from arrow.TimeUnit, leaf *leafColumn) numberSource[uint64] {
	to := leaf.Logical.Unit
	have, name := int64(1), "seconds"
	if from != arrow.Second {
		have, name = ticks(parquetUnit(from)), unitNames[parquetUnit(from)]
	}
	switch want := ticks(to); {
	case have < want:
		return &converted[uint64, int64]{convert: finerTimes(want/have, name, unitNames[to])}
	case have > want && leaf.cut:
		return &converted[uint64, int64]{convert: cutTimes(have / want)}
	case have > want:
		return &converted[uint64, int64]{convert: coarserTimes(have/want, name, unitNames[to])}
	}
	return &direct[uint64]{}
}

// finerTimes multiplies times, which must fit.
func finerTimes(factor int64, from, to string) func(dst []uint64, src []int64) (int, error) {
	most, least := math.MaxInt64/factor, math.MinInt64/factor
	return func(dst []uint64, src []int64) (int, error) {
		for i, v := range src {
			if v > most || v < least {
				return i, fmt.Errorf("%d %s do not fit the %s of a Parquet TIMESTAMP", v, from, to)
			}
			dst[i] = uint64(v * factor)
		}
		return 0, nil
	}
}

// coarserTimes divides times, which must be whole in the other unit.
func coarserTimes(factor int64, from, to string) func(dst []uint64, src []int64) (int, error) {
	return func(dst []uint64, src []int64) (int, error) {
		for i, v := range src {
			q := v / factor
			if q*factor != v {
				return i, fmt.Errorf("%d %s are no whole number of %s and would be cut: "+
					"allow truncated timestamps, or keep the finer unit", v, from, to)
			}
			dst[i] = uint64(q)
		}
		return 0, nil
	}
}

// cutTimes divides times and drops what is left over, towards 1970.
func cutTimes(factor int64) func(dst []uint64, src []int64) (int, error) {
	return func(dst []uint64, src []int64) (int, error) {
		for i, v := range src {
			dst[i] = uint64(v / factor)
		}
		return 0, nil
	}
}
