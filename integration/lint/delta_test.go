package lint

import (
	"slices"
	"testing"
)

// The decoders are what everything else is checked by: they must see what is wrong.
func TestDecodeDeltaErrors(t *testing.T) {
	// Three numbers of 32 bits: 7, then deltas -2 and 1, which are 0 and 3 above the least.
	const widths, padding = 6, 12 // where they are
	good := append([]byte{128, 1, 4, 3, 14, 3, 2, 0, 0, 0, 0x0c}, 0, 0, 0, 0, 0, 0, 0)
	values, rest, err := decodeDelta(append(good, 9), 32, 3)
	if err != nil || !slices.Equal(values, []int64{7, 5, 6}) || len(rest) != 1 {
		t.Fatalf("%v, %d bytes left, error %v", values, len(rest), err)
	}
	for name, c := range map[string]struct {
		damage func(b []byte) []byte
		n      int
	}{
		"nothing":               {func(b []byte) []byte { return nil }, 3},
		"count":                 {func(b []byte) []byte { return b }, 2},
		"block size":            {func(b []byte) []byte { b[0]++; return b }, 3},
		"no miniblocks":         {func(b []byte) []byte { b[2] = 0; return b }, 3},
		"miniblocks of 16":      {func(b []byte) []byte { b[2] = 8; return b }, 3},
		"a long number":         {func(b []byte) []byte { b[4] |= 0x80; return slices.Insert(b, 5, 0) }, 3},
		"first of 33 bits":      {func(b []byte) []byte { return slices.Replace(b, 4, 5, 128, 128, 128, 128, 16) }, 3},
		"least is not":          {func(b []byte) []byte { b[10] |= 1; return b }, 3},
		"width too large":       {func(b []byte) []byte { b[widths], b[10] = 3, 0x18; return append(b, 0, 0, 0, 0) }, 3},
		"width beyond 32":       {func(b []byte) []byte { b[widths] = 33; return append(b, make([]byte, 200)...) }, 3},
		"width of none":         {func(b []byte) []byte { b[widths+1] = 1; return b }, 3},
		"padding":               {func(b []byte) []byte { b[padding] = 1; return b }, 3},
		"no widths":             {func(b []byte) []byte { return b[:widths+3] }, 3},
		"miniblock cut":         {func(b []byte) []byte { return b[:len(b)-1] }, 3},
		"no values but a first": {func([]byte) []byte { return []byte{128, 1, 4, 0, 2} }, 0},
	} {
		if values, _, err := decodeDelta(c.damage(slices.Clone(good)), 32, c.n); err == nil {
			t.Errorf("%s: decoded to %v", name, values)
		}
	}
}

func TestReadValuesErrors(t *testing.T) {
	type reader func(leaf *Leaf, b []byte, n int) ([][]byte, error)
	lengths := func(first byte) []byte { return []byte{128, 1, 4, 1, first} } // of one value
	two := func(first, least byte) []byte { return []byte{128, 1, 4, 2, first, least, 0, 0, 0, 0} }
	for name, c := range map[string]struct {
		read  reader
		kind  Type
		width int32
		parts [][]byte
		n     int
	}{
		"delta of doubles":     {readDelta, Double, 0, [][]byte{lengths(2)}, 1},
		"delta, rest":          {readDelta, Int32, 0, [][]byte{lengths(2), {0}}, 1},
		"length, fixed":        {readDeltaLength, FixedLenByteArray, 1, [][]byte{lengths(2), {'a'}}, 1},
		"length, cut":          {readDeltaLength, ByteArray, 0, [][]byte{lengths(4), {'a'}}, 1},
		"length, rest":         {readDeltaLength, ByteArray, 0, [][]byte{lengths(2), {'a', 'b'}}, 1},
		"length, negative":     {readDeltaLength, ByteArray, 0, [][]byte{lengths(1), {'a'}}, 1},
		"strings of numbers":   {readDeltaStrings, Int32, 0, [][]byte{lengths(0), lengths(2), {'a'}}, 1},
		"strings, first":       {readDeltaStrings, ByteArray, 0, [][]byte{lengths(2), lengths(2), {'a'}}, 1},
		"strings, too long":    {readDeltaStrings, ByteArray, 0, [][]byte{two(0, 4), two(2, 0), {'a', 'b'}}, 2},
		"strings, shared more": {readDeltaStrings, ByteArray, 0, [][]byte{two(0, 0), two(2, 0), {'a', 'a'}}, 2},
		"strings, width":       {readDeltaStrings, FixedLenByteArray, 2, [][]byte{lengths(0), lengths(2), {'a'}}, 1},
		"strings, no suffixes": {readDeltaStrings, ByteArray, 0, [][]byte{lengths(0)}, 1},
		"split, rest":          {readStreamSplit, Int32, 0, [][]byte{{1, 2, 3, 4, 5}}, 1},
		"split, byte arrays":   {readStreamSplit, ByteArray, 0, [][]byte{{1, 2, 3, 4}}, 1},
	} {
		leaf := &Leaf{SchemaElement: SchemaElement{Type: c.kind, TypeLength: c.width}}
		if values, err := c.read(leaf, slices.Concat(c.parts...), c.n); err == nil {
			t.Errorf("%s: decoded to %q", name, values)
		}
	}
}
