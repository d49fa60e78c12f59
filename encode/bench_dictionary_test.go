package encode

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// BenchmarkWriteDictionary writes columns whose values are drawn from so many.
func BenchmarkWriteDictionary(b *testing.B) {
	leaves := []struct {
		name  string
		dt    arrow.DataType
		value func(b array.Builder, v int)
	}{
		{"int32", arrow.PrimitiveTypes.Int32, func(b array.Builder, v int) { b.(*array.Int32Builder).Append(int32(v) * 7919) }},
		{"int64", arrow.PrimitiveTypes.Int64, func(b array.Builder, v int) { b.(*array.Int64Builder).Append(int64(v) * 7919) }},
		{"string", arrow.BinaryTypes.String, func(b array.Builder, v int) {
			b.(*array.StringBuilder).Append(fmt.Sprintf("value %d", v*7919))
		}},
	}
	for _, leaf := range leaves {
		for _, values := range []int{100, 2_000, 10_000, 60_000, 120_000} {
			var a arrow.Array
			b.Run(fmt.Sprintf("leaf=%s/values=%d", leaf.name, values), func(b *testing.B) {
				if a == nil {
					a = benchArray(leaf.dt, 0, func(r *rand.Rand, b array.Builder, _ int) { leaf.value(b, r.IntN(values)) })
				}
				benchWrite(b, a, &Options{Compression: "none", NoPageChecksum: true})
			})
		}
	}
}
