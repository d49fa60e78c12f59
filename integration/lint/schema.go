package lint

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// checkSchema reads the schema into leaves.
func (f *Contents) checkSchema(v Value) error {
	schema, _ := v.Field(2)
	if len(schema.List) == 0 || schema.List[0].Has(3) {
		return errors.New("the root is missing, or has a repetition type")
	}
	for i, e := range schema.List {
		element := SchemaElementOf(e)
		want, ok := element.Logical.converted()
		if e.Has(6) != ok || ok && e.Int(6) != int64(want) {
			const text = "%q: converted type %d, the logical type wants %d (%v)"
			return LogicalTypes.brokenf(text, element.Name, e.Int(6), want, ok)
		}
		if i > 0 && !e.Has(3) {
			return fmt.Errorf("%q has no repetition type", element.Name)
		}
	}
	rest, err := f.readSchema(f.Meta.Schema[1:], int(f.Meta.Schema[0].NumChildren), Leaf{boundBytes: f.boundBytes})
	if err != nil {
		return err
	}
	if len(rest) > 0 || len(f.Leaves) == 0 {
		return fmt.Errorf("%d leaves, %d elements too many", len(f.Leaves), len(rest))
	}
	return nil
}

// checkArrowSchema checks that there is an Arrow schema that can be read.
func (f *Contents) checkArrowSchema() error {
	at := slices.IndexFunc(f.Meta.KeyValues, func(kv KeyValue) bool { return kv.Key == "ARROW:schema" })
	if at < 0 && f.omits(ArrowSchema) {
		return nil
	} else if at < 0 {
		return errors.New("there is none")
	}
	message, err := base64.StdEncoding.DecodeString(f.Meta.KeyValues[at].Value)
	if err != nil {
		return err
	}
	r, err := ipc.NewReader(bytes.NewReader(message))
	if err != nil {
		return err
	}
	r.Release()
	return nil
}

// readSchema reads n nodes and what is below them, and returns the elements that follow.
func (f *Contents) readSchema(elements []SchemaElement, n int, parent Leaf) (rest []SchemaElement, err error) {
	for range n {
		if len(elements) == 0 {
			return nil, fmt.Errorf("a child of %q is missing", parent.String())
		}
		node := parent
		node.SchemaElement = elements[0]
		node.Path = append(slices.Clip(parent.Path), node.Name)
		switch node.Repetition {
		case Optional:
			node.MaxDef++
		case Repeated:
			node.MaxDef, node.MaxRep = node.MaxDef+1, node.MaxRep+1
		}
		children := elements[1:]
		node.inVariant = parent.inVariant || node.Logical.Kind == Variant
		if err := checkShape(node.SchemaElement, children); err != nil {
			return nil, fmt.Errorf("%q: %w", node.String(), err)
		}
		if node.NumChildren == 0 {
			if err := node.checkType(); err != nil {
				return nil, LogicalTypes.brokenf("%q: %w", node.String(), err)
			}
			node.Ordinal = len(f.Leaves)
			f.Leaves = append(f.Leaves, node)
			elements = children
			continue
		}
		if elements, err = f.readSchema(children, int(node.NumChildren), node); err != nil {
			return nil, err
		}
	}
	return elements, nil
}

// checkShape checks the three levels of lists and maps, and the fields of a VARIANT (LogicalTypes.md). below begins
// with the node's first child.
func checkShape(node SchemaElement, below []SchemaElement) error {
	if node.Logical.Kind == Variant {
		return checkVariant(node, below)
	}
	if node.Logical.Kind != List && node.Logical.Kind != Map {
		return nil
	}
	if node.Repetition == Repeated || node.NumChildren != 1 || len(below) < 2 {
		return fmt.Errorf("repetition %d and %d children of a list or map", node.Repetition, node.NumChildren)
	}
	group, child := below[0], below[1]
	name, children, childName := "list", int32(1), "element"
	if node.Logical.Kind == Map {
		name, children, childName = "key_value", 2, "key"
	}
	if group.Name != name || group.Repetition != Repeated || group.NumChildren != children {
		return fmt.Errorf("below it, %q with repetition %d and %d children", group.Name, group.Repetition, group.NumChildren)
	}
	if child.Name != childName || child.Repetition == Repeated {
		return fmt.Errorf("%q with repetition %d below its group", child.Name, child.Repetition)
	}
	if node.Logical.Kind == Map && child.Repetition != Required {
		return errors.New("the key is not required")
	}
	return nil
}

// checkVariant checks the fields of a VARIANT (VariantEncoding.md, "Variant in Parquet").
func checkVariant(node SchemaElement, below []SchemaElement) error {
	n := int(node.NumChildren)
	if node.Logical.Version != 1 || n < 2 || n > 3 {
		return fmt.Errorf("a VARIANT of version %d with %d fields", node.Logical.Version, n)
	}
	want := map[string]Repetition{"metadata": Required, "value": Required}
	if n == 3 {
		want["value"], want["typed_value"] = Optional, Optional
	}
	for range n {
		if len(below) == 0 {
			return errors.New("a field of a VARIANT is missing")
		}
		e := below[0]
		below = below[subtree(below):]
		if repetition, ok := want[e.Name]; !ok || e.Repetition != repetition {
			return fmt.Errorf("field %q of a VARIANT with repetition %d", e.Name, e.Repetition)
		}
		if e.Name != "typed_value" && (e.NumChildren > 0 || e.Type != ByteArray || e.Logical.Kind != NoLogicalType) {
			return fmt.Errorf("field %q of a VARIANT is not plain binary", e.Name)
		}
		delete(want, e.Name)
	}
	return nil
}

// subtree returns how many elements the first one is, with all that is below it.
func subtree(elements []SchemaElement) int {
	n := 1
	for left := elements[0].NumChildren; left > 0 && n < len(elements); n++ {
		left += elements[n].NumChildren - 1
	}
	return n
}
