package encode

import (
	"math/rand/v2"
)

// chance is where random cases come from: a random source, or the input of a fuzzer.
type chance interface {
	IntN(n int) int // 0 <= result < n
}

// byteChance decides by the bytes of its input, and by a random source that is seeded with them once they are used up.
type byteChance struct {
	input []byte
	rest  *rand.Rand
}

func newByteChance(input []byte) *byteChance {
	seed := uint64(len(input))
	for _, b := range input {
		seed = (seed ^ uint64(b)) * 0x100000001b3
	}
	return &byteChance{input: input, rest: rand.New(rand.NewPCG(seed, 1))}
}

func (c *byteChance) IntN(n int) int {
	v, have := 0, 1
	for ; have < n && len(c.input) > 0; have <<= 8 {
		v = v<<8 | int(c.input[0])
		c.input = c.input[1:]
	}
	if have < n {
		return c.rest.IntN(n)
	}
	return v % n
}
