package integration

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

// everyOption is a dataset's section with all options that there are.
const everyOption = `datasets:
  all/options:
    compression: zstd
    compression_level: 5
    encoding: compact
    column_encoding: {name: delta_length_byte_array}
    use_byte_stream_split: [x]
    use_dictionary: [color, price]
    dictionary_pagesize_limit: 100_000
    data_page_size: 20_000
    data_page_version: "2.0"
    max_rows_per_page: 250
    use_content_defined_chunking: {min_chunk_size: 10_000, max_chunk_size: 40_000, norm_level: 1}
    write_page_checksum: false
    write_page_index: true
    write_statistics: {span: false, name: chunk}
    statistics_truncate_length: 32
    write_distinct_counts: [name]
    bloom_filter_options: {id: true, name: {ndv: 2000, fpp: 0.01}}
    sorting_columns: [id, {column: name, descending: true, nulls_first: true}]
    store_schema: true
    coerce_timestamps: us
    allow_truncated_timestamps: true
    allow_truncated_values: true
    write_time_adjusted_to_utc: true
    store_decimal_as_integer: false
    use_deprecated_int96_timestamps: false
    use_compliant_nested_type: true
    version: "2.6"
    flavor: null
    write_batch_size: 1024
    key_value_metadata: {owner: sales}
    encryption_properties: {footer_key: orders, column_keys: {people: [name]}, plaintext_footer: true}
    row_group_size: 400
    row_group_bytes: 1_000_000
`

// TestEveryOptionConfigured puts to a dataset whose section has all options at once.
func TestEveryOptionConfigured(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, startEncrypting(t, "file://"+lake, everyOption))
	unknown := putSettings(t, client, `{"no_such_option": 1}`, nil).Message
	for _, name := range knownOptions(t, unknown) {
		if !strings.Contains(everyOption, "\n    "+name+": ") {
			t.Errorf("the section does not have option %q", name)
		}
	}
	plain := client.MustPut(t, tools.Put{Path: []string{"plain"}, Source: "settings"}).Objects[0].Key
	path, plain := mustPutSettings(t, client, lake, "", nil), filepath.Join(lake, plain)
	files := describe(t, masterKeys, path, plain)
	f := files[path]
	name, id, x, span := f.chunk("name"), f.chunk("id"), f.chunk("x"), f.chunk("span")
	for _, err := range []error{
		expect(f.Digest == files[plain].Digest, "the rows are not those that were put"),
		expect(len(f.RowGroups) == 3 && f.RowGroups[0].Records == 400, "%d row groups", len(f.RowGroups)),
		expect(name.Compression == "ZSTD" && x.Compression == "ZSTD", "codecs %s and %s", name.Compression, x.Compression),
		expect(id.BloomBytes > 0 && name.BloomBytes > 0 && x.BloomBytes == 0, "Bloom filters %+v", f.RowGroups[0]),
		expect(name.Distinct > 300 && name.Bounds != nil && !name.ColumnIndex && id.ColumnIndex, "%+v, %+v", name, id),
		expect(span.Bounds == nil && span.OffsetIndex, "%+v", span),
		expect(f.Types["at"] == "timestamp[us, tz=UTC]", "at is %s", f.Types["at"]),
		expect(f.Columns["price"].Physical == "FIXED_LEN_BYTE_ARRAY", "%+v", f.Columns["price"]),
		expect(f.Metadata["owner"] == "sales" && len(f.RowGroups[0].Sorting) == 2, "%v, %v", f.Metadata, f.RowGroups[0].Sorting),
		expect(len(f.Readable) == 10, "without keys %v can be read", f.Readable),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestHostileOptions sends values that no option is made for: each is refused by name, and the server goes on.
func TestHostileOptions(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, "file://"+lake, nil))
	deep := strings.Repeat(`{"a":`, 9) + "1" + strings.Repeat("}", 9)
	long := strings.Repeat("x", 100_000)
	tests := []struct{ options, mention string }{
		{`{"row_group_size": 1e309}`, `option "row_group_size"`},
		{`{"row_group_size": -9223372036854775809}`, `option "row_group_size"`},
		{`{"data_page_size": 1e-400}`, `option "data_page_size"`},
		{`{"statistics_truncate_length": 4611686018427387904}`, `option "statistics_truncate_length"`},
		{`{"bloom_filter_options": {"*": {"ndv": 9223372036854775808}}}`, `option "bloom_filter_options": column "*": "ndv"`},
		{`{"bloom_filter_options": {"*": {"fpp": -0.0}}}`, `option "bloom_filter_options": column "*": "fpp"`},
		{`{"bloom_filter_options": {"": true}}`, `option "bloom_filter_options": there is no column ""`},
		{`{"bloom_filter_options": {"` + long + `": true}}`, `option "bloom_filter_options": there is no column`},
		{`{"sorting_columns": [["id", ["descending"]]]}`, `option "sorting_columns"`},
		{`{"sorting_columns": [{"column": "id"}, {"column": "*"}]}`, `option "sorting_columns": column "*"`},
		{`{"key_value_metadata": {"a": {"b": "c"}}}`, `option "key_value_metadata"`},
		{`{"key_value_metadata": {"ARROW:schema": "AAAA"}}`, `option "key_value_metadata"`},
		{`{"coerce_timestamps": "` + long + `"}`, `option "coerce_timestamps"`},
		{`{"write_statistics": {"id": ` + deep + `}}`, "nested more than"},
		{`{"write_statistics": {"id": true, "id": false}}`, "occurs twice"},
		{`{"compression": {"id": "zstd"}, "compression_level": {"id": 23}}`, `option "compression_level": field "id"`},
		{`{"column_encoding": {"ok": "byte_stream_split"}}`, `option "column_encoding": field "ok"`},
		{`{"` + long + `": 1}`, "unknown option"},
	}
	for _, test := range tests {
		reply := client.Put(t, tools.Put{Command: `{"dataset": "all/options", "options": ` + test.options + `}`, Source: "settings", Listen: true})
		wantRefusal(t, reply, "ArrowInvalid", "INVALID_ARGUMENT", test.mention)
		if len(reply.Message) > 3000 {
			t.Errorf("a message of %d bytes: %.200s", len(reply.Message), reply.Message)
		}
	}
	// What is odd, and right.
	for _, options := range []string{
		`{"bloom_filter_options": {"*": {"ndv": 9223372036854775807, "fpp": 1e-300}}}`,
		`{"key_value_metadata": {"": "", "` + strings.Repeat("k", 10_000) + `": "v"}}`,
		`{"statistics_truncate_length": 1, "data_page_size": 1, "max_rows_per_page": 1}`,
	} {
		if reply := putSettings(t, client, options, map[string]any{"records": 100}); reply.Error != "" {
			t.Errorf("%.100s: %s", options, reply.Message)
		}
	}
}
