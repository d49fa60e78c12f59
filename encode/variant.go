package encode

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// variantPart is what a leaf column of a VARIANT holds.
type variantPart uint8

const (
	notVariant      variantPart = iota // or a value of another type, shredded from a VARIANT
	variantMetadata                    // the names of the fields of objects
	variantValue                       // encoded values
)

// variantVersion is that of VariantEncoding.md, in the schema and in every metadata.
const variantVersion = 1

// The names of the fields in the groups of a VARIANT.
const (
	metadataField = "metadata"
	valueField    = "value"
	typedField    = "typed_value"
)

// variantGroup adds a VARIANT (VariantEncoding.md, "Variant in Parquet"; VariantShredding.md):
//
//	optional group v (VARIANT(1)) {
//	  required binary metadata;
//	  optional binary value;              required if there is no typed_value
//	  optional group typed_value {        or a list of such groups as a is, or a leaf
//	    required group a {
//	      optional binary value;
//	      optional int64 typed_value;
//	    }
//	  }
//	}
//
// That a record's value and typed_value belong together is the client's to see to.
func (b *schemaBuilder) variantGroup(n schemaNode, t *arrow.StructType) error {
	if err := b.group(n, t.NumFields(), logicalType{Kind: logicalVariant, Version: variantVersion}); err != nil {
		return err
	}
	for _, name := range []string{metadataField, valueField} {
		if _, ok := t.FieldIdx(name); !ok {
			return n.errorf("a VARIANT without a field %q: add it", name)
		}
	}
	return b.variantFields(t, n.schemaPlace, true)
}

// variantFields adds the fields of a VARIANT's group, or those of a group in which a part of it is.
func (b *schemaBuilder) variantFields(t *arrow.StructType, parent schemaPlace, whole bool) error {
	_, shredded := t.FieldIdx(typedField)
	seen := map[string]bool{}
	for _, f := range t.Fields() {
		at := schemaPlace{path: append(parent.path, f.Name)}
		if seen[f.Name] {
			return at.errorf("a VARIANT's group has two fields of that name")
		}
		seen[f.Name] = true
		var err error
		switch {
		case f.Name == metadataField && whole:
			if f.Nullable {
				return at.errorf("the metadata of a VARIANT must not be nullable")
			}
			err = b.variantBytes(f, parent, variantMetadata)
		case f.Name == valueField:
			if f.Nullable && whole && !shredded {
				return at.errorf("the value of a VARIANT without typed_value must not be nullable: a VARIANT has a null of its own")
			}
			if !f.Nullable && shredded {
				return at.errorf("the value of a VARIANT with typed_value beside it must be nullable: one of the two is null")
			}
			err = b.variantBytes(f, parent, variantValue)
		case f.Name == typedField:
			if !f.Nullable {
				return at.errorf("the typed_value of a VARIANT must be nullable: it is null where value is not")
			}
			err = b.typedValue(f, parent)
		default:
			return at.errorf("a VARIANT's group has no such field, only metadata (the outermost), value and typed_value")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// variantBytes adds metadata or a value. Neither has bounds, which would tell readers nothing.
func (b *schemaBuilder) variantBytes(f arrow.Field, parent schemaPlace, part variantPart) error {
	n, err := newNode(f, f.Name, parent)
	if err != nil {
		return err
	}
	switch n.inner.ID() {
	case arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW:
	default:
		return n.errorf("type %s: the %s of a VARIANT must be binary", typeName(n.inner), f.Name)
	}
	l, err := b.leaf(n)
	if err != nil {
		return err
	}
	if l.Logical.Kind != logicalNone || n.extension.name != "" {
		return n.errorf("the %s of a VARIANT must be plain binary: take its extension or logical type away", f.Name)
	}
	l.Variant, l.Order, l.Dictionary = part, orderUndefined, false
	return nil
}

// typedValue adds a typed_value: the fields of an object, the elements of an array, or a leaf.
func (b *schemaBuilder) typedValue(f arrow.Field, parent schemaPlace) error {
	n, err := newNode(f, f.Name, parent)
	if err != nil {
		return err
	}
	if _, leaf := n.inner.(arrow.NestedType); leaf && n.extension.name != "" {
		return n.errorf("extension %s inside a VARIANT, which has no such values: take the extension away", n.extension.name)
	}
	switch t := n.inner.(type) {
	case *arrow.StructType:
		if err := b.group(n, t.NumFields(), logicalType{}); err != nil {
			return err
		}
		return b.eachField(t.Fields(), n.schemaPlace, b.variantObjectField)
	case *arrow.MapType:
		return n.errorf("type map: a VARIANT has no maps: shred it as a struct")
	case arrow.ListLikeType:
		at, err := b.repeatedGroup(n, logicalList, "list", 1)
		if err != nil {
			return err
		}
		return b.variantPartGroup(t.ElemField(), "element", at)
	}
	l, err := b.leaf(n)
	if err != nil {
		return err
	}
	if !l.shreddable() || n.extension.name != "" && l.Logical.Kind != logicalUUID {
		const format = "type %s: a VARIANT has no such values, so none can be shredded to it: cast it, or leave it in value"
		return n.errorf(format, typeName(f.Type))
	}
	l.Dictionary = false
	return nil
}

// variantObjectField adds the group of an object's field, which must have a value; that of an element need not.
func (b *schemaBuilder) variantObjectField(f arrow.Field, name string, parent schemaPlace) error {
	if t, ok := levels.StorageType(f.Type).(*arrow.StructType); ok {
		if _, has := t.FieldIdx(valueField); !has {
			at := schemaPlace{path: append(parent.path, name)}
			return at.errorf("the field of a VARIANT's object without a field %q: add it, nullable", valueField)
		}
	}
	return b.variantPartGroup(f, name, parent)
}

// variantPartGroup adds the group of an object's field or of an array's element.
func (b *schemaBuilder) variantPartGroup(f arrow.Field, name string, parent schemaPlace) error {
	n, err := newNode(f, name, parent)
	if err != nil {
		return err
	}
	t, ok := n.inner.(*arrow.StructType)
	if !ok || n.extension.name != "" {
		return n.errorf("type %s: a part of a VARIANT must be a struct of value and typed_value", typeName(f.Type))
	}
	if f.Nullable {
		return n.errorf("what is shredded from a VARIANT must not be nullable: where it is missing, its fields are null")
	}
	if err := b.group(n, t.NumFields(), logicalType{}); err != nil {
		return err
	}
	return b.variantFields(t, n.schemaPlace, false)
}

// shreddable reports whether a VARIANT has values of the leaf's type (VariantShredding.md, "Shredded Value Types").
func (l *leafColumn) shreddable() bool {
	switch k := l.Logical; k.Kind {
	case logicalNone:
		return l.Type.ID() != arrow.DURATION && l.Physical != typeFixedLenByteArray
	case logicalInteger:
		return k.Signed
	case logicalDecimal:
		return k.Precision <= 38
	case logicalTime:
		return k.Unit == unitMicros
	case logicalTimestamp:
		return k.Unit != unitMillis
	case logicalDate, logicalString, logicalUUID:
		return true
	}
	return false
}
