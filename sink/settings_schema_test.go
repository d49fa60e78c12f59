package sink

import (
	"encoding/json"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestSettingsOfSchema lays options over a schema that they do not suit: Begin names the option and the column.
func TestSettingsOfSchema(t *testing.T) {
	point := arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Float64})
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "name", Type: arrow.BinaryTypes.String},
		{Name: "ok", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32)},
		{Name: "point", Type: point},
		{Name: "span", Type: arrow.FixedWidthTypes.MonthInterval},
	}, nil)
	into, _ := open(t, &Options{EncryptionKeys: map[string]Key{"kf": make(Key, 16)}})
	for _, test := range []struct {
		options, option string
		mention         []string
	}{
		{`{"compression": {"nope": "zstd"}}`, "compression", []string{`there is no column "nope"`, `such as "id"`}},
		{`{"compression": {"id": "zstd"}, "compression_level": {"nope": 3}}`, "compression_level", []string{`"nope"`}},
		{`{"column_encoding": {"nope": "plain"}}`, "column_encoding", []string{`"nope"`}},
		{`{"use_byte_stream_split": ["nope"]}`, "use_byte_stream_split", []string{`"nope"`}},
		{`{"use_dictionary": ["nope"]}`, "use_dictionary", []string{`"nope"`}},
		{`{"bloom_filter_options": {"nope": true}}`, "bloom_filter_options", []string{`"nope"`}},
		{`{"write_distinct_counts": ["nope"]}`, "write_distinct_counts", []string{`"nope"`}},
		{`{"sorting_columns": ["nope"]}`, "sorting_columns", []string{`"nope"`}},
		{`{"encryption_properties": {"footer_key": "kf", "column_keys": {"kf": ["id", "nope"]}}}`, "encryption_properties",
			[]string{`no column "nope" is left to encrypt`}},

		{`{"column_encoding": "rle"}`, "column_encoding", []string{`field "id"`, `"rle"`, "delta_binary_packed"}},
		{`{"column_encoding": "dictionary"}`, "column_encoding", []string{`field "ok"`, `"dictionary"`}},
		{`{"column_encoding": {"name": "dictionary"}, "use_dictionary": false}`, "column_encoding", []string{`field "name"`, "dictionaries are turned off"}},
		{`{"column_encoding": {"name": "delta_binary_packed"}}`, "column_encoding", []string{`field "name"`, "delta_byte_array"}},
		{`{"use_byte_stream_split": ["id", "name"]}`, "use_byte_stream_split", []string{`field "name"`, "plain"}},
		{`{"use_byte_stream_split": true}`, "use_byte_stream_split", []string{`field "name"`}},
		{`{"compression_level": {"id": 3}}`, "compression_level", []string{`field "id"`, "snappy has no levels"}},
		{`{"compression": {"id": "zstd"}, "compression_level": {"id": 30}}`, "compression_level", []string{`field "id"`, "1 to 22"}},
		{`{"bloom_filter_options": {"id": true, "ok": {"fpp": 0.1}}}`, "bloom_filter_options", []string{`field "ok"`, "bool"}},
		{`{"sorting_columns": ["list.list.element"]}`, "sorting_columns", []string{`"list.list.element"`, "below a list"}},
		{`{"sorting_columns": ["point"]}`, "sorting_columns", []string{`"point"`, "leaf"}},
		{`{"sorting_columns": ["span"]}`, "sorting_columns", []string{`"span"`, "no order"}},
		{`{"sorting_columns": ["id", ["id", "descending"]]}`, "sorting_columns", []string{`"id"`, "twice"}},
	} {
		var values map[string]any
		if err := json.Unmarshal([]byte(test.options), &values); err != nil {
			t.Fatal(err)
		}
		settings, err := Settings{}.With(values)
		if err != nil {
			t.Fatalf("%s: %v", test.options, err)
		}
		_, err = into.Begin(t.Context(), "orders", schema, settings)
		wantInputError(t, err, append(test.mention, `dataset "orders": option "`+test.option+`": `)...)
	}
}

// TestDatasetOfOtherColumns sees that what an embedding program gets wrong has the name of its field.
func TestDatasetOfOtherColumns(t *testing.T) {
	into, _ := open(t, nil)
	_, err := into.Begin(t.Context(), "orders", schema, Settings{File: FileOptions{DataPageBytes: -1}})
	wantInputError(t, err, `option "data_page_size": -1: must lie between 1 and 1 GiB`)
}
