package encode

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/google/go-cmp/cmp"
)

// schemaCase is a field f of some type, which is written as testdata/schema/types.txt says under the case's name.
type schemaCase struct {
	name  string
	field arrow.Field
}

// caseOf is a case of a nullable field.
func caseOf(name string, t arrow.DataType) schemaCase {
	return schemaCase{name, arrow.Field{Name: "f", Type: t, Nullable: true}}
}

func leafCases() []schemaCase {
	cases := []schemaCase{
		caseOf("bool", arrow.FixedWidthTypes.Boolean),
		caseOf("int8", arrow.PrimitiveTypes.Int8),
		caseOf("int16", arrow.PrimitiveTypes.Int16),
		caseOf("int32", arrow.PrimitiveTypes.Int32),
		caseOf("int64", arrow.PrimitiveTypes.Int64),
		caseOf("uint8", arrow.PrimitiveTypes.Uint8),
		caseOf("uint16", arrow.PrimitiveTypes.Uint16),
		caseOf("uint32", arrow.PrimitiveTypes.Uint32),
		caseOf("uint64", arrow.PrimitiveTypes.Uint64),
		caseOf("float16", arrow.FixedWidthTypes.Float16),
		caseOf("float32", arrow.PrimitiveTypes.Float32),
		caseOf("float64", arrow.PrimitiveTypes.Float64),
		caseOf("date32", arrow.FixedWidthTypes.Date32),
		caseOf("date64", arrow.FixedWidthTypes.Date64),
		caseOf("time32 s", arrow.FixedWidthTypes.Time32s),
		caseOf("time32 ms", arrow.FixedWidthTypes.Time32ms),
		caseOf("time64 us", arrow.FixedWidthTypes.Time64us),
		caseOf("time64 ns", arrow.FixedWidthTypes.Time64ns),
		caseOf("string", arrow.BinaryTypes.String),
		caseOf("large_string", arrow.BinaryTypes.LargeString),
		caseOf("binary", arrow.BinaryTypes.Binary),
		caseOf("large_binary", arrow.BinaryTypes.LargeBinary),
		caseOf("month_interval", arrow.FixedWidthTypes.MonthInterval),
		caseOf("day_time_interval", arrow.FixedWidthTypes.DayTimeInterval),
		caseOf("month_day_nano_interval", arrow.FixedWidthTypes.MonthDayNanoInterval),
		caseOf("string_view", arrow.BinaryTypes.StringView),
		caseOf("binary_view", arrow.BinaryTypes.BinaryView),
		caseOf("fixed_size_binary 5", &arrow.FixedSizeBinaryType{ByteWidth: 5}),
		caseOf("fixed_size_binary 0", &arrow.FixedSizeBinaryType{}),
		{"required", arrow.Field{Name: "f", Type: arrow.PrimitiveTypes.Int32}},
		caseOf("null", arrow.Null),
		{"required null", arrow.Field{Name: "f", Type: arrow.Null}},
	}
	for _, unit := range []arrow.TimeUnit{arrow.Second, arrow.Millisecond, arrow.Microsecond, arrow.Nanosecond} {
		cases = append(cases,
			caseOf("timestamp "+unit.String(), &arrow.TimestampType{Unit: unit}),
			caseOf("timestamp "+unit.String()+" with zone", &arrow.TimestampType{Unit: unit, TimeZone: "Europe/Berlin"}),
			caseOf("duration "+unit.String(), &arrow.DurationType{Unit: unit}))
	}
	return cases
}

func decimalCases() []schemaCase {
	var cases []schemaCase
	add := func(t arrow.DataType) { cases = append(cases, caseOf(t.String(), t)) }
	for _, p := range []int32{1, 9, 10} {
		add(&arrow.Decimal32Type{Precision: p, Scale: 1})
	}
	for _, p := range []int32{9, 10, 18, 19} {
		add(&arrow.Decimal64Type{Precision: p, Scale: 9})
	}
	for _, p := range []int32{0, 5, 15, 19, 38, 39} {
		add(&arrow.Decimal128Type{Precision: p})
	}
	for _, p := range []int32{9, 18, 40, 76, 77} {
		add(&arrow.Decimal256Type{Precision: p, Scale: 2})
	}
	add(&arrow.Decimal128Type{Precision: 5, Scale: -2})
	add(&arrow.Decimal128Type{Precision: 5, Scale: 5})
	add(&arrow.Decimal128Type{Precision: 5, Scale: 6})
	return cases
}

func nestedCases() []schemaCase {
	i32, str := arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String
	point := arrow.StructOf(arrow.Field{Name: "x", Type: i32}, arrow.Field{Name: "y", Type: str, Nullable: true})
	return []schemaCase{
		caseOf("struct", point),
		{"required struct", arrow.Field{Name: "f", Type: point}},
		caseOf("struct without fields", arrow.StructOf()),
		caseOf("struct of struct", arrow.StructOf(arrow.Field{Name: "s", Type: point, Nullable: true})),
		caseOf("struct with a name twice", arrow.StructOf(arrow.Field{Name: "x", Type: i32}, arrow.Field{Name: "x", Type: str})),
		caseOf("list", arrow.ListOf(i32)),
		caseOf("list of required", arrow.ListOfNonNullable(i32)),
		caseOf("large_list of struct", arrow.LargeListOf(point)),
		caseOf("fixed_size_list of list", arrow.FixedSizeListOf(3, arrow.ListOf(str))),
		caseOf("list whose element has another name and an id", arrow.ListOfField(arrow.Field{Name: "x", Type: i32, Metadata: fieldID("7")})),
		caseOf("map", arrow.MapOf(str, i32)),
		caseOf("map of struct to list", arrow.MapOf(point, arrow.ListOf(i32))),
		caseOf("map to list of null", arrow.MapOf(i32, arrow.ListOf(arrow.Null))),
		caseOf("map of null", arrow.MapOf(arrow.Null, i32)),
		caseOf("list of required null", arrow.ListOfNonNullable(arrow.Null)),
		caseOf("run_end_encoded null", arrow.RunEndEncodedOf(i32, arrow.Null)),
		caseOf("dictionary of null", dictionaryOf(arrow.Null)),
		caseOf("dictionary", dictionaryOf(str)),
		caseOf("dictionary of large_binary", dictionaryOf(arrow.BinaryTypes.LargeBinary)),
		caseOf("dictionary of string_view", dictionaryOf(arrow.BinaryTypes.StringView)),
		caseOf("list of dictionary", arrow.ListOf(dictionaryOf(arrow.PrimitiveTypes.Int64))),
		caseOf("dictionary of struct", dictionaryOf(point)),
		caseOf("dictionary of dictionary", dictionaryOf(dictionaryOf(str))),
		caseOf("run_end_encoded", arrow.RunEndEncodedOf(i32, i32)),
		caseOf("run_end_encoded list of run_end_encoded dictionary", arrow.RunEndEncodedOf(i32, arrow.ListOf(arrow.RunEndEncodedOf(i32, dictionaryOf(str))))),
		caseOf("dictionary of run_end_encoded", dictionaryOf(arrow.RunEndEncodedOf(i32, str))),
		caseOf("run_end_encoded dictionary of dictionary of list of dictionary",
			arrow.RunEndEncodedOf(i32, dictionaryOf(dictionaryOf(arrow.ListOf(dictionaryOf(str)))))),
		caseOf("list_view", arrow.ListViewOf(i32)),
		caseOf("large_list_view of list_view", arrow.LargeListViewOfNonNullable(arrow.ListViewOf(str))),
	}
}

func extensionCases() []schemaCase {
	named := func(name, extension, metadata string, t arrow.DataType) schemaCase {
		c := caseOf(name, t)
		c.field.Metadata = arrow.NewMetadata([]string{extensionNameKey, extensionMetadataKey}, []string{extension, metadata})
		return c
	}
	jsonOf := func(t arrow.DataType) arrow.DataType {
		x, err := extensions.NewJSONType(t)
		if err != nil {
			panic(err)
		}
		return x
	}
	opaque := func(t arrow.DataType) arrow.DataType { return extensions.NewOpaqueType(t, "t", "v") }
	of := arrow.PrimitiveTypes
	bytes16 := &arrow.FixedSizeBinaryType{ByteWidth: 16}
	tensor := arrow.FixedSizeListOf(6, of.Float32)
	shape := arrow.Field{Name: "shape", Type: arrow.FixedSizeListOf(2, of.Int32)}
	tensors := arrow.StructOf(arrow.Field{Name: "data", Type: arrow.ListOf(of.Float32)}, shape)
	return []schemaCase{
		caseOf("uuid", extensions.NewUUIDType()),
		caseOf("dictionary of uuid", dictionaryOf(extensions.NewUUIDType())),
		named("uuid that is not registered", "arrow.uuid", "", bytes16),
		named("uuid of a wrong length", "arrow.uuid", "", &arrow.FixedSizeBinaryType{ByteWidth: 15}),
		named("uuid with metadata", "arrow.uuid", "x", bytes16),
		named("dictionary as uuid", "arrow.uuid", "", dictionaryOf(bytes16)),
		named("run_end_encoded uuid", "arrow.uuid", "", arrow.RunEndEncodedOf(of.Int32, bytes16)),
		named("dictionary as an extension that is not known", "x.y", "", dictionaryOf(arrow.BinaryTypes.String)),
		caseOf("json", jsonOf(arrow.BinaryTypes.LargeString)),
		caseOf("dictionary of json of views", dictionaryOf(jsonOf(arrow.BinaryTypes.StringView))),
		named("json of views that is not registered", "arrow.json", "", arrow.BinaryTypes.StringView),
		named("json of bytes", "arrow.json", "", arrow.BinaryTypes.Binary),
		named("json that is not registered", "arrow.json", "", arrow.BinaryTypes.String),
		caseOf("timestamp with an offset", extensions.NewTimestampWithOffsetType(arrow.Second)),
		named("timestamp with an offset in a dictionary", "arrow.timestamp_with_offset", "", arrow.StructOf(
			arrow.Field{Name: "timestamp", Type: arrow.FixedWidthTypes.Timestamp_us}, arrow.Field{Name: "offset_minutes", Type: dictionaryOf(of.Int16)})),
		named("timestamp with an offset that is null", "arrow.timestamp_with_offset", "", arrow.StructOf(
			arrow.Field{Name: "timestamp", Type: arrow.FixedWidthTypes.Timestamp_us}, arrow.Field{Name: "offset_minutes", Type: of.Int16, Nullable: true})),
		named("timestamp with an offset in local time", "arrow.timestamp_with_offset", "", arrow.StructOf(
			arrow.Field{Name: "timestamp", Type: &arrow.TimestampType{}}, arrow.Field{Name: "offset_minutes", Type: of.Int16})),
		caseOf("bool8", extensions.NewBool8Type()),
		named("bool8 of int16", "arrow.bool8", "", of.Int16),
		caseOf("opaque struct", opaque(arrow.StructOf(arrow.Field{Name: "x", Type: of.Int8}))),
		caseOf("opaque dictionary", opaque(dictionaryOf(arrow.BinaryTypes.String))),
		caseOf("opaque list_view of run_end_encoded", opaque(arrow.ListViewOf(arrow.RunEndEncodedOf(of.Int32, of.Int8)))),
		caseOf("opaque opaque", opaque(opaque(of.Int8))),
		named("uuid as an extension that is not known", "x.y", "", dictionaryOf(extensions.NewUUIDType())),
		named("opaque without a vendor", "arrow.opaque", `{"type_name": "x"}`, of.Int8),
		named("opaque with a number", "arrow.opaque", `{"type_name": 1, "vendor_name": ""}`, of.Int8),
		named("tensor", "arrow.fixed_shape_tensor", `{"shape": [2, 3], "permutation": [1, 0], "dim_names": ["a", "b"], "x": {}}`, tensor),
		named("tensor of another size", "arrow.fixed_shape_tensor", `{"shape": [2, 2]}`, tensor),
		named("tensor of a negative size", "arrow.fixed_shape_tensor", `{"shape": [-2, -3]}`, tensor),
		named("tensor of a huge size", "arrow.fixed_shape_tensor", `{"shape": [4294967296, 4294967296, 6]}`, tensor),
		named("tensor without a shape", "arrow.fixed_shape_tensor", `{}`, tensor),
		named("tensor with a null", "arrow.fixed_shape_tensor", `{"shape": [6], "permutation": null}`, tensor),
		named("tensor with a permutation that is none", "arrow.fixed_shape_tensor", `{"shape": [2, 3], "permutation": [1, 1]}`, tensor),
		named("tensor with a name too few", "arrow.fixed_shape_tensor", `{"shape": [2, 3], "dim_names": ["a"]}`, tensor),
		named("tensor in a list", "arrow.fixed_shape_tensor", `{"shape": [2, 3]}`, arrow.ListOf(of.Float32)),
		named("tensors", "arrow.variable_shape_tensor", `{"uniform_shape": [null, 3]}`, tensors),
		named("tensors without metadata", "arrow.variable_shape_tensor", "", tensors),
		named("tensors of a negative size", "arrow.variable_shape_tensor", `{"uniform_shape": [-1, 3]}`, tensors),
		named("tensors without data", "arrow.variable_shape_tensor", `{}`, arrow.StructOf(shape)),
	}
}

func unsupportedCases() []schemaCase {
	i32 := arrow.PrimitiveTypes.Int32
	return []schemaCase{
		caseOf("dense_union", arrow.DenseUnionOf([]arrow.Field{{Name: "x", Type: i32}}, []arrow.UnionTypeCode{0})),
		caseOf("sparse_union", arrow.SparseUnionOf([]arrow.Field{{Name: "x", Type: i32}}, []arrow.UnionTypeCode{0})),
		caseOf("dictionary of list of union", dictionaryOf(arrow.ListOf(arrow.SparseUnionOf(nil, nil)))),
	}
}

func fieldCases() []schemaCase {
	with := func(name string, m arrow.Metadata) schemaCase {
		c := caseOf(name, arrow.PrimitiveTypes.Int32)
		c.field.Metadata = m
		return c
	}
	return []schemaCase{
		with("field id", fieldID("42")),
		with("field id 0", fieldID("0")),
		with("field id -1", fieldID("-1")),
		with("field id that is no number", fieldID("a")),
		with("field id of 33 bits", fieldID("4294967296")),
		with("metadata that is not UTF-8", arrow.NewMetadata([]string{"k"}, []string{"\xff"})),
		{"name that is not UTF-8", arrow.Field{Name: "a\xff", Type: arrow.PrimitiveTypes.Int32}},
		{"name without letters", arrow.Field{Name: "", Type: arrow.PrimitiveTypes.Int32}},
		{"name with a dot", arrow.Field{Name: "a.b", Type: arrow.StructOf(arrow.Field{Name: `"`, Type: arrow.Null})}},
	}
}

// annotationCases are fields whose metadata names a logical type.
func annotationCases() []schemaCase {
	as := func(name, annotation string, t arrow.DataType) schemaCase {
		c := caseOf(name, t)
		c.field.Metadata = arrow.NewMetadata([]string{logicalTypeKey}, []string{annotation})
		return c
	}
	of := arrow.BinaryTypes
	bytes16 := &arrow.FixedSizeBinaryType{ByteWidth: 16}
	json := as("json of json", "JSON", of.String)
	json.field.Metadata = arrow.MetadataFrom(map[string]string{extensionNameKey: "arrow.json", logicalTypeKey: "JSON"})
	enum := as("enum of json", "ENUM", of.String)
	enum.field.Metadata = arrow.MetadataFrom(map[string]string{extensionNameKey: "arrow.json", logicalTypeKey: "ENUM"})
	return []schemaCase{
		as("enum", "ENUM", of.String),
		as("enum of views in small letters", "enum", of.StringView),
		as("enum of a dictionary", "ENUM", dictionaryOf(of.LargeString)),
		as("enum of run ends of a dictionary", "ENUM", arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dictionaryOf(of.String))),
		caseOf("list of enum", arrow.ListOfField(arrow.Field{Name: "item", Type: of.String, Metadata: as("", "ENUM", nil).field.Metadata})),
		as("enum of bytes", "ENUM", of.Binary),
		as("enum of numbers", "ENUM", arrow.PrimitiveTypes.Int8),
		as("bson", "BSON", of.Binary),
		as("bson of large bytes", "BSON", of.LargeBinary),
		as("bson of views in a dictionary", "BSON", dictionaryOf(of.BinaryView)),
		as("bson of text", "BSON", of.String),
		as("bson of a fixed size", "BSON", bytes16),
		as("json by name", "JSON", of.LargeString),
		as("uuid by name", "UUID", bytes16),
		as("uuid by name of a wrong length", "UUID", &arrow.FixedSizeBinaryType{ByteWidth: 17}),
		as("what the type says too", "Timestamp(isAdjustedToUTC=true, timeUnit=milliseconds)", arrow.FixedWidthTypes.Timestamp_ms),
		as("list that says so", "LIST", arrow.ListOf(of.String)),
		as("what the type does not say", "DECIMAL(9, 2)", arrow.PrimitiveTypes.Int32),
		as("a name that is none", "ENUMM", of.String),
		as("struct as a variant", "VARIANT", arrow.StructOf(arrow.Field{Name: "x", Type: of.String})),
		json,
		enum,
	}
}

func dictionaryOf(t arrow.DataType) arrow.DataType {
	return &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: t}
}

func fieldID(id string) arrow.Metadata { return arrow.NewMetadata([]string{fieldIDKey}, []string{id}) }

func schemaCases() []schemaCase {
	return slices.Concat(leafCases(), decimalCases(), nestedCases(), extensionCases(), annotationCases(), variantCases(), geoCases(),
		unsupportedCases(),
		fieldCases())
}

// schemaText writes a schema as testdata/schema/types.txt has it: the elements, then the leaves with their levels.
func schemaText(s *fileSchema) string {
	var b strings.Builder
	elementText(&b, s.Elements[1:], int(s.Elements[0].NumChildren), "  ")
	for _, l := range s.Leaves {
		fmt.Fprintf(&b, "  %s %s, def %d rep %d, order %s\n",
			strings.Join(l.Path, "."), l.Type, l.MaxDef, l.MaxRep, orderNames[l.Order])
	}
	return b.String()
}

var orderNames = []string{"undefined", "signed", "unsigned", "unsigned bytes", "signed bytes", "float", "float16"}

// elementText writes n elements with what is below them, and returns the elements that follow.
func elementText(b *strings.Builder, elements []schemaElement, n int, indent string) []schemaElement {
	physical := map[physicalType]string{
		typeBoolean: "boolean", typeInt32: "int32", typeInt64: "int64", typeFloat: "float", typeDouble: "double",
		typeByteArray: "binary", typeFixedLenByteArray: "fixed",
	}
	for range n {
		e := elements[0]
		elements = elements[1:]
		b.WriteString(indent + []string{"required", "optional", "repeated"}[e.Repetition])
		if e.NumChildren > 0 {
			b.WriteString(" group")
		} else {
			b.WriteString(" " + physical[e.Type])
		}
		if e.TypeLength > 0 {
			fmt.Fprintf(b, "(%d)", e.TypeLength)
		}
		fmt.Fprintf(b, " %s%s", e.Name, logicalText(e.Logical))
		if e.HasFieldID {
			fmt.Fprintf(b, " = %d", e.FieldID)
		}
		b.WriteString("\n")
		if e.NumChildren > 0 {
			elements = elementText(b, elements, int(e.NumChildren), indent+"  ")
		}
	}
	return elements
}

// logicalText writes a logical type, with the number of the converted type behind it.
func logicalText(l logicalType) string {
	if l.Kind == logicalNone {
		return ""
	}
	names := map[logicalKind]string{
		logicalString: "STRING", logicalMap: "MAP", logicalList: "LIST", logicalDecimal: "DECIMAL", logicalDate: "DATE",
		logicalTime: "TIME", logicalTimestamp: "TIMESTAMP", logicalInteger: "INTEGER", logicalJSON: "JSON",
		logicalInterval: "INTERVAL", logicalUnknown: "UNKNOWN", logicalUUID: "UUID", logicalFloat16: "FLOAT16",
		logicalEnum: "ENUM", logicalBSON: "BSON", logicalVariant: "VARIANT",
		logicalGeometry: "GEOMETRY", logicalGeography: "GEOGRAPHY",
	}
	text := " (" + names[l.Kind]
	switch l.Kind {
	case logicalDecimal:
		text += fmt.Sprintf(" %d,%d", l.Precision, l.Scale)
	case logicalTime, logicalTimestamp:
		text += fmt.Sprintf(" %s utc=%t", []string{"", "ms", "us", "ns"}[l.Unit], l.UTC)
	case logicalGeometry:
		text += fmt.Sprintf(" %q", l.CRS)
	case logicalGeography:
		text += fmt.Sprintf(" %q %d", l.CRS, l.Edges)
	case logicalInteger:
		text += fmt.Sprintf(" %d signed=%t", l.BitWidth, l.Signed)
	}
	if converted, ok := l.converted(); ok {
		text += fmt.Sprintf("; %d", converted)
	}
	return text + ")"
}

// readSchemaText returns the cases of testdata/schema/types.txt by their names.
func readSchemaText(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/schema/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{}
	name := ""
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "#") || line == "\n":
		case strings.HasPrefix(line, " "):
			cases[name] += line
		default:
			name = strings.TrimSpace(line)
		}
	}
	return cases
}

func TestSchemaTypes(t *testing.T) {
	want := readSchemaText(t)
	for _, c := range schemaCases() {
		t.Run(c.name, func(t *testing.T) {
			s, err := newSchema(arrow.NewSchema([]arrow.Field{c.field}, nil))
			got := ""
			if err != nil {
				got = "  error: " + err.Error() + "\n"
			} else {
				got = schemaText(s)
			}
			if diff := cmp.Diff(want[c.name], got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
		delete(want, c.name)
	}
	for name := range want {
		t.Errorf("testdata/schema/types.txt: there is no case %q", name)
	}
}
