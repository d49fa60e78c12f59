package encode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// splitTypes are the physical types that values of so many bytes may have.
func splitTypes(width int) []physicalType {
	switch width {
	case 4:
		return []physicalType{typeInt32, typeFloat, typeFixedLenByteArray}
	case 8:
		return []physicalType{typeInt64, typeDouble, typeFixedLenByteArray}
	}
	return []physicalType{typeFixedLenByteArray}
}

// checkSplit encodes values of width bytes and has all readers decode them, as every type there is.
func checkSplit(plain []byte, width int) error {
	prefix := []byte("before")
	body, found := bytes.CutPrefix(appendStreamSplit(prefix, plain, width), prefix)
	if !found {
		return fmt.Errorf("the bytes in front became %q", body[:len(prefix)])
	}
	for _, kind := range splitTypes(width) {
		v := newEncodedValues(kind, width, encodingByteStreamSplit, plain, body, len(plain)/width)
		if err := v.check(); err != nil {
			return fmt.Errorf("physical type %d: %w", kind, err)
		}
	}
	return nil
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestStreamSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for width := 1; width <= 40; width++ {
		for n := range 50 {
			if err := checkSplit(noise(r, n*width), width); err != nil {
				t.Fatalf("%d values of %d bytes: %v", n, width, err)
			}
		}
	}
	// Pages of several blocks, up to one value more or less.
	for _, width := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 100} {
		for _, n := range []int{8 * splitGroups, 16 * splitGroups, 2000 + r.IntN(1000)} {
			for _, n := range []int{n - 1, n, n + 1} {
				if err := checkSplit(noise(r, n*width), width); err != nil {
					t.Fatalf("%d values of %d bytes: %v", n, width, err)
				}
			}
		}
	}
}

// The example of Encodings.md.
func TestStreamSplitBytes(t *testing.T) {
	plain := []byte{0xaa, 0xbb, 0xcc, 0xdd, 0x00, 0x11, 0x22, 0x33, 0xa3, 0xb4, 0xc5, 0xd6}
	want := []byte{0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6}
	if got := appendStreamSplit(nil, plain, 4); !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
}

func FuzzStreamSplit(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"), uint8(4))
	f.Add(bytes.Repeat([]byte("0123456789abcdef"), 40), uint8(12))
	f.Fuzz(func(t *testing.T, plain []byte, width uint8) {
		w := max(1, int(width))
		if err := checkSplit(plain[:len(plain)/w*w], w); err != nil {
			t.Fatal(err)
		}
	})
}
