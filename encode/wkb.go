package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The geometries of well-known binary (OGC Simple Feature Access, part 1), by the last three digits of their codes.
const (
	wkbPoint              = 1
	wkbLineString         = 2
	wkbPolygon            = 3
	wkbMultiPoint         = 4
	wkbMultiPolygon       = 6
	wkbGeometryCollection = 7
)

// maxWKBDepth bounds the nesting of collections, which readers follow on their stacks.
const maxWKBDepth = 100

// axisRange are the bounds of the coordinates on an axis. There are none as long as min is above max.
type axisRange struct{ min, max float64 }

// none is the range of no coordinate.
var none = axisRange{math.Inf(1), math.Inf(-1)}

// ok reports whether there is a coordinate.
func (r axisRange) ok() bool { return r.min <= r.max }

func (r *axisRange) include(o axisRange) {
	r.min, r.max = min(r.min, o.min), max(r.max, o.max)
}

// box has a range for x, y, z and m.
type box [4]axisRange

var emptyBox = box{none, none, none, none}

// zIndex and mIndex are where z and m lie among the coordinates of a point, by the code's thousands; 0 is nowhere.
var (
	zIndex = [4]int{0, 2, 0, 2}
	mIndex = [4]int{0, 0, 2, 3}
)

// wkbHeader begins every geometry:
//
//	01  e9 03 00 00    little-endian, code 1001: a point with z
type wkbHeader struct {
	order binary.ByteOrder
	kind  uint32 // 1 to 7
	axes  int    // 0: x and y, 1: z too, 2: m too, 3: both
}

func (h wkbHeader) code() int32 { return int32(h.kind) + 1000*int32(h.axes) }

// coordinates returns how many numbers a point has.
func (h wkbHeader) coordinates() int { return 2 + h.axes&1 + h.axes>>1 }

var errWKBShort = errors.New("it is cut off")

// readWKBHeader returns the header that b begins with, and what follows.
func readWKBHeader(b []byte) (h wkbHeader, rest []byte, err error) {
	if len(b) < 5 {
		return h, nil, errWKBShort
	}
	switch b[0] {
	case 0:
		h.order = binary.BigEndian
	case 1:
		h.order = binary.LittleEndian
	default:
		return h, nil, fmt.Errorf("byte order %d is neither 0 nor 1", b[0])
	}
	code := h.order.Uint32(b[1:])
	if code>>29 != 0 {
		return h, nil, errors.New("it is EWKB: send ISO WKB, which has no SRID, and adds 1000 to the type for z, 2000 for m")
	}
	h.kind, h.axes = code%1000, int(code/1000)
	if h.kind < wkbPoint || h.kind > wkbGeometryCollection || h.axes > 3 {
		return h, nil, fmt.Errorf("type %d is none of ISO WKB from point to geometry collection", code)
	}
	return h, b[5:], nil
}

// wkbReader reads one value.
type wkbReader struct {
	box   box
	edges bool // there are lines between its points
}

// read reads the geometry that b begins with, inside of outer unless that is the zero value, and returns what follows.
func (r *wkbReader) read(b []byte, outer wkbHeader, depth int) (h wkbHeader, rest []byte, err error) {
	if h, b, err = readWKBHeader(b); err != nil {
		return h, nil, err
	}
	switch {
	case outer.kind == 0:
	case outer.axes != h.axes || outer.kind != wkbGeometryCollection && h.kind != outer.kind-3:
		return h, nil, fmt.Errorf("type %d inside of type %d", h.code(), outer.code())
	}
	switch h.kind {
	case wkbPoint:
		b, err = r.points(b, h, 1)
	case wkbLineString:
		r.edges = true
		b, err = r.line(b, h)
	case wkbPolygon:
		r.edges = true
		b, err = r.each(b, h, func(b []byte) ([]byte, error) { return r.line(b, h) })
	default:
		if depth == maxWKBDepth {
			return h, nil, fmt.Errorf("it is nested more than %d levels deep", maxWKBDepth)
		}
		b, err = r.each(b, h, func(b []byte) ([]byte, error) {
			_, rest, err := r.read(b, h, depth+1)
			return rest, err
		})
	}
	return h, b, err
}

// each reads a count and so many parts.
func (r *wkbReader) each(b []byte, h wkbHeader, part func(b []byte) ([]byte, error)) ([]byte, error) {
	n, b, err := wkbCount(b, h)
	for ; n > 0 && err == nil; n-- {
		b, err = part(b)
	}
	return b, err
}

// line reads a count and so many points.
func (r *wkbReader) line(b []byte, h wkbHeader) ([]byte, error) {
	n, b, err := wkbCount(b, h)
	if err != nil {
		return nil, err
	}
	return r.points(b, h, int(n))
}

func wkbCount(b []byte, h wkbHeader) (n uint32, rest []byte, err error) {
	if len(b) < 4 {
		return 0, nil, errWKBShort
	}
	return h.order.Uint32(b), b[4:], nil
}

// points takes n points into the box. A NaN is in no range, as it is neither above nor below anything (Geospatial.md,
// "Bounding Box"); an empty point is NaN throughout.
func (r *wkbReader) points(b []byte, h wkbHeader, n int) ([]byte, error) {
	width := 8 * h.coordinates()
	if n > len(b)/width {
		return nil, errWKBShort
	}
	rest := b[n*width:]
	if b = b[:n*width]; n == 0 {
		return rest, nil
	}
	r.box[0].add(b, h.order, width)
	r.box[1].add(b[8:], h.order, width)
	if at := zIndex[h.axes]; at > 0 {
		r.box[2].add(b[8*at:], h.order, width)
	}
	if at := mIndex[h.axes]; at > 0 {
		r.box[3].add(b[8*at:], h.order, width)
	}
	return rest, nil
}

// add takes the first number of b, and those that are so many bytes apart.
func (r *axisRange) add(b []byte, order binary.ByteOrder, apart int) {
	lo, hi := r.min, r.max
	for {
		v := math.Float64frombits(order.Uint64(b))
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
		if len(b) <= apart {
			break
		}
		b = b[apart:]
	}
	r.min, r.max = lo, hi
}
