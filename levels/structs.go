package levels

import "github.com/apache/arrow-go/v18/arrow"

// structNode adds a threshold if it is nullable, and hands the frame on to its children.
type structNode struct {
	path     path
	nullable bool
	maxDef   int // of the struct itself
	children []node
	leaves   []*leafNode // below it

	valid  []byte
	offset int
	absent bool // null throughout the batch

	gathered bitmap
	masked   bitmap
	defined  threshold
}

func (s *structNode) bind(t *Tree, data arrow.ArrayData) error {
	valid, absent, err := nulls(data, s.path)
	if err != nil {
		return err
	}
	s.valid, s.absent, s.offset = valid, absent, data.Offset()
	children := data.Children()
	if len(children) != len(s.children) {
		return s.path.errorf("the struct has %d children, its type %d", len(children), len(s.children))
	}
	end := data.Offset() + data.Len()
	for i, c := range s.children {
		if children[i] == nil {
			return s.path.errorf("child %d is missing", i)
		}
		if children[i].Len() < end {
			return s.path.errorf("child %d has %d slots, the struct %d", i, children[i].Len(), end)
		}
		if err := c.bind(t, children[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *structNode) release() {
	s.valid = nil
	for _, c := range s.children {
		c.release()
	}
}

func (s *structNode) walk(t *Tree, sc scope) error {
	if s.absent {
		return sc.putNulls(t, s.nullable, s.path, s.leaves)
	}
	valid := sc.validity(s.valid, s.offset, &s.gathered)
	mask, left, err := sc.restrict(valid, s.nullable, s.path, &s.masked)
	if err != nil {
		return err
	}
	sc.mask, sc.left, sc.counted = mask, left, true
	sc.shift += s.offset
	if s.nullable {
		s.defined.over(&sc, mask, left)
	}
	if left == 0 {
		return sc.putAbsent(t, s.leaves)
	}
	for _, c := range s.children {
		if err := c.walk(t, sc); err != nil {
			return err
		}
	}
	return nil
}
