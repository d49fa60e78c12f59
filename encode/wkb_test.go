package encode

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/sluice-io/sluice/integration/lint"
)

// wkbType is GeoArrow's extension type for WKB. Arrow has none, but programs may register one.
type wkbType struct {
	arrow.ExtensionBase
	metadata string
}

func init() {
	if err := arrow.RegisterExtensionType(newWKBType(arrow.BinaryTypes.Binary, "")); err != nil {
		panic(err)
	}
}

func newWKBType(storage arrow.DataType, metadata string) *wkbType {
	return &wkbType{arrow.ExtensionBase{Storage: storage}, metadata}
}

func (*wkbType) ArrayType() reflect.Type { return reflect.TypeFor[wkbArray]() }
func (*wkbType) ExtensionName() string   { return wkbName }
func (t *wkbType) Serialize() string     { return t.metadata }
func (t *wkbType) Deserialize(storage arrow.DataType, metadata string) (arrow.ExtensionType, error) {
	return newWKBType(storage, metadata), nil
}
func (t *wkbType) ExtensionEquals(other arrow.ExtensionType) bool {
	o, ok := other.(*wkbType)
	return ok && o.metadata == t.metadata && arrow.TypeEqual(o.Storage, t.Storage)
}

type wkbArray struct{ array.ExtensionArrayBase }

// shape writes a geometry: its code, then its numbers as they come, an int as a count and a geometry as it is.
func shape(code uint32, parts ...any) []byte {
	return shapeIn(binary.LittleEndian, code, parts...)
}

func shapeIn(order binary.AppendByteOrder, code uint32, parts ...any) []byte {
	b := []byte{0}
	if order == binary.LittleEndian {
		b[0] = 1
	}
	b = order.AppendUint32(b, code)
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = order.AppendUint32(b, uint32(p))
		case float64:
			b = order.AppendUint64(b, math.Float64bits(p))
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// points are so many numbers.
func points(from ...float64) []byte {
	var b []byte
	for _, v := range from {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

var nan, infinity = math.NaN(), math.Inf(1)

// shapesCase are values, and the statistics of a chunk that has just them.
type shapesCase struct {
	name   string
	values [][]byte
	types  []int32
	box    *boundingBox
	globe  bool // it has that box as a GEOGRAPHY too
}

func shapesCases() []shapesCase {
	square := points(0, 0, 0, 4, 4, 4, 0, 0)
	flat := func(x0, x1, y0, y1 float64) *boundingBox {
		return &boundingBox{XMin: x0, XMax: x1, YMin: y0, YMax: y1}
	}
	return []shapesCase{
		{name: "nothing"},
		{"point", [][]byte{shape(1, 1.0, 2.0)}, []int32{1}, flat(1, 1, 2, 2), true},
		{"points of both byte orders", [][]byte{shape(1, 1.0, 2.0), shapeIn(binary.BigEndian, 1, -1.5, 7.0)}, []int32{1}, flat(-1.5, 1, 2, 7), true},
		{"point with z", [][]byte{shape(1001, 1.0, 2.0, 3.0)}, []int32{1001},
			&boundingBox{XMin: 1, XMax: 1, YMin: 2, YMax: 2, HasZ: true, ZMin: 3, ZMax: 3}, true},
		{"point with m", [][]byte{shape(2001, 1.0, 2.0, 3.0)}, []int32{2001},
			&boundingBox{XMin: 1, XMax: 1, YMin: 2, YMax: 2, HasM: true, MMin: 3, MMax: 3}, true},
		{"point with both", [][]byte{shape(3001, 1.0, 2.0, 3.0, -4.0)}, []int32{3001},
			&boundingBox{XMin: 1, XMax: 1, YMin: 2, YMax: 2, HasZ: true, ZMin: 3, ZMax: 3, HasM: true, MMin: -4, MMax: -4}, true},
		{"with and without z", [][]byte{shape(1001, 1.0, 2.0, 3.0), shape(1, 5.0, 6.0)}, []int32{1, 1001},
			&boundingBox{XMin: 1, XMax: 5, YMin: 2, YMax: 6, HasZ: true, ZMin: 3, ZMax: 3}, true},
		{"line", [][]byte{shape(2, 3, points(1, 2, -1, 8, 0, 0))}, []int32{2}, flat(-1, 1, 0, 8), false},
		{"polygon", [][]byte{shape(3, 2, 4, square, 1, points(9, -9))}, []int32{3}, flat(0, 9, -9, 4), false},
		{"points in one", [][]byte{shape(4, 2, shape(1, 1.0, 2.0), shapeIn(binary.BigEndian, 1, 3.0, 0.0))}, []int32{4}, flat(1, 3, 0, 2), true},
		{"lines in one", [][]byte{shapeIn(binary.BigEndian, 5, 1, shape(2, 2, points(1, 2, 3, 4)))}, []int32{5}, flat(1, 3, 2, 4), false},
		{"polygons in one", [][]byte{shape(6, 1, shape(3, 1, 4, square))}, []int32{6}, flat(0, 4, 0, 4), false},
		{"collection", [][]byte{shape(7, 2, shape(1, 1.0, 2.0), shape(7, 1, shape(2, 1, points(5, 5))))}, []int32{7}, flat(1, 5, 2, 5), false},
		{"collection of points", [][]byte{shape(7, 1, shape(4, 1, shape(1, 1.0, 2.0)))}, []int32{7}, flat(1, 1, 2, 2), true},
		{"all sorts", [][]byte{shape(2002, 0), shape(1, 1.0, 2.0), shape(7, 0), shape(3, 0)}, []int32{1, 3, 7, 2002}, flat(1, 1, 2, 2), false},
		{"empty point", [][]byte{shape(1, nan, nan)}, []int32{1}, nil, true},
		{"empty of all kinds", [][]byte{shape(2, 0), shape(1003, 0), shape(4, 0), shape(3007, 0)}, []int32{2, 4, 1003, 3007}, nil, true},
		{"half a point", [][]byte{shape(1, 1.0, nan)}, []int32{1}, nil, true},
		{"two halves", [][]byte{shape(1, 1.0, nan), shape(1, nan, 3.0)}, []int32{1}, flat(1, 1, 3, 3), true},
		{"no z", [][]byte{shape(1001, 1.0, 2.0, nan)}, []int32{1001}, flat(1, 1, 2, 2), true},
		{"the whole globe", [][]byte{shape(1, -180.0, -90.0), shape(1, 180.0, 90.0)}, []int32{1}, flat(-180, 180, -90, 90), true},
		{"infinite", [][]byte{shape(1, -infinity, 0.0), shape(1, infinity, 0.0)}, []int32{1}, flat(-infinity, infinity, 0, 0), false},
	}
}

func TestShapes(t *testing.T) {
	for _, c := range shapesCases() {
		for _, kind := range []logicalKind{logicalGeometry, logicalGeography} {
			s := newShapes(kind)
			var err error
			for _, v := range c.values {
				if err == nil {
					err = s.add(v)
				}
			}
			if c.name == "infinite" && kind == logicalGeography {
				if err == nil {
					t.Errorf("%s: a GEOGRAPHY out of bounds passes", c.name)
				}
				continue
			}
			var want *geoStatistics
			if len(c.values) > 0 {
				want = &geoStatistics{Types: c.types, Box: c.box}
				if kind == logicalGeography && !c.globe {
					want.Box = nil
				}
			}
			if diff := cmp.Diff(want, s.take()); err != nil || diff != "" {
				t.Errorf("%s as %v: error %v (-want +got):\n%s", c.name, kind, err, diff)
			}
			if again := s.take(); again != nil {
				t.Errorf("%s as %v: there are statistics left: %+v", c.name, kind, again)
			}
		}
	}
}

// badShape is what is not ISO WKB, or not on the globe.
type badShape struct {
	bad       []byte
	geography bool
	want      string
}

func badShapes() []badShape {
	point := shape(1, 1.0, 2.0)
	return []badShape{
		{bad: []byte{}, want: "a geometry of 0 bytes: it is cut off"},
		{bad: point[:4], want: "a geometry of 4 bytes: it is cut off"},
		{bad: point[:20], want: "it is cut off"},
		{bad: append(slices.Clone(point), 0), want: "a geometry of 22 bytes: 1 bytes follow its end"},
		{bad: append([]byte{2}, point[1:]...), want: "byte order 2 is neither 0 nor 1"},
		{bad: []byte("POINT (1 2)"), want: "byte order 80 is neither 0 nor 1"},
		{bad: shape(0), want: "type 0 is none of ISO WKB"},
		{bad: shape(8, 0), want: "type 8 is none of ISO WKB"},
		{bad: shape(1000, 0), want: "type 1000 is none of ISO WKB"},
		{bad: shape(4001, 1.0, 2.0), want: "type 4001 is none of ISO WKB"},
		{bad: shape(0x80000001, 1.0, 2.0, 3.0), want: "it is EWKB: send ISO WKB"},
		{bad: shape(0x20000001, 4326, 1.0, 2.0), want: "it is EWKB"},
		{bad: shape(0x40000001, 1.0, 2.0, 3.0), want: "it is EWKB"},
		{bad: shape(2), want: "it is cut off"},
		{bad: shape(2, 2, 1.0, 2.0, 3.0), want: "it is cut off"},
		{bad: shape(2, -1, 1.0, 2.0), want: "it is cut off"},
		{bad: shape(3, -1), want: "it is cut off"},
		{bad: shape(3, 1, -1), want: "it is cut off"},
		{bad: shape(7, -1, point), want: "it is cut off"},
		{bad: shape(4, 1, shape(2, 0)), want: "type 2 inside of type 4"},
		{bad: shape(5, 1, shape(3, 0)), want: "type 3 inside of type 5"},
		{bad: shape(1006, 1, shape(3, 0)), want: "type 3 inside of type 1006"},
		{bad: shape(7, 1, shape(1001, 1.0, 2.0, 3.0)), want: "type 1001 inside of type 7"},
		{bad: collections(maxWKBDepth + 1), want: "it is nested more than 100 levels deep"},
		{bad: shape(1, 180.5, 0.0), geography: true, want: "a GEOGRAPHY has x from -180 to 180 degrees and y from -90 to 90"},
		{bad: shape(2, 2, points(0, 0, 0, -90.5)), geography: true, want: "and this x from 0 to 0 and y from -90.5 to 0"},
	}
}

// collections is a collection in a collection, and so on.
func collections(depth int) []byte {
	b := shape(7, 0)
	for range depth - 1 {
		b = shape(7, 1, b)
	}
	return b
}

// badGeometries are badShapes for tests of values that are refused.
func badGeometries() (cases []badValue) {
	for i, b := range badShapes() {
		metadata := ""
		if b.geography {
			metadata = `{"edges": "spherical"}`
		}
		storage := []arrow.DataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView}[i%3]
		dt := leafWith{storage, map[string]string{extensionNameKey: wkbName, extensionMetadataKey: metadata}}
		cases = append(cases, badValue{dt, shape(1, 1.0, 2.0), b.bad, b.want})
	}
	return cases
}

func TestBadShapes(t *testing.T) {
	for _, c := range badShapes() {
		s := newShapes(map[bool]logicalKind{false: logicalGeometry, true: logicalGeography}[c.geography])
		if err := s.add(c.bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%x: error %v, want %q in it", c.bad, err, c.want)
		}
		if got := s.take(); got != nil {
			t.Errorf("%x has statistics: %+v", c.bad, got)
		}
	}
	if err := newShapes(logicalGeometry).add(collections(maxWKBDepth)); err != nil {
		t.Error(err)
	}
}

// What passes is what the linter's own reader takes, and has its box.
func FuzzShapes(f *testing.F) {
	for _, c := range shapesCases() {
		for _, v := range c.values {
			f.Add(v)
		}
	}
	for _, c := range badShapes() {
		f.Add(c.bad)
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		ours, theirs := newShapes(logicalGeometry), lint.Shapes{}
		err := ours.add(value)
		code, theirErr := theirs.Add(value)
		if (err == nil) != (theirErr == nil) {
			t.Fatalf("%x: error %v, the linter's is %v", value, err, theirErr)
		}
		if err != nil {
			return
		}
		got := ours.take()
		want := like[geoStatistics](lint.GeospatialStatistics{Types: []int32{code}, Box: theirs.Box()})
		if diff := cmp.Diff(&want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%x (-linter +ours):\n%s", value, diff)
		}
	})
}

func TestGeospatialBytes(t *testing.T) {
	g := &geoStatistics{Types: []int32{1, 3003}, Box: &boundingBox{XMin: -1, XMax: 2, YMin: 0.5, YMax: 0.5, HasZ: true, ZMax: 1, HasM: true, MMax: 4}}
	checkGolden(t, "testdata/metadata/geospatial.txt", func(dst []byte) []byte {
		w := thriftWriter{buf: dst, last: 16}
		g.write(&w, 17)
		return w.buf
	})
	for _, b := range []*boundingBox{nil, {XMin: 1}, {HasZ: true, ZMin: 1}, {HasM: true, MMax: -0.5}} {
		m := fileMetaData{
			Schema:       []schemaElement{{Name: "schema", NumChildren: 1}, {Name: "g", Type: typeByteArray, Logical: logicalType{Kind: logicalGeometry}}},
			ColumnOrders: []columnOrder{columnOrderType},
			RowGroups: []rowGroup{{Columns: []columnChunk{
				{Type: typeByteArray, Path: []string{"g"}, Geospatial: &geoStatistics{Box: b, Types: slices.Repeat([]int32{7}, 20)}},
			}, Ordinal: -1}},
		}
		checkFooter(t, &m)
	}
}

func geoCases() []schemaCase {
	of := func(name, metadata string, t arrow.DataType) schemaCase {
		c := caseOf(name, t)
		c.field = unknownExtension(c.field, wkbName, metadata)
		return c
	}
	b := arrow.BinaryTypes
	projected := `{"type": "ProjectedCRS", "name": "x", "id": {"authority": "EPSG", "code": 3857}}`
	return []schemaCase{
		caseOf("geometry", newWKBType(b.Binary, "")),
		caseOf("geography in run ends of a dictionary",
			arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dictionaryOf(newWKBType(b.LargeBinary, `{"edges": "spherical"}`)))),
		of("geometry that is not registered", "", b.Binary),
		of("geometry of views", "{}", b.BinaryView),
		of("geometry in a dictionary", `{"edges": "planar"}`, dictionaryOf(b.LargeBinary)),
		caseOf("list of geometry", arrow.ListOfField(unknownExtension(optional("item", b.Binary), wkbName, ""))),
		of("geometry of no system", `{"crs": null}`, b.Binary),
		of("geometry by longitude and latitude", `{"crs": "OGC:CRS84"}`, b.Binary),
		of("geometry by EPSG:4326", `{"crs": "EPSG:4326", "crs_type": "authority_code"}`, b.Binary),
		of("geometry by EPSG:4326 in full", `{"crs": {"type": "GeographicCRS", "id": {"authority": "EPSG", "code": 4326}}}`, b.Binary),
		of("geometry by CRS84 in full", `{"crs": {"id": {"authority": "OGC", "code": "CRS84"}}}`, b.Binary),
		of("geometry by a code", `{"crs": "EPSG:3857"}`, b.Binary),
		of("geometry by a number", `{"crs": "4326", "crs_type": "srid"}`, b.Binary),
		of("geometry by a system in full", `{"crs": `+projected+`, "crs_type": "projjson"}`, b.Binary),
		of("geography", `{"edges": "spherical"}`, b.Binary),
		of("geography by Vincenty", `{"edges": "vincenty"}`, b.Binary),
		of("geography by Thomas", `{"edges": "thomas"}`, b.Binary),
		of("geography by Andoyer", `{"edges": "andoyer"}`, b.Binary),
		of("geography by Karney", `{"edges": "karney", "crs": "OGC:CRS83"}`, b.Binary),

		of("geometry of text", "", b.String),
		of("geometry of numbers", "", arrow.PrimitiveTypes.Int64),
		of("geometry with other edges", `{"edges": "round"}`, b.Binary),
		of("geometry with edges that are a number", `{"edges": 1}`, b.Binary),
		of("geometry with a system that is a number", `{"crs": 4326}`, b.Binary),
		of("geometry with metadata that is no object", `[]`, b.Binary),
		of("geometry with metadata that is no JSON", `{`, b.Binary),
	}
}

func BenchmarkShapes(b *testing.B) {
	for _, n := range []int{1, 5, 1000} {
		line := make([]float64, 2*n)
		for i := range line {
			line[i] = float64(i * 7919 % 360)
		}
		value := shape(2, n, points(line...))
		b.Run(fmt.Sprintf("points=%d", n), func(b *testing.B) {
			s := newShapes(logicalGeometry)
			b.SetBytes(int64(len(value)))
			for b.Loop() {
				if err := s.add(value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
