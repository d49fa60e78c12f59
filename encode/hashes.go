package encode

import (
	"math"

	"github.com/cespare/xxhash/v2"
)

// hashes keeps the XXH64 hashes of the values of a column chunk, for its Bloom filter and its distinct count. A value
// that stands many times in a row is hashed once, an entry of the dictionary once a chunk.
//
// Hashes go to a set. If it is only for the filter and gets large, a filter of the largest size takes its place, which
// is folded in the end. Either way the filter is the smallest one with the rate asked for, so it depends on the values
// alone.
type hashes struct {
	leaf  *leafColumn
	bloom bool
	fpp   float64
	most  int // bytes of a filter
	count bool

	set    hashSet
	filter bloomFilter // nil: all are in the set
	nans   hashSet     // those of NaNs, if values are counted
	block  [blockValues]uint64
}

// bloomSetHashes is how many hashes a set has, with a table of 256 KiB, before a filter takes its place.
const bloomSetHashes = 1 << 14

// uselessRate is the rate of a filter that is left out.
const uselessRate = 0.5

// newHashes returns nil if nobody asks for the hashes of a column.
func newHashes(leaf *leafColumn, o *Options) *hashes {
	bloom := o.BloomFilterFPP > 0 && leaf.hasBloomFilter()
	if !bloom && !o.DistinctCounts {
		return nil
	}
	h := &hashes{leaf: leaf, bloom: bloom, fpp: o.BloomFilterFPP, most: o.BloomFilterBytes, count: o.DistinctCounts}
	if h.bloom && leaf.MaxRep == 0 { // a record has one value
		h.most = min(h.most, 2*bloomBytes(float64(o.RowGroupRecords), h.fpp))
	}
	return h
}

// hasBloomFilter reports whether the format has Bloom filters of the column's values, and there may be some.
func (l *leafColumn) hasBloomFilter() bool {
	return l.Physical != typeBoolean && l.Logical.Kind != logicalUnknown
}

// addNumbers takes a block of values.
func addNumbers[T uint32 | uint64](h *hashes, values []T, b numberBounds[T]) {
	if h == nil {
		return
	}
	for len(values) > 0 {
		n := min(len(values), blockValues)
		xxHashNumbers(h.block[:], values[:n])
		h.add(h.block[:n])
		if h.count && h.leaf.hasNaNs() {
			for i, v := range values[:n] {
				if b.isNaN(v) {
					h.nans.add(h.block[i:i+1], math.MaxInt)
				}
			}
		}
		values = values[n:]
	}
}

// addBytes takes a block of values.
func (h *hashes) addBytes(b *byteBlock) {
	if h == nil {
		return
	}
	for i := 0; i < b.n; i += blockValues {
		n := min(blockValues, b.n-i)
		for k := range n {
			h.block[k] = xxhash.Sum64(b.at(i + k))
		}
		h.add(h.block[:n])
		if h.count && h.leaf.hasNaNs() {
			for k := range n {
				if isNaN16(b.at(i + k)) {
					h.nans.add(h.block[k:k+1], math.MaxInt)
				}
			}
		}
	}
}

func (h *hashes) add(hashes []uint64) {
	if h.filter == nil {
		most := bloomSetHashes
		if h.count {
			most = math.MaxInt
		}
		hashes = h.set.add(hashes, most)
		if h.set.n <= most {
			return
		}
		h.filter = newBloomFilter(h.most)
		h.set.each(h.filter.add)
		h.set = hashSet{}
	}
	h.filter.add(hashes)
}

func (h *hashes) has(hash uint64) bool {
	if h.filter != nil {
		return h.filter.has(hash)
	}
	return h.set.has(hash)
}

// finish returns the Bloom filter of a chunk as it is stored, if it gets one, and begins the next.
func (h *hashes) finish(c *chunk) []byte {
	if h == nil {
		return nil
	}
	defer h.clear()
	if !h.bloom {
		return nil
	}
	h.addTwins(c.total.nans > 0)
	f := h.smallest()
	if f.rate() > max(h.fpp, uselessRate) {
		return nil
	}
	return f.append(nil)
}

// distinct returns the number of different values of the chunk, or -1 if nobody knows.
func (c *column) distinct() int64 {
	switch {
	case c.chunk.usesDictionary() && c.onlyDictionary():
		return int64(c.referred)
	case c.hashes != nil && c.hashes.count:
		return c.hashes.distinct(&c.chunk)
	}
	return -1
}

// onlyDictionary reports whether different values are different entries of the dictionary, and the other way round, as
// far as the chunk has come. Entries that differ may be equal as floats.
func (c *column) onlyDictionary() bool { return c.indexing && !c.chunk.hasNaNs() }

// distinct counts the values. Zeros of both signs are one value, and so are all NaNs.
func (h *hashes) distinct(c *chunk) int64 {
	if h.leaf.Physical == typeBoolean {
		return oneIf(c.total.ok) + oneIf(c.total.ok && c.total.min[0] != c.total.max[0])
	}
	n := h.set.len()
	if h.leaf.hasNaNs() {
		zero, minusZero, _ := h.leaf.twins()
		if h.set.has(zero) && h.set.has(minusZero) {
			n--
		}
		n -= max(0, h.nans.len()-1)
	}
	return int64(n)
}

// addTwins adds the bits that a reader may look for in place of others that are equal to them: a zero of the other
// sign, and the NaN that all have in common.
func (h *hashes) addTwins(nans bool) {
	if !h.leaf.hasNaNs() {
		return
	}
	zero, minusZero, nan := h.leaf.twins()
	if h.has(zero) || h.has(minusZero) {
		h.add([]uint64{zero, minusZero})
	}
	if nans {
		h.add([]uint64{nan})
	}
}

// twins returns the hashes of a float column's zeros and of its NaN.
func (l *leafColumn) twins() (zero, minusZero, nan uint64) {
	switch l.Physical {
	case typeFloat:
		return xxHash4(0), xxHash4(1 << 31), xxHash4(0x7fc0 << 16)
	case typeDouble:
		return xxHash8(0), xxHash8(1 << 63), xxHash8(0x7ff8 << 48)
	}
	return xxhash.Sum64([]byte{0, 0}), xxhash.Sum64([]byte{0, 0x80}), xxhash.Sum64([]byte{0, 0x7e})
}

// smallest returns the smallest filter of the hashes with the rate asked for; the largest if there is none.
func (h *hashes) smallest() bloomFilter {
	f := h.filter
	for bytes := min(h.most, 2*bloomBytes(float64(h.set.len()), h.fpp)); h.filter == nil; bytes *= 2 {
		f = newBloomFilter(bytes)
		h.set.each(f.add)
		if bytes >= h.most || f.rate() <= h.fpp {
			break
		}
	}
	return f.foldedTo(h.fpp)
}

func (h *hashes) clear() {
	if h == nil {
		return
	}
	h.set.clear()
	h.nans.clear()
	h.filter = nil
}

// held returns the bytes of memory that the hashes take.
func (h *hashes) held() int64 {
	if h == nil {
		return 0
	}
	return h.set.held() + h.nans.held() + bloomBlockBytes*int64(len(h.filter))
}
