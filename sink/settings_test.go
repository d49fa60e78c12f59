package sink

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/sluice-io/sluice/encode"
)

const allOptions = `{"compression": "zstd", "compression_level": 3, "data_page_size": 65536, "max_rows_per_page": 1000,
	"use_dictionary": false, "dictionary_pagesize_limit": 4096, "row_group_size": 5000, "row_group_bytes": 1e9}`

// TestSettingsWith decodes the same options from JSON, with and without json.Number, and from YAML.
func TestSettingsWith(t *testing.T) {
	want := Settings{Compression: "zstd", CompressionLevel: 3, DataPageBytes: 65536, DataPageRecords: 1000,
		NoDictionary: true, DictionaryBytes: 4096, RowGroupRecords: 5000, RowGroupBytes: 1e9}
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
	base := Settings{Compression: "zstd", CompressionLevel: 9, NoDictionary: true, RowGroupRecords: 10}
	got, err := base.With(map[string]any{"use_dictionary": true, "row_group_size": 20})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Settings{Compression: "zstd", CompressionLevel: 9, RowGroupRecords: 20}, got); diff != "" {
		t.Error(diff)
	}
}

// TestSettingsCompression lays codecs and levels over those of a dataset.
func TestSettingsCompression(t *testing.T) {
	base := Settings{Compression: "zstd", CompressionLevel: 9}
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
		if err != nil || got.Compression != test.codec || got.CompressionLevel != test.level {
			t.Errorf("%v: %q at level %d, error %v", test.options, got.Compression, got.CompressionLevel, err)
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
		{"codec", "zstd", `unknown option "codec"; known are compression, compression_level, data_page_size`},
		{"compression", "lzo", `option "compression": "lzo" is not a codec that can be written: use none, snappy, gzip,`},
		{"compression", 1, "must be a string, not 1"},
		{"compression", nil, "not null"},
		{"compression_level", 0, "snappy has no levels"},
		{"compression_level", 1 << 32, "out of range"},
		{"compression_level", "3", `not the string "3"`},
		{"data_page_size", 1 << 31, "out of range"},
		{"row_group_size", 0.5, "must be a whole number"},
		{"row_group_size", json.Number("1e400"), "must be a whole number"},
		{"row_group_bytes", uint64(1<<64 - 1), "out of range"},
		{"use_dictionary", "true", "true or false"},
		{"max_rows_per_page", []any{1}, "not a list"},
		{"max_rows_per_page", map[string]any{}, "not an object"},
	} {
		_, err := Settings{}.With(map[string]any{test.name: test.value})
		var refused *Error
		if !errors.As(err, &refused) || refused.Fault != FaultInput || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %v: got %v, want %q", test.name, test.value, err, test.want)
		}
	}
}
