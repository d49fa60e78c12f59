package lint

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ThriftType is the type nibble of a field or list in Thrift's compact protocol.
type ThriftType byte

// The types of the compact protocol that Parquet uses.
const (
	ThriftTrue   ThriftType = 1 // also the element type of a list of booleans, and true in it
	ThriftFalse  ThriftType = 2 // also false in a list of booleans
	ThriftI8     ThriftType = 3
	ThriftI16    ThriftType = 4
	ThriftI32    ThriftType = 5
	ThriftI64    ThriftType = 6
	ThriftDouble ThriftType = 7
	ThriftBinary ThriftType = 8
	ThriftList   ThriftType = 9
	ThriftStruct ThriftType = 12
)

// Value is a value of compact Thrift as it was found, knowing nothing of Parquet.
type Value struct {
	Type   ThriftType // a boolean field is ThriftTrue or ThriftFalse, and so is an element
	Num    int64      // of a double, its bits
	Bytes  []byte
	Elem   ThriftType // of a list
	List   []Value
	IDs    []int16 // of a struct's fields
	Fields []Value
}

// Field returns the field of a struct, or a zero value.
func (v Value) Field(id int16) (f Value, ok bool) {
	for i := range v.IDs {
		if v.IDs[i] == id {
			return v.Fields[i], true
		}
	}
	return Value{}, false
}

// Int returns the number in a field, or 0.
func (v Value) Int(id int16) int64 { return v.IntOr(id, 0) }

// IntOr returns the number in a field, or missing if there is none.
func (v Value) IntOr(id int16, missing int64) int64 {
	if f, ok := v.Field(id); ok {
		return f.Num
	}
	return missing
}

// Blob returns the bytes in a field, or nil.
func (v Value) Blob(id int16) []byte {
	f, _ := v.Field(id)
	return f.Bytes
}

// Flag reports whether a field is true.
func (v Value) Flag(id int16) bool {
	f, _ := v.Field(id)
	return f.Type == ThriftTrue
}

// Has reports whether there is a field.
func (v Value) Has(id int16) bool {
	_, ok := v.Field(id)
	return ok
}

var errThriftShort = errors.New("ends too early")

// readThriftStruct reads one struct and returns what follows it.
func readThriftStruct(b []byte, depth int) (v Value, rest []byte, err error) {
	if depth > 20 {
		return v, b, errors.New("nested too deep")
	}
	v.Type = ThriftStruct
	last := int16(0)
	for {
		if len(b) == 0 {
			return v, b, errThriftShort
		}
		head := b[0]
		b = b[1:]
		if head == 0 {
			return v, b, nil
		}
		id := last + int16(head>>4)
		if head>>4 == 0 {
			var n int64
			if n, b, err = readThriftInt(b); err != nil {
				return v, b, err
			}
			if id = int16(n); int64(id) != n || id > last && id-last <= 15 {
				return v, b, fmt.Errorf("field id %d after %d in its long form", n, last)
			}
		}
		if id <= last {
			return v, b, fmt.Errorf("field id %d after %d", id, last)
		}
		last = id
		f := Value{Type: ThriftType(head & 15)}
		if f.Type != ThriftTrue && f.Type != ThriftFalse {
			if f, b, err = readThriftValue(b, f.Type, depth); err != nil {
				return v, b, fmt.Errorf("field %d: %w", id, err)
			}
		}
		v.IDs, v.Fields = append(v.IDs, id), append(v.Fields, f)
	}
}

func readThriftValue(b []byte, t ThriftType, depth int) (v Value, rest []byte, err error) {
	v.Type = t
	switch t {
	case ThriftI8, ThriftTrue, ThriftFalse:
		if len(b) == 0 {
			return v, b, errThriftShort
		}
		v.Num, b = int64(int8(b[0])), b[1:]
		if t != ThriftI8 {
			if v.Type = ThriftType(v.Num); v.Type != ThriftTrue && v.Type != ThriftFalse {
				err = fmt.Errorf("boolean %d", v.Num)
			}
		}
	case ThriftI16, ThriftI32, ThriftI64:
		v.Num, b, err = readThriftInt(b)
		bits := map[ThriftType]uint{ThriftI16: 16, ThriftI32: 32, ThriftI64: 64}[t]
		if err == nil && v.Num>>(bits-1) != v.Num>>63 {
			err = fmt.Errorf("%d takes more than %d bits", v.Num, bits)
		}
	case ThriftDouble:
		if len(b) < 8 {
			return v, b, errThriftShort
		}
		v.Num, b = int64(binary.LittleEndian.Uint64(b)), b[8:]
	case ThriftBinary:
		n, k := binary.Uvarint(b)
		if k <= 0 || uint64(len(b)-k) < n {
			return v, b, errThriftShort
		}
		v.Bytes, b = b[k:k+int(n)], b[k+int(n):]
	case ThriftList:
		return readThriftList(b, depth)
	case ThriftStruct:
		return readThriftStruct(b, depth+1)
	default:
		err = fmt.Errorf("type %d", t)
	}
	return v, b, err
}

func readThriftList(b []byte, depth int) (v Value, rest []byte, err error) {
	v.Type = ThriftList
	if len(b) == 0 {
		return v, b, errThriftShort
	}
	n := uint64(b[0] >> 4)
	v.Elem, b = ThriftType(b[0]&15), b[1:]
	if n == 15 {
		var k int
		if n, k = binary.Uvarint(b); k <= 0 || n < 15 {
			return v, b, fmt.Errorf("list of %d in its long form", n)
		}
		b = b[k:]
	}
	for i := range n {
		var e Value
		if e, b, err = readThriftValue(b, v.Elem, depth); err != nil {
			return v, b, fmt.Errorf("element %d: %w", i, err)
		}
		v.List = append(v.List, e)
	}
	return v, b, nil
}

func readThriftInt(b []byte) (n int64, rest []byte, err error) {
	n, k := binary.Varint(b)
	if k <= 0 {
		return 0, b, errThriftShort
	}
	if k > 1 && b[k-1] == 0 {
		return 0, b, errors.New("number longer than need be")
	}
	return n, b[k:], nil
}
