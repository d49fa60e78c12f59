package sink

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/encode"
)

// Settings sets how a dataset's objects are written. The zero value of every field is its default. Options in a put's
// command and in the configuration file go by the names in the second column; where pyarrow's write_table has such an
// option, it is that one's name.
type Settings struct {
	// Compression is the codec of all pages: "none", "snappy", "gzip", "brotli", "zstd" or "lz4", as encode.Options has
	// it. Default "snappy".
	Compression string // compression
	// CompressionLevel is the codec's own level, as encode.Options has it. For level 0, which only brotli has, it is
	// encode.CompressionLevelZero; the option is just 0.
	CompressionLevel int // compression_level
	// DataPageBytes ends a data page once its values reach this size in plain encoding. Default 1 MiB.
	DataPageBytes int // data_page_size
	// DataPageRecords ends a data page after this many records. Default 20,000.
	DataPageRecords int // max_rows_per_page
	// NoDictionary turns dictionary encoding off.
	NoDictionary bool // use_dictionary, turned round
	// DictionaryBytes bounds the dictionary of a column chunk in plain encoding. Default 1 MiB.
	DictionaryBytes int // dictionary_pagesize_limit
	// RowGroupRecords ends a row group after this many records. Default 1,048,576.
	RowGroupRecords int64 // row_group_size
	// RowGroupBytes ends a row group, at the end of a batch, once its encoded pages hold this many bytes of memory.
	// Default 128 MiB.
	RowGroupBytes int64 // row_group_bytes
}

const (
	defaultRowGroupBytes = 128 << 20

	maxPageBytes       = 1 << 30
	maxPageRecords     = math.MaxInt32
	maxRowGroupRecords = math.MaxInt32
	maxRowGroupBytes   = 1 << 40
)

// option sets one field of Settings from a value that came from JSON or YAML.
type option func(s *Settings, value any) error

// options are all options by name.
var options = map[string]option{
	"compression": func(s *Settings, value any) error {
		return s.setCompression(value)
	},
	"compression_level": func(s *Settings, value any) (err error) {
		s.CompressionLevel, err = number[int](value, math.MinInt32, math.MaxInt32)
		if err == nil && s.CompressionLevel == 0 {
			s.CompressionLevel = encode.CompressionLevelZero
		}
		return err
	},
	"data_page_size": func(s *Settings, value any) (err error) {
		s.DataPageBytes, err = number[int](value, 1, maxPageBytes)
		return err
	},
	"max_rows_per_page": func(s *Settings, value any) (err error) {
		s.DataPageRecords, err = number[int](value, 1, maxPageRecords)
		return err
	},
	"use_dictionary": func(s *Settings, value any) error {
		use, ok := value.(bool)
		if !ok {
			return fmt.Errorf("must be true or false, not %s", describe(value))
		}
		s.NoDictionary = !use
		return nil
	},
	"dictionary_pagesize_limit": func(s *Settings, value any) (err error) {
		s.DictionaryBytes, err = number[int](value, 1, maxPageBytes)
		return err
	},
	"row_group_size": func(s *Settings, value any) (err error) {
		s.RowGroupRecords, err = number[int64](value, 1, maxRowGroupRecords)
		return err
	},
	"row_group_bytes": func(s *Settings, value any) (err error) {
		s.RowGroupBytes, err = number[int64](value, 1, maxRowGroupBytes)
		return err
	},
}

// With returns s with the options laid over it. A level belongs to its codec: "compression" drops the level that s has
// for another one. Values are what JSON and YAML decode to: string, bool, json.Number or any of Go's int, int64, uint64
// and float64. It refuses unknown names, values out of range and combinations that make no sense; its error is an *Error
// of FaultInput that names the option.
func (s Settings) With(values map[string]any) (Settings, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		set, known := options[name]
		if !known {
			return s, inputError("", fmt.Errorf("unknown option %q; known are %s", name, optionNames()))
		}
		if err := set(&s, values[name]); err != nil {
			return s, inputError("", fmt.Errorf("option %q: %w", name, err))
		}
	}
	return s, s.check()
}

// check says what no single option can: whether codec and level go together.
func (s Settings) check() error {
	if err := encode.CheckCompression(s.Compression, 0); err != nil {
		return inputError("", fmt.Errorf("option \"compression\": %w", err))
	}
	if err := encode.CheckCompression(s.Compression, s.CompressionLevel); err != nil {
		return inputError("", fmt.Errorf("option \"compression_level\": %w", err))
	}
	return nil
}

func optionNames() string {
	return strings.Join(slices.Sorted(maps.Keys(options)), ", ")
}

// setCompression sets the codec, and drops the level of another one.
func (s *Settings) setCompression(value any) error {
	name, ok := value.(string)
	if !ok {
		return fmt.Errorf("must be a string, not %s", describe(value))
	}
	if !strings.EqualFold(name, s.Compression) {
		s.CompressionLevel = 0
	}
	s.Compression = name
	return nil
}

// number returns value as a whole number from low to high.
func number[T int | int64](value any, low, high T) (T, error) {
	n, whole := wholeNumber(value)
	if !whole {
		return 0, fmt.Errorf("must be a whole number from %d to %d, not %s", low, high, describe(value))
	}
	if n < int64(low) || n > int64(high) {
		return 0, fmt.Errorf("%d is out of range; it must lie between %d and %d", n, low, high)
	}
	return T(n), nil
}

func wholeNumber(value any) (int64, bool) {
	switch n := value.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	case uint64:
		return int64(min(n, math.MaxInt64)), true
	case float64:
		return int64(n), n == math.Trunc(n) && math.Abs(n) < 1<<53
	case json.Number:
		if i, err := n.Int64(); err == nil {
			return i, true
		}
		f, err := n.Float64()
		return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
	}
	return 0, false
}

// describe names a value in an error, without echoing something long.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the string %.40q", v)
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	}
	return fmt.Sprint(value)
}
