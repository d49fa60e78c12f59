package encode

import (
	"encoding/binary"
	"math"
)

// thriftType is the type nibble of a field or list in Thrift's compact protocol.
type thriftType byte

const (
	thriftTrue   thriftType = 1 // also the element type of a list of booleans, and true in it
	thriftFalse  thriftType = 2 // also false in a list of booleans
	thriftI8     thriftType = 3
	thriftI16    thriftType = 4
	thriftI32    thriftType = 5
	thriftI64    thriftType = 6
	thriftDouble thriftType = 7
	thriftBinary thriftType = 8
	thriftList   thriftType = 9
	thriftStruct thriftType = 12
)

// thriftWriter appends one struct in Thrift's compact protocol, field by field in ascending order of their ids. A field
// header holds the distance to the field before it, so a struct inside it starts anew and hands the outer struct's
// position back at its end:
//
//	outer := w.begin(5)
//	w.i32(1, 7)
//	w.end(outer)
//
// It lives on the stack of the function that serialises, and is ended by finish.
type thriftWriter struct {
	buf  []byte
	last int16 // id of the last field in the struct being written
}

// field writes the header of a field.
func (w *thriftWriter) field(id int16, t thriftType) {
	if delta := id - w.last; 1 <= delta && delta <= 15 {
		w.buf = append(w.buf, byte(delta)<<4|byte(t))
	} else {
		w.buf = binary.AppendVarint(append(w.buf, byte(t)), int64(id))
	}
	w.last = id
}

func (w *thriftWriter) bool(id int16, v bool) {
	t := thriftFalse
	if v {
		t = thriftTrue
	}
	w.field(id, t)
}

func (w *thriftWriter) i8(id int16, v int8) {
	w.field(id, thriftI8)
	w.buf = append(w.buf, byte(v))
}

func (w *thriftWriter) i16(id int16, v int16) {
	w.field(id, thriftI16)
	w.buf = binary.AppendVarint(w.buf, int64(v))
}

func (w *thriftWriter) i32(id int16, v int32) {
	w.field(id, thriftI32)
	w.buf = binary.AppendVarint(w.buf, int64(v))
}

func (w *thriftWriter) i64(id int16, v int64) {
	w.field(id, thriftI64)
	w.buf = binary.AppendVarint(w.buf, v)
}

// double writes eight bytes, the lowest first.
func (w *thriftWriter) double(id int16, v float64) {
	w.field(id, thriftDouble)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(v))
}

func (w *thriftWriter) bytes(id int16, v []byte) {
	w.field(id, thriftBinary)
	w.elemBytes(v)
}

func (w *thriftWriter) string(id int16, v string) {
	w.field(id, thriftBinary)
	w.elemString(v)
}

// begin opens a struct as a field.
func (w *thriftWriter) begin(id int16) (outer int16) {
	w.field(id, thriftStruct)
	return w.beginElem()
}

// end closes the innermost struct, whose beginning returned outer.
func (w *thriftWriter) end(outer int16) {
	w.buf = append(w.buf, 0)
	w.last = outer
}

// empty writes a struct without fields, as the spec's unions use them for their simple members.
func (w *thriftWriter) empty(id int16) {
	w.end(w.begin(id))
}

// list opens a list of n elements as a field; they follow, written by the elem functions.
func (w *thriftWriter) list(id int16, t thriftType, n int) {
	w.field(id, thriftList)
	if n < 15 {
		w.buf = append(w.buf, byte(n)<<4|byte(t))
		return
	}
	w.buf = binary.AppendUvarint(append(w.buf, 0xf0|byte(t)), uint64(n))
}

// beginElem opens a struct as an element of a list.
func (w *thriftWriter) beginElem() (outer int16) {
	outer, w.last = w.last, 0
	return outer
}

func (w *thriftWriter) elemBool(v bool) {
	t := thriftFalse
	if v {
		t = thriftTrue
	}
	w.buf = append(w.buf, byte(t))
}

// elemInt writes an element of type i16, i32 or i64: they look alike.
func (w *thriftWriter) elemInt(v int64) {
	w.buf = binary.AppendVarint(w.buf, v)
}

func (w *thriftWriter) elemBytes(v []byte) {
	w.buf = append(binary.AppendUvarint(w.buf, uint64(len(v))), v...)
}

func (w *thriftWriter) elemString(v string) {
	w.buf = append(binary.AppendUvarint(w.buf, uint64(len(v))), v...)
}

// i64s writes a list of i64 as a field; nil omits it.
func (w *thriftWriter) i64s(id int16, v []int64) {
	if v == nil {
		return
	}
	w.list(id, thriftI64, len(v))
	for _, x := range v {
		w.elemInt(x)
	}
}

// finish ends the outermost struct and returns the buffer.
func (w *thriftWriter) finish() []byte {
	return append(w.buf, 0)
}
