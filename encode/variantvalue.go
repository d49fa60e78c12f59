package encode

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// maxVariantDepth bounds the nesting of a VARIANT's arrays and objects, which readers follow on their stacks. Some have
// a limit of their own: arrow-go's is 1,024.
const maxVariantDepth = 1000

// littleEndian returns an unsigned number of one to four bytes.
func littleEndian(b []byte) int {
	switch len(b) {
	case 1:
		return int(b[0])
	case 2:
		return int(binary.LittleEndian.Uint16(b))
	case 3:
		return int(binary.LittleEndian.Uint16(b)) | int(b[2])<<16
	}
	return int(binary.LittleEndian.Uint32(b))
}

// checkVariantMetadata takes the names of a VARIANT's fields (VariantEncoding.md, "Metadata encoding"): a header, how
// many there are, one offset more than that, and the names:
//
//	11 02  00 01 03  61 62 63    version 1, sorted, offsets of a byte; "a", "bc"
func checkVariantMetadata(b []byte) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("a VARIANT's metadata of %d bytes: %s", len(b), fmt.Sprintf(format, args...))
	}
	if len(b) == 0 {
		return fail("it has no header")
	}
	version, sorted, size := b[0]&15, b[0]>>4&1 != 0, int(b[0]>>6)+1
	if version != variantVersion {
		return fail("it is of version %d, not %d", version, variantVersion)
	}
	if len(b) < 1+2*size {
		return fail("it ends in front of its first offset")
	}
	names := littleEndian(b[1 : 1+size])
	offsets, start := b[1+size:], 1+size+(names+1)*size
	if start > len(b) {
		return fail("it ends before the offsets of %d names", names)
	}
	from := littleEndian(offsets[:size])
	var last []byte
	for i := range names {
		to := littleEndian(offsets[(i+1)*size:][:size])
		if i == 0 && from != 0 || to < from || to > len(b)-start {
			return fail("name %d of %d lies from byte %d to %d of %d", i, names, from, to, len(b)-start)
		}
		name := b[start+from : start+to]
		switch {
		case !utf8.Valid(name):
			return fail("name %.50q is not UTF-8", name)
		case sorted && i > 0 && bytes.Compare(last, name) >= 0:
			return fail("it says that its names are sorted, and %.50q comes before %.50q", last, name)
		}
		from, last = to, name
	}
	if from != len(b)-start {
		return fail("its names end at byte %d of %d", from, len(b)-start)
	}
	return nil
}

// checkVariantValue takes an encoded value (VariantEncoding.md, "Value encoding"), down to the innermost. That objects
// name fields which the metadata has, and in its order, takes the other column to see.
func checkVariantValue(b []byte) error {
	size, err := variantSize(b, 0)
	if err == nil && size != len(b) {
		err = fmt.Errorf("it ends at byte %d", size)
	}
	if err != nil {
		return fmt.Errorf("a VARIANT's value of %d bytes: %w", len(b), err)
	}
	return nil
}

var errVariantShort = errors.New("it is cut off")

// The basic types of a VARIANT's value, in the lowest two bits.
const (
	variantPrimitive   = 0
	variantShortString = 1
	variantObject      = 2
	variantArray       = 3
)

// variantPrimitives are the bytes behind the header by type: null, true, false, integers of 8 to 64 bits, double,
// decimals with a scale in front, date, timestamps, float, then binary and string, which say how many, time, timestamps
// of nanoseconds, UUID.
var variantPrimitives = [...]int{0, 0, 0, 1, 2, 4, 8, 8, 5, 9, 17, 4, 8, 8, 4, -1, -1, 8, 8, 8, 16}

const (
	variantDecimal4  = 8
	variantDecimal16 = 10
	variantString    = 16

	maxVariantScale = 38
)

// variantSize returns the size of the value that b begins with.
func variantSize(b []byte, depth int) (int, error) {
	if len(b) == 0 {
		return 0, errVariantShort
	}
	header := b[0] >> 2
	switch b[0] & 3 {
	case variantPrimitive:
		return variantPrimitiveSize(b, int(header))
	case variantShortString:
		return variantText(b, 1, int(header))
	}
	v, size, err := openVariant(b)
	if err != nil {
		return 0, err
	}
	return size, v.check(depth + 1)
}

func variantPrimitiveSize(b []byte, kind int) (int, error) {
	if kind >= len(variantPrimitives) {
		return 0, fmt.Errorf("there is a primitive type %d, which is none", kind)
	}
	n := variantPrimitives[kind]
	if n < 0 {
		if len(b) < 5 {
			return 0, errVariantShort
		}
		if n = littleEndian(b[1:5]); kind == variantString {
			return variantText(b, 5, n)
		}
		n += 4
	}
	if n > len(b)-1 {
		return 0, errVariantShort
	}
	if kind >= variantDecimal4 && kind <= variantDecimal16 && b[1] > maxVariantScale {
		return 0, fmt.Errorf("there is a decimal of scale %d: the largest is %d", b[1], maxVariantScale)
	}
	return 1 + n, nil
}

// variantText returns where a string of n bytes ends that begins at a byte of b.
func variantText(b []byte, from, n int) (int, error) {
	if n > len(b)-from {
		return 0, errVariantShort
	}
	if text := b[from : from+n]; !utf8.Valid(text) {
		return 0, fmt.Errorf("the string %.50q is not UTF-8", text)
	}
	return from + n, nil
}

// variantNested is the layout of an array or object: a header, how many elements there are, for an object the ids of
// their names, one offset more than elements, and the elements, those of an object in any order.
//
//	02 02  00 01  00 02 04  0c 05 0c 07    an object of two fields, 0 and 1: int8 5, int8 7
type variantNested struct {
	object      bool
	n           int
	offsets     []byte
	offsetBytes int
	elements    []byte
}

// openVariant returns the layout of the array or object that b begins with, and its size.
func openVariant(b []byte) (v variantNested, size int, err error) {
	header := int(b[0] >> 2)
	v = variantNested{object: b[0]&3 == variantObject, offsetBytes: header&3 + 1}
	idBytes, large := 0, header>>2&1
	if v.object {
		idBytes, large = header>>2&3+1, header>>4&1
	}
	at := 2 + 3*large
	if len(b) < at {
		return v, 0, errVariantShort
	}
	v.n = littleEndian(b[1:at])
	at += v.n * idBytes
	start := at + (v.n+1)*v.offsetBytes
	if start > len(b) {
		return v, 0, errVariantShort
	}
	v.offsets = b[at:start]
	size = start + v.offset(v.n)
	if size > len(b) {
		return v, 0, errVariantShort
	}
	v.elements = b[start:size]
	return v, size, nil
}

func (v *variantNested) offset(i int) int {
	return littleEndian(v.offsets[i*v.offsetBytes:][:v.offsetBytes])
}

// check checks the elements, and that they lie side by side: one that many refer to would make readers do work out of
// proportion to its bytes.
func (v *variantNested) check(depth int) error {
	if depth > maxVariantDepth {
		return fmt.Errorf("it is nested more than %d levels deep", maxVariantDepth)
	}
	end, total := len(v.elements), 0
	var scratch [4]extent
	extents := scratch[:1]
	for i := range v.n {
		from := v.offset(i)
		if from >= end {
			return fmt.Errorf("element %d of %d begins at byte %d of %d", i, v.n, from, end)
		}
		size, err := variantSize(v.elements[from:], depth)
		if err != nil {
			return err
		}
		total += size
		if total > end || !v.object && from+size != total {
			return fmt.Errorf("%d elements in %d bytes do not lie side by side", v.n, end)
		}
		if last := &extents[len(extents)-1]; from == last.to {
			last.to += size
		} else {
			extents = append(extents, extent{from, from + size})
		}
	}
	if total != end || !adjoin(extents) {
		return fmt.Errorf("%d elements of %d bytes do not fill %d bytes", v.n, total, end)
	}
	return nil
}

// extent is where elements lie that follow one another.
type extent struct{ from, to int }

// adjoin reports whether extents lie side by side, in any order.
func adjoin(extents []extent) bool {
	if len(extents) > 1 {
		slices.SortFunc(extents, func(a, b extent) int { return cmp.Compare(a.from, b.from) })
	}
	at := 0
	for _, e := range extents {
		if e.from != at {
			return false
		}
		at = e.to
	}
	return true
}
