package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// thriftValue is a value of compact Thrift as it was found, knowing nothing of Parquet.
type thriftValue struct {
	typ    thriftType // a boolean field is thriftTrue or thriftFalse, and so is an element
	num    int64
	bytes  []byte
	elem   thriftType
	list   []thriftValue
	ids    []int16
	fields []thriftValue
}

// field returns the field of a struct, or a zero value.
func (v thriftValue) field(id int16) (f thriftValue, ok bool) {
	for i := range v.ids {
		if v.ids[i] == id {
			return v.fields[i], true
		}
	}
	return thriftValue{}, false
}

var errThriftShort = errors.New("ends too early")

// readThrift reads one struct and returns what follows it. It is strict: ids ascend, and numbers and headers take their
// shortest form.
func readThrift(b []byte) (v thriftValue, rest []byte, err error) {
	return readThriftStruct(b, 0)
}

func readThriftStruct(b []byte, depth int) (v thriftValue, rest []byte, err error) {
	if depth > 20 {
		return v, b, errors.New("nested too deep")
	}
	v.typ = thriftStruct
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
		f := thriftValue{typ: thriftType(head & 15)}
		if f.typ != thriftTrue && f.typ != thriftFalse {
			if f, b, err = readThriftValue(b, f.typ, depth); err != nil {
				return v, b, fmt.Errorf("field %d: %w", id, err)
			}
		}
		v.ids, v.fields = append(v.ids, id), append(v.fields, f)
	}
}

func readThriftValue(b []byte, t thriftType, depth int) (v thriftValue, rest []byte, err error) {
	v.typ = t
	switch t {
	case thriftI8, thriftTrue, thriftFalse:
		if len(b) == 0 {
			return v, b, errThriftShort
		}
		v.num, b = int64(int8(b[0])), b[1:]
		if t != thriftI8 {
			if v.typ = thriftType(v.num); v.typ != thriftTrue && v.typ != thriftFalse {
				err = fmt.Errorf("boolean %d", v.num)
			}
		}
	case thriftI16, thriftI32, thriftI64:
		v.num, b, err = readThriftInt(b)
		if bits := map[thriftType]uint{thriftI16: 16, thriftI32: 32, thriftI64: 64}[t]; err == nil && v.num>>(bits-1) != v.num>>63 {
			err = fmt.Errorf("%d takes more than %d bits", v.num, bits)
		}
	case thriftBinary:
		n, k := binary.Uvarint(b)
		if k <= 0 || uint64(len(b)-k) < n {
			return v, b, errThriftShort
		}
		v.bytes, b = b[k:k+int(n)], b[k+int(n):]
	case thriftList:
		return readThriftList(b, depth)
	case thriftStruct:
		return readThriftStruct(b, depth+1)
	default:
		err = fmt.Errorf("type %d", t)
	}
	return v, b, err
}

func readThriftList(b []byte, depth int) (v thriftValue, rest []byte, err error) {
	v.typ = thriftList
	if len(b) == 0 {
		return v, b, errThriftShort
	}
	n := uint64(b[0] >> 4)
	v.elem, b = thriftType(b[0]&15), b[1:]
	if n == 15 {
		var k int
		if n, k = binary.Uvarint(b); k <= 0 || n < 15 {
			return v, b, fmt.Errorf("list of %d in its long form", n)
		}
		b = b[k:]
	}
	for i := range n {
		var e thriftValue
		if e, b, err = readThriftValue(b, v.elem, depth); err != nil {
			return v, b, fmt.Errorf("element %d: %w", i, err)
		}
		v.list = append(v.list, e)
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

// thriftField is a line of testdata/thrift/structs.txt.
type thriftField struct {
	name, typ string
	required  bool
}

type thriftSpec struct {
	fields map[int16]thriftField
	union  bool
}

// thriftSpecs reads testdata/thrift/structs.txt.
var thriftSpecs = sync.OnceValues(func() (map[string]thriftSpec, error) {
	text, err := os.ReadFile("testdata/thrift/structs.txt")
	if err != nil {
		return nil, err
	}
	specs := map[string]thriftSpec{}
	current := ""
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case len(words) >= 3:
			id, err := strconv.ParseInt(words[0], 10, 16)
			if err != nil {
				return nil, err
			}
			specs[current].fields[int16(id)] = thriftField{words[1], words[2], len(words) == 4}
		default:
			current = words[0]
			specs[current] = thriftSpec{map[int16]thriftField{}, len(words) == 2}
		}
	}
	return specs, nil
})

// parseThrift reads one struct of that name, checks its fields and theirs against the spec, and that nothing follows.
func parseThrift(t testing.TB, name string, b []byte) thriftValue {
	t.Helper()
	v, rest := parseThriftPrefix(t, name, b)
	if len(rest) > 0 {
		t.Fatalf("%s: %d bytes follow it", name, len(rest))
	}
	return v
}

// parseThriftPrefix is parseThrift for a struct that other bytes follow, as they do a page header.
func parseThriftPrefix(t testing.TB, name string, b []byte) (v thriftValue, rest []byte) {
	t.Helper()
	specs, err := thriftSpecs()
	if err != nil {
		t.Fatal(err)
	}
	if v, rest, err = readThrift(b); err == nil {
		err = checkThrift(specs, name, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v, rest
}

// checkThrift checks a value against a type of testdata/thrift/structs.txt.
func checkThrift(specs map[string]thriftSpec, typ string, v thriftValue) error {
	if elem, ok := strings.CutPrefix(typ, "list<"); ok {
		elem = strings.TrimSuffix(elem, ">")
		if v.typ != thriftList || v.elem != thriftTypeOf(elem) {
			return fmt.Errorf("type %d of %d, not a %s", v.typ, v.elem, typ)
		}
		for i, e := range v.list {
			if err := checkThrift(specs, elem, e); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	}
	if want := thriftTypeOf(typ); v.typ != want && !(typ == "bool" && v.typ == thriftFalse) {
		return fmt.Errorf("type %d, not a %s", v.typ, typ)
	}
	if v.typ != thriftStruct {
		return nil
	}
	spec, ok := specs[typ]
	if !ok {
		return fmt.Errorf("no struct %s", typ)
	}
	if spec.union && len(v.ids) != 1 {
		return fmt.Errorf("%d fields in the union %s", len(v.ids), typ)
	}
	for i, id := range v.ids {
		f, ok := spec.fields[id]
		if !ok {
			return fmt.Errorf("%s has no field %d", typ, id)
		}
		if err := checkThrift(specs, f.typ, v.fields[i]); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	for id, f := range spec.fields {
		if _, ok := v.field(id); !ok && f.required {
			return fmt.Errorf("%s has no %s", typ, f.name)
		}
	}
	return nil
}

func thriftTypeOf(name string) thriftType {
	switch name {
	case "bool":
		return thriftTrue
	case "i8":
		return thriftI8
	case "i16":
		return thriftI16
	case "i32", "enum":
		return thriftI32
	case "i64":
		return thriftI64
	case "string", "binary":
		return thriftBinary
	}
	return thriftStruct
}
