package encode

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow is how far back an encoder looks for a match, and with that most of what an encoder holds besides its
// tables: half of a full page. Measured on the 55 MB of the flights table's plain columns in pages of up to 1.9 MB:
//
//	levels     MB/s   compressed to   KiB of an encoder with a window of 512 KiB
//	1, 2        317          12.4 %     1,251
//	3 to 5      327          12.6 %     2,428
//	6 to 9      220          12.3 %     5,303
//	10 to 22     50          11.7 %    35,864
//
// Windows of 128 KiB to 2 MiB differ by less than 0.1 % of the size, the speed by less than its noise.
const zstdWindow = 512 << 10

// zstdCodec writes one Zstandard frame a page.
type zstdCodec struct {
	encoders *sync.Pool
}

// zstdPools holds idle encoders by their level, of which the library has four for the format's 22.
var zstdPools = [...]sync.Pool{
	zstd.SpeedFastest:           {New: func() any { return newZstdEncoder(zstd.SpeedFastest) }},
	zstd.SpeedDefault:           {New: func() any { return newZstdEncoder(zstd.SpeedDefault) }},
	zstd.SpeedBetterCompression: {New: func() any { return newZstdEncoder(zstd.SpeedBetterCompression) }},
	zstd.SpeedBestCompression:   {New: func() any { return newZstdEncoder(zstd.SpeedBestCompression) }},
}

func newZstdCodec(level int) (codec, error) {
	switch {
	case level == 0:
		level = 1
	case level < 1 || level > 22:
		return nil, fmt.Errorf("encode: compression level %d: zstd has levels 1 to 22", level)
	}
	return zstdCodec{&zstdPools[zstd.EncoderLevelFromZstd(level)]}, nil
}

// newZstdEncoder makes an encoder without goroutines of its own. Parquet has a checksum of its own, too.
func newZstdEncoder(level zstd.EncoderLevel) *zstd.Encoder {
	e, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(level),
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false),
		zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(zstdWindow))
	if err != nil {
		panic(err)
	}
	return e
}

func (zstdCodec) ID() codecID { return codecZstd }

func (c zstdCodec) compress(dst, src []byte) []byte {
	e := c.encoders.Get().(*zstd.Encoder)
	defer c.encoders.Put(e)
	return e.EncodeAll(src, dst)
}
