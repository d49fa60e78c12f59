package lint

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed structs.txt
var structsText string

// thriftField is a line of structs.txt.
type thriftField struct {
	name, typ string
	required  bool
}

type thriftSpec struct {
	fields map[int16]thriftField
	union  bool
}

// thriftSpecs reads structs.txt.
var thriftSpecs = sync.OnceValues(func() (map[string]thriftSpec, error) {
	specs := map[string]thriftSpec{}
	current := ""
	for line := range strings.Lines(structsText) {
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

// ReadThrift reads one struct of the name that it has in structs.txt, checks its fields and theirs against the spec,
// and returns what follows it. It is strict: ids ascend, and numbers and headers take their shortest form.
func ReadThrift(name string, b []byte) (v Value, rest []byte, err error) {
	specs, err := thriftSpecs()
	if err != nil {
		return v, b, err
	}
	if v, rest, err = readThriftStruct(b, 0); err == nil {
		err = checkThrift(specs, name, v)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, rest, err
}

// readWhole is ReadThrift for a struct that takes all of b.
func readWhole(name string, b []byte) (Value, error) {
	v, rest, err := ReadThrift(name, b)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow the %s", len(rest), name)
	}
	return v, err
}

// checkThrift checks a value against a type of structs.txt.
func checkThrift(specs map[string]thriftSpec, typ string, v Value) error {
	if elem, ok := strings.CutPrefix(typ, "list<"); ok {
		elem = strings.TrimSuffix(elem, ">")
		if v.Type != ThriftList || v.Elem != thriftTypeOf(elem) {
			return fmt.Errorf("type %d of %d, not a %s", v.Type, v.Elem, typ)
		}
		for i, e := range v.List {
			if err := checkThrift(specs, elem, e); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	}
	if want := thriftTypeOf(typ); v.Type != want && !(typ == "bool" && v.Type == ThriftFalse) {
		return fmt.Errorf("type %d, not a %s", v.Type, typ)
	}
	if v.Type != ThriftStruct {
		return nil
	}
	spec, ok := specs[typ]
	if !ok {
		return fmt.Errorf("no struct %s", typ)
	}
	if spec.union && len(v.IDs) != 1 {
		return fmt.Errorf("%d fields in the union %s", len(v.IDs), typ)
	}
	for i, id := range v.IDs {
		f, ok := spec.fields[id]
		if !ok {
			return fmt.Errorf("%s has no field %d", typ, id)
		}
		if err := checkThrift(specs, f.typ, v.Fields[i]); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	for id, f := range spec.fields {
		if _, ok := v.Field(id); !ok && f.required {
			return fmt.Errorf("%s has no %s", typ, f.name)
		}
	}
	return nil
}

func thriftTypeOf(name string) ThriftType {
	switch name {
	case "bool":
		return ThriftTrue
	case "i8":
		return ThriftI8
	case "i16":
		return ThriftI16
	case "i32", "enum":
		return ThriftI32
	case "i64":
		return ThriftI64
	case "double":
		return ThriftDouble
	case "string", "binary":
		return ThriftBinary
	}
	return ThriftStruct
}
