package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/google/go-cmp/cmp"
)

// unknownExtension returns a field that is of an extension type which is not registered.
func unknownExtension(f arrow.Field, name, metadata string) arrow.Field {
	f.Metadata = arrow.NewMetadata([]string{extensionNameKey, extensionMetadataKey}, []string{name, metadata})
	return f
}

func required(name string, t arrow.DataType) arrow.Field { return arrow.Field{Name: name, Type: t} }
func optional(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

// variantOf is a VARIANT's struct, with typed_value if typed is not nil.
func variantOf(typed arrow.DataType) *arrow.StructType {
	blob := arrow.BinaryTypes.Binary
	if typed == nil {
		return arrow.StructOf(required("metadata", blob), required("value", blob))
	}
	return arrow.StructOf(required("metadata", blob), optional("value", blob), optional("typed_value", typed))
}

// variantWith is an unshredded VARIANT's struct with metadata of any type.
func variantWith(metadata arrow.DataType) *arrow.StructType {
	return arrow.StructOf(required("metadata", metadata), required("value", arrow.BinaryTypes.Binary))
}

func variantType(storage arrow.DataType) arrow.DataType {
	t, err := extensions.NewVariantType(storage)
	if err != nil {
		panic(err)
	}
	return t
}

// shredded is the struct of an object's field or of an element.
func shredded(typed arrow.DataType) *arrow.StructType {
	return arrow.StructOf(optional("value", arrow.BinaryTypes.Binary), optional("typed_value", typed))
}

func variantCases() []schemaCase {
	named := func(name string, t arrow.DataType) schemaCase {
		c := caseOf(name, t)
		c.field = unknownExtension(c.field, variantName, "")
		return c
	}
	of, blob, text, i64 := arrow.StructOf, arrow.BinaryTypes.Binary, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	object := of(required("a", shredded(i64)), required("b", of(optional("value", blob))), required("c", of(required("value", blob))))
	list := arrow.ListOfNonNullable(shredded(text))
	cases := []schemaCase{
		caseOf("variant", extensions.NewDefaultVariantType()),
		caseOf("variant of an object", extensions.NewShreddedVariantType(arrow.StructOf(optional("a", arrow.ListOf(text))))),
		{"required variant", unknownExtension(required("f", variantOf(nil)), variantName, "")},
		named("variant that is not registered", variantOf(nil)),
		named("variant with metadata", variantOf(nil)),
		named("variant of views, value first", of(required("value", arrow.BinaryTypes.BinaryView), required("metadata", dictionaryOf(blob)))),
		named("dictionary of variant", dictionaryOf(variantOf(i64))),
		named("run_end_encoded variant", arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, variantOf(nil))),
		caseOf("list of variant", arrow.ListOfField(unknownExtension(optional("item", variantOf(list)), variantName, ""))),
		{"variant under the former name", unknownExtension(optional("f", variantOf(nil)), formerVariantName, "")},
		{"variant in an extension that is not known", unknownExtension(optional("f", extensions.NewDefaultVariantType()), "x.y", "")},
		named("variant of a list", variantOf(list)),
		named("variant of an object of an object and a list", variantOf(of(required("o", shredded(object)), required("l", shredded(list))))),
		named("variant of a list of typed_value alone", variantOf(arrow.ListOfNonNullable(of(optional("typed_value", text))))),
		named("variant of uuids", variantOf(extensions.NewUUIDType())),
		named("variant of a dictionary", variantOf(dictionaryOf(text))),

		named("variant of text", arrow.BinaryTypes.String),
		named("variant without metadata", of(required("value", blob))),
		named("variant without a value", of(required("metadata", blob))),
		named("variant of typed_value alone", of(required("metadata", blob), optional("typed_value", i64))),
		named("variant with a field too many", of(required("metadata", blob), required("value", blob), optional("x", i64))),
		named("variant with a field twice", of(required("metadata", blob), required("value", blob), required("value", blob))),
		named("variant of nullable metadata", of(optional("metadata", blob), required("value", blob))),
		named("variant of text as metadata", of(required("metadata", text), required("value", blob))),
		named("variant of a nullable value", of(required("metadata", blob), optional("value", blob))),
		named("variant of a required value with typed_value", of(required("metadata", blob), required("value", blob), optional("typed_value", i64))),
		named("variant of a required typed_value", of(required("metadata", blob), optional("value", blob), required("typed_value", i64))),
		named("variant of a value with an extension",
			of(required("metadata", blob), unknownExtension(required("value", blob), "x.y", ""))),
		named("variant of a variant", variantOf(extensions.NewDefaultVariantType())),
		named("variant of an object of a typed_value alone", variantOf(of(required("a", of(optional("typed_value", i64)))))),
		named("variant of a list of text", variantOf(arrow.ListOfNonNullable(text))),
		named("variant of a list of nullable elements", variantOf(arrow.ListOf(shredded(text)))),
		named("variant of an object of text", variantOf(of(required("a", text)))),
		named("variant of an object of nullable fields", variantOf(of(optional("a", shredded(i64))))),
		named("variant of an object with a field twice", variantOf(of(required("a", shredded(i64)), required("a", shredded(text))))),
		named("variant of an object without fields", variantOf(of())),
		named("variant of an object with metadata", variantOf(of(required("a", variantOf(i64))))),
		named("variant of an object with an extension",
			variantOf(of(unknownExtension(required("a", shredded(i64)), variantName, "")))),
		named("variant of a map", variantOf(arrow.MapOf(text, i64))),
	}
	cases[4].field = unknownExtension(cases[4].field, variantName, "x")
	return append(cases, shreddedCases(named)...)
}

// shreddedCases are the types that values may be shredded to, and others.
func shreddedCases(named func(name string, t arrow.DataType) schemaCase) (cases []schemaCase) {
	of, fixed := arrow.PrimitiveTypes, arrow.FixedWidthTypes
	json, err := extensions.NewJSONType(arrow.BinaryTypes.String)
	if err != nil {
		panic(err)
	}
	for _, dt := range []arrow.DataType{
		fixed.Boolean, of.Int8, of.Int16, of.Int32, of.Float32, of.Float64, arrow.BinaryTypes.LargeBinary,
		&arrow.Decimal32Type{Precision: 9, Scale: 2}, &arrow.Decimal64Type{Precision: 18}, &arrow.Decimal256Type{Precision: 38},
		fixed.Date32, fixed.Time64us, fixed.Timestamp_us, fixed.Timestamp_ns, &arrow.TimestampType{Unit: arrow.Nanosecond},

		of.Uint8, of.Uint64, fixed.Float16, fixed.Time32ms, fixed.Time64ns, fixed.Timestamp_ms, fixed.Duration_us,
		fixed.MonthInterval, arrow.Null, &arrow.Decimal256Type{Precision: 39}, &arrow.FixedSizeBinaryType{ByteWidth: 16}, json,
	} {
		cases = append(cases, named("variant shredded to "+dt.String(), variantOf(dt)))
	}
	return cases
}

// Metadata and values that readers would choke on are refused, wherever they stand.
func TestBadVariants(t *testing.T) {
	typed := variantOf(arrow.StructOf(required("a", arrow.StructOf(optional("value", arrow.BinaryTypes.Binary)))))
	good := []any{[]byte(goodMetadata), []byte(goodObject)}
	places := []struct {
		name, path string
		field      arrow.Field
		wrap       func(v []any) any
	}{
		{"flat", "c", optional("c", variantOf(nil)), func(v []any) any { return v }},
		{"runs", "c", optional("c", arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, variantOf(nil))), func(v []any) any { return v }},
		{"dictionary", "c", optional("c", dictionaryOf(variantOf(nil))), func(v []any) any { return v }},
		{"list", "c.list.element", optional("c", arrow.ListOfField(unknownExtension(optional("item", variantOf(nil)), variantName, ""))),
			func(v []any) any { return []any{nil, good, v} }},
		{"object", "c.typed_value.a", optional("c", typed),
			func(v []any) any { return []any{v[0], nil, []any{[]any{v[1]}}} }},
	}
	const records = 6
	for _, bad := range badVariants() {
		for i, p := range places {
			v := []any{good[0], good[1]}
			v[bad.part-variantMetadata] = []byte(bad.bad)
			column := []any{p.wrap(good), nil, p.wrap(good), p.wrap(v), p.wrap(good), nil}
			if p.name != "list" {
				p.field = unknownExtension(p.field, variantName, "")
			}
			path := p.path + "." + []string{"metadata", "value"}[bad.part-variantMetadata]
			if p.name == "object" && bad.part == variantMetadata {
				path = "c.metadata"
			}
			rc := &randomCase{schema: arrow.NewSchema([]arrow.Field{p.field}, nil), columns: [][]any{column}, records: records}
			want := []string{fmt.Sprintf("encode: field %q: record 3: ", path), bad.want}
			o := badOptions[i%len(badOptions)]
			checkRefused(t, fmt.Sprintf("%.20q in %s", bad.bad, p.name), rc, o, want, 0, records)
		}
	}
}

// arrow-go reads the VARIANTs that it built, shredded in any way, and there are no bounds but those of typed_value.
func TestVariantsInArrowGo(t *testing.T) {
	documents := []string{
		`{"a": 5, "b": ["x", null, {"c": true}]}`, `null`, `{"a": "text", "z": 1.25}`, `[1, 2]`, `"text"`, `{}`, `{"a": null}`, `7`,
		`{"b": []}`, `[["u"], "v"]`, `{"a": -3, "b": {"no": "list"}}`, `12345678901`,
	}
	text, i64 := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	for _, typed := range []arrow.DataType{
		nil, i64, text, arrow.ListOf(text), arrow.ListOf(arrow.ListOf(text)),
		arrow.StructOf(optional("a", i64), optional("b", arrow.ListOf(text))),
	} {
		dt := extensions.NewShreddedVariantType(typed)
		b := extensions.NewVariantBuilder(memory.DefaultAllocator, dt)
		for i := range 300 {
			if err := b.UnmarshalJSON([]byte("[" + documents[i%len(documents)] + "]")); err != nil {
				t.Fatal(err)
			}
			if i%7 == 0 {
				b.AppendNull()
			}
		}
		column := b.NewArray()
		schema := arrow.NewSchema([]arrow.Field{optional("v", dt)}, nil)
		batch := array.NewRecordBatch(schema, []arrow.Array{column}, int64(column.Len()))
		for _, o := range []*Options{nil, {DictionaryBytes: -1, DataPageRecords: 20, DataPageVersion: 2}} {
			data := mustWrite(t, o, schema, batch)
			f := mustLint(t, data)
			for i := range f.Leaves {
				isTyped := f.Leaves[i].Path[len(f.Leaves[i].Path)-1] == typedField
				chunk := f.RowGroups[0][i]
				if s := chunk.Meta.Statistics; s.HasMinMax && !isTyped {
					t.Errorf("%s has bounds", f.Leaves[i].String())
				}
			}
			if diff := cmp.Diff(variantTexts(t, column), readVariants(t, data)); diff != "" {
				t.Errorf("shredded to %v (-put +read):\n%s", typed, diff)
			}
		}
	}
}

// readVariants reads the only column of a file with arrow-go.
func readVariants(t *testing.T, data []byte) []string {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fr, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := fr.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	var texts []string
	for _, chunk := range table.Column(0).Data().Chunks() {
		texts = append(texts, variantTexts(t, chunk)...)
	}
	return texts
}

func variantTexts(t *testing.T, a arrow.Array) (texts []string) {
	t.Helper()
	variants, ok := a.(*extensions.VariantArray)
	if !ok {
		t.Fatalf("there are no VARIANTs in %T", a)
	}
	for i := range variants.Len() {
		if variants.IsNull(i) {
			texts = append(texts, "no value")
			continue
		}
		v, err := variants.Value(i)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}
