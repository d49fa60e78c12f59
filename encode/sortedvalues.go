package encode

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/sluice-io/sluice/levels"
)

// sortedValues compares each value of a column with the value before it, nulls left out.
type sortedValues struct {
	leaf  *leafColumn
	flip  uint64 // all bits of an ordered number, if values descend
	read  func(s *levels.Span) error
	begun bool // there is a value before

	number uint64 // the value before, of a column that is read as numbers
	bytes  []byte // or as byte strings

	n           int // values of the span
	after, same orderBits
	block       [blockValues]uint64
	body        []byte // of a span of booleans
}

// orderBits has a bit for each value of a span.
type orderBits []uint64

// init makes read take the values of a span from a column.
func (s *sortedValues) init(c *column, descending bool) {
	s.leaf = c.leaf
	if descending {
		s.flip = ^uint64(0)
	}
	switch v := c.values.(type) {
	case *numberValues[uint32]:
		s.read = func(span *levels.Span) error {
			return v.each(span, func(block []uint32, times []int) error { addSorted(s, block, times); return nil })
		}
	case *numberValues[uint64]:
		s.read = func(span *levels.Span) error {
			return v.each(span, func(block []uint64, times []int) error { addSorted(s, block, times); return nil })
		}
	case *byteValues:
		s.read = func(span *levels.Span) error { return v.each(span, s.addBytes) }
	case *frontValues:
		s.read = func(span *levels.Span) error { return v.each(span, s.addBytes) }
	case *boolValues:
		s.read = func(span *levels.Span) error { return s.addBools(v, span) }
	}
}

func (s *sortedValues) reset() {
	s.n, s.after, s.same = 0, s.after[:0], s.same[:0]
}

// addSorted takes a block of numbers, which stand as often as times says, or once if that is nil.
func addSorted[T uint32 | uint64](s *sortedValues, values []T, times []int) {
	for len(values) > 0 {
		n := min(len(values), blockValues)
		block := s.block[:n]
		orderNumbers(block, values[:n], s.leaf)
		if times == nil {
			s.addNumbers(block)
		}
		for i, k := range times { // of one block
			s.addNumbers(block[i : i+1])
			s.addSame(k - 1)
		}
		values = values[n:]
	}
}

// orderNumbers sets dst to numbers that are in the order of the values.
func orderNumbers[T uint32 | uint64](dst []uint64, values []T, leaf *leafColumn) {
	switch {
	case leaf.Physical == typeFloat:
		for i, v := range values {
			dst[i] = numberOfFloat(float64(math.Float32frombits(uint32(v))))
		}
	case leaf.Physical == typeDouble:
		for i, v := range values {
			dst[i] = numberOfFloat(math.Float64frombits(uint64(v)))
		}
	case leaf.Order == orderUnsigned:
		for i, v := range values {
			dst[i] = uint64(v)
		}
	case leaf.Physical == typeInt32:
		for i, v := range values {
			dst[i] = uint64(uint32(v) ^ 1<<31)
		}
	default:
		for i, v := range values {
			dst[i] = uint64(v) ^ 1<<63
		}
	}
}

// numberOfFloat has NaN above all others and one zero.
func numberOfFloat(v float64) uint64 {
	b := math.Float64bits(v)
	switch {
	case v != v:
		return ^uint64(0)
	case v == 0:
		return 1 << 63
	case b>>63 != 0:
		return ^b
	}
	return b | 1<<63
}

// addNumbers takes numbers that are in the order of the values.
func (s *sortedValues) addNumbers(block []uint64) {
	if !s.begun {
		s.begun, s.number = true, block[0]^s.flip
	}
	last := s.number
	for len(block) > 0 {
		n := min(64-s.n&63, len(block))
		var after, same uint64
		for i, v := range block[:n] {
			v ^= s.flip
			_, less := bits.Sub64(v, last, 0)
			_, other := bits.Sub64(0, v^last, 0)
			after |= less << i
			same |= (other ^ 1) << i
			last = v
		}
		s.append(after, same, n)
		block = block[n:]
	}
	s.number = last
}

// append adds the bits of n values, which go into the last word.
func (s *sortedValues) append(after, same uint64, n int) {
	shift := s.n & 63
	if shift == 0 {
		s.after, s.same = append(s.after, 0), append(s.same, 0)
	}
	last := len(s.after) - 1
	s.after[last] |= after << shift
	s.same[last] |= same << shift
	s.n += n
}

// addSame takes n values that are the one before.
func (s *sortedValues) addSame(n int) {
	for n > 0 {
		m := min(64-s.n&63, n)
		s.append(0, lowBits(m), m)
		n -= m
	}
}

// addBytes takes a block of byte strings.
func (s *sortedValues) addBytes(b *byteBlock) error {
	last := s.bytes
	for i := 0; i < b.n; {
		n := min(64-s.n&63, b.n-i)
		if b.times != nil {
			n = 1
		}
		if s.leaf.Order == orderFloat16 {
			for k := range n {
				s.block[k] = numberOfFloat16(b.at(i + k))
			}
			s.addNumbers(s.block[:n])
		} else {
			last = s.addStrings(b, i, n, last)
		}
		if b.times != nil {
			s.addSame(b.times[i] - 1)
		}
		i += n
	}
	s.bytes = append(s.bytes[:0], last...)
	return nil
}

// addStrings takes n values of a block from value i on, which go into one word, and returns the last of them.
func (s *sortedValues) addStrings(b *byteBlock, i, n int, last []byte) []byte {
	if !s.begun {
		s.begun, last = true, b.at(i)
	}
	var after, same uint64
	for k := range n {
		v := b.at(i + k)
		c := compareBounds(s.leaf.Order, s.leaf.Physical, v, last)
		if s.flip != 0 {
			c = -c
		}
		after |= uint64(oneIf(c < 0)) << k
		same |= uint64(oneIf(c == 0)) << k
		last = v
	}
	s.append(after, same, n)
	return last
}

// numberOfFloat16 is numberOfFloat of a half-precision float.
func numberOfFloat16(v []byte) uint64 {
	x := binary.LittleEndian.Uint16(v)
	switch {
	case isNaN16(v):
		return math.MaxUint16
	case x&0x7fff == 0:
		x = 0
	}
	return uint64(ordered16(x))
}

// addBools takes the values of a span as bits.
func (s *sortedValues) addBools(v *boolValues, span *levels.Span) (err error) {
	trues, falses := v.trues, v.falses
	one := *span
	one.Times = nil
	s.body, err = v.appendPlain(s.body[:0], 0, &one)
	v.trues, v.falses = trues, falses
	if err != nil {
		return err
	}
	for i := 0; i < one.NumValues; i += 64 {
		word := levels.Bits{Bytes: s.body}.Word(i)
		if !s.begun {
			s.begun, s.number = true, word&1
		}
		n := min(64, one.NumValues-i)
		before := word<<1 | s.number
		after := before &^ word
		if s.flip != 0 {
			after = word &^ before
		}
		s.append(after&lowBits(n), ^(word^before)&lowBits(n), n)
		s.number = word >> (n - 1) & 1
	}
	return nil
}

// spread places the bits of the values from value `from` on where word has bits set.
func (b orderBits) spread(word uint64, from int) uint64 {
	if word == 0 {
		return 0
	}
	w := b[from>>6] >> (from & 63)
	if from&63 > 0 && from>>6+1 < len(b) {
		w |= b[from>>6+1] << (64 - from&63)
	}
	if word&(word+1) == 0 { // the first ones
		return w & word
	}
	var out uint64
	for rest := word; rest != 0; rest &= rest - 1 {
		out |= rest & -rest & -(w & 1)
		w >>= 1
	}
	return out
}
