package encode

import (
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// BenchmarkWriteSorted writes sorted columns of benchRecords records, with a check and without.
func BenchmarkWriteSorted(b *testing.B) {
	for _, leaf := range []struct {
		name string
		make func() arrow.Array
	}{
		{"int64", func() arrow.Array { return int64Column(benchRecords, func(i int) int64 { return int64(i) }) }},
		{"int64_runs=16", func() arrow.Array {
			return runEndsOf(int64Column(benchRecords/16, func(i int) int64 { return int64(i) }), always(16))
		}},
		{"string_16", func() arrow.Array {
			return arrayOf(arrow.BinaryTypes.String, benchRecords, func(i int) any { return fmt.Sprintf("%016d", i) })
		}},
	} {
		var a arrow.Array
		for _, sorting := range [][]SortingColumn{nil, {{Column: "c"}}} {
			b.Run(fmt.Sprintf("leaf=%s/keys=%d", leaf.name, len(sorting)), func(b *testing.B) {
				if a == nil {
					a = leaf.make()
				}
				benchWrite(b, a, &Options{Compression: "none", NoPageChecksum: true, SortingColumns: sorting})
			})
		}
	}
}
