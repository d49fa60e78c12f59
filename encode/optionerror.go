package encode

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// OptionError says what is wrong with an option, by itself or for the schema at hand. Every error of [Options.Check],
// and every error of [NewWriter] that another option would mend, is one.
type OptionError struct {
	// Option is the field of Options. It may go on into the field, as in "Encryption.Columns[1]". For a column it is a
	// field that ColumnOptions have too.
	Option string
	// Name is that of the ColumnOptions at fault. Empty: they have none, or none are at fault.
	Name string
	// Column is the leaf column that the option does not suit. Empty: it suits no schema, or Err names the columns.
	Column string
	// Err is the rest.
	Err error
}

func (e *OptionError) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("encode: %s: %v", e.Option, e.Err)
	}
	return fmt.Sprintf("encode: field %q: %s: %v", e.Column, e.Option, e.Err)
}

func (e *OptionError) Unwrap() error { return e.Err }

func optionError(option, format string, a ...any) error {
	return &OptionError{Option: option, Err: fmt.Errorf(format, a...)}
}

// errorFor returns an error of an option that the leaf has, from whatever options set it.
func (o *Options) errorFor(leaf *leafColumn, option string, err error) error {
	e := &OptionError{Option: option, Column: leaf.String(), Err: err}
	for i := range o.Columns {
		if c := &o.Columns[i]; c.matches(leaf) && c.sets(option) {
			e.Name = c.Name
		}
	}
	return e
}

// Check says what is wrong with the options, as far as no schema is needed for that. Nil options are right.
func (o *Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// checkRanges says which field is out of range, of those that a column has.
func (o *Options) checkRanges() error {
	switch {
	case o.DataPageBytes < 1 || o.DataPageBytes > 1<<30:
		return optionError("DataPageBytes", "%d: must lie between 1 and 1 GiB", o.DataPageBytes)
	case o.DataPageVersion != 1 && o.DataPageVersion != 2:
		return optionError("DataPageVersion", "%d: must be 1 or 2", o.DataPageVersion)
	case o.DataPageRecords < 1 || o.DataPageRecords > math.MaxInt32:
		return optionError("DataPageRecords", "%d: must lie between 1 and %d", o.DataPageRecords, math.MaxInt32)
	case o.DictionaryBytes > 1<<30:
		return optionError("DictionaryBytes", "%d: must be at most 1 GiB", o.DictionaryBytes)
	case !(o.BloomFilterFPP < 1): // NaN
		return optionError("BloomFilterFPP", "%v: must be below 1", o.BloomFilterFPP)
	case !validBloomBytes(o.BloomFilterBytes):
		return optionError("BloomFilterBytes", "%d: must be a power of two between 32 and 128 MiB", o.BloomFilterBytes)
	}
	switch o.Statistics {
	case statisticsPage, statisticsChunk, statisticsNone:
		return checkCompression(o.Compression, o.CompressionLevel)
	}
	const format = "%.40q: must be %q, %q or %q"
	return optionError("Statistics", format, o.Statistics, statisticsPage, statisticsChunk, statisticsNone)
}

// checkFile says which field is out of range, of those that only a file has.
func (o *Options) checkFile() error {
	if _, ok := timestampUnits[o.TimestampUnit]; !ok && o.TimestampUnit != "" {
		return optionError("TimestampUnit", "%.40q: must be \"ms\" or \"us\"", o.TimestampUnit)
	}
	for _, pair := range o.Metadata {
		switch {
		case pair.Key == arrowSchemaKey:
			return optionError("Metadata", "%q is for the Arrow schema, which the writer makes itself: leave it out", pair.Key)
		case !utf8.ValidString(pair.Key) || !utf8.ValidString(pair.Value):
			return optionError("Metadata", "%.100q is not UTF-8: encode it as text, or leave it out", pair.Key)
		}
	}
	return nil
}

// checkCompression is CheckCompression with an OptionError.
func checkCompression(name string, level int) error {
	if err := CheckCompression(name, 0); err != nil {
		return optionError("Compression", "%w", err)
	}
	if err := CheckCompression(name, level); err != nil {
		return optionError("CompressionLevel", "%w", err)
	}
	return nil
}
