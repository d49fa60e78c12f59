package encode

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// codecPages are pages of many kinds: nothing, a byte, noise, runs, numbers, text, some of them larger than the window.
func codecPages() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var numbers, text []byte
	for i := range 100_000 {
		numbers = binary.LittleEndian.AppendUint64(numbers, uint64(i)*1000+r.Uint64N(1000))
	}
	for len(text) < 5<<18 {
		text = append(text, []string{"carrier", "origin", "dest ", "\x04\x00\x00\x00", "JFK", "LGA"}[r.IntN(6)]...)
	}
	return map[string][]byte{
		"empty": {}, "byte": {7}, "noise": noise, "zeros": make([]byte, 1<<20), "numbers": numbers, "text": text,
	}
}

func TestCodecs(t *testing.T) {
	decodeZstd := func(b []byte) ([]byte, error) {
		d, err := zstd.NewReader(nil)
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return d.DecodeAll(b, nil)
	}
	for _, c := range []struct {
		name   string
		level  int
		id     codecID
		decode func([]byte) ([]byte, error)
	}{
		{"none", 0, codecNone, func(b []byte) ([]byte, error) { return b, nil }},
		{"snappy", 0, codecSnappy, func(b []byte) ([]byte, error) { return s2.Decode(nil, b) }},
		{"zstd", 0, codecZstd, decodeZstd},
		{"zstd", 3, codecZstd, decodeZstd},
		{"zstd", 22, codecZstd, decodeZstd},
	} {
		codec, err := newCodec(c.name, c.level)
		if err != nil {
			t.Fatal(err)
		}
		if codec.ID() != c.id {
			t.Errorf("%s has id %d, want %d", c.name, codec.ID(), c.id)
		}
		for name, page := range codecPages() {
			const before = "before"
			got := codec.compress([]byte(before), page)
			if string(got[:len(before)]) != before {
				t.Errorf("%s, %s: the bytes in front are now %q", c.name, name, got[:len(before)])
			}
			if back, err := c.decode(got[len(before):]); err != nil || !bytes.Equal(back, page) {
				t.Errorf("%s level %d, %s: %d bytes back of %d, error %v", c.name, c.level, name, len(back), len(page), err)
			}
		}
	}
}

// With room enough in dst, a page is compressed there.
func TestCodecsInPlace(t *testing.T) {
	page := codecPages()["numbers"]
	dst := make([]byte, 0, 2*len(page))
	for _, name := range []string{"none", "snappy", "zstd"} {
		codec, err := newCodec(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := codec.compress(dst, page); &got[0] != &dst[:1][0] {
			t.Errorf("%s: the page went elsewhere", name)
		}
	}
}

// An encoder that has seen other pages compresses a page just like a new one, on any goroutine.
func TestCodecsDeterministic(t *testing.T) {
	pages := codecPages()
	for _, level := range []int{1, 3, 6, 10} {
		codec, err := newCodec("zstd", level)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]byte{}
		for name, page := range pages {
			want[name] = newZstdEncoder(zstd.EncoderLevelFromZstd(level)).EncodeAll(page, nil)
		}
		var wait sync.WaitGroup
		for range 2 {
			wait.Go(func() {
				for range 2 {
					for name, page := range pages { // a map: in another order each time
						if !bytes.Equal(codec.compress(nil, page), want[name]) {
							t.Errorf("level %d, %s: other bytes than from a new encoder", level, name)
						}
					}
				}
			})
		}
		wait.Wait()
	}
}

func TestNewCodecErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		level int
		want  string
	}{
		{"lzo", 0, "use none, snappy or zstd"},
		{"", 0, "use none, snappy or zstd"},
		{"ZSTD", 0, "use none, snappy or zstd"},
		{"snappy", 1, "no levels"},
		{"none", -1, "no levels"},
		{"zstd", 23, "1 to 22"},
		{"zstd", -1, "1 to 22"},
	} {
		if _, err := newCodec(c.name, c.level); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s level %d: error %v, want %q in it", c.name, c.level, err, c.want)
		}
	}
}

// What one worker holds at the default level stays under 3 MB, after a page of any size.
func TestZstdMemory(t *testing.T) {
	page := codecPages()["text"]
	dst := make([]byte, 0, 2*len(page))
	live := func() uint64 {
		for range 3 { // the pools of other tests need two to be empty
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	e := newZstdEncoder(zstd.EncoderLevelFromZstd(1))
	e.EncodeAll(page, dst)
	held := int64(live() - before)
	if held < 100<<10 || held > 3<<20 {
		t.Errorf("an encoder holds %d bytes, want 100 KiB to 3 MiB", held)
	}
	runtime.KeepAlive(e)
	runtime.KeepAlive(dst)
	runtime.KeepAlive(page)
}

func BenchmarkCodec(b *testing.B) {
	pages := codecPages()
	for _, name := range []string{"snappy", "zstd"} {
		codec, err := newCodec(name, 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, page := range []string{"noise", "zeros", "numbers", "text"} {
			b.Run("codec="+name+"/page="+page, func(b *testing.B) {
				src := pages[page]
				dst := make([]byte, 0, 2*len(src))
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					dst = codec.compress(dst[:0], src)
				}
			})
		}
	}
}
