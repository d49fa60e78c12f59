package encode

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// The keys of Arrow's field metadata that tell of an extension type to those who do not know it.
const (
	extensionNameKey     = "ARROW:extension:name"
	extensionMetadataKey = "ARROW:extension:metadata"
)

// extension is an Arrow extension type without its storage. The zero value is none.
type extension struct {
	name, metadata string
}

// The names of the extension type of VARIANT: Arrow's own, and the one that arrow-go had before.
const (
	variantName       = "arrow.parquet.variant"
	formerVariantName = "parquet.variant"
)

func (x extension) isVariant() bool { return x.name == variantName || x.name == formerVariantName }

// extensionOf returns what a field's metadata says.
func extensionOf(m arrow.Metadata) (x extension) {
	x.name, _ = m.GetValue(extensionNameKey)
	x.metadata, _ = m.GetValue(extensionMetadataKey)
	return x
}

// check refuses what Arrow ("Canonical Extension Types") or GeoArrow do not define under the extension's name: readers
// that know the name would refuse the whole file for it. The storage is as readers see it.
func (x extension) check(storage arrow.DataType) error {
	fits := true
	var err error
	switch x.name {
	case "arrow.uuid":
		t, ok := storage.(*arrow.FixedSizeBinaryType)
		fits, err = ok && t.ByteWidth == 16, x.empty()
	case "arrow.json":
		fits = storage.ID() == arrow.STRING || storage.ID() == arrow.LARGE_STRING || storage.ID() == arrow.STRING_VIEW
	case variantName, formerVariantName: // schemaBuilder.variantGroup looks at the fields
		_, ok := storage.(*arrow.StructType)
		fits, err = ok, x.empty()
	case wkbName:
		fits = storage.ID() == arrow.BINARY || storage.ID() == arrow.LARGE_BINARY || storage.ID() == arrow.BINARY_VIEW
		_, err = x.geoType()
	case "arrow.timestamp_with_offset":
		fits, err = withOffset(storage), x.empty()
	case "arrow.bool8":
		fits, err = storage.ID() == arrow.INT8, x.empty()
	case "arrow.opaque":
		var typeName, vendorName string
		err = x.members(map[string]any{"type_name": &typeName, "vendor_name": &vendorName}, "type_name", "vendor_name")
	case "arrow.fixed_shape_tensor":
		t, ok := storage.(*arrow.FixedSizeListType)
		if fits = ok; fits {
			err = x.fixedTensor(int64(t.Len()))
		}
	case "arrow.variable_shape_tensor":
		dimensions, ok := variableTensor(storage)
		if fits = ok; fits {
			err = x.tensor(dimensions)
		}
	}
	const remedy = "correct it, or send the column without the extension"
	if !fits {
		return fmt.Errorf("extension %s over type %s: it is not defined for that: %s", x.name, typeName(storage), remedy)
	}
	if err != nil {
		return fmt.Errorf("extension %s with metadata %.100q: %w: %s", x.name, x.metadata, err, remedy)
	}
	return nil
}

// withOffset reports whether storage is that of timestamps with an offset each.
func withOffset(storage arrow.DataType) bool {
	t, ok := storage.(*arrow.StructType)
	if !ok || t.NumFields() != 2 || t.Field(0).Name != "timestamp" || t.Field(1).Name != "offset_minutes" {
		return false
	}
	at, ok := t.Field(0).Type.(*arrow.TimestampType)
	offset := bareType(t.Field(1).Type)
	return ok && at.TimeZone == "UTC" && offset.ID() == arrow.INT16 && !t.Field(0).Nullable && !t.Field(1).Nullable
}

func (x extension) empty() error {
	if x.metadata != "" {
		return errors.New("it must be empty")
	}
	return nil
}

// members reads members of a JSON object into what the map points to. Others are let pass.
func (x extension) members(into map[string]any, required ...string) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(x.metadata), &object); err != nil {
		return fmt.Errorf("it must be a JSON object: %w", err)
	}
	for _, name := range required {
		if object[name] == nil {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for name, to := range into {
		value := object[name]
		if value == nil {
			continue
		}
		if err := json.Unmarshal(value, to); err != nil || string(value) == "null" {
			return fmt.Errorf("%s must not be %.50s", name, value)
		}
	}
	return nil
}

// fixedTensor checks the metadata of tensors in lists of so many elements.
func (x extension) fixedTensor(elements int64) error {
	var shape []int64
	if err := x.members(map[string]any{"shape": &shape}, "shape"); err != nil {
		return err
	}
	product := int64(1)
	for _, n := range shape {
		if n < 0 || n > elements && elements > 0 {
			return fmt.Errorf("shape %v in lists of %d", shape, elements)
		}
		product = min(product*n, elements+1)
	}
	if product != elements {
		return fmt.Errorf("shape %v in lists of %d", shape, elements)
	}
	return x.tensor(len(shape))
}

// variableTensor returns the number of dimensions, if storage is that of tensors with a shape each.
func variableTensor(storage arrow.DataType) (dimensions int, ok bool) {
	t, ok := storage.(*arrow.StructType)
	if !ok || t.NumFields() != 2 || t.Field(0).Name != "data" || t.Field(1).Name != "shape" {
		return 0, false
	}
	_, isList := t.Field(0).Type.(*arrow.ListType)
	shape, ok := t.Field(1).Type.(*arrow.FixedSizeListType)
	if !ok || !isList || shape.Elem().ID() != arrow.INT32 {
		return 0, false
	}
	return int(shape.Len()), true
}

// tensor checks the metadata that both kinds of tensors may have.
func (x extension) tensor(dimensions int) error {
	var names []string
	var permutation []int
	var uniform []*int32
	members := map[string]any{"dim_names": &names, "permutation": &permutation}
	if x.name == "arrow.variable_shape_tensor" {
		members["uniform_shape"] = &uniform
	}
	if err := x.members(members); err != nil {
		return err
	}
	if n := len(names); n > 0 && n != dimensions {
		return fmt.Errorf("%d dim_names of %d dimensions", n, dimensions)
	}
	ordered := slices.Sorted(slices.Values(permutation))
	for i, n := range ordered {
		if i != n || len(ordered) != dimensions {
			return fmt.Errorf("permutation %v of %d dimensions", permutation, dimensions)
		}
	}
	negative := slices.ContainsFunc(uniform, func(n *int32) bool { return n != nil && *n < 0 })
	if n := len(uniform); negative || n > 0 && n != dimensions {
		return fmt.Errorf("a uniform_shape of %d sizes, for %d dimensions, none of which may be negative", n, dimensions)
	}
	return nil
}
