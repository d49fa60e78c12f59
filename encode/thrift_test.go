package encode

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readGolden returns the bytes of an annotated file: hexadecimal digits and quoted text, each line up to its #.
func readGolden(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		code, _, _ := strings.Cut(line, "#")
		for i, part := range strings.Split(code, `"`) {
			if i%2 == 1 {
				part = hex.EncodeToString([]byte(part))
			}
			digits.WriteString(strings.Join(strings.Fields(part), ""))
		}
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return b
}

// checkGolden compares got with an annotated file, and checks that it appended to what was there.
func checkGolden(t *testing.T, path string, appendTo func(dst []byte) []byte) {
	t.Helper()
	const before = "before"
	got := appendTo([]byte(before))
	if string(got[:len(before)]) != before {
		t.Errorf("the bytes in front are now %q", got[:len(before)])
	}
	if diff := cmp.Diff(hex.Dump(readGolden(t, path)), hex.Dump(got[len(before):])); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// The compact protocol's own corners: long field distances, long lists, the ends of every integer.
func TestThriftWriter(t *testing.T) {
	w := thriftWriter{}
	w.i8(1, -128)
	w.i16(2, -32768)
	w.i32(17, 1<<31-1) // 15 on: still in the header
	w.i64(33, -1<<63)  // 16 on: an id of its own
	w.string(100, "é")
	outer := w.begin(101)
	w.empty(1)
	w.end(outer)
	w.list(102, thriftTrue, 14)
	for range 14 {
		w.elemBool(true)
	}
	w.i64s(103, make([]int64, 15))
	w.i64s(104, []int64{})
	w.i64s(105, nil)
	w.bool(106, true)
	got := hex.EncodeToString(w.finish())
	want := strings.Join([]string{
		"1380",
		"14ffff03",
		"f5feffffff0f",
		"0642ffffffffffffffffff01",
		"08c80102c3a9",
		"1c1c0000",
		"19e1" + strings.Repeat("01", 14),
		"19f60f" + strings.Repeat("00", 15),
		"1906",
		"21",
		"00",
	}, "")
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
