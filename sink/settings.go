package sink

import (
	"errors"
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
	// Encryption encrypts each file with keys of its own, which keys of [Options.EncryptionKeys] wrap. Nil leaves it to
	// File.Encryption.
	Encryption *Encryption
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
	// field is that of encode.Options whose errors have the option's name. Single columns name the option themselves.
	field string
	set   func(s *Settings, value any) error
}

// options are all options, in the order in which they take effect. Where pyarrow's write_table has such an option, it goes
// by the name that it has there, and takes the same values.
var options = []option{
	{"compression", "Compression", setCompression},
	{"compression_level", "CompressionLevel", orNull(setCompressionLevel)},
	{"encoding", "", func(s *Settings, value any) (err error) {
		s.File.Encoding, err = oneOf(value, "compatible", "compact")
		return err
	}},
	{"column_encoding", "Encoding", orNull(setColumnEncoding)},
	{"use_byte_stream_split", "", setByteStreamSplit},
	{"use_dictionary", "", setUseDictionary},
	{"dictionary_pagesize_limit", "DictionaryBytes", orNull(setDictionaryLimit)},
	{"data_page_size", "DataPageBytes", orNull(func(s *Settings, value any) (err error) {
		s.File.DataPageBytes, err = number[int](value, 1, maxPageBytes)
		return err
	})},
	{"data_page_version", "DataPageVersion", func(s *Settings, value any) error {
		version, err := oneOf(value, "1.0", "2.0")
		s.File.DataPageVersion = map[string]int{"1.0": 1, "2.0": 2}[version]
		return err
	}},
	{"max_rows_per_page", "DataPageRecords", orNull(func(s *Settings, value any) (err error) {
		s.File.DataPageRecords, err = number[int](value, 1, maxPageRecords)
		return err
	})},
	{"use_content_defined_chunking", "ContentChunks", setContentChunks},
	{"write_page_checksum", "NoPageChecksum", unset(func(o *FileOptions) *bool { return &o.NoPageChecksum })},
	{"write_page_index", "NoPageIndex", unset(func(o *FileOptions) *bool { return &o.NoPageIndex })},
	{"write_statistics", "Statistics", setStatistics},
	{"statistics_truncate_length", "StatisticsBytes", setStatisticsLength},
	{"write_distinct_counts", "DistinctCounts", setDistinctCounts},
	{"bloom_filter_options", "BloomFilterFPP", setBloomFilters},
	{"sorting_columns", "SortingColumns", setSortingColumns},
	{"store_schema", "NoArrowSchema", unset(func(o *FileOptions) *bool { return &o.NoArrowSchema })},
	{"coerce_timestamps", "TimestampUnit", setTimestampUnit},
	{"allow_truncated_timestamps", "TruncateTimestamps", flag(func(o *FileOptions) *bool { return &o.TruncateTimestamps })},
	{"allow_truncated_values", "TruncateValues", flag(func(o *FileOptions) *bool { return &o.TruncateValues })},
	{"write_time_adjusted_to_utc", "TimesInUTC", flag(func(o *FileOptions) *bool { return &o.TimesInUTC })},
	{"store_decimal_as_integer", "DecimalsAsBytes", unset(func(o *FileOptions) *bool { return &o.DecimalsAsBytes })},
	{"use_deprecated_int96_timestamps", "", checkInt96},
	{"use_compliant_nested_type", "", checkNestedType},
	{"version", "", checkVersion},
	{"flavor", "", checkFlavor},
	{"write_batch_size", "", orNull(checkBatchSize)},
	{"key_value_metadata", "Metadata", setMetadata},
	{"encryption_properties", "Encryption", setEncryption},
	{"row_group_size", "RowGroupRecords", orNull(func(s *Settings, value any) (err error) {
		s.File.RowGroupRecords, err = number[int64](value, 1, maxRowGroupRecords)
		return err
	})},
	{"row_group_bytes", "", func(s *Settings, value any) (err error) {
		s.RowGroupBytes, err = number[int64](value, 1, maxRowGroupBytes)
		return err
	}},
}

// orNull has null leave things as they are: it is the default of pyarrow's option.
func orNull(set func(s *Settings, value any) error) func(s *Settings, value any) error {
	return func(s *Settings, value any) error {
		if value == nil {
			return nil
		}
		return set(s, value)
	}
}

// flag returns the set of an option that is true where a field is.
func flag(field func(o *FileOptions) *bool) func(s *Settings, value any) error {
	return func(s *Settings, value any) (err error) {
		*field(&s.File), err = boolean(value)
		return err
	}
}

// unset returns the set of an option that is true where a field is false.
func unset(field func(o *FileOptions) *bool) func(s *Settings, value any) error {
	return func(s *Settings, value any) error {
		on, err := boolean(value)
		*field(&s.File) = !on
		return err
	}
}

// With returns s with the options laid over it. Values are what JSON and YAML decode to: string, bool, json.Number or
// any of Go's int, int64, uint64 and float64, and lists and objects of these. It refuses unknown names, values out of range
// and combinations that make no sense; its error is an *Error of FaultInput that names the option.
func (s Settings) With(values map[string]any) (Settings, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(options, func(o option) bool { return o.name == name }) {
			return s, inputError("", fmt.Errorf("unknown option %.40q; known are %s", name, optionNames()))
		}
	}
	s.File.Columns = slices.Clone(s.File.Columns)
	for _, o := range options {
		value, given := values[o.name]
		if !given {
			continue
		}
		n := len(s.File.Columns)
		if err := o.set(&s, value); err != nil {
			return s, inputError("", fmt.Errorf("option %q: %w", o.name, err))
		}
		for i := range s.File.Columns[n:] {
			s.File.Columns[n+i].Name = o.name
		}
	}
	if err := s.check(); err != nil {
		return s, inputError("", err)
	}
	return s, nil
}

// check says what no single option can: which of them do not go together. What concerns the columns, encode says when it
// sees the schema.
func (s Settings) check() error {
	if s.Encryption != nil && s.File.Encryption != nil {
		return errors.New("settings have both Encryption and File.Encryption: leave one of them out")
	}
	return withOptionName(s.File.Check())
}

// withOptionName gives an error of encode's options the name that the option has for clients.
func withOptionName(err error) error {
	var wrong *encode.OptionError
	if !errors.As(err, &wrong) {
		return err
	}
	name := wrong.Name
	if name == "" {
		name, _, _ = strings.Cut(wrong.Option, ".")
		if i := slices.IndexFunc(options, func(o option) bool { return o.field == name }); i >= 0 {
			name = options[i].name
		}
	}
	if wrong.Column != "" {
		return fmt.Errorf("option %q: field %q: %w", name, wrong.Column, wrong.Err)
	}
	return fmt.Errorf("option %q: %w", name, wrong.Err)
}

func optionNames() string {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
