package encode

// geoStatistics is the spec's GeospatialStatistics, of a column chunk.
type geoStatistics struct {
	Box   *boundingBox // nil: there is none
	Types []int32      // the codes of ISO WKB that occur, each once, ascending
}

// boundingBox is the spec's BoundingBox. The bounds of z and m are there if one of them has a coordinate.
type boundingBox struct {
	XMin, XMax, YMin, YMax float64
	HasZ, HasM             bool
	ZMin, ZMax, MMin, MMax float64
}

// bounding returns the box as the footer has it: nil if x or y has no coordinate (Geospatial.md, "Bounding Box").
func (b *box) bounding() *boundingBox {
	x, y, z, m := b[0], b[1], b[2], b[3]
	if !x.ok() || !y.ok() {
		return nil
	}
	r := &boundingBox{XMin: x.min, XMax: x.max, YMin: y.min, YMax: y.max, HasZ: z.ok(), HasM: m.ok()}
	if r.HasZ {
		r.ZMin, r.ZMax = z.min, z.max
	}
	if r.HasM {
		r.MMin, r.MMax = m.min, m.max
	}
	return r
}

// write writes g as a field; nil omits it.
func (g *geoStatistics) write(w *thriftWriter, id int16) {
	if g == nil {
		return
	}
	outer := w.begin(id)
	g.Box.write(w, 1)
	w.list(2, thriftI32, len(g.Types))
	for _, code := range g.Types {
		w.elemInt(int64(code))
	}
	w.end(outer)
}

// write writes b as a field; nil omits it.
func (b *boundingBox) write(w *thriftWriter, id int16) {
	if b == nil {
		return
	}
	outer := w.begin(id)
	w.double(1, b.XMin)
	w.double(2, b.XMax)
	w.double(3, b.YMin)
	w.double(4, b.YMax)
	if b.HasZ {
		w.double(5, b.ZMin)
		w.double(6, b.ZMax)
	}
	if b.HasM {
		w.double(7, b.MMin)
		w.double(8, b.MMax)
	}
	w.end(outer)
}
