package encode

import (
	"fmt"
	"slices"

	"github.com/pierrec/lz4/v4"
)

// lz4Encoder writes a page as one block of LZ4, without a frame.
type lz4Encoder struct {
	block interface {
		CompressBlock(src, dst []byte) (int, error)
	}
}

// openLZ4 opens a level of LZ4_RAW. As in the reference implementation, levels below 3 are the fast compressor and the
// others look at more and more earlier places for the longest match: 4, 8, 16 and on to 2,048. Measured on the 48 MB of
// the flights table's plain columns in pages of 1 MiB, in processor time of a busy machine:
//
//	level   MB/s   compressed to   KiB of an encoder
//	1, 2     578          28.8 %        56
//	3        126          26.1 %       776
//	4         91          24.5 %       776
//	5         61          23.0 %       776
//	6         49          21.8 %       776
//	9         18          19.7 %       776
//	12         9          19.3 %       776
//
// Of the library's two fast compressors this is the one that writes the reference implementation's bytes. The other one
// takes 135 KiB and a quarter more time for 27.9 %.
func openLZ4(level int) codec {
	if level < 3 {
		level = 1
	}
	return newPooledCodec(codecLZ4Raw, level, newLZ4Encoder)
}

func newLZ4Encoder(level int) encoder {
	if level < 3 {
		return lz4Encoder{&lz4.CompressorCCompat{}}
	}
	return lz4Encoder{&lz4.CompressorHC{Level: lz4.CompressionLevel(1) << (level - 1)}}
}

func (e lz4Encoder) encode(dst, src []byte) []byte {
	most := lz4.CompressBlockBound(len(src))
	dst = slices.Grow(dst, most)
	at := len(dst)
	n, err := e.block.CompressBlock(src, dst[at:at+most])
	if err != nil || n == 0 {
		panic(fmt.Sprintf("encode: a block of %d bytes for LZ4: %d bytes, error %v", len(src), n, err))
	}
	return dst[:at+n]
}
