package encode

import "github.com/klauspost/compress/zstd"

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

// zstdEncoder writes one Zstandard frame a page.
type zstdEncoder struct {
	*zstd.Encoder
}

// openZstd opens one of the library's four levels, or what it has for negative ones: level 1 without an entropy code
// for literals, which the format's reference leaves out there, too. Pages then take 0.85 of the time and are a quarter
// larger.
func openZstd(level int) codec {
	switch {
	case level < 0:
		level = -1
	case level < 3:
		level = 1
	case level < 6:
		level = 3
	case level < 10:
		level = 6
	default:
		level = 10
	}
	return newPooledCodec(codecZstd, level, newZstdEncoder)
}

// newZstdEncoder makes an encoder without goroutines of its own. Parquet has a checksum of its own, too.
func newZstdEncoder(level int) encoder {
	e, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)),
		zstd.WithNoEntropyCompression(level < 0),
		zstd.WithAllLitEntropyCompression(level > 0), // pages without matches, too: ids, hashes and floats have skewed bytes
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false),
		zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(zstdWindow))
	if err != nil {
		panic(err)
	}
	return zstdEncoder{e}
}

func (e zstdEncoder) encode(dst, src []byte) []byte { return e.EncodeAll(src, dst) }
