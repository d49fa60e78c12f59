package lint

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow/float16"
)

// IsFloat reports whether the values are floats of any width.
func (l *Leaf) IsFloat() bool {
	return l.Type == Float || l.Type == Double || l.Logical.Kind == Float16
}

// isNaN reports whether a value is a float and not a number.
func (l *Leaf) isNaN(v []byte) bool { return l.IsFloat() && math.IsNaN(l.Number(v)) }

// countNaN counts the values that are not a number.
func (l *Leaf) countNaN(values [][]byte) (n int64) {
	if !l.IsFloat() {
		return 0
	}
	for _, v := range values {
		if math.IsNaN(l.Number(v)) {
			n++
		}
	}
	return n
}

// extremes are the smallest and the largest of values that have an order.
type extremes struct{ smallest, largest []byte }

// extremesOf returns those of the values that can be compared: intervals and geometries cannot, nor NaNs, and the encoded
// parts of a VARIANT have an order that means nothing. Nil: there is no such value.
func (l *Leaf) extremesOf(values [][]byte) (e *extremes) {
	if l.Logical.Kind == Interval || l.IsShape() || l.IsVariantPart() {
		return nil
	}
	for _, v := range values {
		switch {
		case l.isNaN(v):
		case e == nil:
			e = &extremes{v, v}
		case l.compare(v, e.smallest) < 0:
			e.smallest = v
		case l.compare(v, e.largest) > 0:
			e.largest = v
		}
	}
	return e
}

// IsVariantPart reports whether the leaf is the metadata or a value of a VARIANT.
func (l *Leaf) IsVariantPart() bool { return l.inVariant && l.Name != "typed_value" }

// Number returns a float of any width.
func (l *Leaf) Number(v []byte) float64 {
	switch l.Type {
	case Float:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(v)))
	case Double:
		return math.Float64frombits(binary.LittleEndian.Uint64(v))
	}
	return float64(float16.FromBits(binary.LittleEndian.Uint16(v)).Float32())
}

// compare orders two values by the leaf's logical type (LogicalTypes.md), or else its physical one.
func (l *Leaf) compare(a, b []byte) int {
	switch {
	case l.IsFloat():
		x, y := l.Number(a), l.Number(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	case l.Type == Int32 || l.Type == Int64:
		return cmp.Compare(l.integer(a), l.integer(b))
	case l.Logical.Kind == Decimal && len(a) > 0 && len(b) > 0:
		return compareDecimals(a, b)
	}
	return bytes.Compare(a, b)
}

// compareDecimals compares two big-endian numbers in two's complement.
func compareDecimals(a, b []byte) int {
	negative := a[0] >= 0x80
	if negative != (b[0] >= 0x80) {
		return map[bool]int{true: -1, false: 1}[negative]
	}
	return bytes.Compare(a, b)
}

// integer returns an INT32 or INT64, an unsigned one with its order kept.
func (l *Leaf) integer(v []byte) int64 {
	unsigned := l.Logical.Kind == Integer && !l.Logical.Signed
	switch {
	case len(v) == 4 && unsigned:
		return int64(binary.LittleEndian.Uint32(v))
	case len(v) == 4:
		return int64(int32(binary.LittleEndian.Uint32(v)))
	case unsigned:
		return int64(binary.LittleEndian.Uint64(v) ^ 1<<63)
	}
	return int64(binary.LittleEndian.Uint64(v))
}
