package encode

import (
	"errors"
	"fmt"
	"strings"
)

// Names of [Options.Encoding] that are not of one encoding of values.
const (
	encodingDictionary = "dictionary"
	encodingCompatible = "compatible"
	encodingCompact    = "compact"
)

// ColumnOptions are options of some columns. A field of zero leaves what stands in Options, or in a ColumnOptions before.
type ColumnOptions struct {
	// Path names leaf columns: the names from the top-level column down, as they are in the Parquet schema, joined by dots,
	// as in "tags.list.element". A name "*" stands for any. Leaves below the path are meant too: "tags" is all of a list.
	Path string
	// Name is what errors call these options, such as the line of a configuration that they come from. Default: none.
	Name string
	// Compression and CompressionLevel are as in Options. Compression alone has its codec's default level.
	Compression      string
	CompressionLevel int
	// Encoding is as in Options.
	Encoding string
	// DictionaryBytes is as in Options: negative writes no dictionaries.
	DictionaryBytes int
	// BloomFilterFPP and BloomFilterBytes are as in Options. A negative rate writes no filters.
	BloomFilterFPP   float64
	BloomFilterBytes int
	// Statistics is as in Options.
	Statistics string
	// DistinctCounts is as in Options, and counts if either says so.
	DistinctCounts bool
}

// matches reports whether the options are for a leaf.
func (c *ColumnOptions) matches(leaf *leafColumn) bool { return pathMatches(c.Path, leaf.Path) }

// pathMatches reports whether a path of the form of ColumnOptions.Path is that of a column, or of a field above it.
// A file has as many pairs of them as columns times options, so nothing is put together here.
func pathMatches(path string, column []string) bool {
	if n := min(len(path), len(column[0])); path[:n] != column[0][:n] && !strings.Contains(path, "*") {
		return false // as most do
	}
	names := columnNames{column: column}
	for more := true; more; {
		var name string
		name, path, more = strings.Cut(path, ".")
		of, ok := names.next()
		if !ok || name != "*" && name != of {
			return false
		}
	}
	return true
}

// columnNames are the names in a column's path, of which one with dots in it is several.
type columnNames struct {
	column []string
	rest   string // of a name, behind a dot
	inside bool   // there is a rest
}

func (c *columnNames) next() (name string, ok bool) {
	if !c.inside {
		if len(c.column) == 0 {
			return "", false
		}
		c.rest, c.column = c.column[0], c.column[1:]
	}
	name, c.rest, c.inside = strings.Cut(c.rest, ".")
	return name, true
}

// forLeaf returns the options for one leaf column: o with those of Columns laid over it.
func (o *Options) forLeaf(leaf *leafColumn) (Options, error) {
	r := *o
	for i := range o.Columns {
		c := &o.Columns[i]
		if !c.matches(leaf) {
			continue
		}
		if c.Compression != "" {
			r.Compression, r.CompressionLevel = c.Compression, 0
		}
		setIfGiven(&r.CompressionLevel, c.CompressionLevel)
		setIfGiven(&r.Encoding, c.Encoding)
		setIfGiven(&r.DictionaryBytes, c.DictionaryBytes)
		setIfGiven(&r.BloomFilterFPP, c.BloomFilterFPP)
		setIfGiven(&r.BloomFilterBytes, c.BloomFilterBytes)
		setIfGiven(&r.Statistics, c.Statistics)
		setIfGiven(&r.DistinctCounts, c.DistinctCounts)
	}
	var wrong *OptionError
	if err := r.checkRanges(); errors.As(err, &wrong) {
		return r, o.errorFor(leaf, wrong.Option, wrong.Err)
	}
	return r, nil
}

// sets reports whether a field is given, and not left as it stands in Options.
func (c *ColumnOptions) sets(option string) bool {
	switch option {
	case "Compression":
		return c.Compression != ""
	case "CompressionLevel":
		return c.CompressionLevel != 0
	case "Encoding":
		return c.Encoding != ""
	case "DictionaryBytes":
		return c.DictionaryBytes != 0
	case "BloomFilterFPP":
		return c.BloomFilterFPP != 0
	case "BloomFilterBytes":
		return c.BloomFilterBytes != 0
	case "Statistics":
		return c.Statistics != ""
	}
	return false
}

// checkColumns refuses options for columns that there are not, or that cannot have them.
func (o *Options) checkColumns(leaves []leafColumn) error {
	for i := range o.Columns {
		c := &o.Columns[i]
		var of *leafColumn
		filters := false
		for l := range leaves {
			if leaf := &leaves[l]; c.matches(leaf) {
				of, filters = leaf, filters || leaf.hasBloomFilter()
			}
		}
		if of == nil {
			return &OptionError{Option: "Columns", Name: c.Name, Err: fmt.Errorf("there is no column %.300q: "+
				"paths are as in the Parquet schema, such as %q", c.Path, leaves[0].String())}
		}
		if c.BloomFilterFPP > 0 && !filters {
			return &OptionError{Option: "BloomFilterFPP", Name: c.Name, Column: of.String(),
				Err: fmt.Errorf("values of type %s have no Bloom filter: leave the column out", of.Type)}
		}
	}
	return nil
}

func setIfGiven[T comparable](field *T, value T) {
	var zero T
	if value != zero {
		*field = value
	}
}
