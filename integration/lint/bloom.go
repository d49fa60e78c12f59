package lint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// Bloom is a Bloom filter as BloomFilter.md describes it.
type Bloom []byte

var bloomSalts = [8]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// eachBit yields the byte and bit that each word of a hash's block has for it.
func (f Bloom) eachBit(hash uint64, yield func(at int, bit byte)) {
	blocks := uint64(len(f) / 32)
	block := int((hash >> 32) * blocks >> 32)
	for i, salt := range bloomSalts {
		bit := int(uint32(hash) * salt >> 27)
		yield(block*32+i*4+bit/8, 1<<(bit%8))
	}
}

// Insert inserts a value in plain encoding.
func (f Bloom) Insert(value []byte) {
	f.eachBit(xxhash.Sum64(value), func(at int, bit byte) { f[at] |= bit })
}

// Contains reports whether the filter may have a value.
func (f Bloom) Contains(value []byte) bool {
	found := true
	f.eachBit(xxhash.Sum64(value), func(at int, bit byte) { found = found && f[at]&bit != 0 })
	return found
}

// Rate is the chance of another value to be found: in a block, the product of its words' shares of bits.
func (f Bloom) Rate() float64 {
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

// checkBloom reads the chunk's filter, if it has one, and checks that it is what the chunk's values make of it.
func (c *Chunk) checkBloom() error {
	m := &c.Meta
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
	header, bitset, err := ReadThrift("BloomFilterHeader", b)
	if err != nil {
		return err
	}
	if n := header.Int(1); n != int64(len(bitset)) || n < 32 || bits.OnesCount64(uint64(n)) != 1 {
		return fmt.Errorf("%d bytes, its header counts %d", len(bitset), n)
	}
	if c.Leaf.Type == Boolean || c.Leaf.Logical.Kind == Unknown {
		return errors.New("a column of such values has none")
	}
	c.Bloom = bitset
	if !bytes.Equal(bitset, c.BloomOf(len(bitset))) {
		return errors.New("its bits are not those of the chunk's values")
	}
	return c.checkAbsent()
}

// BloomOf returns the filter of so many bytes that the chunk's values make.
func (c *Chunk) BloomOf(size int) Bloom {
	f := make(Bloom, size)
	for _, v := range c.Stream().Values {
		f.Insert(v)
		if c.Leaf.IsFloat() {
			f.insertEqual(c.Leaf, v)
		}
	}
	return f
}

// insertEqual inserts what else a reader may look for to find a float.
func (f Bloom) insertEqual(l *Leaf, v []byte) {
	sign := func(last byte) []byte { return append(make([]byte, len(v)-1), last) }
	switch number := l.Number(v); {
	case number == 0:
		f.Insert(sign(0))
		f.Insert(sign(0x80))
	case math.IsNaN(number):
		quiet := map[int]byte{2: 0x7e, 4: 0xc0, 8: 0xf8}[len(v)]
		nan := append(make([]byte, len(v)-2), quiet, 0x7f)
		if len(v) == 2 {
			nan = []byte{0, quiet}
		}
		f.Insert(nan)
	}
}

// checkAbsent looks for values that are not in the chunk: about as many as the filter's rate says are found.
func (c *Chunk) checkAbsent() error {
	const probes = 500
	values := map[string]bool{}
	for _, v := range c.Stream().Values {
		values[string(v)] = true
	}
	found, tried := 0, 0
	for i := range uint64(probes) {
		v := binary.LittleEndian.AppendUint64(nil, (i+1)*0x9e3779b97f4a7c15)
		if c.Leaf.Type == Int32 || c.Leaf.Type == Float {
			v = v[4:]
		}
		if !values[string(v)] {
			tried++
			if c.Bloom.Contains(v) {
				found++
			}
		}
	}
	expected := c.Bloom.Rate() * float64(tried)
	if d := math.Abs(float64(found) - expected); d > 5*math.Sqrt(expected)+8 {
		return fmt.Errorf("%d of %d values that are not there are found, expected are %.1f", found, tried, expected)
	}
	return nil
}
