package encode

// hashSet is a set of 64-bit hashes: an open-addressing table that is at most half full, so 16 to 32 bytes a hash.
// Where a hash falls depends on a secret, as those who send values can choose their hashes.
type hashSet struct {
	slots []uint64 // 0: empty
	n     int      // hashes, 0 aside
	zero  bool     // 0 is one of them
}

const minHashSlots = 256

func (s *hashSet) len() int {
	if s.zero {
		return s.n + 1
	}
	return s.n
}

// add adds hashes until the set has more than most of them, and returns the rest.
func (s *hashSet) add(hashes []uint64, most int) (rest []uint64) {
	for i, h := range hashes {
		if 2*s.n >= len(s.slots) {
			s.grow()
		}
		if h == 0 {
			s.zero = true
			continue
		}
		slot := s.slot(h)
		if *slot == h {
			continue
		}
		*slot = h
		if s.n++; s.n > most {
			return hashes[i+1:]
		}
	}
	return nil
}

// slot returns where h is, or else belongs. There are empty slots.
func (s *hashSet) slot(h uint64) *uint64 {
	mask := uint64(len(s.slots) - 1)
	i := hashNumber(h) & mask
	for s.slots[i] != 0 && s.slots[i] != h {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}

func (s *hashSet) has(h uint64) bool {
	if h == 0 {
		return s.zero
	}
	return s.n > 0 && *s.slot(h) == h
}

func (s *hashSet) grow() {
	old := s.slots
	s.slots = make([]uint64, max(minHashSlots, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			*s.slot(h) = h
		}
	}
}

// each yields all hashes, in no order, in blocks that are valid during the call.
func (s *hashSet) each(yield func(hashes []uint64)) {
	block := make([]uint64, 0, blockValues)
	if s.zero {
		block = append(block, 0)
	}
	for _, h := range s.slots {
		if h == 0 {
			continue
		}
		if block = append(block, h); len(block) == cap(block) {
			yield(block)
			block = block[:0]
		}
	}
	yield(block)
}

// clear forgets all hashes; the table of a large set goes back.
func (s *hashSet) clear() {
	if len(s.slots) > 8*minHashSlots {
		*s = hashSet{}
		return
	}
	clear(s.slots)
	s.n, s.zero = 0, false
}

func (s *hashSet) held() int64 { return 8 * int64(len(s.slots)) }
