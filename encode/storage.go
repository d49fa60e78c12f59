package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/sluice-io/sluice/levels"
)

// blockValues is how many values are gathered at a time where they do not lie together.
const blockValues = 1024

// bufferBytes returns buffer i of an array, nil if it has none.
func bufferBytes(data arrow.ArrayData, i int) []byte {
	if len(data.Buffers()) > i && data.Buffers()[i] != nil {
		return data.Buffers()[i].Bytes()
	}
	return nil
}

// storageOf returns buffer i of an array as elements of type S, as many as the array's slots need from the start of the
// buffer. Buffers are in the machine's byte order, which must be little-endian as everything in Parquet is.
func storageOf[S any](data arrow.ArrayData, i int) ([]S, error) {
	slots := data.Offset() + data.Len()
	if slots == 0 {
		return nil, nil
	}
	b := bufferBytes(data, i)
	var zero S
	have := len(b) / int(unsafe.Sizeof(zero))
	if have < slots {
		return nil, fmt.Errorf("the values buffer holds %d slots, the array %d", have, slots)
	}
	return unsafe.Slice((*S)(unsafe.Pointer(unsafe.SliceData(b))), have), nil
}

// bytesOf returns values as they lie in memory.
func bytesOf[S any](v []S) []byte {
	var zero S
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero)))
}

// gatherMasked copies to dst those of src's slots that mask, from bit at on, has set, and returns their number. dst has
// room for all.
func gatherMasked[S any](dst, src []S, mask levels.Bits, at int) int {
	k := 0
	for i := 0; i < len(src); i += 64 {
		w := mask.Word(at+i) & lowBits(len(src)-i)
		if w == ^uint64(0) {
			k += copy(dst[k:], src[i:i+64])
			continue
		}
		group := src[i:]
		for ; w != 0; w &= w - 1 {
			dst[k] = group[bits.TrailingZeros64(w)]
			k++
		}
	}
	return k
}

// pickSlots sets dst to the numbers of those of n slots that mask, from bit at on, has set, as far as there is room, and
// returns how many they are, and how many slots it has passed.
func pickSlots(dst []uint32, n int, mask levels.Bits, at int) (k, passed int) {
	if mask.All() {
		dst = dst[:min(n, len(dst))]
		for i := range dst {
			dst[i] = uint32(i)
		}
		return len(dst), len(dst)
	}
	for ; passed < n && k <= len(dst)-64; passed += 64 {
		for w := mask.Word(at+passed) & lowBits(n-passed); w != 0; w &= w - 1 {
			dst[k] = uint32(passed + bits.TrailingZeros64(w))
			k++
		}
	}
	return k, min(passed, n)
}

// lowBits has the lowest n bits set, all if there are fewer than n.
func lowBits(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// gatherSlots sets dst to what storage has at the slots.
func gatherSlots[S any](dst, storage []S, slots []uint32) {
	dst = dst[:len(slots)]
	for i, slot := range slots {
		dst[i] = storage[slot]
	}
}

// eachSelected calls yield with the values that a span, which is not Repeated, selects of storage, in order: whole runs
// where they have no nulls, and otherwise blocks gathered in scratch, which has room for blockValues.
func eachSelected[S any](s *levels.Span, storage, scratch []S, yield func(block []S) error) error {
	if isSparse(s) {
		return eachSparse(s, storage, scratch, yield)
	}
	ordinal := 0
	for run := range s.Runs {
		slot, n := run.Slot, run.Len
		if s.Mask.All() {
			if err := yield(storage[slot : slot+n]); err != nil {
				return err
			}
			continue
		}
		for i := 0; i < n; i += blockValues {
			m := min(blockValues, n-i)
			k := gatherMasked(scratch, storage[slot+i:slot+i+m], s.Mask, ordinal)
			ordinal += m
			if k > 0 {
				if err := yield(scratch[:k]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sparseShare is the least number of slots for each value of a sparse span.
const sparseShare = 8

// isSparse reports whether most slots of a span have no value. Its values are far apart, and to find out first where they
// lie has the memory look for many at a time.
func isSparse(s *levels.Span) bool { return s.NumValues*sparseShare <= s.NumSlots }

// eachSparse is eachSelected for a sparse span.
func eachSparse[S any](s *levels.Span, storage, scratch []S, yield func(block []S) error) error {
	var slots [blockValues]uint32
	ordinal := 0
	for run := range s.Runs {
		for i := 0; i < run.Len; {
			k, passed := pickSlots(slots[:], run.Len-i, s.Mask, ordinal)
			if gatherSlots(scratch[:k], storage[run.Slot+i:], slots[:k]); k > 0 {
				if err := yield(scratch[:k]); err != nil {
					return err
				}
			}
			i, ordinal = i+passed, ordinal+passed
		}
	}
	return nil
}

// appendStanding appends values as they lie in memory, each as often as times says, or once if that is nil.
func appendStanding[S any](dst []byte, values []S, times []int) []byte {
	if times == nil {
		return append(dst, bytesOf(values)...)
	}
	for i, k := range times {
		at := len(dst)
		dst = appendAgain(append(dst, bytesOf(values[i:i+1])...), at, k)
	}
	return dst
}

// appendAgain appends what dst has from at on, so often that it stands times times.
func appendAgain(dst []byte, at, times int) []byte {
	size := len(dst) - at
	end := at + size*times
	if size <= 8 && size > 0 && times > 1 && times <= 32 { // whole words, one over the end of the other
		dst = grow(dst, end-len(dst)+8)
		w := binary.LittleEndian.Uint64(dst[at:])
		for k := at + size; k < end; k += size {
			binary.LittleEndian.PutUint64(dst[k:], w)
		}
		return dst[:end]
	}
	if size == 0 {
		return dst
	}
	dst = grow(dst, max(0, end-len(dst)))
	for have := at + size; have < end; {
		have += copy(dst[have:], dst[at:at+size])
		if size < againBytes && at+2*size <= have {
			size *= 2
		}
	}
	return dst
}

// againBytes is the most that appendAgain copies at a time, so that it is near.
const againBytes = 4 << 10

// keys are the storage of a dictionary-encoded array: they come out as slots of the dictionary's own storage.
type keys struct {
	width  int // bytes; 0: the array is not dictionary-encoded
	signed bool
	bytes  []byte
	limit  int // entries of the dictionary
	offset int // of the dictionary's array
	block  [blockValues]uint32
	picked [blockValues]uint32

	scattered scattered
}

// bind takes the keys of data, and returns the array that they refer to.
func (k *keys) bind(data arrow.ArrayData, dt *arrow.DictionaryType) (arrow.ArrayData, error) {
	dict, ok := data.Dictionary().(*array.Data)
	if !ok || dict == nil {
		return nil, errors.New("a dictionary-encoded array without its dictionary")
	}
	width := dt.IndexType.(arrow.FixedWidthDataType).Bytes()
	slots := data.Offset() + data.Len()
	b := bufferBytes(data, 1)
	if have := len(b) / width; have < slots {
		return nil, fmt.Errorf("%d dictionary keys for %d slots", have, slots)
	}
	if err := checkSlots(dict); err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	k.width, k.bytes, k.limit, k.offset = width, b, dict.Len(), dict.Offset()
	k.signed = !arrow.IsUnsignedInteger(dt.IndexType.ID())
	return dict, nil
}

// checkSlots refuses an array whose slots 32 bits cannot count.
func checkSlots(data arrow.ArrayData) error {
	if slots := data.Offset() + data.Len(); slots > math.MaxUint32 {
		return fmt.Errorf("an array of %d slots: send shorter ones", slots)
	}
	return nil
}

// each calls yield with the dictionary slots of the span's values, at most blockValues at a time. Each stands as often as
// times says, or once if that is nil.
func (k *keys) each(s *levels.Span, yield func(slots []uint32, times []int) error) error {
	if isScattered(s) {
		return k.eachScattered(s, yield)
	}
	ordinal, done := 0, 0
	for run := range s.Runs {
		slot, n := run.Slot, run.Len
		for i := 0; i < n; i += blockValues {
			m := min(blockValues, n-i)
			block := k.block[:m]
			k.load(block, slot+i)
			if !s.Mask.All() {
				block = k.picked[:gatherMasked(k.picked[:], block, s.Mask, ordinal)]
			}
			if bad := k.toSlots(block); bad >= 0 {
				at := slot + i + s.Mask.Skip(ordinal).Select(bad)
				return &valueError{done + bad, k.errRange(at)}
			}
			if err := yield(block, nil); err != nil {
				return err
			}
			ordinal, done = ordinal+m, done+len(block)
		}
	}
	return nil
}

func (k *keys) eachScattered(s *levels.Span, yield func(slots []uint32, times []int) error) error {
	done := 0
	return k.scattered.each(s, func(slots []uint32, times []int) error {
		block := k.block[:len(slots)]
		k.gather(block, slots)
		if bad := k.toSlots(block); bad >= 0 {
			return &valueError{done + levels.Standing(times, bad), k.errRange(int(slots[bad]))}
		}
		done += levels.Standing(times, len(slots))
		return yield(block, times)
	})
}

// load widens the keys from slot on. One that does not fit 32 bits comes out as the largest.
func (k *keys) load(dst []uint32, slot int) {
	switch k.width {
	case 1:
		for i, v := range k.bytes[slot : slot+len(dst)] {
			dst[i] = uint32(v)
		}
	case 2:
		for i, v := range keysAs[uint16](k.bytes)[slot : slot+len(dst)] {
			dst[i] = uint32(v)
		}
	case 4:
		copy(dst, keysAs[uint32](k.bytes)[slot:])
	case 8:
		for i, v := range keysAs[uint64](k.bytes)[slot : slot+len(dst)] {
			dst[i] = uint32(min(v, 1<<32-1))
		}
	}
}

// gather is load of the keys at slots.
func (k *keys) gather(dst, slots []uint32) {
	switch k.width {
	case 1:
		gatherWidened(dst, k.bytes, slots)
	case 2:
		gatherWidened(dst, keysAs[uint16](k.bytes), slots)
	case 4:
		gatherSlots(dst, keysAs[uint32](k.bytes), slots)
	case 8:
		gatherWidened(dst, keysAs[uint64](k.bytes), slots)
	}
}

func gatherWidened[K uint8 | uint16 | uint64](dst []uint32, keys []K, slots []uint32) {
	for i, slot := range slots {
		dst[i] = uint32(min(uint64(keys[slot]), 1<<32-1))
	}
}

func keysAs[K any](b []byte) []K {
	var zero K
	return unsafe.Slice((*K)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// toSlots adds the dictionary's offset to keys. It returns the index of the first that is out of range, or -1.
func (k *keys) toSlots(block []uint32) (bad int) {
	limit, offset := uint32(min(k.limit, 1<<32-1)), uint32(k.offset)
	for i, key := range block {
		if key >= limit {
			return i
		}
		block[i] = key + offset
	}
	return -1
}

// errRange is the error of the key at a slot.
func (k *keys) errRange(slot int) error {
	var raw [8]byte
	copy(raw[:], k.bytes[slot*k.width:(slot+1)*k.width])
	key := binary.LittleEndian.Uint64(raw[:])
	const format = "dictionary key %d is out of range: the dictionary has %d entries"
	if k.signed {
		shift := 64 - 8*k.width
		return fmt.Errorf(format, int64(key<<shift)>>shift, k.limit)
	}
	return fmt.Errorf(format, key, k.limit)
}

// storageBytes returns buffer i of an array, which must have at least need bytes.
func storageBytes(data arrow.ArrayData, i, need int) ([]byte, error) {
	b := bufferBytes(data, i)
	if len(b) < need {
		return nil, fmt.Errorf("the values buffer has %d bytes, needs %d", len(b), need)
	}
	return b, nil
}
