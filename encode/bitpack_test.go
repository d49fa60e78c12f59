package encode

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestAppendPackedAgainstSingleBits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for width := range 33 {
		for _, n := range []int{0, 8, 16, 40, 512} {
			values := make([]uint32, n)
			for i := range values {
				values[i] = uint32(r.Uint64() & (1<<width - 1))
			}
			got := appendPacked([]byte{0xaa}, values, width)
			if len(got) != 1+n/8*width || got[0] != 0xaa {
				t.Fatalf("width %d: %d values became %d bytes", width, n, len(got)-1)
			}
			for i, v := range values {
				for b := range width {
					bit := i*width + b
					if got[1+bit/8]>>(bit%8)&1 != byte(v>>b&1) {
						t.Fatalf("width %d: bit %d of value %d is wrong", width, b, i)
					}
				}
			}
		}
	}
}

func BenchmarkAppendPacked(b *testing.B) {
	values := make([]uint32, 8192)
	for _, width := range []int{1, 5, 7, 8, 10, 14, 17, 20, 32} {
		for i := range values {
			values[i] = uint32(i) & (1<<width - 1)
		}
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			var dst []byte
			for b.Loop() {
				dst = appendPacked(dst[:0], values, width)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values)), "ns/value")
		})
	}
}
