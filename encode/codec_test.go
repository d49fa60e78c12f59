package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/compress"
	parquetgo "github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/brotli"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/lz4"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/uncompressed"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/sluice-io/sluice/integration/lint"
)

// codecPages are pages of many kinds: nothing, a byte, noise, runs, numbers, text, some of them larger than any window.
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

// codecSetting is a codec with a level, 0 for its default.
type codecSetting struct {
	name  string
	level int
}

func (s codecSetting) String() string {
	switch s.level {
	case 0:
		return s.name
	case CompressionLevelZero:
		return s.name + "-0"
	}
	return fmt.Sprintf("%s-%d", s.name, s.level)
}

func (s codecSetting) codec(t testing.TB) codec {
	t.Helper()
	c, err := newCodec(s.name, s.level)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newEncoder makes the encoder of the setting. It is nil for a codec without one, and for a level that is another one
// to its library.
func (s codecSetting) newEncoder(t testing.TB) encoder {
	t.Helper()
	c, ok := s.codec(t).(pooledCodec)
	if !ok || s.level > 0 && s.level != c.level {
		return nil
	}
	return c.create(c.level)
}

// page cuts a page so that it takes milliseconds at any level, and not at all at the default one.
func (s codecSetting) page(b []byte) []byte {
	switch {
	case s.level == 0:
		return b
	case s.name == "brotli" && s.level >= 10 || s.name == "gzip" && s.level == 9:
		return b[:min(len(b), 20_000)]
	}
	return b[:min(len(b), 150_000)]
}

// codecSettings are all codecs with all levels, but for most of zstd's negative ones.
func codecSettings() (settings []codecSetting) {
	for _, k := range codecKinds {
		settings = append(settings, codecSetting{k.name, 0})
		if k.lowest < 0 {
			settings = append(settings, codecSetting{k.name, -1}, codecSetting{k.name, k.lowest})
		}
		if k.low == 0 && k.high > 0 {
			settings = append(settings, codecSetting{k.name, CompressionLevelZero})
		}
		for level := max(k.low, 1); level <= k.high; level++ {
			settings = append(settings, codecSetting{k.name, level})
		}
	}
	return settings
}

// arrowGoDecode gives back a page of so many bytes with another Parquet library.
func arrowGoDecode(id codecID, b []byte, size int) ([]byte, error) {
	codec, err := compress.GetCodec(map[codecID]compress.Compression{
		codecNone: compress.Codecs.Uncompressed, codecSnappy: compress.Codecs.Snappy, codecGzip: compress.Codecs.Gzip,
		codecBrotli: compress.Codecs.Brotli, codecZstd: compress.Codecs.Zstd, codecLZ4Raw: compress.Codecs.Lz4Raw,
	}[id])
	if err != nil {
		return nil, err
	}
	page := make([]byte, size)
	if size == 0 && id == codecBrotli {
		page = nil // it finds no end of an empty page that it has a buffer for
	}
	return compress.Decode(codec, page, b)
}

// parquetGo are the codecs of a third one, by our ids.
var parquetGo = map[codecID]parquetgo.Codec{
	codecNone: new(uncompressed.Codec), codecSnappy: new(snappy.Codec), codecGzip: new(gzip.Codec),
	codecBrotli: new(brotli.Codec), codecZstd: new(zstd.Codec), codecLZ4Raw: new(lz4.Codec),
}

// checkCodec compresses a page behind other bytes and reads it back with three decoders.
func checkCodec(c codec, page []byte) error {
	const before = "before"
	got := c.compress([]byte(before), page)
	if string(got[:len(before)]) != before {
		return fmt.Errorf("the bytes in front are now %q", got[:len(before)])
	}
	got = got[len(before):]
	if back, err := lint.Decompress(lint.Codec(c.ID()), got); err != nil || !bytes.Equal(back, page) {
		return fmt.Errorf("%d bytes back of %d, error %w", len(back), len(page), err)
	}
	if back, err := arrowGoDecode(c.ID(), got, len(page)); err != nil || !bytes.Equal(back, page) {
		return fmt.Errorf("arrow-go has %d bytes back of %d, error %w", len(back), len(page), err)
	}
	if back, err := parquetGo[c.ID()].Decode(make([]byte, len(page)), got); err != nil || !bytes.Equal(back, page) {
		return fmt.Errorf("parquet-go has %d bytes back of %d, error %w", len(back), len(page), err)
	}
	return nil
}

func TestCodecs(t *testing.T) {
	ids := map[string]codecID{"none": 0, "snappy": 1, "gzip": 2, "brotli": 4, "zstd": 6, "lz4_raw": 7}
	pages := codecPages()
	for _, s := range codecSettings() {
		codec := s.codec(t)
		if codec.ID() != ids[s.name] {
			t.Errorf("%v has id %d, want %d", s, codec.ID(), ids[s.name])
		}
		for name, page := range pages {
			if err := checkCodec(codec, s.page(page)); err != nil {
				t.Errorf("%v, %s: %v", s, name, err)
			}
		}
	}
}

// Pages of every small size have an end where formats have special rules.
func TestCodecsSmallPages(t *testing.T) {
	text := codecPages()["text"]
	for _, s := range codecSettings() {
		codec := s.codec(t)
		for size := range 70 {
			for _, page := range [][]byte{text[:size], make([]byte, size)} {
				if err := checkCodec(codec, page); err != nil {
					t.Errorf("%v, %d bytes: %v", s, size, err)
				}
			}
		}
	}
}

// A page of 256 MiB goes through each codec with -long, and one of 5 MB without.
func TestCodecsLargePage(t *testing.T) {
	size := 5_000_000
	if *long {
		size = 1 << 28
	}
	numbers := codecPages()["numbers"]
	page := make([]byte, 0, size)
	for i := uint64(0); len(page) < size; i++ { // each time other numbers, and then the same again
		page = append(page, numbers[:min(len(numbers), size-len(page))]...)
		binary.LittleEndian.PutUint64(numbers[i%1000*8:], i)
	}
	for _, k := range codecKinds {
		codec := codecSetting{k.name, 0}.codec(t)
		got := codec.compress(nil, page)
		if back, err := lint.Decompress(lint.Codec(codec.ID()), got); err != nil || !bytes.Equal(back, page) {
			t.Errorf("%s: %d bytes back of %d, error %v", k.name, len(back), len(page), err)
		}
	}
}

func TestCodecNames(t *testing.T) {
	for name, id := range map[string]codecID{
		"none": codecNone, "NONE": codecNone, "uncompressed": codecNone, "UNCOMPRESSED": codecNone, "SNAPPY": codecSnappy,
		"Gzip": codecGzip, "BROTLI": codecBrotli, "ZSTD": codecZstd, "lz4": codecLZ4Raw, "LZ4": codecLZ4Raw,
		"LZ4_RAW": codecLZ4Raw,
	} {
		if c, err := newCodec(name, 0); err != nil || c.ID() != id {
			t.Errorf("%s: %v, error %v", name, c, err)
		}
		if err := CheckCompression(name, 0); err != nil {
			t.Error(err)
		}
	}
	if err := CheckCompression("", 0); err != nil {
		t.Errorf("the default: %v", err)
	}
}

func TestNewCodecErrors(t *testing.T) {
	const names = "use none, snappy, gzip, brotli, zstd or lz4"
	for _, c := range []struct {
		name  string
		level int
		want  string
	}{
		{"lzo", 0, `compression "lzo" is not a codec that can be written: ` + names},
		{"", 0, names},
		{"lz4_hadoop", 1, names},
		{"snappy", 1, "compression level 1: snappy has no levels"},
		{"snappy", CompressionLevelZero, "level 0: snappy has no levels"},
		{"NONE", -1, "no levels"},
		{"gzip", 10, "level 10: gzip has levels 1 to 9"},
		{"gzip", CompressionLevelZero, "level 0: gzip has levels 1 to 9"},
		{"brotli", 12, "level 12: brotli has levels 0 to 11"},
		{"brotli", -1, "level -1: brotli has levels 0 to 11"},
		{"zstd", 23, "level 23: zstd has levels 1 to 22, and -1 to -131072"},
		{"zstd", -131073, "level -131073: zstd has levels 1 to 22"},
		{"zstd", CompressionLevelZero, "level 0: zstd has levels 1 to 22"},
		{"lz4", 13, "level 13: lz4_raw has levels 1 to 12"},
		{"lz4_raw", -1, "level -1: lz4_raw has levels 1 to 12"},
	} {
		if _, err := newCodec(c.name, c.level); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s level %d: error %v, want %q in it", c.name, c.level, err, c.want)
		}
		if c.name == "" { // the default to it
			continue
		}
		if err := CheckCompression(c.name, c.level); err == nil || !strings.Contains("compression "+err.Error(), c.want) {
			t.Errorf("%s level %d: check says %v, want %q in it", c.name, c.level, err, c.want)
		}
	}
}

// Higher levels are there for smaller files.
func TestCodecLevels(t *testing.T) {
	text := codecPages()["text"][:40_000]
	for _, c := range []struct {
		name   string
		levels []int // each smaller than the one before
	}{
		{"gzip", []int{1, 6, 9}},
		{"brotli", []int{CompressionLevelZero, 5, 11}},
		{"zstd", []int{-1, 1, 10}},
		{"lz4", []int{1, 3, 6, 12}},
	} {
		last := len(text)
		for _, level := range c.levels {
			n := len(codecSetting{c.name, level}.codec(t).compress(nil, text))
			if n >= last {
				t.Errorf("%s level %d: %d bytes, the level before %d", c.name, level, n, last)
			}
			last = n
		}
	}
}

func FuzzCodecs(f *testing.F) {
	settings := codecSettings()
	for _, page := range codecPages() {
		for i := range settings {
			f.Add(byte(i), page[:min(len(page), 100*i)], uint16(i%7))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, page []byte, times uint16) {
		s := settings[int(which)%len(settings)]
		page = bytes.Repeat(page, min(int(times), 1<<16/(len(page)+1))+1)
		if err := checkCodec(s.codec(t), page); err != nil {
			t.Fatalf("%v: %v", s, err)
		}
	})
}

// What the linter's decoders take for a page, another library takes for the same page.
func FuzzDecoders(f *testing.F) {
	for _, k := range codecKinds {
		codec := codecSetting{k.name, 0}.codec(f)
		for _, page := range codecPages() {
			f.Add(byte(codec.ID()), codec.compress(nil, page[:min(len(page), 300)]))
		}
	}
	f.Fuzz(func(t *testing.T, id byte, b []byte) {
		page, err := lint.Decompress(lint.Codec(id), b)
		if err != nil {
			return
		}
		if back, err := arrowGoDecode(codecID(id), b, len(page)); err != nil || !bytes.Equal(back, page) {
			t.Fatalf("codec %d: %d bytes, and %d to arrow-go, error %v", id, len(page), len(back), err)
		}
	})
}
