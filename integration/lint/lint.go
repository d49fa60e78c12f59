package lint

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Options sets how a file is checked. The zero value of every field is its default.
type Options struct {
	// Keys are what a reader must know of an encrypted file. Nil: it is not encrypted.
	Keys *Keys
	// Omitted are rules about things that the writer was told to leave out, of OffsetIndexes, ColumnIndexes, Bounds and
	// ArrowSchema. They may be missing; where they are not, they must be right. Bounds are also those of geometries.
	Omitted []Rule
	// BoundBytes is what the writer was told to cut bounds to. Default 64.
	BoundBytes int
}

// Keys opens an encrypted file.
type Keys struct {
	Footer    []byte
	Columns   map[string][]byte // of columns with a key of their own, by the path with dots
	AADPrefix []byte            // nil unless the file leaves it out
}

// File checks a file of size bytes, one row group at a time. The error is the first rule that the file breaks, an
// *Error, or that r cannot be read.
func File(r io.ReaderAt, size int64, o *Options) error {
	_, err := check(r, size, o, false)
	return err
}

// Path is File for the file of a name.
func Path(name string, o *Options) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return File(file, info.Size(), o)
}

// Read is File for who wants to see what the file holds, down to every level and value.
func Read(r io.ReaderAt, size int64, o *Options) (*Contents, error) { return check(r, size, o, true) }

func check(r io.ReaderAt, size int64, o *Options, keep bool) (*Contents, error) {
	if o == nil {
		o = &Options{}
	}
	f := &Contents{r: r, size: size, keys: o.Keys, keep: keep, omitted: o.Omitted, boundBytes: o.BoundBytes}
	if f.boundBytes == 0 {
		f.boundBytes = 64
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("lint: %w", err)
	}
	return f, nil
}

// Rule names what a file breaks. The package comment says what each is about.
type Rule string

// The rules, by what they are about.
const (
	Frame          Rule = "frame"
	Layout         Rule = "layout"
	Footer         Rule = "footer"
	Schema         Rule = "schema"
	LogicalTypes   Rule = "logical types"
	ArrowSchema    Rule = "Arrow schema"
	RowGroups      Rule = "row groups"
	ColumnMetaData Rule = "column metadata"
	PageHeaders    Rule = "page headers"
	Checksums      Rule = "checksums"
	Compression    Rule = "compression"
	Levels         Rule = "levels"
	Values         Rule = "values"
	Encodings      Rule = "encodings"
	Dictionaries   Rule = "dictionaries"
	OffsetIndexes  Rule = "offset index"
	ColumnIndexes  Rule = "column index"
	Bounds         Rule = "statistics"
	Sizes          Rule = "size statistics"
	Geospatial     Rule = "geospatial statistics"
	BloomFilters   Rule = "Bloom filter"
	Sorting        Rule = "sorting columns"
	Encryption     Rule = "encryption"
)

// Error is a rule that a file breaks, and where.
type Error struct {
	Rule     Rule
	RowGroup int    // -1: in none
	Column   string // the path with dots; "": in none
	Page     int    // of the column chunk's data pages; -1: in none of them
	Offset   int64  // of the page or other thing in the file; -1: unknown
	Err      error
}

// Error says where and what: `row group 0, column "a.b", data page 3 at byte 1234: checksums: …`.
func (e *Error) Error() string {
	var place []string
	if e.RowGroup >= 0 {
		place = append(place, fmt.Sprintf("row group %d", e.RowGroup))
	}
	if e.Column != "" {
		place = append(place, fmt.Sprintf("column %q", e.Column))
	}
	if e.Page >= 0 {
		place = append(place, fmt.Sprintf("data page %d", e.Page))
	}
	where := strings.Join(place, ", ")
	if e.Offset >= 0 {
		where = strings.TrimSpace(fmt.Sprintf("%s at byte %d", where, e.Offset))
	}
	if where != "" {
		where += ": "
	}
	return fmt.Sprintf("%s%s: %v", where, e.Rule, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// broken returns err as a breach of the rule, unless it is one of another rule already.
func (r Rule) broken(err error) error {
	if err == nil || errors.As(err, new(*Error)) {
		return err
	}
	return &Error{Rule: r, RowGroup: -1, Page: -1, Offset: -1, Err: err}
}

// brokenf is broken with an error of that text.
func (r Rule) brokenf(format string, a ...any) error { return r.broken(fmt.Errorf(format, a...)) }

// at adds to a breach where it is, as far as that is not known yet. What does not apply is "" or -1.
func at(err error, group int, column string, page int, offset int64) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	if e.RowGroup < 0 {
		e.RowGroup = group
	}
	if e.Column == "" {
		e.Column = column
	}
	if e.Page < 0 {
		e.Page = page
	}
	if e.Offset < 0 {
		e.Offset = offset
	}
	return err
}
