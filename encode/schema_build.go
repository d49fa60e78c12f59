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
	f.read = readFields(s.Fields())
	if err := f.encodeRead(s); err != nil {
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
	return b.eachField(fields, parent, b.field)
}

// eachField has add add fields that lie side by side, each under its name.
func (b *schemaBuilder) eachField(
	fields []arrow.Field, parent schemaPlace, add func(f arrow.Field, name string, parent schemaPlace) error,
) error {
	seen := make(map[string]struct{}, len(fields))
	for _, f := range fields {
		if err := add(f, f.Name, parent); err != nil {
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

// schemaNode is a field that is about to be added.
type schemaNode struct {
	schemaPlace
	element    schemaElement
	inner      arrow.DataType // what is inside its extensions, run ends and dictionaries
	extension  extension      // the outermost
	annotation annotation
	dictionary bool // readers shall see a dictionary, if they can have one
}

// field adds a field, under a name that is not the field's own in lists and maps, and all that is below it.
func (b *schemaBuilder) field(f arrow.Field, name string, parent schemaPlace) error {
	n, err := newNode(f, name, parent)
	if err != nil {
		return err
	}
	switch t := n.inner.(type) {
	case *arrow.StructType:
		if n.extension.isVariant() {
			return b.variantGroup(n, t)
		}
		return b.structGroup(n, t)
	case *arrow.MapType:
		return b.mapGroup(n, t)
	case arrow.ListLikeType:
		return b.listGroup(n, t.ElemField())
	}
	_, err = b.leaf(n)
	return err
}

// newNode returns the node of a field below parent, whose place counts the field's own level.
func newNode(f arrow.Field, name string, parent schemaPlace) (n schemaNode, err error) {
	at := schemaPlace{path: append(parent.path, name), depth: parent.depth + 1, def: parent.def, rep: parent.rep}
	if at.depth > maxSchemaDepth {
		return n, at.errorf("nested more than %d levels deep", maxSchemaDepth)
	}
	if f.Nullable {
		at.def++
	}
	n = schemaNode{schemaPlace: at, annotation: annotationOf(f.Metadata)}
	if n.element, err = newElement(f, name); err != nil {
		return n, at.errorf("%w", err)
	}
	if n.inner, n.extension, err = unwrapType(f); err != nil {
		return n, at.errorf("%w", err)
	}
	_, n.dictionary = readType(f.Type).(*arrow.DictionaryType)
	return n, nil
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

func (b *schemaBuilder) structGroup(n schemaNode, t *arrow.StructType) error {
	if err := b.group(n, t.NumFields(), logicalType{}); err != nil {
		return err
	}
	return b.fields(t.Fields(), n.schemaPlace)
}

func (b *schemaBuilder) listGroup(n schemaNode, element arrow.Field) error {
	at, err := b.repeatedGroup(n, logicalList, "list", 1)
	if err != nil {
		return err
	}
	return b.field(element, "element", at)
}

func (b *schemaBuilder) mapGroup(n schemaNode, t *arrow.MapType) error {
	if fields := t.ValueType().NumFields(); fields != 2 {
		return n.errorf("a map of %d fields: it must have a key and a value", fields)
	}
	at, err := b.repeatedGroup(n, logicalMap, "key_value", 2)
	if err != nil {
		return err
	}
	key := t.KeyField()
	key.Nullable = false
	if err := b.field(key, "key", at); err != nil {
		return err
	}
	return b.field(t.ItemField(), "value", at)
}

// repeatedGroup adds the outer two of the three levels of a list or map, and returns the place of the repeated one.
func (b *schemaBuilder) repeatedGroup(
	n schemaNode, kind logicalKind, name string, children int32,
) (at schemaPlace, err error) {
	if err := b.group(n, 1, logicalType{Kind: kind}); err != nil {
		return at, err
	}
	b.elements = append(b.elements, schemaElement{Name: name, Repetition: repetitionRepeated, NumChildren: children})
	at = n.schemaPlace
	at.path = append(at.path, name)
	at.def++
	at.rep++
	return at, nil
}

// group adds the element of a group.
func (b *schemaBuilder) group(n schemaNode, children int, logical logicalType) error {
	if children == 0 {
		return n.errorf("a struct without fields cannot be kept in Parquet: leave the field out or give it a field")
	}
	if err := n.annotation.checkGroup(logical.Kind); err != nil {
		return n.errorf("%w", err)
	}
	n.element.NumChildren, n.element.Logical = int32(children), logical
	b.elements = append(b.elements, n.element)
	return nil
}

// leaf adds a leaf, and returns what it added until the next.
func (b *schemaBuilder) leaf(n schemaNode) (*leafColumn, error) {
	format, err := formatOf(n.inner)
	if err != nil {
		return nil, n.errorf("%w", err)
	}
	e := n.element
	if n.inner.ID() == arrow.NULL && e.Repetition == repetitionRequired {
		return nil, n.errorf("type null, and not nullable: no record can have a value there: make it nullable, or leave it out")
	}
	format, err = n.annotation.apply(format.extended(n.extension))
	if err != nil {
		return nil, n.errorf("%w", err)
	}
	e.Type, e.TypeLength, e.Logical = format.physical, int32(format.length), format.logical
	b.elements = append(b.elements, e)
	b.leaves = append(b.leaves, leafColumn{
		Path:       slices.Clone(n.path),
		Type:       n.inner,
		Physical:   format.physical,
		TypeLength: format.length,
		Logical:    format.logical,
		Order:      format.order,
		MaxDef:     n.def,
		MaxRep:     n.rep,
		Dictionary: n.dictionary && format.physical == typeByteArray,
	})
	return &b.leaves[len(b.leaves)-1], nil
}
