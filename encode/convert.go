package encode

import (
	"fmt"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// numberSource is where the values of a four or eight byte physical type come from.
type numberSource[T uint32 | uint64] interface {
	bind(data arrow.ArrayData) error
	release()
	// each calls yield with the values, in order, of a span that is not Repeated. A block is valid during the call.
	each(s *levels.Span, yield func(block []T) error) error
	// gather sets dst to the values at the given slots.
	gather(dst []T, slots []uint32) error
}

// direct is storage that is the physical type already.
type direct[T uint32 | uint64] struct {
	storage []T
	scratch []T
}

func (d *direct[T]) bind(data arrow.ArrayData) (err error) {
	d.storage, err = storageOf[T](data, 1)
	return err
}

func (d *direct[T]) release() { d.storage = nil }

func (d *direct[T]) each(s *levels.Span, yield func([]T) error) error {
	if d.scratch == nil && !s.Mask.All() {
		d.scratch = make([]T, blockValues)
	}
	return eachSelected(s, d.storage, d.scratch, yield)
}

func (d *direct[T]) gather(dst []T, slots []uint32) error {
	gatherSlots(dst, d.storage, slots)
	return nil
}

// converted is storage of another type S. convert returns an error for the value that it cannot keep, and its index.
type converted[T uint32 | uint64, S any] struct {
	convert func(dst []T, src []S) (bad int, err error)
	storage []S
	scratch []S
	out     []T
}

func (c *converted[T, S]) bind(data arrow.ArrayData) (err error) {
	c.storage, err = storageOf[S](data, 1)
	return err
}

func (c *converted[T, S]) release() { c.storage = nil }

func (c *converted[T, S]) each(s *levels.Span, yield func([]T) error) error {
	c.makeScratch()
	done := 0
	return eachSelected(s, c.storage, c.scratch, func(block []S) error {
		for len(block) > 0 {
			n := min(len(block), blockValues)
			if bad, err := c.convert(c.out[:n], block[:n]); err != nil {
				return &valueError{done + bad, err}
			}
			if err := yield(c.out[:n]); err != nil {
				return err
			}
			done, block = done+n, block[n:]
		}
		return nil
	})
}

func (c *converted[T, S]) gather(dst []T, slots []uint32) error {
	c.makeScratch()
	for len(slots) > 0 {
		n := min(len(slots), blockValues)
		gatherSlots(c.scratch, c.storage, slots[:n])
		if bad, err := c.convert(dst[:n], c.scratch[:n]); err != nil {
			return &valueError{bad, err}
		}
		dst, slots = dst[n:], slots[n:]
	}
	return nil
}

func (c *converted[T, S]) makeScratch() {
	if c.out == nil {
		c.out, c.scratch = make([]T, blockValues), make([]S, blockValues)
	}
}

// widen makes 32 bits of a narrower integer, with its sign.
func widen[S int8 | uint8 | int16 | uint16](dst []uint32, src []S) (int, error) {
	for i, v := range src {
		dst[i] = uint32(int32(v))
	}
	return 0, nil
}

func secondsToMillis32(dst []uint32, src []int32) (int, error) {
	for i, v := range src {
		ms := int64(v) * 1000
		if ms != int64(int32(ms)) {
			return i, fmt.Errorf("%d seconds do not fit the milliseconds of a Parquet TIME: send time32[ms] or time64", v)
		}
		dst[i] = uint32(ms)
	}
	return 0, nil
}

const dayMillis = 24 * 60 * 60 * 1000

// days makes days of milliseconds. Those within a day become the day, or are an error.
func days(cut bool) func(dst []uint32, src []int64) (int, error) {
	return func(dst []uint32, src []int64) (int, error) {
		for i, v := range src {
			day := v / dayMillis
			if rest := v - day*dayMillis; rest != 0 && !cut {
				return i, fmt.Errorf("date64 value %d ms is not a whole day and would be cut: "+
					"send timestamp[ms], or allow truncated values", v)
			} else if rest < 0 {
				day--
			}
			if day != int64(int32(day)) {
				return i, fmt.Errorf("date64 value %d ms does not fit a Parquet DATE", v)
			}
			dst[i] = uint32(day)
		}
		return 0, nil
	}
}

// words128 and words256 are wide integers as Arrow stores them: two's complement, lowest word first.
type (
	words128 [2]uint64
	words256 [4]uint64
)

// powerOfTen returns 10^p as four words.
func powerOfTen(p int32) (r words256) {
	r[0] = 1
	for range p {
		var carry uint64
		for i, w := range r {
			hi, lo := bits.Mul64(w, 10)
			var c uint64
			r[i], c = bits.Add64(lo, carry, 0)
			carry = hi + c
		}
	}
	return r
}

// exceeds reports whether the integer in words (two's complement) has an absolute value of limit or more.
func exceeds(words []uint64, limit *words256) bool {
	negative := words[len(words)-1]>>63 != 0
	var abs words256
	carry := uint64(1)
	for i, w := range words {
		if negative {
			w, carry = bits.Add64(^w, 0, carry)
		}
		abs[i] = w
	}
	for i := 3; i >= 0; i-- {
		if abs[i] != limit[i] {
			return abs[i] > limit[i]
		}
	}
	return true
}

func errPrecision(precision int32) error {
	return fmt.Errorf("a decimal has more than the %d digits that its type declares", precision)
}

// decimalToInt takes decimals that are 32 or 64 bits wide. The precision makes sure that they fit T.
func decimalToInt[T uint32 | uint64, S int32 | int64](precision int32) func([]T, []S) (int, error) {
	limit := int64(powerOfTen(precision)[0])
	return func(dst []T, src []S) (int, error) {
		for i, v := range src {
			if w := int64(v); w >= limit || w <= -limit {
				return i, errPrecision(precision)
			}
			dst[i] = T(v)
		}
		return 0, nil
	}
}

// narrow128 takes the low words of decimals that the precision makes fit: the high one repeats the sign then. No branch
// depends on a value, but for one that has too many digits.
func narrow128[T uint32 | uint64](precision int32) func([]T, []words128) (int, error) {
	limit := powerOfTen(precision)
	offset := limit[0] - 1 // that makes -limit + 1 a 0
	return func(dst []T, src []words128) (int, error) {
		dst = dst[:len(src)]
		var beyond uint64
		for i := range src {
			low := src[i][0]
			_, borrow := bits.Sub64(2*offset, low+offset, 0)
			beyond |= borrow | (src[i][1] ^ uint64(int64(low)>>63))
			dst[i] = T(low)
		}
		if beyond == 0 {
			return 0, nil
		}
		first := 0
		for !exceeds(src[first][:], &limit) {
			first++
		}
		return first, errPrecision(precision)
	}
}

func narrow256[T uint32 | uint64](precision int32) func([]T, []words256) (int, error) {
	limit := powerOfTen(precision)
	return func(dst []T, src []words256) (int, error) {
		for i := range src {
			if exceeds(src[i][:], &limit) {
				return i, errPrecision(precision)
			}
			dst[i] = T(src[i][0])
		}
		return 0, nil
	}
}
