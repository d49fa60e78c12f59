package encode

import (
	"cmp"
	"encoding/binary"
	"math"
	"unsafe"
)

// numberBounds keeps the smallest and largest of the numbers added since the last take.
type numberBounds[T uint32 | uint64] interface {
	add(block []T, times []int, again int) // see addNaNs
	take() pageBounds
	isNaN(v T) bool
}

func bounds32(order sortOrder) numberBounds[uint32] {
	switch order {
	case orderUnsigned:
		return &orderedBounds[uint32, uint32]{}
	case orderFloat:
		return &floatBounds[uint32, int32, float32]{}
	}
	return &orderedBounds[uint32, int32]{}
}

func bounds64(order sortOrder) numberBounds[uint64] {
	switch order {
	case orderUnsigned:
		return &orderedBounds[uint64, uint64]{}
	case orderFloat:
		return &floatBounds[uint64, int64, float64]{}
	}
	return &orderedBounds[uint64, int64]{}
}

// orderedBounds are bounds of integers, as which the bits of T are compared.
type orderedBounds[T uint32 | uint64, V int32 | uint32 | int64 | uint64] struct {
	some     bool
	min, max V
}

func (b *orderedBounds[T, V]) add(block []T, _ []int, _ int) {
	if len(block) == 0 {
		return
	}
	if !b.some {
		b.some, b.min, b.max = true, V(block[0]), V(block[0])
	}
	// Four chains, as one would wait for itself at every value.
	min0, max0 := b.min, b.max
	min1, max1, min2, max2, min3, max3 := min0, max0, min0, max0, min0, max0
	for len(block) >= 4 {
		v0, v1, v2, v3 := V(block[0]), V(block[1]), V(block[2]), V(block[3])
		min0, max0 = min(min0, v0), max(max0, v0)
		min1, max1 = min(min1, v1), max(max1, v1)
		min2, max2 = min(min2, v2), max(max2, v2)
		min3, max3 = min(min3, v3), max(max3, v3)
		block = block[4:]
	}
	for _, v := range block {
		min0, max0 = min(min0, V(v)), max(max0, V(v))
	}
	b.min, b.max = min(min0, min1, min2, min3), max(max0, max1, max2, max3)
}

func (b *orderedBounds[T, V]) take() pageBounds {
	if !b.some {
		return pageBounds{}
	}
	b.some = false
	return exactBounds(bytesOf([]V{b.min}), bytesOf([]V{b.max}))
}

func (b *orderedBounds[T, V]) isNaN(T) bool { return false }

func exactBounds(min, max []byte) pageBounds {
	return pageBounds{ok: true, min: min, max: max, minExact: true, maxExact: true}
}

// floatBounds are bounds of floats. A NaN is counted and has no part in them; a zero bound takes the sign that leaves
// no zero out (parquet.thrift, ColumnOrder).
type floatBounds[T uint32 | uint64, S int32 | int64, V float32 | float64] struct {
	some     bool
	min, max V
	nans     int64
}

func (b *floatBounds[T, S, V]) add(block []T, times []int, again int) {
	if len(block) == 0 {
		return
	}
	if !b.some {
		b.min, b.max = V(math.Inf(1)), V(math.Inf(-1))
	}
	low, high := floatNumbers[T, S](block)
	least, most := b.numberOf(math.Inf(-1)), b.numberOf(math.Inf(1))
	if low < least || high > most {
		var numbers int
		if low, high, numbers = numbersWithin(block, least, most); numbers < len(block) {
			b.addNaNs(block, len(block)-numbers, times, again)
		}
		if numbers == 0 {
			return
		}
	}
	b.some, b.min, b.max = true, min(b.min, b.floatOf(low)), max(b.max, b.floatOf(high))
}

// numberOf returns the number of a float: numbers compare as the floats do, a NaN's is beyond an infinity's.
func (b *floatBounds[T, S, V]) numberOf(v float64) S {
	return floatNumber[T, S](keysAs[T](bytesOf([]V{V(v)}))[0])
}

// floatOf returns the float of a number.
func (b *floatBounds[T, S, V]) floatOf(number S) V {
	return floatsOf[V](bytesOf([]T{T(floatNumber[T, S](T(number)))}))[0]
}

// floatNumber turns the bits of a float into its number, and back.
func floatNumber[T uint32 | uint64, S int32 | int64](v T) S {
	s := S(v)
	return s ^ S(T(s>>(8*unsafe.Sizeof(s)-1))>>1)
}

// floatNumbers returns the least and the greatest number of a block, in four chains as orderedBounds.
func floatNumbers[T uint32 | uint64, S int32 | int64](block []T) (low, high S) {
	low = floatNumber[T, S](block[0])
	high = low
	min1, max1, min2, max2, min3, max3 := low, low, low, low, low, low
	for len(block) >= 4 {
		v0, v1, v2, v3 := floatNumber[T, S](block[0]), floatNumber[T, S](block[1]), floatNumber[T, S](block[2]), floatNumber[T, S](block[3])
		low, high = min(low, v0), max(high, v0)
		min1, max1 = min(min1, v1), max(max1, v1)
		min2, max2 = min(min2, v2), max(max2, v2)
		min3, max3 = min(min3, v3), max(max3, v3)
		block = block[4:]
	}
	for _, v := range block {
		low, high = min(low, floatNumber[T, S](v)), max(high, floatNumber[T, S](v))
	}
	return min(low, min1, min2, min3), max(high, max1, max2, max3)
}

// numbersWithin is floatNumbers of those that lie within the infinities, which are not NaN, and returns how many they are.
func numbersWithin[T uint32 | uint64, S int32 | int64](block []T, least, most S) (low, high S, numbers int) {
	low, high, numbers = most, least, len(block)
	for _, v := range block { // without branches, as NaNs may come at random
		k := floatNumber[T, S](v)
		nan := (most - S(v<<1>>1)) >> (8*unsafe.Sizeof(k) - 1) // all bits set if it is
		low, high = min(low, k&^nan|most&nan), max(high, k&^nan|least&nan)
		numbers += int(nan)
	}
	return low, high, numbers
}

// addNaNs counts so many NaNs of a block whose values stand as often as times says, or once if that is nil, all of it so
// many times.
func (b *floatBounds[T, S, V]) addNaNs(block []T, nans int, times []int, again int) {
	if times == nil {
		b.nans += int64(nans * again)
		return
	}
	for i, v := range floatsOf[V](bytesOf(block)) {
		if v != v {
			b.nans += int64(times[i] * again)
		}
	}
}

func floatsOf[V float32 | float64](b []byte) []V { return keysAs[V](b) }

func (b *floatBounds[T, S, V]) take() pageBounds {
	r := pageBounds{nans: b.nans}
	if b.some {
		lo, hi := b.min, b.max
		if lo == 0 {
			lo = V(math.Copysign(0, -1))
		}
		if hi == 0 {
			hi = 0
		}
		nans := r.nans
		r = exactBounds(bytesOf([]V{lo}), bytesOf([]V{hi}))
		r.nans = nans
	}
	*b = floatBounds[T, S, V]{}
	return r
}

func (b *floatBounds[T, S, V]) isNaN(v T) bool {
	f := floatsOf[V](bytesOf([]T{v}))[0]
	return f != f
}

// compareNumbers is compareBounds for physical types that are numbers.
func compareNumbers(order sortOrder, physical physicalType, a, b []byte) int {
	switch physical {
	case typeBoolean:
		return cmp.Compare(a[0], b[0])
	case typeInt32:
		x, y := binary.LittleEndian.Uint32(a), binary.LittleEndian.Uint32(b)
		if order == orderUnsigned {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(int32(x), int32(y))
	case typeInt64:
		x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
		if order == orderUnsigned {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(int64(x), int64(y))
	case typeFloat:
		return cmp.Compare(math.Float32frombits(binary.LittleEndian.Uint32(a)), math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return cmp.Compare(math.Float64frombits(binary.LittleEndian.Uint64(a)), math.Float64frombits(binary.LittleEndian.Uint64(b)))
}
