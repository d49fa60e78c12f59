package encode

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchPage is a page of plain values.
type benchPage struct {
	name  string
	plain []byte
	n     int
}

func benchInts(size int, value func(r *rand.Rand, i int) int64) (plain []byte, n int) {
	r := rand.New(rand.NewPCG(42, 0))
	n = 20_000
	for i := range n {
		v := uint64(value(r, i))
		if size == 4 {
			plain = binary.LittleEndian.AppendUint32(plain, uint32(v))
		} else {
			plain = binary.LittleEndian.AppendUint64(plain, v)
		}
	}
	return plain, n
}

func benchPages(size int) (pages []benchPage) {
	add := func(name string, value func(r *rand.Rand, i int) int64) {
		plain, n := benchInts(size, value)
		pages = append(pages, benchPage{fmt.Sprintf("int%d_%s", 8*size, name), plain, n})
	}
	at := int64(1_700_000_000)
	add("random", func(r *rand.Rand, i int) int64 { return int64(r.Uint64()) })
	add("sorted", func(r *rand.Rand, i int) int64 { at += r.Int64N(100); return at })
	add("serial", func(r *rand.Rand, i int) int64 { return int64(i) })
	add("below_1000", func(r *rand.Rand, i int) int64 { return r.Int64N(1000) })
	return pages
}

func benchKernel(b *testing.B, encoding string, p benchPage, kernel func(dst []byte) []byte) {
	b.Run(fmt.Sprintf("encoding=%s/values=%s", encoding, p.name), func(b *testing.B) {
		b.SetBytes(int64(len(p.plain)))
		b.ReportAllocs()
		var dst []byte
		for b.Loop() {
			dst = kernel(dst[:0])
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.n), "ns/value")
		b.ReportMetric(float64(len(dst))/float64(p.n), "B/value")
	})
}

func benchSize(b *testing.B, encoding string, p benchPage, size func() int) {
	benchKernel(b, encoding+"_size", p, func(dst []byte) []byte {
		size()
		return dst
	})
}

func benchStrings(size int) (pages []benchPage) {
	add := func(name string, value func(r *rand.Rand, i int) string) {
		r := rand.New(rand.NewPCG(42, 0))
		p := benchPage{name: name}
		for len(p.plain) < 1<<20 && p.n < 20_000 {
			v := value(r, p.n)
			if size == 0 {
				p.plain = binary.LittleEndian.AppendUint32(p.plain, uint32(len(v)))
			}
			p.plain = append(p.plain, v...)
			p.n++
		}
		pages = append(pages, p)
	}
	if size > 0 {
		add(fmt.Sprintf("fixed%d_sorted", size), func(r *rand.Rand, i int) string { return fmt.Sprintf("%0*d", size, i) })
		return pages
	}
	long := strings.Repeat("/a/long/way/down", 256)
	add("digits_8", func(r *rand.Rand, i int) string { return fmt.Sprintf("%08d", i) })
	add("names", func(r *rand.Rand, i int) string { return long[:3+r.IntN(20)] })
	add("urls_sorted", func(r *rand.Rand, i int) string { return fmt.Sprintf("https://example.org/items/%08d/view", i*3) })
	add("urls", func(r *rand.Rand, i int) string {
		return fmt.Sprintf("https://example.org/items/%08d/view", r.IntN(1e8))
	})
	add("text_200", func(r *rand.Rand, i int) string { at := r.IntN(3000); return long[at : at+100+r.IntN(200)] })
	add("paths_4000", func(r *rand.Rand, i int) string { return long[:4000] + fmt.Sprint(i) })
	return pages
}

func BenchmarkEncoding(b *testing.B) {
	for _, p := range benchPages(4) {
		benchKernel(b, "delta", p, func(dst []byte) []byte { return appendDelta32(dst, p.plain) })
	}
	for _, p := range benchPages(8) {
		benchKernel(b, "delta", p, func(dst []byte) []byte { return appendDelta64(dst, p.plain) })
		benchSize(b, "delta", p, func() int { return deltaSize64(p.plain) })
	}
	for _, p := range benchStrings(0) {
		benchKernel(b, "delta_length", p, func(dst []byte) []byte { return appendDeltaLength(dst, p.plain, p.n) })
		benchSize(b, "delta_length", p, func() int { return deltaLengthSize(p.plain, p.n) })
		benchKernel(b, "delta_strings", p, func(dst []byte) []byte { return appendDeltaStrings(dst, p.plain, p.n, 0) })
		benchSize(b, "delta_strings", p, func() int { return deltaStringsSize(p.plain, p.n, 0) })
	}
	for _, size := range []int{16, 100} {
		for _, p := range benchStrings(size) {
			benchKernel(b, "delta_strings", p, func(dst []byte) []byte { return appendDeltaStrings(dst, p.plain, p.n, size) })
		}
	}
	for _, size := range []int{2, 3, 4, 8, 12, 16, 100} {
		p := benchPage{fmt.Sprintf("fixed%d", size), make([]byte, 20_000*size), 20_000}
		benchKernel(b, "stream_split", p, func(dst []byte) []byte { return appendStreamSplit(dst, p.plain, size) })
	}
	p := benchPage{"powers8", make([]byte, 8<<17), 1 << 17}
	benchKernel(b, "stream_split", p, func(dst []byte) []byte { return appendStreamSplit(dst, p.plain, 8) })
	p = benchPage{"powers16", make([]byte, 16<<16), 1 << 16}
	benchKernel(b, "stream_split", p, func(dst []byte) []byte { return appendStreamSplit(dst, p.plain, 16) })
}
