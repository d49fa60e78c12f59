package encode

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
)

// maxSchemaDepth bounds the nesting of an Arrow schema. A level adds at most two definition levels (a list: one for
// being optional, one for being repeated), so levels always fit a byte.
const maxSchemaDepth = 100

const _ = uint8(2*maxSchemaDepth + 1)

// fieldIDKey is the key of Arrow's field metadata that holds the Parquet field id.
const fieldIDKey = "PARQUET:field_id"

// newSchema maps an Arrow schema. An error names the field that cannot be written by its quoted path, with its type.
func newSchema(s *arrow.Schema) (*fileSchema, error) {
	if s.NumFields() == 0 {
		return nil, errors.New("encode: the schema has no columns, and a Parquet file must have one: add a column")
	}
	b := schemaBuilder{elements: []schemaElement{{Name: "schema", NumChildren: int32(s.NumFields())}}}
	if err := b.fields(s.Fields(), schemaPlace{}); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	if err := checkMetadata(s.Metadata()); err != nil {
		return nil, fmt.Errorf("encode: schema: %w", err)
	}
	f := &fileSchema{Elements: b.elements, Leaves: b.leaves, Metadata: schemaMetadata(s.Metadata())}
	var err error
	if f.ArrowSchema, err = encodeArrowSchema(s, readFields(s.Fields()), f.Metadata); err != nil {
		return nil, fmt.Errorf("encode: schema: %w", err)
	}
	return f, nil
}

// schemaBuilder walks the fields of an Arrow schema, depth first.
type schemaBuilder struct {
	elements []schemaElement
	leaves   []leafColumn
}

// schemaPlace is a node of the tree being walked: its path and what lies on the way to it.
type schemaPlace struct {
	path     []string
	depth    int // Arrow fields on the path: a list's repeated group is not one
	def, rep int
}

// errorf names the place in an error.
func (p schemaPlace) errorf(format string, args ...any) error {
	return fmt.Errorf("field %q: %w", pathString(p.path), fmt.Errorf(format, args...))
}

// pathString joins a path with dots, in a length that a message can bear.
func pathString(path []string) string {
	s := strings.Join(path, ".")
	const limit = 300
	if len(s) > limit {
		s = s[:limit/2] + "…" + s[len(s)-limit/2:]
	}
	return s
}

// fields adds the children of the root or of a struct.
func (b *schemaBuilder) fields(fields []arrow.Field, parent schemaPlace) error {
	seen := make(map[string]struct{}, len(fields))
	for _, f := range fields {
		if err := b.field(f, f.Name, parent); err != nil {
			return err
		}
		if _, twice := seen[f.Name]; twice {
			at := schemaPlace{path: append(parent.path, f.Name)}
			const format = "there is another field of that name beside it, and Parquet tells columns apart by name: rename one"
			return at.errorf(format)
		}
		seen[f.Name] = struct{}{}
	}
	return nil
}

// field adds a field, under a name that is not the field's own in lists and maps, and all that is below it.
func (b *schemaBuilder) field(f arrow.Field, name string, parent schemaPlace) error {
	at := schemaPlace{path: append(parent.path, name), depth: parent.depth + 1, def: parent.def, rep: parent.rep}
	if at.depth > maxSchemaDepth {
		return at.errorf("nested more than %d levels deep", maxSchemaDepth)
	}
	e, err := newElement(f, name)
	if err != nil {
		return at.errorf("%w", err)
	}
	if f.Nullable {
		at.def++
	}
	t, outermost, err := unwrapType(f)
	if err != nil {
		return at.errorf("%w", err)
	}
	switch t := t.(type) {
	case *arrow.StructType:
		return b.structGroup(e, t, at)
	case *arrow.MapType:
		return b.mapGroup(e, t, at)
	case arrow.ListLikeType:
		return b.listGroup(e, t.ElemField(), at)
	}
	if err := b.leaf(e, t, outermost, at); err != nil {
		return err
	}
	l := &b.leaves[len(b.leaves)-1]
	_, seen := readType(f.Type).(*arrow.DictionaryType)
	l.Dictionary = seen && l.Physical == typeByteArray
	return nil
}

// newElement returns the element of a field, as far as it does not depend on the type.
func newElement(f arrow.Field, name string) (schemaElement, error) {
	e := schemaElement{Name: name}
	if f.Nullable {
		e.Repetition = repetitionOptional
	}
	if !utf8.ValidString(name) {
		return e, errors.New("the name is not UTF-8")
	}
	if err := checkMetadata(f.Metadata); err != nil {
		return e, err
	}
	id, ok := f.Metadata.GetValue(fieldIDKey)
	if !ok {
		return e, nil
	}
	n, err := strconv.ParseInt(id, 10, 32)
	if err != nil {
		return e, fmt.Errorf("metadata %s %q: must be a whole number of 32 bits", fieldIDKey, id)
	}
	// Readers write -1 there for a column without an id.
	e.FieldID, e.HasFieldID = int32(n), n >= 0
	return e, nil
}

func (b *schemaBuilder) structGroup(e schemaElement, t *arrow.StructType, at schemaPlace) error {
	if t.NumFields() == 0 {
		return at.errorf("a struct without fields cannot be kept in Parquet: leave the field out or give it a field")
	}
	e.NumChildren = int32(t.NumFields())
	b.elements = append(b.elements, e)
	return b.fields(t.Fields(), at)
}

func (b *schemaBuilder) listGroup(e schemaElement, element arrow.Field, at schemaPlace) error {
	at = b.repeatedGroup(e, logicalList, "list", 1, at)
	return b.field(element, "element", at)
}

func (b *schemaBuilder) mapGroup(e schemaElement, t *arrow.MapType, at schemaPlace) error {
	if n := t.ValueType().NumFields(); n != 2 {
		return at.errorf("a map of %d fields: it must have a key and a value", n)
	}
	at = b.repeatedGroup(e, logicalMap, "key_value", 2, at)
	key := t.KeyField()
	key.Nullable = false
	if err := b.field(key, "key", at); err != nil {
		return err
	}
	return b.field(t.ItemField(), "value", at)
}

// repeatedGroup adds the outer two of the three levels of a list or map, and returns the place of the repeated one.
func (b *schemaBuilder) repeatedGroup(
	e schemaElement, kind logicalKind, name string, children int32, at schemaPlace,
) schemaPlace {
	e.NumChildren = 1
	e.Logical = logicalType{Kind: kind}
	b.elements = append(b.elements, e, schemaElement{Name: name, Repetition: repetitionRepeated, NumChildren: children})
	at.path = append(at.path, name)
	at.def++
	at.rep++
	return at
}

func (b *schemaBuilder) leaf(e schemaElement, t arrow.DataType, x extension, at schemaPlace) error {
	format, err := formatOf(t)
	if err != nil {
		return at.errorf("%w", err)
	}
	if t.ID() == arrow.NULL && e.Repetition == repetitionRequired {
		return at.errorf("type null, and not nullable: no record can have a value there: make it nullable, or leave it out")
	}
	format = format.extended(x)
	e.Type, e.TypeLength, e.Logical = format.physical, int32(format.length), format.logical
	b.elements = append(b.elements, e)
	b.leaves = append(b.leaves, leafColumn{
		Path:       slices.Clone(at.path),
		Type:       t,
		Physical:   format.physical,
		TypeLength: format.length,
		Logical:    format.logical,
		Order:      format.order,
		MaxDef:     at.def,
		MaxRep:     at.rep,
	})
	return nil
}
