package encode

import (
	"encoding/binary"
	"fmt"
	"math"
)

// intervalBytes is the size of a Parquet INTERVAL: months, days and milliseconds, each unsigned and of four bytes
// (LogicalTypes.md, "INTERVAL").
const intervalBytes = 12

func putInterval(dst []byte, months, days, milliseconds uint32) {
	binary.LittleEndian.PutUint32(dst, months)
	binary.LittleEndian.PutUint32(dst[4:], days)
	binary.LittleEndian.PutUint32(dst[8:], milliseconds)
}

func errNegativeInterval(n int32, unit string) error {
	return fmt.Errorf("an interval of %d %s: those of Parquet have no sign: send its parts as integers", n, unit)
}

// intervals converts slots of `from` bytes, of which parts takes one apart. An error of parts counts only if months and
// days are as they should be.
func intervals(
	from int, parts func(slot []byte) (months, days int32, milliseconds uint32, err error),
) func(dst, src []byte, _ int) (bad int, err error) {
	return func(dst, src []byte, _ int) (int, error) {
		for i := range len(src) / from {
			months, days, milliseconds, err := parts(src[i*from:])
			switch {
			case months < 0:
				return i, errNegativeInterval(months, "months")
			case days < 0:
				return i, errNegativeInterval(days, "days")
			case err != nil:
				return i, err
			}
			putInterval(dst[i*intervalBytes:], uint32(months), uint32(days), milliseconds)
		}
		return 0, nil
	}
}

func signed32(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }

// monthParts takes months.
func monthParts(slot []byte) (months, days int32, milliseconds uint32, err error) {
	return signed32(slot), 0, 0, nil
}

// dayTimeParts takes days and milliseconds.
func dayTimeParts(slot []byte) (months, days int32, milliseconds uint32, err error) {
	ms := signed32(slot[4:])
	if ms < 0 {
		err = errNegativeInterval(ms, "ms")
	}
	return 0, signed32(slot), uint32(ms), err
}

// monthDayNanoParts takes months, days, and nanoseconds in eight bytes, of which cut drops parts of a millisecond.
func monthDayNanoParts(cut bool) func(slot []byte) (months, days int32, milliseconds uint32, err error) {
	return func(slot []byte) (months, days int32, milliseconds uint32, err error) {
		milliseconds, err = wholeMillis(int64(binary.LittleEndian.Uint64(slot[8:])), cut)
		return signed32(slot), signed32(slot[4:]), milliseconds, err
	}
}

// wholeMillis returns the nanoseconds of an interval as an INTERVAL has them.
func wholeMillis(ns int64, cut bool) (uint32, error) {
	const remedy = "send it as a duration, or its parts as integers"
	ms := ns / 1_000_000
	switch {
	case ns < 0:
		return 0, fmt.Errorf("an interval of %d ns: those of Parquet have no sign: %s", ns, remedy)
	case ms*1_000_000 != ns && !cut:
		const format = "an interval of %d ns, which is no whole number of milliseconds and would be cut: %s, or allow " +
			"truncated values"
		return 0, fmt.Errorf(format, ns, remedy)
	case ms > math.MaxUint32:
		return 0, fmt.Errorf("an interval of %d ns, which is more milliseconds than 32 bits count: %s", ns, remedy)
	}
	return uint32(ms), nil
}
