package encode

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// geometry makes any WKB, or one that lies on the globe.
func (g *generator) geometry(globe bool) []byte {
	return g.shape(uint32(1+g.IntN(7)), uint32(g.IntN(4)), globe, 3)
}

func (g *generator) shape(kind, axes uint32, globe bool, depth int) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	if g.oneIn(3) {
		order = binary.BigEndian
	}
	var parts []any
	coordinates := func(n int) {
		for i := range n * int(2+axes&1+axes>>1) {
			v := pick(g, 0, math.Copysign(0, -1), math.NaN(), float64(g.IntN(181)-90), float64(g.IntN(1800)-900)/10)
			if !globe && i%2 == 0 && g.oneIn(3) {
				v = pick(g, math.Inf(1), math.Inf(-1), 1e300, -181)
			}
			parts = append(parts, v)
		}
	}
	n := g.IntN(4)
	if kind != wkbPoint {
		parts = append(parts, n)
	}
	switch kind {
	case wkbPoint:
		coordinates(1)
	case wkbLineString:
		coordinates(n)
	case wkbPolygon:
		for range n {
			points := g.IntN(4)
			parts = append(parts, points)
			coordinates(points)
		}
	default:
		for range n {
			inner := kind - 3
			if kind == wkbGeometryCollection {
				inner = uint32(1 + g.IntN(2+min(1, depth)*5))
			}
			parts = append(parts, g.shape(inner, axes, globe, depth-1))
		}
	}
	return shapeIn(order, kind+1000*axes, parts...)
}

// variant makes a field a VARIANT, shredded or not.
func (g *generator) variant(f arrow.Field) arrow.Field {
	text, i64 := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	f.Type = variantOf(pick[arrow.DataType](g, nil, i64, text, arrow.ListOfNonNullable(shredded(text)),
		arrow.StructOf(required("a", shredded(i64)), required("bc", shredded(arrow.ListOfNonNullable(shredded(i64)))))))
	return unknownExtension(f, variantName, "")
}

// asVariant has the metadata and values below be those of VARIANTs, whatever is beside them.
func (m *model) asVariant(g *generator) {
	for _, c := range m.children {
		c.asVariant(g)
		if c.value == nil {
			continue
		}
		switch c.field.Name {
		case metadataField:
			c.value = func() []byte { return []byte(pick(g, goodMetadata, goodMetadata, "\x01\x00\x00")) }
		case valueField:
			c.value = func() []byte { return []byte(pick(g, "\x00", "\x0c\x05", "\x09hi", goodObject, nested(g.IntN(4)))) }
		}
	}
}
