package encode

import (
	"math"
	"math/bits"
)

// bloomFilter is a split-block Bloom filter (BloomFilter.md). The number of its blocks is a power of two.
//
// A hash goes to the block that its upper half is scaled to, which the first bits of it say, and sets one bit in each
// of the block's words by its lower half. So a filter of half as many blocks is made by joining each block with its
// neighbour: it is bit for bit what the hashes would have made of it. A filter can be filled before it is known how
// large it must be, and folded then.
type bloomFilter []bloomBlock

// bloomBlock is eight words of 32 bits, two of them in each number, the lower one first.
type bloomBlock [4]uint64

const (
	bloomBlockBytes = 32
	maxBloomBytes   = 128 << 20 // that Arrow's readers take
)

// The salts of the eight words.
const (
	bloomSalt0 uint32 = 0x47b6137b
	bloomSalt1 uint32 = 0x44974d91
	bloomSalt2 uint32 = 0x8824ad5b
	bloomSalt3 uint32 = 0xa2b7289d
	bloomSalt4 uint32 = 0x705495c7
	bloomSalt5 uint32 = 0x2df1424b
	bloomSalt6 uint32 = 0x9efc4947
	bloomSalt7 uint32 = 0x5c6bfb31
)

// lowBit and highBit are the bits of the lower and of the upper word of a number. To look them up takes fewer steps
// than to shift, 5.3 ns a hash instead of 6.
var lowBit, highBit = func() (low, high [32]uint64) {
	for i := range 32 {
		low[i], high[i] = 1<<i, 1<<(32+i)
	}
	return low, high
}()

func newBloomFilter(bytes int) bloomFilter { return make(bloomFilter, bytes/bloomBlockBytes) }

// block returns the block of a hash.
func (f bloomFilter) block(h uint64) *bloomBlock {
	return &f[h>>32*uint64(len(f))>>32]
}

func (f bloomFilter) add(hashes []uint64) {
	for _, h := range hashes {
		b, x := f.block(h), uint32(h)
		b[0] |= lowBit[x*bloomSalt0>>27] | highBit[x*bloomSalt1>>27]
		b[1] |= lowBit[x*bloomSalt2>>27] | highBit[x*bloomSalt3>>27]
		b[2] |= lowBit[x*bloomSalt4>>27] | highBit[x*bloomSalt5>>27]
		b[3] |= lowBit[x*bloomSalt6>>27] | highBit[x*bloomSalt7>>27]
	}
}

func (f bloomFilter) has(h uint64) bool {
	var one [1]bloomBlock
	bloomFilter(one[:]).add([]uint64{h})
	b, m := f.block(h), &one[0]
	return m[0]&^b[0]|m[1]&^b[1]|m[2]&^b[2]|m[3]&^b[3] == 0
}

// foldedTo folds the filter, in its place, as long as its rate does not exceed fpp by that.
func (f bloomFilter) foldedTo(fpp float64) bloomFilter {
	for len(f) > 1 {
		half := f[:len(f)/2]
		var passed uint64
		for i := range half {
			b := f.joined(i)
			passed += b.passed()
		}
		if half.rateOf(passed) > fpp {
			break
		}
		for i := range half {
			half[i] = f.joined(i)
		}
		f = half
	}
	return f
}

// joined returns block i of the filter folded once.
func (f bloomFilter) joined(i int) bloomBlock {
	a, b := &f[2*i], &f[2*i+1]
	return bloomBlock{a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]}
}

// rate returns the share of other hashes that the filter takes for its own, as counted from its bits: the words of a
// block are looked at one by one, so it is the product of their shares of set bits. Folding never makes it less.
func (f bloomFilter) rate() float64 {
	var passed uint64
	for i := range f {
		passed += f[i].passed()
	}
	return f.rateOf(passed)
}

func (f bloomFilter) rateOf(passed uint64) float64 {
	return float64(passed) / float64(uint64(len(f))<<40)
}

// passed returns how many of the 2^40 ways to take a bit of each word take only bits that are set.
func (b *bloomBlock) passed() uint64 {
	n := uint64(1)
	for _, w := range b {
		n *= uint64(bits.OnesCount32(uint32(w)) * bits.OnesCount32(uint32(w>>32)))
	}
	return n
}

// append appends the filter as it stands in the file: a BloomFilterHeader, whose algorithm, hash and compression are
// the only ones there are, and the blocks.
func (f bloomFilter) append(dst []byte) []byte {
	bitset := bytesOf(f)
	w := thriftWriter{buf: dst}
	w.i32(1, int32(len(bitset)))
	for id := int16(2); id <= 4; id++ {
		union := w.begin(id)
		w.empty(1)
		w.end(union)
	}
	return append(w.finish(), bitset...)
}

func validBloomBytes(n int) bool { return n >= bloomBlockBytes && n <= maxBloomBytes && n&(n-1) == 0 }

// BloomFilterSize returns the Options.BloomFilterBytes that is good for so many different values at a rate of false
// positives between 0 and 1: a power of two, at most 128 MiB.
func BloomFilterSize(values int64, fpp float64) int { return bloomBytes(float64(values), fpp) }

// bloomBytes returns about what size a filter of so many hashes needs, a power of two.
func bloomBytes(hashes float64, fpp float64) int {
	bitsEach := -8 / math.Log1p(-math.Pow(fpp, 1./8)) // BloomFilter.md, "Build a Bloom filter"
	need := min(max(hashes*bitsEach/8, bloomBlockBytes), maxBloomBytes)
	return 1 << bits.Len(uint(math.Ceil(need))-1)
}

// writeBloomFilters writes the filters of a row group, which come behind its pages.
func (w *Writer) writeBloomFilters() error {
	for leaf, c := range w.columns() {
		if len(c.bloom) == 0 {
			continue
		}
		meta := &w.group.Columns[leaf]
		meta.BloomOffset, meta.BloomBytes = w.out.n, int32(len(c.bloom))
		if err := w.out.write("Bloom filter", c.bloom); err != nil {
			return err
		}
		c.bloom = nil
	}
	return nil
}
