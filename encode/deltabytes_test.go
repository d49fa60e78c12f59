package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainStrings returns values in plain encoding, with a length in front of each if width is 0.
func plainStrings[S ~string | ~[]byte](values []S, width int) (plain []byte) {
	for _, v := range values {
		if width == 0 {
			plain = binary.LittleEndian.AppendUint32(plain, uint32(len(v)))
		}
		plain = append(plain, v...)
	}
	return plain
}

// checkStrings encodes values in every way there is for byte strings, and has all readers decode them.
func checkStrings[S ~string | ~[]byte](values []S, width int) error {
	n, plain := len(values), plainStrings(values, width)
	kind := typeFixedLenByteArray
	prefix := []byte("before")
	if width == 0 {
		kind = typeByteArray
		body, found := bytes.CutPrefix(appendDeltaLength(prefix, plain, n), prefix)
		if !found {
			return fmt.Errorf("DELTA_LENGTH_BYTE_ARRAY: the bytes in front became %q", body[:len(prefix)])
		}
		if counted := deltaLengthSize(plain, n); counted != len(body) {
			return fmt.Errorf("DELTA_LENGTH_BYTE_ARRAY: %d bytes, counted as %d", len(body), counted)
		}
		if err := newEncodedValues(kind, 0, encodingDeltaLengthByteArray, plain, body, n).check(); err != nil {
			return fmt.Errorf("DELTA_LENGTH_BYTE_ARRAY: %w", err)
		}
	}
	body, found := bytes.CutPrefix(appendDeltaStrings(prefix, plain, n, width), prefix)
	if !found {
		return fmt.Errorf("DELTA_BYTE_ARRAY: the bytes in front became %q", body[:len(prefix)])
	}
	if counted := deltaStringsSize(plain, n, width); counted != len(body) {
		return fmt.Errorf("DELTA_BYTE_ARRAY: %d bytes, counted as %d", len(body), counted)
	}
	if err := newEncodedValues(kind, width, encodingDeltaByteArray, plain, body, n).check(); err != nil {
		return fmt.Errorf("DELTA_BYTE_ARRAY: %w", err)
	}
	return nil
}

// byteStrings returns n values, many of which begin as the one before does. All have width bytes, unless it is 0.
func byteStrings(c chance, n, width int) (values [][]byte) {
	var last []byte
	for range n {
		shared, fresh := c.IntN(len(last)+1), c.IntN([]int{1, 3, 20, 70, 700}[c.IntN(5)])
		switch c.IntN(4) {
		case 0:
			shared = 0
		case 1:
			shared = len(last)
		}
		if width > 0 {
			shared = min(shared, width)
			fresh = width - shared
		}
		if shared+fresh > 5000 {
			shared = 0
		}
		v := append([]byte{}, last[:shared]...)
		for range fresh {
			v = append(v, byte('a'+c.IntN(2)))
		}
		values, last = append(values, v), v
	}
	return values
}

func TestDeltaStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for round := range 2000 {
		width := 0
		if round%2 == 0 {
			width = 1 + r.IntN([]int{3, 20, 500}[r.IntN(3)])
		}
		values := byteStrings(r, r.IntN([]int{4, 70, 600}[r.IntN(3)]), width)
		if err := checkStrings(values, width); err != nil {
			t.Fatalf("round %d, width %d, values %q\n%v", round, width, values, err)
		}
	}
}

// Every number of values that blocks end at.
func TestDeltaStringsShort(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for n := range 2*deltaBlockValues + 3 {
		same := slices.Repeat([][]byte{[]byte("same")}, n)
		for _, values := range [][][]byte{byteStrings(r, n, 0), make([][]byte, n), same} {
			if err := checkStrings(values, 0); err != nil {
				t.Fatalf("values %q\n%v", values, err)
			}
		}
		for _, width := range []int{1, 7, 16} {
			values := byteStrings(r, n, width)
			if err := checkStrings(values, width); err != nil {
				t.Fatalf("width %d, values %q\n%v", width, values, err)
			}
		}
	}
}

func TestDeltaStringsCases(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 1<<12)
	for _, values := range [][]string{
		{},
		{""},
		{"", "", ""},
		{"Hello", "World", "Foobar", "ABCDEF"},
		{"axis", "axle", "babble", "babyhood"},
		{"", long, "", long[:1], long, long + "x", long[:len(long)-1] + "y"},
		{long, long, long},
		{"\x00\xff", "\x00\xff\x00", "\xff"},
	} {
		if err := checkStrings(values, 0); err != nil {
			t.Errorf("values %.100q: %v", values, err)
		}
	}
	body := appendDeltaStrings(nil, plainStrings([]string{"axis", "axle", "babble", "babyhood"}, 0), 4, 0)
	want := []byte{128, 1, 4, 4, 0, // prefix lengths: 0, then 2, -2, 3 as 4, 0, 5 above the least
		3, 3, 0, 0, 0, 0x44, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		128, 1, 4, 4, 8, // suffix lengths: 4, then -2, 4, -1 as 0, 6, 1 above the least
		3, 3, 0, 0, 0, 0x70, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if want = append(want, "axislebabbleyhood"...); !bytes.Equal(body, want) {
		t.Errorf("the example of the specification: % x, want % x", body, want)
	}
}

// Prefixes of every length around what is compared at a time, before the end of both values or of one.
func TestSharedPrefix(t *testing.T) {
	for n := range 700 {
		for _, behind := range []int{0, 1, 9, 40} {
			a, b := bytes.Repeat([]byte("x"), n), bytes.Repeat([]byte("x"), n+behind)
			if there, back := sharedPrefix(a, b), sharedPrefix(b, a); there != n || back != n {
				t.Fatalf("%d bytes, %d behind: %d and %d are shared", n, behind, there, back)
			}
			for at := range n {
				a[at] = 'y'
				if there, back := sharedPrefix(a, b), sharedPrefix(b, a); there != at || back != at {
					t.Fatalf("%d bytes that differ at %d, %d behind: %d and %d are shared", n, at, behind, there, back)
				}
				a[at] = 'x'
			}
		}
	}
}

// A page whose number of values is wrong must not pass for one that is shorter or longer.
func TestDeltaStringsWrongCount(t *testing.T) {
	plain := plainStrings([]string{"one", "two", "three"}, 0)
	for name, encode := range map[string]func(n int){
		"DELTA_LENGTH_BYTE_ARRAY": func(n int) { appendDeltaLength(nil, plain, n) },
		"DELTA_BYTE_ARRAY":        func(n int) { appendDeltaStrings(nil, plain, n, 0) },
	} {
		for _, n := range []int{0, 1, 2, 4} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: three values passed for %d", name, n)
					}
				}()
				encode(n)
			}()
		}
	}
}

func FuzzDeltaStrings(f *testing.F) {
	f.Add([]byte("axis\naxle\nbabble\nbabyhood"), uint8(0))
	f.Add(bytes.Repeat([]byte("0123456789abcdef"), 40), uint8(16))
	f.Fuzz(func(t *testing.T, input []byte, width uint8) {
		values := bytes.Split(input, []byte("\n"))
		if width > 0 {
			values = slices.Collect(slices.Chunk(input[:len(input)/int(width)*int(width)], int(width)))
		}
		if err := checkStrings(values, int(width)); err != nil {
			t.Fatal(err)
		}
	})
}
