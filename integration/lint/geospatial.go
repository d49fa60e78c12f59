package lint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
)

// GeospatialStatistics are those of a column chunk of geometries.
type GeospatialStatistics struct {
	Box   *BoundingBox
	Types []int32
}

// BoundingBox has bounds of z and m if one of the geometries has such a coordinate.
type BoundingBox struct {
	XMin, XMax, YMin, YMax float64
	HasZ, HasM             bool
	ZMin, ZMax, MMin, MMax float64
}

func geospatialOf(v Value, ok bool) *GeospatialStatistics {
	if !ok {
		return nil
	}
	g := &GeospatialStatistics{Types: each(v, 2, func(v Value) int32 { return int32(v.Num) })}
	if b, ok := v.Field(1); ok {
		double := func(id int16) float64 { return math.Float64frombits(uint64(b.Int(id))) }
		g.Box = &BoundingBox{
			XMin: double(1), XMax: double(2), YMin: double(3), YMax: double(4), HasZ: b.Has(5), HasM: b.Has(7),
			ZMin: double(5), ZMax: double(6), MMin: double(7), MMax: double(8),
		}
	}
	return g
}

// checkGeospatial checks the statistics of geometries against the values. A box around the vertices of a GEOGRAPHY that
// has edges leaves some of them out, so there must be none.
func (c *Chunk) checkGeospatial() error {
	want, err := c.geospatial()
	if err != nil {
		return err
	}
	got := c.Meta.Geospatial
	if got == nil && c.file.omits(Bounds) {
		return nil
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("they are %s, the values have %s", got, want)
	}
	return nil
}

// String shows the statistics in one line.
func (g *GeospatialStatistics) String() string {
	if g == nil {
		return "none"
	}
	if g.Box == nil {
		return fmt.Sprintf("types %v and no box", g.Types)
	}
	return fmt.Sprintf("types %v and box %+v", g.Types, *g.Box)
}

func (c *Chunk) geospatial() (*GeospatialStatistics, error) {
	if !c.Leaf.IsShape() || len(c.stream.Values) == 0 {
		return nil, nil
	}
	shapes, codes := Shapes{}, map[int32]bool{}
	seen := map[string]bool{}
	for _, v := range c.stream.Values {
		if seen[string(v)] {
			continue
		}
		seen[string(v)] = true
		code, err := shapes.Add(v)
		if err != nil {
			return nil, fmt.Errorf("value %x: %w", v, err)
		}
		codes[code] = true
	}
	g := &GeospatialStatistics{Types: slices.Sorted(maps.Keys(codes)), Box: shapes.Box()}
	if c.Leaf.Logical.Kind == Geography {
		if b := shapes.Box(); b != nil && (b.XMin < -180 || b.XMax > 180 || b.YMin < -90 || b.YMax > 90) {
			return nil, fmt.Errorf("a GEOGRAPHY in the box %+v", *b)
		}
		if shapes.Edges {
			g.Box = nil
		}
	}
	return g, nil
}

// IsShape reports whether the leaf holds geometries.
func (l *Leaf) IsShape() bool { return l.Logical.Kind == Geometry || l.Logical.Kind == Geography }

// Shapes gathers the coordinates of values in the ISO form of well-known binary, by axis: x, y, z, m.
type Shapes struct {
	Edges  bool // there is a line or a polygon
	ranges [4][]float64
}

// Box returns the smallest box, nil if x or y has no coordinate (Geospatial.md, "Bounding Box").
func (s *Shapes) Box() *BoundingBox {
	for axis := range 2 {
		if len(s.ranges[axis]) == 0 {
			return nil
		}
	}
	bounds := func(axis int) (low, high float64, ok bool) {
		r := s.ranges[axis]
		if len(r) == 0 {
			return 0, 0, false
		}
		return slices.Min(r), slices.Max(r), true
	}
	b := &BoundingBox{}
	b.XMin, b.XMax, _ = bounds(0)
	b.YMin, b.YMax, _ = bounds(1)
	b.ZMin, b.ZMax, b.HasZ = bounds(2)
	b.MMin, b.MMax, b.HasM = bounds(3)
	return b
}

// Add takes a value, and returns its type's code.
func (s *Shapes) Add(value []byte) (code int32, err error) {
	c := wkbCursor{rest: value, shapes: s}
	code = c.geometry(0)
	if c.err == nil && len(c.rest) > 0 {
		c.err = fmt.Errorf("%d bytes behind the geometry", len(c.rest))
	}
	return code, c.err
}

// wkbCursor reads on until its first error.
type wkbCursor struct {
	rest   []byte
	order  binary.ByteOrder
	shapes *Shapes
	depth  int
	err    error
}

// take returns the next n bytes.
func (c *wkbCursor) take(n int) []byte {
	if c.err != nil || n > len(c.rest) {
		c.fail("it ends too early")
		return make([]byte, n)
	}
	b := c.rest[:n]
	c.rest = c.rest[n:]
	return b
}

func (c *wkbCursor) fail(text string) {
	if c.err == nil {
		c.err = errors.New(text)
	}
}

func (c *wkbCursor) uint32() uint32 { return c.order.Uint32(c.take(4)) }

// geometry reads one, which must be of a type if one is given.
func (c *wkbCursor) geometry(must int32) int32 {
	c.order = binary.LittleEndian
	switch c.take(1)[0] {
	case 0:
		c.order = binary.BigEndian
	case 1:
	default:
		c.fail("a byte order that is none")
	}
	number := c.uint32()
	code := int32(number)
	if kind := number % 1000; kind < 1 || kind > 7 || number >= 4000 {
		c.fail("a type that is none")
	}
	if must != 0 && code != must && !(must%1000 == 7 && code/1000 == must/1000) {
		c.fail("a type that does not fit the one around it")
	}
	if c.err != nil {
		return code
	}
	switch code % 1000 {
	case 1:
		c.point(code)
	case 2:
		c.line(code)
	case 3:
		c.shapes.Edges = true
		c.times(func() { c.line(code) })
	case 7:
		c.parts(code)
	default:
		c.parts(code - 3)
	}
	return code
}

// parts reads geometries inside of one; a collection's may be any.
func (c *wkbCursor) parts(code int32) {
	order := c.order
	if c.depth++; c.depth > 100 {
		c.fail("nested too deep")
	}
	c.times(func() { c.geometry(code); c.order = order })
	c.depth--
}

// times calls read as often as the next number says.
func (c *wkbCursor) times(read func()) {
	for n := c.uint32(); n > 0 && c.err == nil; n-- {
		read()
	}
}

func (c *wkbCursor) line(code int32) {
	c.shapes.Edges = true
	c.times(func() { c.point(code) })
}

func (c *wkbCursor) point(code int32) {
	axes := [][]int{{0, 1}, {0, 1, 2}, {0, 1, 3}, {0, 1, 2, 3}}[code/1000]
	for _, axis := range axes {
		v := math.Float64frombits(c.order.Uint64(c.take(8)))
		if c.err == nil && !math.IsNaN(v) {
			c.shapes.ranges[axis] = append(c.shapes.ranges[axis], v)
		}
	}
}
