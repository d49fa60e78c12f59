package encode

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// field is a top-level column: its tree, and a column writer for each leaf.
type field struct {
	tree    *levels.Tree
	columns []*column
}

func newField(f arrow.Field, leaves []leafColumn, o *Options) (*field, error) {
	tree, err := levels.NewTree(f)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	r := &field{tree: tree}
	for i, leaf := range tree.Leaves() {
		if l := &leaves[i]; l.MaxDef != leaf.MaxDef || l.MaxRep != leaf.MaxRep {
			panic(fmt.Sprintf("encode: field %q has levels up to %d and %d in the schema, %d and %d in its tree",
				l, l.MaxDef, l.MaxRep, leaf.MaxDef, leaf.MaxRep))
		}
		col, err := newColumn(&leaves[i], o)
		if err != nil {
			return nil, err
		}
		r.columns = append(r.columns, col)
	}
	return r, nil
}

// Bind and Put make a field the sink of its tree.
func (f *field) Bind(leaf int, storage arrow.ArrayData) error {
	f.columns[leaf].bind(storage)
	return nil
}

func (f *field) Put(leaf int, s *levels.Span) error {
	c := f.columns[leaf]
	if c.sorted != nil {
		if err := c.sorted.put(s); err != nil {
			return err
		}
	}
	return c.put(s)
}

// write adds n records of an array, from record `from` of it on.
func (f *field) write(data arrow.ArrayData, from, n int, record int64) error {
	err := f.tree.Walk(data, from, n, record, f)
	for _, c := range f.columns {
		c.release()
	}
	return err
}

// finish ends the column chunks.
func (f *field) finish() error {
	for _, c := range f.columns {
		if err := c.finish(); err != nil {
			return err
		}
	}
	return nil
}
