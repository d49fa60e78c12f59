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

// monthIntervals takes months.
func monthIntervals(dst, src []byte, _ int) (int, error) {
	for i := range len(src) / 4 {
		months := int32(binary.LittleEndian.Uint32(src[i*4:]))
		if months < 0 {
			return i, errNegativeInterval(months, "months")
		}
		putInterval(dst[i*intervalBytes:], uint32(months), 0, 0)
	}
	return 0, nil
}

// dayTimeIntervals takes days and milliseconds.
func dayTimeIntervals(dst, src []byte, _ int) (int, error) {
	for i := range len(src) / 8 {
		days := int32(binary.LittleEndian.Uint32(src[i*8:]))
		milliseconds := int32(binary.LittleEndian.Uint32(src[i*8+4:]))
		if days < 0 {
			return i, errNegativeInterval(days, "days")
		}
		if milliseconds < 0 {
			return i, errNegativeInterval(milliseconds, "ms")
		}
		putInterval(dst[i*intervalBytes:], 0, uint32(days), uint32(milliseconds))
	}
	return 0, nil
}

// monthDayNanoIntervals takes months, days, and nanoseconds in eight bytes.
func monthDayNanoIntervals(dst, src []byte, _ int) (int, error) {
	for i := range len(src) / 16 {
		months := int32(binary.LittleEndian.Uint32(src[i*16:]))
		days := int32(binary.LittleEndian.Uint32(src[i*16+4:]))
		if months < 0 {
			return i, errNegativeInterval(months, "months")
		}
		if days < 0 {
			return i, errNegativeInterval(days, "days")
		}
		milliseconds, err := wholeMillis(int64(binary.LittleEndian.Uint64(src[i*16+8:])))
		if err != nil {
			return i, err
		}
		putInterval(dst[i*intervalBytes:], uint32(months), uint32(days), milliseconds)
	}
	return 0, nil
}

// wholeMillis returns the nanoseconds of an interval as an INTERVAL has them.
func wholeMillis(ns int64) (uint32, error) {
	const remedy = "send it as a duration, or its parts as integers"
	ms := ns / 1_000_000
	switch {
	case ns < 0:
		return 0, fmt.Errorf("an interval of %d ns: those of Parquet have no sign: %s", ns, remedy)
	case ms*1_000_000 != ns:
		const format = "an interval of %d ns, which is no whole number of milliseconds and would be cut: %s"
		return 0, fmt.Errorf(format, ns, remedy)
	case ms > math.MaxUint32:
		return 0, fmt.Errorf("an interval of %d ns, which is more milliseconds than 32 bits count: %s", ns, remedy)
	}
	return uint32(ms), nil
}
