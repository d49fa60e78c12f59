package lint

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// checkBounds checks the bounds of values. exact says of either bound whether it is flagged to be a value;
// nil if there is no such flag.
func (l *Leaf) checkBounds(values *extremes, low, high []byte, exact []bool) error {
	if values == nil {
		return errors.New("bounds without a value that has an order")
	}
	smallest, largest := values.smallest, values.largest
	if n := len(smallest); l.Type != ByteArray && (len(low) != n || len(high) != n) {
		return fmt.Errorf("bounds %x and %x of values of %d bytes", low, high, n)
	}
	if l.compare(low, smallest) > 0 || l.compare(high, largest) < 0 {
		return fmt.Errorf("bounds %x and %x, values from %x to %x", low, high, smallest, largest)
	}
	if l.isNaN(low) || l.isNaN(high) {
		return fmt.Errorf("bounds %x and %x: a NaN", low, high)
	}
	if l.IsFloat() {
		low, high := l.Number(low), l.Number(high)
		if low == 0 && !math.Signbit(low) || high == 0 && math.Signbit(high) {
			return fmt.Errorf("bounds %v and %v leave a zero out", low, high)
		}
	}
	if err := l.checkBound(low, smallest, exact == nil || exact[0], exact == nil); err != nil {
		return fmt.Errorf("smallest: %w", err)
	}
	if err := l.checkBound(high, largest, exact == nil || exact[1], exact == nil); err != nil {
		return fmt.Errorf("largest: %w", err)
	}
	return nil
}

// checkBound checks a bound against the value that it stands for: it is the value if it is flagged as exact, and cut to
// about so many bytes as the writer was told if it is not. Without a flag it may be either.
func (l *Leaf) checkBound(bound, value []byte, exact, unflagged bool) error {
	same := l.compare(bound, value) == 0
	switch {
	case same && !exact:
		return fmt.Errorf("%x is a value and not flagged as exact", bound)
	case same:
		return nil
	case exact && !unflagged:
		return fmt.Errorf("%x is flagged as exact, the value is %x", bound, value)
	case l.Type != ByteArray || len(value) <= l.boundBytes:
		return fmt.Errorf("%x is not the value %x, which is short", bound, value)
	case len(bound) > l.boundBytes:
		return fmt.Errorf("%x is cut to %d bytes", bound, len(bound))
	case l.Logical.Kind == String && utf8.Valid(value) && !utf8.Valid(bound):
		return fmt.Errorf("%x is not UTF-8", bound)
	}
	return nil
}

// boundaryOrder returns the order that the bounds of the pages with values are in.
func (l *Leaf) boundaryOrder(null []bool, low, high [][]byte) BoundaryOrder {
	var a, b [][]byte
	for i := range null {
		if !null[i] {
			a, b = append(a, low[i]), append(b, high[i])
		}
	}
	descending := func(x, y []byte) int { return l.compare(y, x) }
	switch {
	case slices.IsSortedFunc(a, l.compare) && slices.IsSortedFunc(b, l.compare):
		return Ascending
	case slices.IsSortedFunc(a, descending) && slices.IsSortedFunc(b, descending):
		return Descending
	}
	return Unordered
}
