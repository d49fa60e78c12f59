package encode

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// frontValues are the values of a column whose only encoding is DELTA_BYTE_ARRAY, and that has no dictionary. They go
// into a page by their differences as they come: its body is the suffixes. What counts towards a page's limit is what it
// stores, but for the first value, which begins any page. So values that hardly differ are in one page however long they
// are, up to the limit of records.
//
//	values    "axis" "axle" "babble" "babyhood"
//	prefixes  0      2      0        3
//	suffixes  4      2      6        5
//	body      axis   le     babble   yhood
type frontValues struct {
	*byteValues
	last     keptValue // before the values to come, if a page is in progress
	edges    frontEdges
	starts   bool    // the next value is the first of a page
	first    int     // bytes of the first of the page in progress
	ahead    []front // of values, as far as they were looked at
	used     int     // of these, values that have come
	head     []byte  // the first of them, if records stand several times
	turn     front   // its, behind the last of them
	peek     keptValue
	prefixes []uint32 // of the page, as suffixes
	suffixes []uint32
	zeros    []int // where empty values lie
}

// front is how many bytes a value shares with the one before it, and how many it has behind them.
type front struct{ prefix, suffix uint32 }

// frontBits is what a value's lengths count towards a page's limit.
const frontBits = 16

// frontBytes is about how many bytes of values are looked at together, so that they are still in the core's cache when
// their suffixes are copied.
const frontBytes = 64 << 10

// pageBits returns what a page of n values with this body counts.
func (v *frontValues) pageBits(body []byte, n int) int {
	if v.starts {
		return 0
	}
	return 8*(len(body)-v.first) + frontBits*n
}

func newFrontValues(v *byteValues) *frontValues { return &frontValues{byteValues: v, starts: true} }

// appendLengths appends what comes in front of the body in a page of n values, which ends there.
func (v *frontValues) appendLengths(dst []byte, n int) []byte {
	if len(v.prefixes) != n {
		panic("encode: a page has another number of values than it should")
	}
	dst = appendDelta32(appendDelta32(dst, bytesOf(v.prefixes)), bytesOf(v.suffixes))
	v.prefixes, v.suffixes, v.starts = v.prefixes[:0], v.suffixes[:0], true
	return dst
}

func (v *frontValues) bind(data arrow.ArrayData) error {
	v.ahead, v.used = v.ahead[:0], 0
	return v.byteValues.bind(data)
}

func (v *frontValues) release() {
	if v.starts {
		v.last.value = nil
	}
	v.last.own()
	v.edges.own()
	v.ahead, v.used, v.peek.value = v.ahead[:0], 0, nil
	v.byteValues.release()
}

func (v *frontValues) fixedBits() int { return 0 }

func (v *frontValues) mostBits(s *levels.Span) int {
	return v.byteValues.mostBits(s) + frontBits*s.NumValues
}

// plainBits returns what the page's bits grow by.
func (v *frontValues) plainBits(s *levels.Span) int {
	fronts := v.look(s)
	n := suffixBits(fronts) + frontBits*s.NumValues
	if v.starts && len(fronts) > 0 {
		n -= 8 * int(fronts[0].suffix)
	}
	return n
}

// againBits is plainBits of another repetition of a record.
func (v *frontValues) againBits(s *levels.Span) int {
	fronts := v.look(s)
	if len(fronts) == 0 {
		return 0
	}
	return suffixBits(fronts[1:]) + 8*int(v.turn.suffix) + frontBits*s.NumValues
}

func suffixBits(fronts []front) (n int) {
	for _, f := range fronts {
		n += int(f.suffix)
	}
	return 8 * n
}

// look returns the fronts of the values to come, those of a span; of each that stands several times in it, the first.
// They are found once, as long as all stand once.
func (v *frontValues) look(s *levels.Span) []front {
	if seen := v.ahead[v.used:]; s.Times == nil && !s.Repeated && len(seen) >= s.NumValues {
		return seen[:s.NumValues]
	}
	v.ahead, v.used = v.ahead[:0], 0
	v.peek.value = v.last.value
	_ = v.each(s, func(b *byteBlock) error { // appendPlain has the error
		if s.Times != nil && len(v.ahead) == 0 {
			v.head = append(v.head[:0], b.at(0)...)
		}
		v.ahead = b.appendFronts(v.ahead, v.peek.value)
		v.peek.set(b.at(b.n - 1))
		return nil
	})
	fronts := v.ahead
	if s.Times != nil {
		v.turn = frontOf(v.peek.value, v.head)
	}
	if s.Times != nil || s.Repeated {
		v.ahead = v.ahead[:0]
	}
	return fronts
}

// each is that of byteValues, but that what stands several times without a run that says so, which is empty, comes one by
// one.
func (v *frontValues) each(s *levels.Span, yield func(*byteBlock) error) error {
	return v.byteValues.each(s, func(b *byteBlock) error {
		if b.times == nil || s.Repeated {
			return yield(b)
		}
		if v.zeros == nil {
			v.zeros = make([]int, blockValues)
		}
		for rest := b.standing(); rest > 0; rest -= blockValues {
			n := min(rest, blockValues)
			if err := yield(&byteBlock{data: b.data, lo: v.zeros, hi: v.zeros, n: n}); err != nil {
				return err
			}
		}
		return nil
	})
}

func frontOf(last, value []byte) front {
	n := sharedPrefix(last, value)
	return front{uint32(n), uint32(len(value) - n)}
}

// appendFronts appends the fronts of a block that follows a value.
func (b *byteBlock) appendFronts(dst []front, last []byte) []front {
	dst = slices.Grow(dst, b.n)
	for i := range b.n {
		value := b.at(i)
		dst = append(dst, frontOf(last, value))
		last = value
	}
	return dst
}

func (v *frontValues) appendPlain(dst []byte, _ int, s *levels.Span) ([]byte, error) {
	fronts, times := v.look(s), s.Repeat()
	values, done, at := len(v.prefixes), 0, -1 // at is where the suffix of the first value ends
	left := fronts
	err := v.each(s, func(b *byteBlock) error {
		if err := v.inspect(b, done); err != nil {
			return err
		}
		done += b.standing()
		block := left[:b.n]
		left = left[b.n:]
		if v.starts {
			v.starts, v.first = false, len(b.at(0))
			block[0] = front{0, uint32(v.first)}
		}
		if n := len(dst) + suffixBits(block)/8; n > maxPageBytes {
			return pageSizeError(n)
		}
		if v.bounds.order == orderUnsignedBytes {
			v.edges.add(b, block)
		} else {
			v.bounds.add(b, times)
		}
		v.hashes.addBytes(b)
		if v.width == 0 {
			v.total += int64(b.numBytes()) * int64(times)
		}
		if at < 0 {
			at = len(dst) + int(block[0].suffix)
		}
		dst = v.appendSuffixes(dst, b, block)
		v.last.set(b.at(b.n - 1))
		return nil
	})
	if err == nil && times > 1 && done > 0 {
		dst, err = v.again(dst, at, values, times-1)
	}
	v.used = min(len(v.ahead), v.used+len(fronts))
	return dst, err
}

// appendSuffixes appends the suffixes of a block to a body, and the lengths of its values to the page.
func (v *frontValues) appendSuffixes(dst []byte, b *byteBlock, fronts []front) []byte {
	at := len(dst)
	dst = grow(dst, suffixBits(fronts)/8+shortCopy)
	for i, f := range fronts {
		value := b.at(i)
		suffix := value[f.prefix:]
		copyShort(dst[at:], suffix[:cap(suffix)], int(f.suffix))
		at += int(f.suffix)
		v.prefixes, v.suffixes = append(v.prefixes, f.prefix), append(v.suffixes, f.suffix)
		if b.times != nil {
			for range b.times[i] - 1 {
				v.prefixes, v.suffixes = append(v.prefixes, uint32(len(value))), append(v.suffixes, 0)
			}
		}
	}
	return dst[:at]
}

// again appends another times repetitions of the record that came last: in dst with all but its first value from at on,
// and in the lengths from the values on that were there before.
func (v *frontValues) again(dst []byte, at, values, times int) ([]byte, error) {
	end := len(dst)
	if n := end + (end-at+int(v.turn.suffix))*times; n > maxPageBytes {
		return dst, pageSizeError(n)
	}
	dst = append(dst, v.head[v.turn.prefix:]...)
	dst = appendAgain(append(dst, dst[at:end]...), end, times)
	n := len(v.prefixes)
	for range times {
		v.prefixes = append(append(v.prefixes, v.turn.prefix), v.prefixes[values+1:n]...)
		v.suffixes = append(append(v.suffixes, v.turn.suffix), v.suffixes[values+1:n]...)
	}
	return dst, nil
}

func (v *frontValues) takeBounds() pageBounds {
	if v.edges.some {
		v.bounds.some, v.bounds.min, v.bounds.max = true, v.edges.min.value, v.edges.max.value
		defer func() {
			v.edges.some, v.edges.min.value, v.edges.max.value = false, nil, nil
			v.bounds.min, v.bounds.max = nil, nil
		}()
	}
	return v.byteValues.takeBounds()
}

func (v *frontValues) held() int64 {
	return 4*int64(cap(v.prefixes)+cap(v.suffixes)) + 8*int64(cap(v.ahead)) + int64(cap(v.last.room)+cap(v.peek.room)+cap(v.head))
}
