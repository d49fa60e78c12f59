package encode

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// With room enough in dst, a page is compressed there.
func TestCodecsInPlace(t *testing.T) {
	page := codecPages()["numbers"]
	dst := make([]byte, 0, 2*len(page))
	for _, k := range codecKinds {
		if got := (codecSetting{k.name, 0}).codec(t).compress(dst, page); &got[0] != &dst[:1][0] {
			t.Errorf("%s: the page went elsewhere", k.name)
		}
	}
}

// An encoder that has seen other pages compresses a page just like a new one, on any goroutine.
func TestCodecsDeterministic(t *testing.T) {
	for _, s := range codecSettings() {
		if s.newEncoder(t) == nil {
			continue
		}
		codec, pages, want := s.codec(t), codecPages(), map[string][]byte{}
		pages["short"], pages["block"] = pages["text"][:1000], pages["numbers"][:64<<10]
		for name, page := range pages {
			if s.name != "brotli" || s.level != 4 { // which looks at a page's size
				pages[name] = s.page(page)
			}
			want[name] = s.newEncoder(t).encode(nil, pages[name])
		}
		var wait sync.WaitGroup
		for range 2 {
			wait.Go(func() {
				for name, page := range pages { // a map: in another order each time
					if !bytes.Equal(codec.compress(nil, page), want[name]) {
						t.Errorf("%v, %s: other bytes than from a new encoder", s, name)
					}
				}
			})
		}
		wait.Wait()
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// All that a worker's first pages at the default level allocate, memory of the libraries' own pools included, stays
// under 3 MB. Further pages allocate nothing, at any level, but for the tables of contexts of Brotli's library. (The
// race detector makes pools forget, so this holds without it only.)
func TestCodecMemory(t *testing.T) {
	dst := make([]byte, 0, 4<<20)
	for _, s := range codecSettings() {
		e := s.newEncoder(t)
		if e == nil || s.name == "brotli" && s.level >= 10 {
			continue
		}
		var pages [][]byte
		for _, page := range codecPages() {
			pages = append(pages, s.page(page))
		}
		all := func() {
			for _, page := range pages {
				dst = e.encode(dst[:0], page)
			}
		}
		first := allocated(func() {
			e = s.newEncoder(t)
			all()
		})
		if s.level == 0 && (first < 50<<10 || first > 3_000_000) {
			t.Errorf("%v: the first pages take %d bytes, want 50 KB to 3 MB", s, first)
		}
		all()
		more := allocated(all)
		for range 4 { // what the runtime allocates meanwhile counts, too
			more = min(more, allocated(all))
		}
		if more > 100_000 || more > 0 && s.name != "brotli" {
			t.Errorf("%v: further pages of each kind take %d bytes", s, more)
		}
	}
}

// Snappy's tables are pooled in the library.
func TestSnappyMemory(t *testing.T) {
	page := codecPages()["text"]
	dst := make([]byte, 0, 4<<20)
	if n := allocated(func() { snappyCodec{}.compress(dst, page) }); n > 100<<10 {
		t.Errorf("a page takes %d bytes", n)
	}
}

func BenchmarkCodec(b *testing.B) {
	pages := codecPages()
	for _, s := range []codecSetting{
		{"snappy", 0}, {"gzip", 1}, {"gzip", 0}, {"brotli", CompressionLevelZero}, {"brotli", 5}, {"brotli", 0},
		{"zstd", -1}, {"zstd", 0}, {"zstd", 3}, {"zstd", 6}, {"lz4", 0}, {"lz4", 3}, {"lz4", 9},
	} {
		codec := s.codec(b)
		for _, page := range []string{"noise", "zeros", "numbers", "text"} {
			b.Run(fmt.Sprintf("codec=%v/page=%s", s, page), func(b *testing.B) {
				src := pages[page]
				dst := make([]byte, 0, 2*len(src))
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					dst = codec.compress(dst[:0], src)
				}
				b.ReportMetric(100*float64(len(dst))/float64(len(src)), "%size")
			})
		}
	}
}
