package lint

import (
	"fmt"
	"math/big"
)

// checkType checks that a leaf's logical type may have its physical one (LogicalTypes.md).
func (l *Leaf) checkType() error {
	t := &l.Logical
	ok := true
	switch t.Kind {
	case String, Enum, JSON, BSON, Geometry, Geography:
		ok = l.Type == ByteArray
	case UUID:
		ok = l.Type == FixedLenByteArray && l.TypeLength == 16
	case Interval:
		ok = l.Type == FixedLenByteArray && l.TypeLength == 12
	case Float16:
		ok = l.Type == FixedLenByteArray && l.TypeLength == 2
	case Date:
		ok = l.Type == Int32
	case Time:
		ok = l.Type == Int32 && t.Unit == Millis || l.Type == Int64 && t.Unit != Millis
	case Timestamp:
		ok = l.Type == Int64
	case Integer:
		narrow := t.BitWidth == 8 || t.BitWidth == 16 || t.BitWidth == 32
		ok = l.Type == Int32 && narrow || l.Type == Int64 && t.BitWidth == 64
	case Decimal:
		ok = t.Scale >= 0 && t.Scale <= t.Precision && t.Precision > 0 && t.Precision <= l.maxPrecision()
	case Map, List, Variant:
		ok = false // they are groups
	}
	if ok {
		ok = (l.TypeLength > 0) == (l.Type == FixedLenByteArray)
	}
	if !ok {
		return fmt.Errorf("%+v in physical type %d of %d bytes", *t, l.Type, l.TypeLength)
	}
	return nil
}

// maxPrecision returns how many digits the physical type holds of a decimal.
func (l *Leaf) maxPrecision() int32 {
	switch l.Type {
	case Int32:
		return 9
	case Int64:
		return 18
	case ByteArray:
		return 1 << 30
	case FixedLenByteArray: // floor(log10(2^(8n-1) - 1))
		most := new(big.Int).Lsh(big.NewInt(1), uint(8*l.TypeLength-1))
		return int32(len(most.Sub(most, big.NewInt(1)).String())) - 1
	}
	return 0
}

// checkRange checks the smallest and the largest value against what the logical type has room for.
func (l *Leaf) checkRange(e *extremes) error {
	if e == nil {
		return nil
	}
	t := &l.Logical
	switch {
	case t.Kind == Unknown:
		return fmt.Errorf("a value of the type that has none")
	case t.Kind == Integer && t.BitWidth < 32:
		low, high := int64(0), int64(1)<<t.BitWidth-1
		if t.Signed {
			low, high = -1<<(t.BitWidth-1), 1<<(t.BitWidth-1)-1
		}
		if least, most := l.integer(e.smallest), l.integer(e.largest); least < low || most > high {
			return fmt.Errorf("values from %d to %d of %d bits", least, most, t.BitWidth)
		}
	case t.Kind == Decimal:
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Precision)), nil)
		for _, v := range [][]byte{e.smallest, e.largest} {
			if n := l.decimal(v); n.CmpAbs(limit) >= 0 {
				return fmt.Errorf("a decimal %d of %d digits", n, t.Precision)
			}
		}
	}
	return nil
}

// decimal returns the unscaled number of a decimal.
func (l *Leaf) decimal(v []byte) *big.Int {
	if l.Type == Int32 || l.Type == Int64 {
		return big.NewInt(l.integer(v))
	}
	n := new(big.Int).SetBytes(v)
	if len(v) > 0 && v[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
	}
	return n
}
