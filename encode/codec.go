package encode

import (
	"fmt"
	"math"
	"strings"
	"sync"
)

// codec compresses whole pages. It is safe for concurrent use: what a call needs in memory is borrowed from a pool that
// all codecs of one kind and level share, so there is as much of it as there are calls at the same moment, and none of
// it belongs to a column or a file.
type codec interface {
	ID() codecID
	// compress appends src, compressed, to dst. They must not overlap.
	compress(dst, src []byte) []byte
}

// CompressionLevelZero is the Options.CompressionLevel for the level 0 of a codec that has one: brotli. The field's own
// 0 is the codec's default.
const CompressionLevelZero = math.MinInt

// codecKind is what Options.Compression can name.
type codecKind struct {
	name      string
	low, high int // its levels; both 0 if it has none
	lowest    int // of its negative levels, if it has any
	usual     int // the level that is its default
	open      func(level int) codec
}

// codecKinds are all codecs of the specification's Compression.md but for LZO, whose format is nowhere specified, and
// LZ4, which LZ4_RAW replaced. Ranges and defaults of levels are those of Arrow C++, and so pyarrow's, but for gzip's
// default.
var codecKinds = []codecKind{
	{name: "none", open: func(int) codec { return noneCodec{} }},
	{name: "snappy", open: func(int) codec { return snappyCodec{} }},
	{name: "gzip", low: 1, high: 9, usual: 6, open: openGzip},
	{name: "brotli", low: 0, high: 11, usual: 8, open: openBrotli},
	{name: "zstd", low: 1, high: 22, lowest: -1 << 17, usual: 1, open: openZstd},
	{name: "lz4_raw", low: 1, high: 12, usual: 1, open: openLZ4},
}

// codecAliases are further names; with "lz4" pyarrow means what Parquet calls LZ4_RAW.
var codecAliases = map[string]string{"uncompressed": "none", "lz4": "lz4_raw"}

// CheckCompression says what is wrong with a pair of Options.Compression and Options.CompressionLevel, if anything is.
// Its error begins with the name or the level that it refuses.
func CheckCompression(name string, level int) error {
	if name == "" {
		name = defaultCompression
	}
	_, _, err := findCodec(name, level)
	return err
}

// newCodec returns the codec of that name. Level 0 is the codec's default.
func newCodec(name string, level int) (codec, error) {
	kind, level, err := findCodec(name, level)
	if err != nil {
		return nil, fmt.Errorf("compression %w", err)
	}
	return kind.open(level), nil
}

// findCodec finds a codec by any of its names and says which level is meant.
func findCodec(name string, level int) (*codecKind, int, error) {
	lower := strings.ToLower(name)
	if alias, ok := codecAliases[lower]; ok {
		lower = alias
	}
	for i := range codecKinds {
		if kind := &codecKinds[i]; kind.name == lower {
			level, err := kind.level(level)
			return kind, level, err
		}
	}
	return nil, 0, fmt.Errorf("%.40q is not a codec that can be written: "+
		"use none, snappy, gzip, brotli, zstd or lz4", name)
}

// level returns the level that an Options.CompressionLevel stands for.
func (k *codecKind) level(level int) (int, error) {
	switch level {
	case 0:
		return k.usual, nil
	case CompressionLevelZero:
		level = 0
	}
	switch {
	case k.high == 0:
		return 0, fmt.Errorf("level %d: %s has no levels, leave it out", level, k.name)
	case k.low <= level && level <= k.high || k.lowest <= level && level < 0:
		return level, nil
	case k.lowest < 0:
		return 0, fmt.Errorf("level %d: %s has levels %d to %d, and -1 to %d", level, k.name, k.low, k.high, k.lowest)
	}
	return 0, fmt.Errorf("level %d: %s has levels %d to %d", level, k.name, k.low, k.high)
}

// noneCodec stores pages as they are.
type noneCodec struct{}

func (noneCodec) ID() codecID { return codecNone }

func (noneCodec) compress(dst, src []byte) []byte { return append(dst, src...) }

// encoder is the memory of a codec and level. It is for one goroutine at a time; what it makes of a page does not
// depend on the pages before.
type encoder interface {
	// encode appends src, compressed, to dst.
	encode(dst, src []byte) []byte
}

// pooledCodec compresses with encoders that are used again.
type pooledCodec struct {
	id     codecID
	level  int
	create func(level int) encoder
	idle   *sync.Pool
}

// encoderPools has the idle encoders of each encoderKey.
var encoderPools sync.Map

type encoderKey struct {
	id    codecID
	level int
}

// newPooledCodec returns a codec with the encoders that create makes. Codecs of one id and level share them.
func newPooledCodec(id codecID, level int, create func(level int) encoder) codec {
	pool, _ := encoderPools.LoadOrStore(encoderKey{id, level}, new(sync.Pool))
	return pooledCodec{id, level, create, pool.(*sync.Pool)}
}

func (c pooledCodec) ID() codecID { return c.id }

func (c pooledCodec) compress(dst, src []byte) []byte {
	e, ok := c.idle.Get().(encoder)
	if !ok {
		e = c.create(c.level)
	}
	dst = e.encode(dst, src)
	c.idle.Put(e) // not after a panic
	return dst
}
