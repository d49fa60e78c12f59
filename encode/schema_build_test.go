package encode

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/google/go-cmp/cmp"
)

func TestSchemaWithoutColumns(t *testing.T) {
	_, err := newSchema(arrow.NewSchema(nil, nil))
	if err == nil || !strings.Contains(err.Error(), "no columns") {
		t.Errorf("error %v, want one about columns", err)
	}
}

func TestSchemaWithANameTwice(t *testing.T) {
	f := arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32}
	_, err := newSchema(arrow.NewSchema([]arrow.Field{f, {Name: "A", Type: f.Type}, f}, nil))
	if err == nil || !strings.Contains(err.Error(), `field "a": `) {
		t.Errorf("error %v, want one that names field a", err)
	}
}

// Hostile nesting is an error, by lists, structs, maps and extensions, and its message stays short.
func TestSchemaDepth(t *testing.T) {
	wrap := map[string]func(arrow.DataType) arrow.DataType{
		"list": func(t arrow.DataType) arrow.DataType { return arrow.ListOf(t) },
		"struct": func(t arrow.DataType) arrow.DataType {
			return arrow.StructOf(arrow.Field{Name: strings.Repeat("x", 1000), Type: t, Nullable: true})
		},
		"dictionary": dictionaryOf,
		"run ends":   func(t arrow.DataType) arrow.DataType { return arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, t) },
		"extension":  func(t arrow.DataType) arrow.DataType { return extensions.NewOpaqueType(t, "", "") },
		"map":        func(t arrow.DataType) arrow.DataType { return arrow.MapOf(arrow.PrimitiveTypes.Int8, t) },
	}
	for name, wrap := range wrap {
		for depth, fits := range map[int]bool{99: true, 100: false, 10000: false} {
			t.Run(fmt.Sprint(name, "/", depth), func(t *testing.T) {
				var typ arrow.DataType = arrow.PrimitiveTypes.Int32
				for range depth {
					typ = wrap(typ)
				}
				s, err := newSchema(arrow.NewSchema([]arrow.Field{{Name: "a", Type: typ, Nullable: true}}, nil))
				if !fits {
					if err == nil || !strings.Contains(err.Error(), "100 levels") || len(err.Error()) > 1000 {
						t.Fatalf("error %v, want a short one about 100 levels", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if l := s.Leaves[len(s.Leaves)-1]; l.MaxDef > 255 || l.MaxRep > 255 {
					t.Errorf("levels up to %d and %d do not fit a byte", l.MaxDef, l.MaxRep)
				}
			})
		}
	}
}

// A shared prefix of paths must not be overwritten by the fields that come later.
func TestSchemaPaths(t *testing.T) {
	i8 := arrow.PrimitiveTypes.Int8
	pair := arrow.StructOf(arrow.Field{Name: "x", Type: i8}, arrow.Field{Name: "y", Type: i8})
	s, err := newSchema(arrow.NewSchema([]arrow.Field{
		{Name: "a", Type: arrow.StructOf(arrow.Field{Name: "b", Type: pair}, arrow.Field{Name: "c", Type: pair})},
		{Name: "d", Type: pair},
	}, nil))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range s.Leaves {
		got = append(got, l.String())
	}
	want := []string{"a.b.x", "a.b.y", "a.c.x", "a.c.y", "d.x", "d.y"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecimalBytes(t *testing.T) {
	for digits := int32(1); digits <= 76; digits++ {
		most := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
		most.Sub(most, big.NewInt(1))
		if want := most.BitLen()/8 + 1; decimalBytes(digits) != want {
			t.Errorf("%d digits in %d bytes, want %d", digits, decimalBytes(digits), want)
		}
	}
}

// supportedSchema has a field for every case that is not refused, named by its number.
func supportedSchema(t *testing.T) *arrow.Schema {
	t.Helper()
	var fields []arrow.Field
	for i, c := range schemaCases() {
		_, err := newSchema(arrow.NewSchema([]arrow.Field{c.field}, nil))
		// Arrow's IPC reader would make an extension of what only pretends not to be one.
		if err == nil && !hasKnownExtension(c.field) {
			c.field.Name = fmt.Sprint("c", i)
			fields = append(fields, c.field)
		}
	}
	m := arrow.NewMetadata([]string{"pandas", arrowSchemaKey, "a"}, []string{"{}", "of a former file", ""})
	return arrow.NewSchema(fields, &m)
}

// hasKnownExtension reports whether the metadata of the field, or of one in its lists, names a registered extension type.
func hasKnownExtension(f arrow.Field) bool {
	if list, ok := f.Type.(arrow.ListLikeType); ok && hasKnownExtension(list.ElemField()) {
		return true
	}
	return arrow.GetExtensionType(extensionOf(f.Metadata).name) != nil
}

// What stands under ARROW:schema is the schema as readers shall see it, to Arrow's own IPC reader.
func TestArrowSchema(t *testing.T) {
	want := supportedSchema(t)
	s, err := newSchema(want)
	if err != nil {
		t.Fatal(err)
	}
	again, err := newSchema(want)
	if err != nil {
		t.Fatal(err)
	}
	if s.ArrowSchema != again.ArrowSchema {
		t.Error("the same schema gives another message the second time")
	}
	message, err := base64.StdEncoding.DecodeString(s.ArrowSchema)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewReader(strings.NewReader(string(message)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	m := arrow.NewMetadata([]string{"pandas", "a"}, []string{"{}", ""})
	want = arrow.NewSchema(readFields(want.Fields()), &m)
	if r.Schema().String() != want.String() {
		t.Errorf("read back:\n%s\nwant:\n%s", r.Schema(), want)
	}
	if diff := cmp.Diff([]KeyValue{{"pandas", "{}"}, {"a", ""}, {"ARROW:schema", s.ArrowSchema}}, s.keyValues(&Options{})); diff != "" {
		t.Errorf("key-value metadata (-want +got):\n%s", diff)
	}
}

// Run ends, list views and some dictionaries are not for readers to see, at any depth; everything else stays.
func TestReadType(t *testing.T) {
	word := dictionaryOf(arrow.BinaryTypes.LargeString)
	runs := func(t arrow.DataType) arrow.DataType { return arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, t) }
	uuid := extensions.NewUUIDType()
	opaque := func(t arrow.DataType) arrow.DataType { return extensions.NewOpaqueType(t, "t", "v") }
	item := func(t arrow.DataType) arrow.Field { return arrow.Field{Name: "x", Type: t, Metadata: fieldID("3")} }
	for _, c := range []struct{ from, want arrow.DataType }{
		{word, word},
		{runs(runs(word)), word},
		{dictionaryOf(runs(word)), dictionaryOf(arrow.BinaryTypes.LargeString)},
		{dictionaryOf(arrow.StructOf(item(runs(word)))), arrow.StructOf(item(word))},
		{dictionaryOf(arrow.Null), arrow.Null},
		{dictionaryOf(uuid), uuid},
		{opaque(dictionaryOf(runs(word))), opaque(arrow.BinaryTypes.String)},
		{opaque(arrow.BinaryTypes.LargeBinary), opaque(arrow.BinaryTypes.Binary)},
		{opaque(arrow.LargeListOf(arrow.FixedWidthTypes.Timestamp_s)), opaque(arrow.ListOf(arrow.FixedWidthTypes.Timestamp_ms))},
		{opaque(arrow.StructOf(item(arrow.ListOf(arrow.FixedWidthTypes.Date64)), arrow.Field{Name: "y", Type: word})),
			opaque(arrow.StructOf(item(arrow.ListOf(arrow.FixedWidthTypes.Date32)), arrow.Field{Name: "y", Type: word}))},
		{opaque(arrow.ListViewOf(word)), opaque(arrow.ListOf(word))},
		{opaque(arrow.FixedWidthTypes.Timestamp_s), opaque(arrow.FixedWidthTypes.Timestamp_ms)},
		{opaque(arrow.FixedWidthTypes.Time32s), opaque(arrow.FixedWidthTypes.Time32ms)},
		{opaque(dictionaryOf(arrow.FixedWidthTypes.Date64)), opaque(arrow.FixedWidthTypes.Date32)},
		{opaque(arrow.FixedWidthTypes.MonthInterval), opaque(&arrow.FixedSizeBinaryType{ByteWidth: 12})},
		{dictionaryOf(arrow.FixedWidthTypes.Timestamp_s), dictionaryOf(arrow.FixedWidthTypes.Timestamp_s)},
		{opaque(opaque(word)), opaque(arrow.BinaryTypes.String)},
		{dictionaryOf(opaque(word)), opaque(arrow.BinaryTypes.String)},
		{variantType(variantWith(dictionaryOf(arrow.BinaryTypes.LargeBinary))), variantType(variantWith(arrow.BinaryTypes.Binary))},
		{arrow.ListViewOfField(item(runs(word))), arrow.ListOfField(item(word))},
		{arrow.LargeListViewOfField(item(runs(word))), arrow.LargeListOfField(item(word))},
		{arrow.ListOfField(item(runs(word))), arrow.ListOfField(item(word))},
		{arrow.LargeListOfField(item(runs(word))), arrow.LargeListOfField(item(word))},
		{arrow.FixedSizeListOfField(7, item(runs(word))), arrow.FixedSizeListOfField(7, item(word))},
		{arrow.StructOf(item(runs(arrow.StructOf(item(runs(word)))))), arrow.StructOf(item(arrow.StructOf(item(word))))},
		{arrow.MapOf(runs(word), runs(word)), arrow.MapOf(word, word)},
	} {
		if got := readType(c.from); got.String() != c.want.String() || !arrow.TypeEqual(got, c.want, arrow.CheckMetadata()) {
			t.Errorf("%v is read as %v, want %v", c.from, got, c.want)
		}
	}
}

// Whatever schema there is, it is mapped or refused; what is mapped has a sound footer and sound levels.
func FuzzNewSchema(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, err := newSchema(arrow.NewSchema(randomFields(r, 4), nil))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "encode: ") {
				t.Errorf("error %v", err)
			}
			return
		}
		footer := fileMetaData{Schema: s.Elements, KeyValues: s.keyValues(&Options{}), ColumnOrders: s.columnOrders()}
		checkFooter(t, &footer)
		checkLevels(t, s)
	})
}

// checkLevels walks the elements the way a reader does, and compares the leaves with it.
func checkLevels(t *testing.T, s *fileSchema) {
	t.Helper()
	i, leaf := 1, 0
	var walk func(path []string, n int32, def, rep int)
	walk = func(path []string, n int32, def, rep int) {
		for range n {
			e := s.Elements[i]
			i++
			def, rep := def, rep
			if e.Repetition != repetitionRequired {
				def++
			}
			if e.Repetition == repetitionRepeated {
				rep++
			}
			at := append(slices.Clone(path), e.Name)
			if e.NumChildren > 0 {
				walk(at, e.NumChildren, def, rep)
				continue
			}
			l := s.Leaves[leaf]
			leaf++
			if !slices.Equal(l.Path, at) || l.MaxDef != def || l.MaxRep != rep || l.Physical != e.Type {
				t.Errorf("leaf %+v, want path %q and levels %d, %d", l, at, def, rep)
			}
		}
	}
	walk(nil, s.Elements[0].NumChildren, 0, 0)
	if i != len(s.Elements) || leaf != len(s.Leaves) {
		t.Errorf("%d of %d elements, %d of %d leaves", i, len(s.Elements), leaf, len(s.Leaves))
	}
}

func randomFields(r *rand.Rand, depth int) []arrow.Field {
	fields := make([]arrow.Field, 1+r.IntN(4))
	for i := range fields {
		fields[i] = arrow.Field{Name: fmt.Sprint("f", i), Type: randomType(r, depth), Nullable: r.IntN(2) == 0}
	}
	return fields
}

// randomType picks a type of the test cases, and in most cases puts it into others; a type that is refused is rare.
func randomType(r *rand.Rand, depth int) arrow.DataType {
	cases := slices.Concat(leafCases(), decimalCases(), extensionCases())
	if r.IntN(50) == 0 {
		cases = unsupportedCases()
	}
	if depth == 0 {
		return cases[r.IntN(len(cases))].field.Type
	}
	inner := func() arrow.DataType { return randomType(r, depth-1) }
	switch r.IntN(8) {
	case 0:
		return arrow.StructOf(randomFields(r, depth-1)...)
	case 1:
		return arrow.ListOf(inner())
	case 2:
		return arrow.LargeListOfNonNullable(inner())
	case 3:
		return arrow.FixedSizeListOf(1+r.Int32N(9), inner())
	case 4:
		return arrow.MapOf(inner(), inner())
	case 5:
		return dictionaryOf(leafCases()[r.IntN(20)].field.Type)
	}
	return cases[r.IntN(len(cases))].field.Type
}

// arrow-go sees the columns and levels that we see, and pairs the same logical and converted types.
func TestSchemaInArrowGo(t *testing.T) {
	given := supportedSchema(t)
	s, err := newSchema(given)
	if err != nil {
		t.Fatal(err)
	}
	footer := fileMetaData{Schema: s.Elements, KeyValues: s.keyValues(&Options{}), ColumnOrders: s.columnOrders()}
	theirs, err := metadata.NewFileMetaData(footer.append(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if theirs.Schema.NumColumns() != len(s.Leaves) {
		t.Fatalf("%d columns, want %d", theirs.Schema.NumColumns(), len(s.Leaves))
	}
	for i, l := range s.Leaves {
		c := theirs.Schema.Column(i)
		if c.Path() != strings.Join(l.Path, ".") || c.PhysicalType() != parquet.Type(l.Physical) ||
			l.TypeLength > 0 && c.TypeLength() != l.TypeLength ||
			int(c.MaxDefinitionLevel()) != l.MaxDef || int(c.MaxRepetitionLevel()) != l.MaxRep {
			t.Errorf("column %s: arrow-go reads %s", l.String(), c)
		}
		// arrow-go itself gives a local time no converted type.
		if want, _ := c.LogicalType().ToConvertedType(); want != c.ConvertedType() && want != schema.ConvertedTypes.None {
			t.Errorf("column %s: arrow-go reads %s with converted type %s, and would write %s",
				l.String(), c.LogicalType(), c.ConvertedType(), want)
		}
	}
}
