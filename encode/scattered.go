package encode

import "github.com/sluice-io/sluice/levels"

// scattered gathers the slots of values that lie in short runs, as the keys of a dictionary of structs or the runs of
// a run-end-encoded array choose them: a run by itself costs as much as ten values of a block. The zero value has no
// memory yet.
type scattered struct {
	block  []uint32
	picked []uint32
	times  []int
}

// isScattered reports whether the span's runs are short, or may be of one slot that stands several times.
func isScattered(s *levels.Span) bool {
	return s.Repeated || len(s.Selected) > 4 && s.NumSlots < minRepeat*len(s.Selected)
}

// each calls yield with the slots of the span's values, at most blockValues at a time. Each stands as often as times
// says, or once if that is nil. They are the callee's to overwrite.
func (c *scattered) each(s *levels.Span, yield func(slots []uint32, times []int) error) error {
	if c.block == nil {
		c.block, c.picked, c.times = make([]uint32, blockValues), make([]uint32, blockValues), make([]int, blockValues)
	}
	ordinal := 0
	for rest := s.Slots(); ; {
		n := rest.Next(c.block, c.times)
		slots, times := c.block[:n], c.times[:n]
		if n == 0 {
			return nil
		}
		if !s.Repeated {
			times = nil
		}
		if !s.Mask.All() {
			slots = c.picked[:gatherMasked(c.picked, slots, s.Mask, ordinal)]
			ordinal += n
		}
		if len(slots) == 0 {
			continue
		}
		if err := yield(slots, times); err != nil {
			return err
		}
	}
}
