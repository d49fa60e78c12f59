package encode

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// logicalTypeKey is the key of Arrow's field metadata that names the logical type of a field, as LogicalTypes.md does.
// It is for what no Arrow type says: ENUM and BSON.
const logicalTypeKey = "PARQUET:logical_type"

// annotation is the name of a logical type, in capitals; "" is none.
type annotation string

func annotationOf(m arrow.Metadata) annotation {
	name, _ := m.GetValue(logicalTypeKey)
	name, _, _ = strings.Cut(name, "(") // the parameters, as in "DECIMAL(9, 2)"
	return annotation(strings.ToUpper(strings.TrimSpace(name)))
}

// apply gives a leaf the logical type. One that the leaf has by its Arrow type is let pass: some clients say that too.
func (a annotation) apply(f leafFormat) (leafFormat, error) {
	text := f.logical.Kind == logicalString
	blob := f.logical.Kind == logicalNone && f.physical == typeByteArray
	var fits bool
	var kind logicalKind
	needs := ""
	switch a {
	case "", annotation(f.logical.Kind.String()):
		return f, nil
	case "ENUM":
		fits, kind, needs = text, logicalEnum, "string"
	case "JSON":
		fits, kind, needs = text, logicalJSON, "string"
	case "BSON":
		fits, kind, needs = blob, logicalBSON, "binary"
	case "UUID":
		fits, kind, needs = f.logical.Kind == logicalNone && f.length == 16, logicalUUID, "fixed_size_binary[16]"
	default:
		return f, a.errorf("the column is not of that type: leave it out, or send a type of Arrow's that says so")
	}
	if !fits {
		return f, a.errorf("it is for fields of type %s", needs)
	}
	f.logical = logicalType{Kind: kind}
	return f, nil
}

// checkGroup refuses an annotation that says something else than the group's Arrow type does.
func (a annotation) checkGroup(kind logicalKind) error {
	if a == "" || a == annotation(kind.String()) {
		return nil
	}
	return a.errorf("the field is a group of other fields: leave it out, or send a type of Arrow's that says so")
}

func (a annotation) errorf(format string, args ...any) error {
	return fmt.Errorf("metadata %s %.50q: %s", logicalTypeKey, string(a), fmt.Sprintf(format, args...))
}
