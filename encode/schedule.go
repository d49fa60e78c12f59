package encode

// schedule says which of a column chunk's pages are measured, to choose their encoding: the first, those behind twice
// as many, at last every sixteenth, and some that a measured one does not stand for.
type schedule struct {
	pages int // so far
	next  int // page that is measured next
	last  int // page that was measured last
}

const (
	mostBetween  = 16
	leastBetween = 4
)

// due counts a page and reports whether it is to be measured.
func (s *schedule) due() bool {
	s.pages++
	if s.pages < s.next {
		return false
	}
	s.last, s.next = s.pages, s.pages+min(s.pages, mostBetween)
	return true
}

// hasten has the next page measured, or the first that is far enough from the last one.
func (s *schedule) hasten() { s.next = max(s.pages+1, min(s.next, s.last+leastBetween)) }

// relax has the next page measured later, as what the last one said is beyond doubt.
func (s *schedule) relax() { s.next = s.pages + min(3*s.pages, 4*mostBetween) }
