package encode

import "fmt"

// shapes is the content of a GEOMETRY or GEOGRAPHY column: it checks that values are WKB, and keeps what the statistics
// of a column chunk say of them (Geospatial.md, "Statistics").
type shapes struct {
	geography bool
	codes     [4]uint8 // bit k of codes[a]: there is a value of kind k with axes a
	box       box
	edges     bool // there is one with lines between its points
}

func newShapes(kind logicalKind) *shapes {
	return &shapes{geography: kind == logicalGeography, box: emptyBox}
}

func (s *shapes) add(value []byte) error {
	r := wkbReader{box: emptyBox}
	h, rest, err := r.read(value, wkbHeader{}, 0)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow its end", len(rest))
	}
	if err == nil && s.geography {
		err = r.checkGeography()
	}
	if err != nil {
		return fmt.Errorf("a geometry of %d bytes: %w", len(value), err)
	}
	s.codes[h.axes] |= 1 << h.kind
	s.edges = s.edges || r.edges
	for axis := range s.box {
		s.box[axis].include(r.box[axis])
	}
	return nil
}

// checkGeography refuses what is not on the globe.
func (r *wkbReader) checkGeography() error {
	x, y := r.box[0], r.box[1]
	if x.ok() && (x.min < -180 || x.max > 180) || y.ok() && (y.min < -90 || y.max > 90) {
		const format = "a GEOGRAPHY has x from -180 to 180 degrees and y from -90 to 90, " +
			"and this x from %v to %v and y from %v to %v: send it with planar edges"
		return fmt.Errorf(format, x.min, x.max, y.min, y.max)
	}
	return nil
}

// take returns the statistics of the values since the last call, nil if there were none. Vertices bound a shape only if
// its edges are straight, so a GEOGRAPHY has a box only if there are no edges at all; it does not wrap around then.
func (s *shapes) take() *geoStatistics {
	if s == nil || s.codes == [4]uint8{} {
		return nil
	}
	g := &geoStatistics{}
	for axes, kinds := range s.codes {
		for kind := wkbPoint; kind <= wkbGeometryCollection; kind++ {
			if kinds>>kind&1 != 0 {
				g.Types = append(g.Types, int32(1000*axes+kind))
			}
		}
	}
	if !(s.geography && s.edges) {
		g.Box = s.box.bounding()
	}
	*s = shapes{geography: s.geography, box: emptyBox}
	return g
}
