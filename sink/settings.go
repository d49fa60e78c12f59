package sink

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/encode"
)

// Settings sets how a dataset's objects are written. The zero value of every field is its default. [Settings.With] knows
// the options of a put's command and of the configuration file.
type Settings struct {
	// File sets how each Parquet file is written; its Run is the sink's.
	File FileOptions
	// RowGroupBytes ends a row group, at the end of a batch, once its encoded pages hold this many bytes of memory.
	// Default 128 MiB.
	RowGroupBytes int64
}

// FileOptions are the options of a Parquet file.
type FileOptions = encode.Options

const (
	defaultRowGroupBytes   = 128 << 20
	defaultDictionaryBytes = 1 << 20

	maxPageBytes       = 1 << 30
	maxPageRecords     = math.MaxInt32
	maxRowGroupRecords = math.MaxInt32
	maxRowGroupBytes   = 1 << 40
)

// option sets fields of Settings from a value that came from JSON or YAML.
type option struct {
	name string
	set  func(s *Settings, value any) error
}

// options are all options, in the order in which they take effect. Where pyarrow's write_table has such an option, it goes
// by the name that it has there, and takes the same values.
var options = []option{
	{"compression", setCompression},
	{"compression_level", setCompressionLevel},
	{"encoding", func(s *Settings, value any) (err error) {
		s.File.Encoding, err = oneOf(value, "compatible", "compact")
		return err
	}},
	{"column_encoding", setColumnEncoding},
	{"use_byte_stream_split", setByteStreamSplit},
	{"use_dictionary", setUseDictionary},
	{"dictionary_pagesize_limit", setDictionaryLimit},
	{"data_page_size", func(s *Settings, value any) (err error) {
		s.File.DataPageBytes, err = number[int](value, 1, maxPageBytes)
		return err
	}},
	{"data_page_version", func(s *Settings, value any) error {
		version, err := oneOf(value, "1.0", "2.0")
		s.File.DataPageVersion = map[string]int{"1.0": 1, "2.0": 2}[version]
		return err
	}},
	{"max_rows_per_page", func(s *Settings, value any) (err error) {
		s.File.DataPageRecords, err = number[int](value, 1, maxPageRecords)
		return err
	}},
	{"use_content_defined_chunking", setContentChunks},
	{"write_page_checksum", func(s *Settings, value any) error {
		write, err := boolean(value)
		s.File.NoPageChecksum = !write
		return err
	}},
	{"row_group_size", func(s *Settings, value any) (err error) {
		s.File.RowGroupRecords, err = number[int64](value, 1, maxRowGroupRecords)
		return err
	}},
	{"row_group_bytes", func(s *Settings, value any) (err error) {
		s.RowGroupBytes, err = number[int64](value, 1, maxRowGroupBytes)
		return err
	}},
}

// setContentChunks takes true or false, or an object with the limits.
func setContentChunks(s *Settings, value any) error {
	s.File.ContentChunks = nil
	limits, some := value.(map[string]any)
	if !some {
		use, err := boolean(value)
		if err != nil {
			return fmt.Errorf("%w, nor an object such as {\"min_chunk_size\": 262144, \"max_chunk_size\": 1048576}", err)
		}
		if use {
			s.File.ContentChunks = &encode.ContentChunks{}
		}
		return nil
	}
	var chunks encode.ContentChunks
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		var err error
		switch name {
		case "min_chunk_size":
			chunks.MinBytes, err = number[int](limits[name], 1, maxPageBytes)
		case "max_chunk_size":
			chunks.MaxBytes, err = number[int](limits[name], 1, maxPageBytes)
		case "norm_level":
			chunks.NormLevel, err = number[int](limits[name], -3, 3)
		default:
			err = fmt.Errorf("is not known; known are max_chunk_size, min_chunk_size, norm_level")
		}
		if err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
	}
	s.File.ContentChunks = &chunks
	return nil
}

// With returns s with the options laid over it. Values are what JSON and YAML decode to: string, bool, json.Number or
// any of Go's int, int64, uint64 and float64, and lists and objects of these. It refuses unknown names, values out of range
// and combinations that make no sense; its error is an *Error of FaultInput that names the option.
func (s Settings) With(values map[string]any) (Settings, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(options, func(o option) bool { return o.name == name }) {
			return s, inputError("", fmt.Errorf("unknown option %q; known are %s", name, optionNames()))
		}
	}
	s.File.Columns = slices.Clone(s.File.Columns)
	for _, o := range options {
		value, given := values[o.name]
		if !given {
			continue
		}
		if err := o.set(&s, value); err != nil {
			return s, inputError("", fmt.Errorf("option %q: %w", o.name, err))
		}
	}
	return s, s.check()
}

// check says what no single option can: which of them do not go together. What concerns the columns, encode says when it
// sees the schema.
func (s Settings) check() error {
	o := s.File
	if err := encode.CheckCompression(o.Compression, o.CompressionLevel); err != nil {
		return inputError("", fmt.Errorf("option \"compression_level\": %w", err))
	}
	return nil
}

func optionNames() string {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
