package lint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Contents is what a file holds.
type Contents struct {
	Meta      FileMetaData
	Leaves    []Leaf
	RowGroups [][]*Chunk // by row group and leaf
	Crypto    *Crypto    // nil: not encrypted

	r       io.ReaderAt
	size    int64
	magic   string
	keys    *Keys
	keep    bool // what row groups hold
	extents []extent

	pages, checksums int // so far
	omitted          []Rule
	boundBytes       int
}

// omits reports whether what a rule is about may be missing.
func (f *Contents) omits(r Rule) bool { return slices.Contains(f.omitted, r) }

// Leaf is a leaf column of the schema.
type Leaf struct {
	SchemaElement
	Path    []string
	Ordinal int
	MaxDef  int
	MaxRep  int

	inVariant  bool
	boundBytes int // what bounds are cut to
}

// String returns the path with dots.
func (l *Leaf) String() string { return strings.Join(l.Path, ".") }

// Stream is what a leaf holds: a level of both kinds for every value, null and empty list, and the values, in plain
// encoding without lengths; a bool is a byte.
type Stream struct {
	Def, Rep []int
	Values   [][]byte
}

// joined returns what pages hold, one behind the other.
func joined(pages []*Page) (s Stream) {
	levels, values := 0, 0
	for _, p := range pages {
		levels, values = levels+len(p.Def), values+len(p.Values)
	}
	s.Def, s.Rep, s.Values = make([]int, 0, levels), make([]int, 0, levels), make([][]byte, 0, values)
	for _, p := range pages {
		s.Def, s.Rep, s.Values = append(s.Def, p.Def...), append(s.Rep, p.Rep...), append(s.Values, p.Values...)
	}
	return s
}

// Stream returns what a leaf holds in all row groups.
func (f *Contents) Stream(leaf int) Stream {
	var pages []*Page
	for _, g := range f.RowGroups {
		pages = append(pages, g[leaf].Pages...)
	}
	return joined(pages)
}

// extent is a stretch of the file that one thing takes.
type extent struct {
	from, to int64
	what     string
}

// take claims size bytes of the file for a thing.
func (f *Contents) take(from, size int64, format string, a ...any) error {
	what := fmt.Sprintf(format, a...)
	if from < 0 || size < 0 || size > f.size || from > f.size-size {
		return Layout.brokenf("%s: %d bytes at %d of a file of %d", what, size, from, f.size)
	}
	f.extents = append(f.extents, extent{from, from + size, what})
	return nil
}

// read claims size bytes of the file and returns them.
func (f *Contents) read(from, size int64, format string, a ...any) ([]byte, error) {
	if err := f.take(from, size, format, a...); err != nil {
		return nil, err
	}
	return f.readAt(from, size)
}

// readAt returns bytes that lie in the file.
func (f *Contents) readAt(from, size int64) ([]byte, error) {
	b := make([]byte, size)
	if n, err := f.r.ReadAt(b, from); n < len(b) {
		return nil, err
	}
	return b, nil
}

func (f *Contents) check() error {
	if err := f.readFooter(); err != nil {
		return err
	}
	records := int64(0)
	for i := range f.Meta.RowGroups {
		g := &f.Meta.RowGroups[i]
		if err := f.checkRowGroup(i, g); err != nil {
			return at(RowGroups.broken(err), i, "", -1, -1)
		}
		records += g.NumRows
	}
	if records != f.Meta.NumRows {
		return Footer.brokenf("it counts %d records, the row groups %d", f.Meta.NumRows, records)
	}
	return f.checkExtents()
}

// readFooter reads the footer and what frames the file.
func (f *Contents) readFooter() error {
	if err := f.readMagic(); err != nil {
		return Frame.broken(err)
	}
	b, err := f.read(f.size-8, 4, "footer length")
	if err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(b))
	from := f.size - 8 - length
	v, err := f.takeFooter(from, length)
	if err == nil {
		f.Meta = FileMetaDataOf(v)
		err = checkVersions(v)
	}
	if err == nil {
		err = f.checkMetaData(v)
	}
	return at(Footer.broken(err), -1, "", -1, from)
}

// readMagic reads the bytes that a file begins and ends with.
func (f *Contents) readMagic() error {
	if f.size < 12 {
		return fmt.Errorf("a file of %d bytes", f.size)
	}
	first, err := f.read(0, 4, "magic")
	if err != nil {
		return err
	}
	last, err := f.read(f.size-4, 4, "magic")
	if err != nil {
		return err
	}
	f.magic = string(first)
	if f.magic != "PAR1" && f.magic != "PARE" || string(last) != f.magic {
		return fmt.Errorf("magic %q and %q", first, last)
	}
	return nil
}

// checkVersions checks the fields that the structs of the footer do not keep.
func checkVersions(v Value) error {
	if version := v.Int(1); version != 1 && version != 2 {
		return fmt.Errorf("format version %d", version)
	}
	groups, _ := v.Field(4)
	for i, g := range groups.List {
		columns, _ := g.Field(1)
		for k, c := range columns.List {
			if offset := c.Int(2); offset != 0 {
				return fmt.Errorf("row group %d, column %d: the offset that must be 0 is %d", i, k, offset)
			}
		}
	}
	return nil
}

func (f *Contents) checkMetaData(v Value) error {
	if f.Meta.CreatedBy == "" {
		return errors.New("it does not say what created the file")
	}
	if err := f.checkSchema(v); err != nil {
		return Schema.broken(err)
	}
	if n := len(f.Meta.ColumnOrders); n != len(f.Leaves) {
		return fmt.Errorf("%d column orders for %d leaves", n, len(f.Leaves))
	}
	return ArrowSchema.broken(f.checkArrowSchema())
}

// checkExtents checks that everything found lies side by side and nothing between: no byte is read twice or never.
func (f *Contents) checkExtents() error {
	slices.SortFunc(f.extents, func(a, b extent) int { return int(a.from - b.from) })
	end := int64(0)
	for _, e := range f.extents {
		if e.from != end {
			return Layout.brokenf("%s begins at %d, what lies before it ends at %d", e.what, e.from, end)
		}
		end = e.to
	}
	if end != f.size {
		return Layout.brokenf("%d bytes follow the last thing in the file", f.size-end)
	}
	return nil
}
