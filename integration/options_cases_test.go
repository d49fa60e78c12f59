package integration

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-io/sluice/integration/lint"
)

// optionCases are those of every option but encryption_properties.
func optionCases(t *testing.T) []optionCase {
	return slices.Concat(encodingCases(), pageCases(t), indexCases(), typeCases(), fixedCases())
}

func encodingCases() []optionCase {
	const plain = `{"use_dictionary": false}`
	smaller := func(f *storedFile) error {
		return expect(f.bytes < f.before.bytes, "%d bytes, %d without", f.bytes, f.before.bytes)
	}
	encoded := func(column, encoding string) func(f *storedFile) error {
		return func(f *storedFile) error {
			c := f.chunk(column)
			return expect(slices.Contains(c.Encodings, encoding), "%s has encodings %v", column, c.Encodings)
		}
	}
	return []optionCase{
		{option: "compression", options: `{"compression": "zstd"}`, check: func(f *storedFile) error {
			return expect(f.chunk("id").Compression == "ZSTD" && f.chunk("tags.list.element").Compression == "ZSTD", "%+v", f.RowGroups)
		}},
		{option: "compression", options: `{"compression": {"name": "GZIP"}}`, check: func(f *storedFile) error {
			return expect(f.chunk("name").Compression == "GZIP" && f.chunk("id").Compression == "SNAPPY", "%+v", f.RowGroups)
		}},
		{option: "compression_level", options: `{"compression": "gzip", "compression_level": 9}`,
			without: `{"compression": "gzip", "compression_level": 1}`, check: smaller},
		{option: "compression_level", options: `{"compression": "gzip", "compression_level": {"name": 9}}`,
			without: `{"compression": "gzip", "compression_level": {"name": 1}}`, check: smaller},
		{option: "encoding", options: `{"use_dictionary": false, "encoding": "compact"}`, without: plain,
			check: encoded("id", "DELTA_BINARY_PACKED")},
		{option: "column_encoding", options: `{"column_encoding": {"name": "DELTA_BYTE_ARRAY"}}`,
			check: encoded("name", "DELTA_BYTE_ARRAY")},
		{option: "column_encoding", options: `{"column_encoding": {"x": "dictionary"}}`, without: plain,
			check: func(f *storedFile) error { return expect(f.chunk("x").Dictionary, "x has no dictionary") }},
		{option: "use_byte_stream_split", options: `{"use_byte_stream_split": ["x"]}`, check: encoded("x", "BYTE_STREAM_SPLIT")},
		{option: "use_dictionary", options: plain, check: func(f *storedFile) error {
			return expect(!f.chunk("color").Dictionary, "color has a dictionary")
		}},
		{option: "use_dictionary", options: `{"use_dictionary": ["ok", "color"]}`, check: func(f *storedFile) error {
			return expect(f.chunk("color").Dictionary && !f.chunk("price").Dictionary, "%+v", f.RowGroups)
		}, without: `{"use_dictionary": ["price"]}`},
		{option: "dictionary_pagesize_limit", options: `{"dictionary_pagesize_limit": 10}`, check: func(f *storedFile) error {
			return expect(!f.chunk("color").Dictionary, "color has a dictionary of more than 10 bytes")
		}},
	}
}

func pageCases(t *testing.T) []optionCase {
	records := func(f *storedFile, column string) (most int) {
		for _, p := range f.pages(t, column) {
			most = max(most, p.Records)
		}
		return most
	}
	return []optionCase{
		{option: "data_page_size", options: `{"use_dictionary": false, "data_page_size": 800}`, without: `{"use_dictionary": false}`,
			check: func(f *storedFile) error {
				return expect(records(f, "id") == 100 && records(f, "x") == 100, "%d records of 8 bytes in a page", records(f, "id"))
			}},
		{option: "max_rows_per_page", options: `{"max_rows_per_page": 77}`, check: func(f *storedFile) error {
			return expect(records(f, "id") == 77 && records(f, "tags.list.element") == 77, "%d records in a page", records(f, "id"))
		}},
		{option: "data_page_version", options: `{"data_page_version": "2.0"}`, check: func(f *storedFile) error {
			kind := f.pages(t, "name")[0].Kind
			return expect(kind == lint.DataPageV2, "a page of type %v", kind)
		}},
		{option: "write_page_checksum", options: `{"write_page_checksum": false}`, check: func(f *storedFile) error {
			return expect(!f.pages(t, "name")[0].HasCRC, "a page has a checksum")
		}},
		{option: "use_content_defined_chunking",
			options: `{"use_dictionary": false, "use_content_defined_chunking": {"min_chunk_size": 500, "max_chunk_size": 1500}}`,
			without: `{"use_dictionary": false}`, check: func(f *storedFile) error {
				pages := f.pages(t, "x")
				return expect(len(pages) > 5 && pages[0].Records != pages[1].Records, "%d pages", len(pages))
			}},
		{option: "row_group_size", options: `{"row_group_size": 300}`, check: func(f *storedFile) error {
			return expect(len(f.RowGroups) == 4 && f.RowGroups[0].Records == 300, "%d row groups", len(f.RowGroups))
		}},
		{option: "row_group_bytes", options: `{"row_group_bytes": 1}`, check: func(f *storedFile) error {
			return expect(len(f.RowGroups) == 10, "%d row groups of 10 batches", len(f.RowGroups))
		}},
	}
}

func indexCases() []optionCase {
	return []optionCase{
		{option: "write_page_index", options: `{"write_page_index": false}`, check: func(f *storedFile) error {
			return expect(!f.chunk("id").ColumnIndex && !f.chunk("id").OffsetIndex, "%+v", f.chunk("id"))
		}},
		{option: "write_statistics", options: `{"write_statistics": false}`, check: func(f *storedFile) error {
			c := f.chunk("name")
			return expect(c.Bounds == nil && !c.ColumnIndex && c.OffsetIndex && c.Nulls == 91, "%+v", c)
		}},
		{option: "write_statistics", options: `{"write_statistics": ["id"]}`, check: func(f *storedFile) error {
			id, name := f.chunk("id"), f.chunk("name")
			return expect(id.Bounds != nil && id.ColumnIndex && name.Bounds == nil && !name.ColumnIndex, "%+v, %+v", id, name)
		}},
		{option: "write_statistics", options: `{"write_statistics": {"id": "chunk", "name": false}}`, check: func(f *storedFile) error {
			id, name, x := f.chunk("id"), f.chunk("name"), f.chunk("x")
			return expect(id.Bounds != nil && !id.ColumnIndex && name.Bounds == nil && x.ColumnIndex, "%+v, %+v, %+v", id, name, x)
		}},
		{option: "statistics_truncate_length", options: `{"statistics_truncate_length": 8}`, boundBytes: 8, check: func(f *storedFile) error {
			bounds := f.chunk("name").Bounds
			return expect(slices.Equal(bounds, []string{"name 0 ", "name 6!"}), "bounds %q", bounds)
		}},
		{option: "statistics_truncate_length", options: `{"statistics_truncate_length": null}`, boundBytes: 1 << 20, check: func(f *storedFile) error {
			bounds := f.chunk("name").Bounds
			return expect(strings.HasSuffix(bounds[0], "é 105") && strings.HasSuffix(bounds[1], "é 993"), "bounds %q", bounds)
		}},
		{option: "write_distinct_counts", options: `{"use_dictionary": false, "write_distinct_counts": true}`,
			without: `{"use_dictionary": false}`, check: func(f *storedFile) error {
				return expect(f.chunk("name").Distinct == 909 && f.chunk("ok").Distinct == 2, "%+v", f.RowGroups)
			}},
		{option: "write_distinct_counts", options: `{"use_dictionary": false, "write_distinct_counts": ["name"]}`,
			without: `{"use_dictionary": false}`, check: func(f *storedFile) error {
				return expect(f.chunk("name").Distinct == 909 && f.chunk("id").Distinct == -1, "%+v", f.RowGroups)
			}},
		{option: "bloom_filter_options", options: `{"bloom_filter_options": true}`, check: func(f *storedFile) error {
			return expect(f.chunk("id").BloomBytes > 500 && f.chunk("tags.list.element").BloomBytes > 0 &&
				f.chunk("ok").BloomBytes == 0, "%+v", f.RowGroups)
		}},
		{option: "bloom_filter_options", options: `{"bloom_filter_options": {"id": true, "name": {"ndv": 300, "fpp": 0.01}, "x": false}}`,
			check: func(f *storedFile) error {
				id, name := f.chunk("id").BloomBytes, f.chunk("name").BloomBytes
				return expect(id > 1000 && name > 500 && name < 600 && f.chunk("x").BloomBytes == 0, "%d and %d bytes", id, name)
			}, without: `{"bloom_filter_options": {"id": true}}`},
		{option: "sorting_columns", options: `{"sorting_columns": ["id", ["at", "ascending"], {"column": "name", "descending": true, "nulls_first": true}]}`,
			check: func(f *storedFile) error {
				sorting := f.RowGroups[0].Sorting
				return expect(len(sorting) == 3 && slices.Equal(sorting[0], []any{"id", false, false}) &&
					slices.Equal(sorting[1], []any{"at", false, false}) && slices.Equal(sorting[2], []any{"name", true, true}), "%v", sorting)
			}},
	}
}

func typeCases() []optionCase {
	of := func(column, want string) func(f *storedFile) error {
		return func(f *storedFile) error {
			return expect(f.Types[column] == want, "%s is %s", column, f.Types[column])
		}
	}
	return []optionCase{
		{option: "coerce_timestamps", options: `{"coerce_timestamps": "us"}`, check: of("at", "timestamp[us, tz=UTC]")},
		{option: "coerce_timestamps", options: `{"coerce_timestamps": "ms"}`, check: of("at", "timestamp[ms, tz=UTC]")},
		{option: "allow_truncated_timestamps", options: `{"coerce_timestamps": "ms", "allow_truncated_timestamps": true}`, cut: true,
			without: `{"coerce_timestamps": "ms"}`, source: map[string]any{"nanoseconds": 999}, check: of("at", "timestamp[ms, tz=UTC]"),
			refused: `field "at": record 0: 1700000000000000999 nanoseconds are no whole number of milliseconds`},
		{option: "allow_truncated_values", options: `{"allow_truncated_values": true}`, source: map[string]any{"milliseconds": 5},
			refused: `field "day": record 0: date64 value 5 ms is not a whole day`, same: true},
		{option: "allow_truncated_values", options: `{"allow_truncated_values": true}`, source: map[string]any{"step_nanoseconds": 5},
			refused: `field "span": record 0: an interval of 1000005 ns`, same: true},
		{option: "store_decimal_as_integer", options: `{"store_decimal_as_integer": false}`, check: func(f *storedFile) error {
			price := f.Columns["price"]
			return expect(price.Physical == "FIXED_LEN_BYTE_ARRAY" && price.Length == 4 && f.Types["price"] == "decimal128(9, 2)", "%+v", price)
		}},
		{option: "write_time_adjusted_to_utc", options: `{"write_time_adjusted_to_utc": true}`, check: func(f *storedFile) error {
			clock := f.Columns["clock"].Logical
			return expect(strings.Contains(clock, "isAdjustedToUTC=true"), "%s", clock)
		}},
		{option: "store_schema", options: `{"store_schema": false}`, check: func(f *storedFile) error {
			return expect(!f.HasArrowSchema && f.Metadata["source"] == "settings", "metadata %v", f.Metadata)
		}},
		{option: "key_value_metadata", options: `{"key_value_metadata": {"owner": "sales", "source": "other"}}`,
			check: func(f *storedFile) error {
				return expect(f.Metadata["owner"] == "sales" && f.Metadata["source"] == "other", "metadata %v", f.Metadata)
			}},
	}
}

// fixedCases are options that are known and change nothing.
func fixedCases() []optionCase {
	return []optionCase{
		{option: "use_deprecated_int96_timestamps", options: `{"use_deprecated_int96_timestamps": false}`, same: true},
		{option: "use_compliant_nested_type", options: `{"use_compliant_nested_type": true}`, same: true},
		{option: "version", options: `{"version": "2.6"}`, same: true},
		{option: "flavor", options: `{"flavor": null}`, same: true},
		{option: "write_batch_size", options: `{"write_batch_size": 10}`, same: true},
	}
}
