package encode

import (
	"slices"

	"github.com/sluice-io/sluice/levels"
)

// openPage is a page that more may be added to, or whose values may still get another encoding. The plain values of the
// page in progress are elsewhere.
type openPage struct {
	rep     pageLevels
	def     pageLevels
	records int     // that begin in the page
	count   int     // values
	ids     indices // the values, as dictionary indices
	cut     bool    // it ends where its content says so, not at a limit
	again   int     // as many pages of nulls follow that are the same

	plain  []byte // the values, if they wait in plain encoding
	bounds pageBounds
}

// sameNulls reports whether two pages are the same, without values and of one level throughout.
func (p *openPage) sameNulls(q *openPage) bool {
	return p.count == 0 && q.count == 0 && p.records == q.records && !p.cut && !q.cut &&
		p.rep.same(&q.rep) && p.def.same(&q.def)
}

// takePage takes the page in progress away, in no more memory than it needs, and begins another in the same buffers.
func (c *column) takePage() openPage {
	p, ids := c.openPage, c.ids
	p.rep, p.def, p.ids = c.rep.take(), c.def.take(), ids.clone()
	c.openPage = openPage{rep: c.rep, def: c.def, ids: ids.truncated(indices{})}
	return p
}

// span returns a page of indices as a span whose storage is the dictionary's entries. The span's runs are in the memory
// that runs have.
func (p *openPage) span(runs []levels.Run) levels.Span {
	s := levels.Span{
		NumLevels:  p.rep.n,
		NumRecords: p.records,
		Rep:        p.rep.view(),
		Def:        p.def.view(),
		Live:       p.def.reached(),
		NumSlots:   p.ids.n,
		NumValues:  p.ids.n,
		Selected:   slices.Grow(runs[:0], len(p.ids.ids)),
	}
	for ids, times := range p.ids.stretches {
		if len(ids) == 1 {
			s.Selected = append(s.Selected, levels.Run{Slot: int(ids[0]), Len: 1, Times: times})
			s.Repeated = s.Repeated || times > 1
			continue
		}
		for range times {
			s.Selected = appendSlots(s.Selected, ids)
		}
	}
	return s
}

// appendSlots appends slots that stand once each.
func appendSlots(runs []levels.Run, slots []uint32) []levels.Run {
	for _, slot := range slots {
		last := len(runs) - 1
		if last >= 0 && runs[last].Times == 1 && runs[last].Slot+runs[last].Len == int(slot) {
			runs[last].Len++
		} else {
			runs = append(runs, levels.Run{Slot: int(slot), Len: 1, Times: 1})
		}
	}
	return runs
}
