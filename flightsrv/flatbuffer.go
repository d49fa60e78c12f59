package flightsrv

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// flatbuffer reads FlatBuffers of unknown origin: every position is checked before it is read, and what is read counts
// against a budget, since tables that share parts can unfold to far more than the buffer's size. The first error stays
// in err, and everything read after it is zero.
type flatbuffer struct {
	buf    []byte
	budget int // bytes that may still be read
	err    error
}

// budgetFactor is how many times a buffer's bytes may be read. Writers that share strings or tables save at most a
// small factor; one who wants to do harm saves an exponential one.
const budgetFactor = 8

func newFlatbuffer(buf []byte) *flatbuffer {
	return &flatbuffer{buf: buf, budget: budgetFactor*len(buf) + 1024}
}

func (f *flatbuffer) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// at returns size bytes at pos, or nil after an error.
func (f *flatbuffer) at(pos, size int) []byte {
	if f.err != nil {
		return nil
	}
	if pos < 0 || size < 0 || pos > len(f.buf) || size > len(f.buf)-pos {
		f.fail("%d bytes at position %d reach beyond the %d bytes of the metadata", size, pos, len(f.buf))
		return nil
	}
	if f.budget -= size; f.budget < 0 {
		f.fail("the metadata unfolds to more than %d times its size", budgetFactor)
		return nil
	}
	return f.buf[pos : pos+size]
}

func (f *flatbuffer) uint16(pos int) int {
	if b := f.at(pos, 2); b != nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (f *flatbuffer) int32(pos int) int {
	if b := f.at(pos, 4); b != nil {
		return int(int32(binary.LittleEndian.Uint32(b)))
	}
	return 0
}

func (f *flatbuffer) int64(pos int) int64 {
	if b := f.at(pos, 8); b != nil {
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// target returns the position that the offset at pos leads to. Offsets lead forward, so there are no cycles.
func (f *flatbuffer) target(pos int) int {
	if b := f.at(pos, 4); b != nil {
		return pos + int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// table is a table of a flatbuffer.
type table struct {
	*flatbuffer
	pos       int
	vtable    int // position of the field offsets
	numFields int
	size      int
}

func (f *flatbuffer) root() table { return f.table(f.target(0)) }

// table opens the table at pos.
func (f *flatbuffer) table(pos int) table {
	vtable := pos - f.int32(pos)
	vtableSize := f.uint16(vtable)
	size := f.uint16(vtable + 2)
	f.at(vtable, vtableSize)
	f.at(pos, size)
	if vtableSize < 4 || vtableSize%2 != 0 || size < 4 {
		f.fail("there is no table at position %d", pos)
	}
	if f.err != nil {
		return table{flatbuffer: f}
	}
	return table{flatbuffer: f, pos: pos, vtable: vtable + 4, numFields: (vtableSize - 4) / 2, size: size}
}

// field returns the position of a field that takes width bytes in the table. A field that is not there has its default.
func (t table) field(i, width int) (pos int, there bool) {
	if i >= t.numFields {
		return 0, false
	}
	offset := t.uint16(t.vtable + 2*i)
	if offset == 0 {
		return 0, false
	}
	if offset > t.size-width {
		t.fail("field %d of the table at position %d lies outside of it", i, t.pos)
	}
	return t.pos + offset, t.err == nil
}

func (t table) byteField(i int) byte {
	if pos, there := t.field(i, 1); there {
		if b := t.at(pos, 1); b != nil {
			return b[0]
		}
	}
	return 0
}

func (t table) int16Field(i int) int16 {
	if pos, there := t.field(i, 2); there {
		return int16(t.uint16(pos))
	}
	return 0
}

func (t table) int32Field(i int) int {
	if pos, there := t.field(i, 4); there {
		return t.int32(pos)
	}
	return 0
}

func (t table) int64Field(i int) int64 {
	if pos, there := t.field(i, 8); there {
		return t.int64(pos)
	}
	return 0
}

// tableField opens the table that a field refers to.
func (t table) tableField(i int) (sub table, there bool) {
	pos, there := t.field(i, 4)
	if !there {
		return table{}, false
	}
	sub = t.table(t.target(pos))
	return sub, t.err == nil
}

// vectorField returns the position of the first element of a vector and the number of elements, each of width bytes.
func (t table) vectorField(i, width int) (pos, n int) {
	pos, there := t.field(i, 4)
	if !there {
		return 0, 0
	}
	pos = t.target(pos)
	n = t.int32(pos)
	if n < 0 || n > len(t.buf)/width {
		t.fail("a vector of %d elements at position %d reaches beyond the metadata", n, pos)
		return 0, 0
	}
	if t.at(pos+4, n*width) == nil {
		return 0, 0
	}
	return pos + 4, n
}

// stringField returns a string field, which must be UTF-8.
func (t table) stringField(i int) string {
	pos, n := t.vectorField(i, 1)
	if n == 0 || t.err != nil {
		return ""
	}
	text := string(t.buf[pos : pos+n])
	if !utf8.ValidString(text) {
		t.fail("the string %.40q is not valid UTF-8", text)
		return ""
	}
	return text
}
