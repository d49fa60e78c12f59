package encode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// lintedBloom is a Bloom filter as BloomFilter.md describes it.
type lintedBloom []byte

var bloomSalts = [8]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// eachBit yields the byte and bit that each word of a hash's block has for it.
func (f lintedBloom) eachBit(hash uint64, yield func(at int, bit byte)) {
	blocks := uint64(len(f) / 32)
	block := int((hash >> 32) * blocks >> 32)
	for i, salt := range bloomSalts {
		bit := int(uint32(hash) * salt >> 27)
		yield(block*32+i*4+bit/8, 1<<(bit%8))
	}
}

func (f lintedBloom) insert(value []byte) {
	f.eachBit(xxhash.Sum64(value), func(at int, bit byte) { f[at] |= bit })
}

func (f lintedBloom) contains(value []byte) bool {
	found := true
	f.eachBit(xxhash.Sum64(value), func(at int, bit byte) { found = found && f[at]&bit != 0 })
	return found
}

// rate is the chance of another value to be found: in a block, the product of its words' shares of bits.
func (f lintedBloom) rate() float64 {
	total := 0.0
	for block := 0; block < len(f); block += 32 {
		p := 1.0
		for word := block; word < block+32; word += 4 {
			p *= float64(bits.OnesCount32(binary.LittleEndian.Uint32(f[word:]))) / 32
		}
		total += p
	}
	return total / float64(len(f)/32)
}

// lintBloom reads the chunk's filter, if it has one, and checks that it is what the chunk's values make of it.
func (c *lintedChunk) lintBloom() error {
	m := &c.meta
	if m.BloomOffset == 0 {
		if m.BloomBytes != 0 {
			return fmt.Errorf("%d bytes of nothing", m.BloomBytes)
		}
		return nil
	}
	b, err := c.takeBloom()
	if err != nil {
		return err
	}
	header, bitset, err := readChecked("BloomFilterHeader", b)
	if err != nil {
		return err
	}
	if n := header.int(1); n != int64(len(bitset)) || n < 32 || bits.OnesCount64(uint64(n)) != 1 {
		return fmt.Errorf("%d bytes, its header counts %d", len(bitset), n)
	}
	if c.leaf.Type == typeBoolean || c.leaf.Logical.Kind == logicalUnknown {
		return errors.New("a column of such values has none")
	}
	c.bloom = bitset
	if !bytes.Equal(bitset, c.bloomOf(len(bitset))) {
		return errors.New("its bits are not those of the chunk's values")
	}
	return c.lintAbsent()
}

// bloomOf returns the filter of so many bytes that the chunk's values make.
func (c *lintedChunk) bloomOf(size int) lintedBloom {
	f := make(lintedBloom, size)
	for _, v := range c.levels().values {
		f.insert(v)
		if c.leaf.isFloat() {
			f.insertEqual(c.leaf, v)
		}
	}
	return f
}

// insertEqual inserts what else a reader may look for to find a float.
func (f lintedBloom) insertEqual(l *lintedLeaf, v []byte) {
	sign := func(last byte) []byte { return append(make([]byte, len(v)-1), last) }
	switch number := l.number(v); {
	case number == 0:
		f.insert(sign(0))
		f.insert(sign(0x80))
	case math.IsNaN(number):
		quiet := map[int]byte{2: 0x7e, 4: 0xc0, 8: 0xf8}[len(v)]
		nan := append(make([]byte, len(v)-2), quiet, 0x7f)
		if len(v) == 2 {
			nan = []byte{0, quiet}
		}
		f.insert(nan)
	}
}

// lintAbsent looks for values that are not in the chunk: about as many as the filter's rate says are found.
func (c *lintedChunk) lintAbsent() error {
	const probes = 500
	values := map[string]bool{}
	for _, v := range c.levels().values {
		values[string(v)] = true
	}
	found, tried := 0, 0
	for i := range uint64(probes) {
		v := binary.LittleEndian.AppendUint64(nil, (i+1)*0x9e3779b97f4a7c15)
		if n := c.plainSize([][]byte{nil}); c.leaf.Type != typeByteArray && n == 4 {
			v = v[4:]
		}
		if !values[string(v)] {
			tried++
			found += int(oneIf(c.bloom.contains(v)))
		}
	}
	expected := c.bloom.rate() * float64(tried)
	if d := math.Abs(float64(found) - expected); d > 5*math.Sqrt(expected)+8 {
		return fmt.Errorf("%d of %d values that are not there are found, expected are %.1f", found, tried, expected)
	}
	return nil
}

// checkBloom checks that the filter is there if the options ask for it, and that it is as small as they let it be.
func (c *lintedChunk) checkBloom(o *Options) error {
	asked := o.BloomFilterFPP > 0 && c.leaf.Type != typeBoolean && c.leaf.Logical.Kind != logicalUnknown
	if c.bloom == nil {
		if asked && c.bloomOf(o.BloomFilterBytes).rate() <= max(0.5, o.BloomFilterFPP) {
			return errors.New("its Bloom filter is missing")
		}
		return nil
	}
	size, rate := len(c.bloom), c.bloom.rate()
	switch {
	case !asked:
		return errors.New("it has a Bloom filter")
	case size > o.BloomFilterBytes:
		return fmt.Errorf("a Bloom filter of %d bytes", size)
	case rate > o.BloomFilterFPP && size < o.BloomFilterBytes:
		return fmt.Errorf("a Bloom filter of %d bytes with a rate of %g", size, rate)
	case size > 32 && c.bloomOf(size/2).rate() <= o.BloomFilterFPP:
		return fmt.Errorf("a Bloom filter of %d bytes where half would do", size)
	}
	return nil
}
