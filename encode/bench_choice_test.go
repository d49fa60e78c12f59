package encode

import (
	"fmt"
	"slices"
	"testing"
)

// BenchmarkChoice writes tables whose columns have their encodings chosen, and the same with each encoding by name.
func BenchmarkChoice(b *testing.B) {
	names := []string{"primitive_non_null", "string_non_null", "short_string_non_null", "decimal", "int64_dictionary",
		"string_dictionary", "decimal128_dictionary", "sorted_times", "drawn_from_140k",
		"string_dictionary_low_cardinality_100"}
	for _, s := range datasets() {
		if !slices.Contains(names, s.name) {
			continue
		}
		table := s.table(benchRecords / 4)
		for _, codec := range []string{"none", "snappy", "zstd"} {
			for _, encoding := range []string{"plain", "compatible", "compact"} {
				o := Options{Encoding: encoding, Compression: codec, NoPageChecksum: true}
				if encoding == "plain" {
					o.DictionaryBytes = -1
				}
				b.Run(fmt.Sprintf("table=%s/codec=%s/encoding=%s", s.name, codec, encoding), func(b *testing.B) {
					benchWriteBatches(b, table.Schema(), &o, slicesOf(table, 1<<16)...)
				})
			}
		}
	}
}
