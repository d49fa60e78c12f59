package encode

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// content looks at the values of a byte array column whose logical type says what their bytes are. It gets every value
// that a column chunk has: one of a run once, one of the dictionary once a chunk, any other as often as it comes.
type content interface {
	// add says what is wrong with a value.
	add(value []byte) error
}

// contentFunc is a content that keeps nothing.
type contentFunc func(value []byte) error

func (f contentFunc) add(value []byte) error { return f(value) }

// newContent returns the content of a leaf column, nil if its bytes may be anything.
func newContent(leaf *leafColumn) content {
	switch leaf.Variant {
	case variantMetadata:
		return contentFunc(checkVariantMetadata)
	case variantValue:
		return contentFunc(checkVariantValue)
	}
	switch leaf.Logical.Kind {
	case logicalEnum:
		return contentFunc(checkEnum)
	case logicalBSON:
		return contentFunc(checkBSON)
	case logicalGeometry, logicalGeography:
		return newShapes(leaf.Logical.Kind)
	}
	return nil
}

// checkEnum takes the name of an enumeration's member (LogicalTypes.md, "ENUM").
func checkEnum(value []byte) error {
	if !utf8.Valid(value) {
		return fmt.Errorf("the ENUM %.50q is not UTF-8: send text", value)
	}
	return nil
}

// checkBSON takes a document by its frame (bsonspec.org): the length in front, itself included, and a zero at the end.
func checkBSON(value []byte) error {
	const least = 5 // an empty document
	switch {
	case len(value) < least:
		return fmt.Errorf("a BSON document of %d bytes: the shortest has %d", len(value), least)
	case uint64(binary.LittleEndian.Uint32(value)) != uint64(len(value)):
		n := int32(binary.LittleEndian.Uint32(value))
		return fmt.Errorf("a BSON document of %d bytes that says it has %d: send one document a value", len(value), n)
	case value[len(value)-1] != 0:
		return fmt.Errorf("a BSON document that ends in byte %#02x, not in zero", value[len(value)-1])
	}
	return nil
}
