package sink

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/sluice-io/sluice/encode"
)

const allOptions = `{"compression": "ZSTD", "compression_level": 3, "encoding": "compact", "data_page_size": 65536,
	"data_page_version": "2.0", "max_rows_per_page": 1000, "write_page_checksum": false,
	"column_encoding": {"a": "PLAIN", "b.list.element": "DELTA_BINARY_PACKED", "e": "dictionary"}, "use_byte_stream_split": ["c"],
	"use_content_defined_chunking": {"min_chunk_size": 1000, "max_chunk_size": 2000, "norm_level": -1},
	"use_dictionary": ["d"], "dictionary_pagesize_limit": 4096, "row_group_size": 5000, "row_group_bytes": 1e9,
	"bloom_filter_options": {"a": true, "d": {"ndv": 1000, "fpp": 0.01}, "e": false}, "write_distinct_counts": ["a"],
	"sorting_columns": ["a", ["d", "descending"], {"column": "e", "descending": true, "nulls_first": true}],
	"write_page_index": false, "write_statistics": ["a"], "statistics_truncate_length": 16, "store_schema": false,
	"coerce_timestamps": "us", "allow_truncated_timestamps": true, "allow_truncated_values": true,
	"write_time_adjusted_to_utc": true, "store_decimal_as_integer": false, "use_deprecated_int96_timestamps": false,
	"use_compliant_nested_type": true, "version": "2.6", "flavor": null, "write_batch_size": 1024,
	"key_value_metadata": {"owner": "sales", "empty": ""},
	"encryption_properties": {"footer_key": "kf", "column_keys": {"kc": ["a", "d"]}, "plaintext_footer": true,
		"encryption_algorithm": "aes_gcm_ctr_v1", "aad_prefix": "orders", "store_aad_prefix": false,
		"data_key_length_bits": 256, "uniform_encryption": false, "double_wrapping": false, "internal_key_material": true}}`

// TestSettingsWith decodes the same options from JSON, with and without json.Number, and from YAML.
func TestSettingsWith(t *testing.T) {
	want := Settings{
		File: encode.Options{
			Compression: "ZSTD", CompressionLevel: 3, Encoding: "compact", DataPageBytes: 65536, DataPageVersion: 2,
			DataPageRecords: 1000, NoPageChecksum: true, DictionaryBytes: -1, RowGroupRecords: 5000,
			ContentChunks: &encode.ContentChunks{MinBytes: 1000, MaxBytes: 2000, NormLevel: -1},
			Columns: []encode.ColumnOptions{
				{Path: "a", Name: "column_encoding", Encoding: "plain", DictionaryBytes: -1},
				{Path: "b.list.element", Name: "column_encoding", Encoding: "delta_binary_packed", DictionaryBytes: -1},
				{Path: "e", Name: "column_encoding", Encoding: "dictionary", DictionaryBytes: 4096},
				{Path: "c", Name: "use_byte_stream_split", Encoding: "byte_stream_split", DictionaryBytes: -1},
				{Path: "d", Name: "use_dictionary", DictionaryBytes: 4096},
				{Path: "a", Name: "write_statistics", Statistics: "page"},
				{Path: "a", Name: "write_distinct_counts", DistinctCounts: true},
				{Path: "a", Name: "bloom_filter_options", BloomFilterFPP: 0.05},
				{Path: "d", Name: "bloom_filter_options", BloomFilterFPP: 0.01, BloomFilterBytes: 2048},
				{Path: "e", Name: "bloom_filter_options", BloomFilterFPP: -1},
			},
			SortingColumns: []encode.SortingColumn{
				{Column: "a"}, {Column: "d", Descending: true}, {Column: "e", Descending: true, NullsFirst: true},
			},
			NoPageIndex: true, Statistics: "none", StatisticsBytes: 16, NoArrowSchema: true, TimestampUnit: "us",
			TruncateTimestamps: true, TruncateValues: true, TimesInUTC: true, DecimalsAsBytes: true,
			Metadata: []encode.KeyValue{{Key: "empty"}, {Key: "owner", Value: "sales"}},
		},
		Encryption: &Encryption{
			FooterKey: "kf", ColumnKeys: map[string][]string{"kc": {"a", "d"}}, PlaintextFooter: true,
			Algorithm: "AES_GCM_CTR_V1", AADPrefix: "orders", OmitAADPrefix: true, DataKeyBytes: 32,
		},
		RowGroupBytes: 1e9,
	}
	for name, decode := range map[string]func(any) error{
		"JSON": func(v any) error { return json.Unmarshal([]byte(allOptions), v) },
		"YAML": func(v any) error { return yaml.Unmarshal([]byte(allOptions), v) },
		"numbers": func(v any) error {
			d := json.NewDecoder(strings.NewReader(allOptions))
			d.UseNumber()
			return d.Decode(v)
		},
	} {
		var values map[string]any
		if err := decode(&values); err != nil {
			t.Fatal(err)
		}
		if len(values) != len(options) {
			t.Errorf("%d of %d options are tested", len(values), len(options))
		}
		got, err := Settings{}.With(values)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSettingsOverride(t *testing.T) {
	base := Settings{File: encode.Options{Compression: "zstd", CompressionLevel: 9, DictionaryBytes: -1, RowGroupRecords: 10,
		Columns: []encode.ColumnOptions{{Path: "a", Compression: "none"}}}}
	for _, test := range []struct {
		over string
		want encode.Options
	}{
		{`{"use_dictionary": true, "row_group_size": 20}`, encode.Options{Compression: "zstd", CompressionLevel: 9,
			RowGroupRecords: 20, Columns: []encode.ColumnOptions{{Path: "a", Compression: "none"}}}},
		{`{"compression": "zstd"}`, encode.Options{Compression: "zstd", CompressionLevel: 9, DictionaryBytes: -1,
			RowGroupRecords: 10, Columns: []encode.ColumnOptions{{Path: "a"}}}},
		{`{"compression": {"b": "snappy"}, "compression_level": {"c": 4}}`, encode.Options{Compression: "zstd",
			CompressionLevel: 9, DictionaryBytes: -1, RowGroupRecords: 10, Columns: []encode.ColumnOptions{
				{Path: "a", Compression: "none"}, {Path: "b", Name: "compression", Compression: "snappy"},
				{Path: "c", Name: "compression_level", CompressionLevel: 4}}}},
		{`{"column_encoding": "plain"}`, encode.Options{Compression: "zstd", CompressionLevel: 9, DictionaryBytes: -1,
			Encoding: "plain", RowGroupRecords: 10, Columns: []encode.ColumnOptions{{Path: "a", Compression: "none"}}}},
		{`{"use_byte_stream_split": false}`, base.File},
		{`{"data_page_size": null, "compression_level": null, "column_encoding": null}`, base.File},
	} {
		var values map[string]any
		if err := json.Unmarshal([]byte(test.over), &values); err != nil {
			t.Fatal(err)
		}
		got, err := base.With(values)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Settings{File: test.want}, got); diff != "" {
			t.Errorf("%s: %s", test.over, diff)
		}
	}
}

// TestSettingsOverIndexes lays over settings for all columns those for single ones, and the other way round.
func TestSettingsOverIndexes(t *testing.T) {
	base := map[string]any{
		"write_statistics": []any{"a"}, "bloom_filter_options": map[string]any{"a": true}, "write_distinct_counts": []any{"a"},
		"use_byte_stream_split": []any{"a"}, "key_value_metadata": map[string]any{"a": "1", "b": "2"},
		"sorting_columns": []any{"a"}, "coerce_timestamps": "ms", "statistics_truncate_length": 10,
	}
	over := map[string]any{
		"write_statistics": true, "bloom_filter_options": nil, "write_distinct_counts": false,
		"use_byte_stream_split": false, "key_value_metadata": map[string]any{"b": "3", "c": "4"},
		"sorting_columns": nil, "coerce_timestamps": nil, "statistics_truncate_length": nil,
	}
	s, err := Settings{}.With(base)
	if err != nil {
		t.Fatal(err)
	}
	given := slices.Clone(s.File.Columns)
	got, err := s.With(over)
	if err != nil {
		t.Fatal(err)
	}
	want := encode.Options{
		Columns: []encode.ColumnOptions{
			{Path: "a", Name: "use_byte_stream_split"}, {Path: "a", Name: "write_statistics"},
			{Path: "a", Name: "write_distinct_counts"}, {Path: "a", Name: "bloom_filter_options"},
		},
		Statistics: "page", BloomFilterFPP: -1, StatisticsBytes: -1,
		Metadata: []encode.KeyValue{{Key: "a", Value: "1"}, {Key: "b", Value: "3"}, {Key: "c", Value: "4"}},
	}
	if diff := cmp.Diff(want, got.File); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(given, s.File.Columns); diff != "" {
		t.Errorf("the settings below were changed: %s", diff)
	}
}

// TestSettingsCompression lays codecs and levels over those of a dataset.
func TestSettingsCompression(t *testing.T) {
	base := Settings{File: encode.Options{Compression: "zstd", CompressionLevel: 9}}
	for _, test := range []struct {
		options map[string]any
		codec   string
		level   int
	}{
		{map[string]any{"compression_level": 3}, "zstd", 3},
		{map[string]any{"compression_level": -7}, "zstd", -7},
		{map[string]any{"compression": "ZSTD"}, "ZSTD", 9},
		{map[string]any{"compression": "gzip"}, "gzip", 0}, // not level 9 of another codec
		{map[string]any{"compression": "snappy"}, "snappy", 0},
		{map[string]any{"compression": "Uncompressed"}, "Uncompressed", 0},
		{map[string]any{"compression": "lz4", "compression_level": 12}, "lz4", 12},
		{map[string]any{"compression": "LZ4_RAW", "compression_level": json.Number("1")}, "LZ4_RAW", 1},
		{map[string]any{"compression": "brotli", "compression_level": 0}, "brotli", encode.CompressionLevelZero},
	} {
		got, err := base.With(test.options)
		if err != nil || got.File.Compression != test.codec || got.File.CompressionLevel != test.level {
			t.Errorf("%v: %q at level %d, error %v", test.options, got.File.Compression, got.File.CompressionLevel, err)
		}
	}
	for _, test := range []struct {
		options map[string]any
		want    string
	}{
		{map[string]any{"compression_level": 0}, `"compression_level": level 0: zstd has levels 1 to 22, and -1 to -131072`},
		{map[string]any{"compression_level": 23}, "level 23: zstd has levels 1 to 22"},
		{map[string]any{"compression": "gzip", "compression_level": 0}, "level 0: gzip has levels 1 to 9"},
		{map[string]any{"compression": "brotli", "compression_level": 12}, "level 12: brotli has levels 0 to 11"},
		{map[string]any{"compression": "lz4", "compression_level": -1}, "level -1: lz4_raw has levels 1 to 12"},
		{map[string]any{"compression": "none", "compression_level": 1}, "none has no levels, leave it out"},
	} {
		if _, err := base.With(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got %v, want %q", test.options, err, test.want)
		}
	}
}

func TestSettingsRefused(t *testing.T) {
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"codec", "zstd", `unknown option "codec"; known are allow_truncated_timestamps, allow_truncated_values, bloom_filter_options`},
		{"compression", "lzo", `option "compression": "lzo" is not a codec that can be written: use none, snappy, gzip,`},
		{"compression", map[string]any{"a": "lzo"}, `option "compression": column "a": "lzo" is not a codec`},
		{"compression", map[string]any{"a": 1}, `column "a": must be a string, not 1`},
		{"column_encoding", "rle_dictionary", `"rle_dictionary" is not one of "plain"`},
		{"column_encoding", []any{"plain"}, "must be a string, not a list"},
		{"use_dictionary", []any{"a", 1}, "1 is in the list"},
		{"use_byte_stream_split", "a", `must be true, false or a list of columns: it is the string "a"`},
		{"data_page_version", 2, "must be a string, not 2"},
		{"data_page_version", "3.0", `is not one of "1.0", "2.0"`},
		{"use_content_defined_chunking", 1, "must be true or false, not 1, nor an object such as"},
		{"use_content_defined_chunking", map[string]any{"min": 1}, `"min": is not known; known are max_chunk_size`},
		{"use_content_defined_chunking", map[string]any{"norm_level": 4}, `"norm_level": 4 is out of range`},
		{"write_page_checksum", 1, "must be true or false, not 1"},
		{"compression", 1, "must be a string, not 1"},
		{"compression", nil, "not null"},
		{"compression_level", 0, "snappy has no levels"},
		{"compression_level", 1 << 32, "out of range"},
		{"compression_level", "3", `not the string "3"`},
		{"data_page_size", 1 << 31, "out of range"},
		{"row_group_size", 0.5, "must be a whole number"},
		{"row_group_size", json.Number("1e400"), "must be a whole number"},
		{"row_group_bytes", uint64(1<<64 - 1), "out of range"},
		{"use_dictionary", "true", `must be true, false or a list of columns: it is the string "true"`},
		{"max_rows_per_page", []any{1}, "not a list"},
		{"max_rows_per_page", map[string]any{}, "not an object"},
		{"write_page_index", "true", `must be true or false, not the string "true"`},
		{"write_statistics", 1, `must be true, false, a list of columns, or "page", "chunk" or "none", not 1`},
		{"write_statistics", "all", `"all" is not one of "page", "chunk", "none"`},
		{"write_statistics", []any{1}, "1 is in the list"},
		{"write_statistics", map[string]any{"a": nil}, `column "a": must be true, false,`},
		{"statistics_truncate_length", 0, "0 is out of range"},
		{"store_schema", nil, "must be true or false, not null"},
		{"coerce_timestamps", "s", `"s" is not one of "ms", "us"`},
		{"coerce_timestamps", false, "must be a string, not false"},
		{"allow_truncated_timestamps", 1, "must be true or false"},
		{"allow_truncated_values", nil, "must be true or false"},
		{"write_time_adjusted_to_utc", "", "must be true or false"},
		{"store_decimal_as_integer", 0, "must be true or false"},
		{"use_deprecated_int96_timestamps", true, "INT96 is deprecated, and has no statistics: leave the option out"},
		{"version", "1.0", `must be "2.6", not the string "1.0": for readers that know no nanoseconds use "coerce_timestamps"`},
		{"version", 2.6, `must be "2.6", not 2.6`},
		{"flavor", "spark", "must be null"},
		{"write_batch_size", 0, "out of range"},
		{"use_compliant_nested_type", false, "must be true: lists are as the Parquet specification has them"},
		{"bloom_filter_options", 0.5, `must be true or false, not 0.5, nor an object such as {"ndv"`},
		{"bloom_filter_options", map[string]any{"a": []any{}}, `column "a": must be true or false, not a list`},
		{"bloom_filter_options", map[string]any{"a": map[string]any{"fpp": 1.0}}, `column "a": "fpp": must be a number above 0 and below 1, not 1`},
		{"bloom_filter_options", map[string]any{"a": map[string]any{"fpp": json.Number("1e-400")}}, "above 0 and below 1"},
		{"bloom_filter_options", map[string]any{"a": map[string]any{"ndv": 0}}, `"ndv": 0 is out of range`},
		{"bloom_filter_options", map[string]any{"a": map[string]any{"nvd": 1}}, `"nvd": is not known; known are fpp, ndv`},
		{"write_distinct_counts", "a", `must be true, false or a list of columns: it is the string "a"`},
		{"sorting_columns", "a", `must be a list of columns, not the string "a"`},
		{"sorting_columns", []any{1}, `1 is in the list; a column is a name, or an object such as {"column": "a"`},
		{"sorting_columns", []any{[]any{"a"}}, "a list of 1 is in the list; a pair is a name and an order"},
		{"sorting_columns", []any{[]any{"a", "down"}}, `"down" is not one of "ascending", "descending"`},
		{"sorting_columns", []any{map[string]any{"descending": true}}, `has no "column"`},
		{"sorting_columns", []any{map[string]any{"column": "a", "order": 1}}, `"order": is not known; known are column, descending, nulls_first`},
		{"key_value_metadata", []any{}, "must be an object of strings, not a list"},
		{"key_value_metadata", map[string]any{"a": 1}, `"a": must be a string, not 1`},
		{"key_value_metadata", map[string]any{"ARROW:schema": ""}, "the writer makes itself"},
	} {
		_, err := Settings{}.With(map[string]any{test.name: test.value})
		var refused *Error
		if !errors.As(err, &refused) || refused.Fault != FaultInput || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %v: got %v, want %q", test.name, test.value, err, test.want)
		}
	}
}
