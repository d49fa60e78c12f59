package encode

import (
	"encoding/binary"
	"testing"
)

func TestPageIndexBytes(t *testing.T) {
	num := func(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
	checkGolden(t, "testdata/pageindex/column.txt", (&columnIndex{
		NullPages:  []bool{false, true, false},
		Min:        [][]byte{num(1), nil, num(5)},
		Max:        [][]byte{num(4), nil, num(9)},
		Boundary:   boundaryAscending,
		NullCounts: []int64{0, 10, 1},
		Definition: []int64{0, 10, 10, 0, 1, 9},
	}).append)
	checkGolden(t, "testdata/pageindex/offset.txt", (&offsetIndex{
		Pages:          []pageLocation{{Offset: 4, CompressedBytes: 100}, {Offset: 104, CompressedBytes: 50, FirstRow: 20}},
		UnencodedBytes: []int64{80, 40},
	}).append)
}

func TestPageIndexStructs(t *testing.T) {
	c := &columnIndex{
		NullPages:  make([]bool, 20),
		Min:        make([][]byte, 20),
		Max:        make([][]byte, 20),
		NullCounts: make([]int64, 20),
		Repetition: make([]int64, 40),
		Definition: make([]int64, 60),
		NaNCounts:  make([]int64, 20),
	}
	v := parseThrift(t, "ColumnIndex", c.append(nil))
	for id, want := range map[int16]int{1: 20, 2: 20, 3: 20, 5: 20, 6: 40, 7: 60, 8: 20} {
		if f, _ := v.Field(id); len(f.List) != want {
			t.Errorf("field %d has %d elements, want %d", id, len(f.List), want)
		}
	}
	o := &offsetIndex{Pages: make([]pageLocation, 20)}
	v = parseThrift(t, "OffsetIndex", o.append(nil))
	if _, ok := v.Field(2); ok {
		t.Error("unencoded bytes are written for a column without them")
	}
}
