package encode

import "github.com/sluice-io/sluice/levels"

// scattered gathers the slots of values that lie in short runs, as the keys of a dictionary of structs or the runs of
// a run-end-encoded array choose them: a run by itself costs as much as ten values of a block. The zero value has no
// memory yet.
type scattered struct {
	block  []uint32
	picked []uint32
}

// isScattered reports whether the span's runs are short.
func isScattered(s *levels.Span) bool {
	return len(s.Selected) > 4 && s.NumSlots < minRepeat*len(s.Selected)
}

// each calls yield with the slots of the span's values, at most blockValues at a time. Each stands times times. They
// are the callee's to overwrite.
func (c *scattered) each(s *levels.Span, yield func(slots []uint32, times int) error) error {
	if c.block == nil {
		c.block, c.picked = make([]uint32, blockValues), make([]uint32, blockValues)
	}
	have, ordinal := 0, 0
	flush := func(times int) error {
		slots := c.block[:have]
		if !s.Mask.All() {
			slots = c.picked[:gatherMasked(c.picked, slots, s.Mask, ordinal)]
		}
		ordinal, have = ordinal+have, 0
		if len(slots) == 0 {
			return nil
		}
		return yield(slots, times)
	}
	for run := range s.Runs {
		n, step, times := run.Len, 1, 1
		switch {
		case run.Times >= minRepeat:
			if err := flush(1); err != nil {
				return err
			}
			times = run.Times
		case run.Times > 1:
			n, step = run.Times, 0
		}
		for slot := run.Slot; n > 0; n, slot = n-1, slot+step {
			c.block[have] = uint32(slot)
			if have++; have == blockValues || times > 1 {
				if err := flush(times); err != nil {
					return err
				}
			}
		}
	}
	return flush(1)
}
