package encode

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// fileSchema is an Arrow schema as Parquet has it.
type fileSchema struct {
	Elements    []schemaElement // the root first, then depth first
	Leaves      []leafColumn    // in the order of Elements
	Metadata    []KeyValue      // the Arrow schema's own metadata
	ArrowSchema string          // base64 of the encapsulated IPC schema message: the value of ARROW:schema

	read []arrow.Field // of ArrowSchema
}

// schemaElement is the spec's SchemaElement, a node of the schema's tree.
type schemaElement struct {
	Name        string
	NumChildren int32 // 0: a leaf
	Repetition  repetition
	Type        physicalType // of a leaf
	TypeLength  int32        // bytes of a FIXED_LEN_BYTE_ARRAY, otherwise 0
	Logical     logicalType
	HasFieldID  bool
	FieldID     int32
}

// sortOrder is how the values of a leaf column compare for its statistics.
type sortOrder uint8

const (
	orderUndefined     sortOrder = iota // no bounds are written
	orderSigned                         // integers, and booleans with false first
	orderUnsigned                       // unsigned integers
	orderUnsignedBytes                  // byte arrays, byte by byte
	orderSignedBytes                    // big-endian two's complement
	orderFloat                          // FLOAT and DOUBLE, NaN aside
	orderFloat16                        // two bytes, little-endian, NaN aside
)

// leafColumn is one column of values of a file.
type leafColumn struct {
	Path       []string       // names from below the root down to the leaf
	Type       arrow.DataType // the leaf's own: without extensions, run ends and dictionaries around it
	Physical   physicalType
	TypeLength int // bytes of a FIXED_LEN_BYTE_ARRAY, otherwise 0
	Logical    logicalType
	Order      sortOrder
	MaxDef     int // at most 2 a level of nesting, so well below 255
	MaxRep     int
	Dictionary bool // BYTE_ARRAY that Arrow's readers shall see as a dictionary
	Variant    variantPart

	cut bool // what the physical type cannot keep of a value is dropped, where it otherwise is an error
}

// keyValues returns the footer's key-value metadata: the Arrow schema's own, which readers show as the table's, the Arrow
// schema itself, and what the options add.
func (s *fileSchema) keyValues(o *Options) []KeyValue {
	pairs := slices.Clone(s.Metadata)
	if !o.NoArrowSchema {
		pairs = append(pairs, KeyValue{Key: arrowSchemaKey, Value: s.ArrowSchema})
	}
	return append(pairs, o.Metadata...)
}

// dropDictionaries makes what readers see of the top-level fields listed plain values.
func (s *fileSchema) dropDictionaries(schema *arrow.Schema, fields map[int]bool) error {
	if len(fields) == 0 {
		return nil
	}
	for i := range fields {
		s.read[i] = withoutDictionaries(s.read[i])
	}
	return s.encodeRead(schema)
}

// encodeRead makes the Arrow schema of the fields as readers shall see them.
func (s *fileSchema) encodeRead(schema *arrow.Schema) (err error) {
	s.ArrowSchema, err = encodeArrowSchema(schema, s.read, s.Metadata)
	return err
}

// columnOrders returns the order of every leaf column, as the footer has it.
func (s *fileSchema) columnOrders() []columnOrder {
	return slices.Repeat([]columnOrder{columnOrderType}, len(s.Leaves))
}

func (l *leafColumn) hasNaNs() bool { return l.Order == orderFloat || l.Order == orderFloat16 }

// meaning names the type of the leaf's values, by the logical type if Arrow has none for it.
func (l *leafColumn) meaning() string {
	switch {
	case l.Variant != notVariant:
		return logicalVariant.String()
	case l.Logical.Kind == logicalGeometry || l.Logical.Kind == logicalGeography:
		return l.Logical.Kind.String()
	}
	return l.Type.String()
}

// String returns the leaf's path with dots, in a length that an error message can bear.
func (l *leafColumn) String() string { return pathString(l.Path) }

// write writes e as an element of a list. The root has no repetition.
func (e *schemaElement) write(w *thriftWriter, root bool) {
	outer := w.beginElem()
	if e.NumChildren == 0 {
		w.i32(1, int32(e.Type))
		if e.Type == typeFixedLenByteArray {
			w.i32(2, e.TypeLength)
		}
	}
	if !root {
		w.i32(3, int32(e.Repetition))
	}
	w.string(4, e.Name)
	if e.NumChildren != 0 {
		w.i32(5, e.NumChildren)
	}
	if converted, ok := e.Logical.converted(); ok {
		w.i32(6, int32(converted))
	}
	if e.Logical.Kind == logicalDecimal {
		w.i32(7, e.Logical.Scale)
		w.i32(8, e.Logical.Precision)
	}
	if e.HasFieldID {
		w.i32(9, e.FieldID)
	}
	e.Logical.write(w, 10)
	w.end(outer)
}
