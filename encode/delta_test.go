package encode

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// checkDelta encodes values of 4 or 8 bytes and has all readers decode them.
func checkDelta(plain []byte, size int) error {
	n, kind, encode, count := len(plain)/4, typeInt32, appendDelta32, deltaSize32
	if size == 8 {
		n, kind, encode, count = len(plain)/8, typeInt64, appendDelta64, deltaSize64
	}
	prefix := []byte("before")
	body, found := bytes.CutPrefix(encode(prefix, plain), prefix)
	if !found {
		return fmt.Errorf("the bytes in front became %q", body[:len(prefix)])
	}
	if counted := count(plain); counted != len(body) {
		return fmt.Errorf("%d bytes, counted as %d", len(body), counted)
	}
	return newEncodedValues(kind, 0, encodingDeltaBinaryPacked, plain, body, n).check()
}

// plainInts returns n numbers of 4 or 8 bytes in stretches: of one number, of steps, of noise of any number of bits, of
// extremes.
func plainInts(c chance, n, size int) (plain []byte) {
	word := func() uint64 { return uint64(c.IntN(1<<32))<<32 | uint64(c.IntN(1<<32)) }
	var last uint64
	for len(plain) < n*size {
		kind, step, noise := c.IntN(6), word()>>c.IntN(64), c.IntN(65)
		for range 1 + c.IntN([]int{4, 40, 400}[c.IntN(3)]) {
			switch kind {
			case 1:
				last += step
			case 2:
				last = word() & (1<<noise - 1)
			case 3:
				last += word() & (1<<noise - 1)
			case 4:
				last -= word() & (1<<noise - 1)
			case 5:
				last = pick[uint64](c, 1<<63, 1<<63-1, 1<<31, 1<<31-1, 0, 1<<64-1)
			}
			plain = append(plain, binary.LittleEndian.AppendUint64(nil, last)[:size]...)
		}
	}
	return plain[:n*size]
}

func TestDelta(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for round := range 3000 {
		size := 4 << (round & 1)
		plain := plainInts(r, r.IntN([]int{4, 70, 300, 3000}[r.IntN(4)]), size)
		if err := checkDelta(plain, size); err != nil {
			t.Fatalf("round %d, values of %d bytes\n%x\n%v", round, size, plain, err)
		}
	}
}

// Every number of values up to what two blocks have, which ends miniblocks and blocks at every place.
func TestDeltaShort(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for n := range 2*deltaBlockValues + 3 {
		for _, size := range []int{4, 8} {
			for _, plain := range [][]byte{plainInts(r, n, size), make([]byte, n*size)} {
				if err := checkDelta(plain, size); err != nil {
					t.Fatalf("%d values of %d bytes\n%x\n%v", n, size, plain, err)
				}
			}
		}
	}
}

// Every bit width in every miniblock, with a least delta that is not 0.
func TestDeltaWidths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, size := range []int{4, 8} {
		for width := range 8*size + 1 {
			// The deltas lie between least and least + 1<<width - 1, both of which fit the type.
			least := ^uint64(0) << (8*size - 1)
			if width < 8*size {
				least += r.Uint64N(1<<(8*size-1)-1<<width/2) * 2
			}
			var plain []byte
			last := r.Uint64()
			for i := range 3*deltaBlockValues + 1 {
				above := r.Uint64() & (1<<width - 1)
				switch i % miniblockValues {
				case 1:
					above = 0
				case 2:
					above = 1<<width - 1
				}
				last += least + above
				plain = append(plain, binary.LittleEndian.AppendUint64(nil, last)[:size]...)
			}
			if err := checkDelta(plain, size); err != nil {
				t.Fatalf("width %d of %d bytes: %v", width, size, err)
			}
			if got := widthsOf(plain, size); got != width {
				t.Errorf("width %d of %d bytes became %d", width, size, got)
			}
		}
	}
}

// widthsOf returns the one bit width that all miniblocks have, or -1.
func widthsOf(plain []byte, size int) int {
	var b deltaBlock
	found := uint8(255)
	for at := size; at < len(plain); at += size * deltaBlockValues {
		if size == 4 {
			b.fill32(plain[at:at+size*deltaBlockValues], binary.LittleEndian.Uint32(plain[at-size:]))
		} else {
			b.fill64(plain[at:at+size*deltaBlockValues], binary.LittleEndian.Uint64(plain[at-size:]))
		}
		_, widths := b.widths(deltaBlockValues)
		for _, w := range widths {
			if found != 255 && found != w {
				return -1
			}
			found = w
		}
	}
	return int(found)
}

// Bytes worked out by hand.
func TestDeltaBytes(t *testing.T) {
	const header = "8001 04 "
	for _, c := range []struct {
		values []int64
		want   string
	}{
		{nil, header + "00 00"},
		{[]int64{-3}, header + "01 05"},
		{[]int64{1, 2, 3, 4, 5}, header + "05 02  02 00000000"},
		// deltas -2 -2 -2 1 1 1 1, of which 0 0 0 3 3 3 3 remain
		{[]int64{7, 5, 3, 1, 2, 3, 4, 5}, header + "08 0e  03 02000000 c03f000000000000"},
		{[]int64{0, math.MaxInt64}, header + "02 00  feffffffffffffffff01 00000000"},
		{[]int64{math.MaxInt64, math.MinInt64}, header + "02 feffffffffffffffff01  02 00000000"},
	} {
		var plain []byte
		for _, v := range c.values {
			plain = binary.LittleEndian.AppendUint64(plain, uint64(v))
		}
		want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := appendDelta64(nil, plain); !bytes.Equal(got, want) {
			t.Errorf("%v: %x, want %x", c.values, got, want)
		}
	}
}

func TestPackMiniblock(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for width := 1; width <= 64; width++ {
		var src [miniblockValues]uint64
		base := r.Uint64()
		for i := range src {
			src[i] = base + r.Uint64()>>(64-width)
		}
		got := make([]byte, 4*width+packSlack)
		packMiniblock(got, &src, base, width)
		for i, v := range src {
			for b := range width {
				bit := i*width + b
				if got[bit/8]>>(bit%8)&1 != byte((v-base)>>b&1) {
					t.Fatalf("width %d: bit %d of value %d is wrong", width, b, i)
				}
			}
		}
	}
}

func TestDeltaBlockSize(t *testing.T) {
	for shift := range 64 {
		for _, v := range []int64{1 << shift, 1<<shift - 1, -1 << shift} {
			w := deltaWriter{counting: true}
			b := deltaBlock{}
			b.fill64(binary.LittleEndian.AppendUint64(nil, uint64(v)), 0)
			w.block(&b, 1)
			if want := len(binary.AppendVarint(nil, v)) + miniblocks; w.size != want {
				t.Errorf("a block of the delta %d: %d bytes, want %d", v, w.size, want)
			}
		}
	}
}

func FuzzDelta(f *testing.F) {
	f.Add([]byte{}, false)
	f.Add(bytes.Repeat([]byte{255, 255, 255, 127, 0, 0, 0, 128}, 70), true)
	f.Fuzz(func(t *testing.T, plain []byte, long bool) {
		size := 4
		if long {
			size = 8
		}
		if err := checkDelta(plain[:len(plain)/size*size], size); err != nil {
			t.Fatal(err)
		}
	})
}
