package encode

import (
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

func BenchmarkXXHash8(b *testing.B) {
	values, hashes := make([]uint64, blockValues), make([]uint64, blockValues)
	for i := range values {
		values[i] = uint64(farApart(i))
	}
	b.SetBytes(8 * blockValues)
	for b.Loop() {
		xxHashNumbers(hashes, values)
	}
}

// BenchmarkBloomAdd adds hashes to filters that fit the caches of a core and that do not.
func BenchmarkBloomAdd(b *testing.B) {
	hashes := make([]uint64, 1<<18)
	for i := range hashes {
		hashes[i] = xxHash8(uint64(i))
	}
	for _, size := range []int{32 << 10, 256 << 10, 2 << 20} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			f := newBloomFilter(size)
			b.SetBytes(int64(8 * len(hashes)))
			for b.Loop() {
				f.add(hashes)
			}
		})
	}
}

// BenchmarkWriteBloom writes columns of benchRecords records with and without what hashes are for.
func BenchmarkWriteBloom(b *testing.B) {
	for _, leaf := range []struct {
		name string
		make func() arrow.Array
	}{
		{"int64", func() arrow.Array { return int64Column(benchRecords, farApart) }},
		{"int64_1k", func() arrow.Array {
			return int64Column(benchRecords, func(i int) int64 { return farApart(i % 1000) })
		}},
		{"int64_runs=16", func() arrow.Array { return runEndsOf(int64Column(benchRecords/16, farApart), always(16)) }},
		{"string_16", func() arrow.Array {
			return arrayOf(arrow.BinaryTypes.String, benchRecords, func(i int) any {
				return fmt.Sprintf("%016x", uint64(farApart(i)))
			})
		}},
	} {
		var a arrow.Array
		for _, o := range []struct {
			name string
			Options
		}{
			{"off", Options{}},
			{"bloom", Options{BloomFilterFPP: 0.01}},
			{"distinct", Options{DistinctCounts: true}},
		} {
			b.Run(fmt.Sprintf("leaf=%s/%s", leaf.name, o.name), func(b *testing.B) {
				if a == nil {
					a = leaf.make()
				}
				o.Compression, o.NoPageChecksum = "none", true
				benchWrite(b, a, &o.Options)
			})
		}
	}
}
