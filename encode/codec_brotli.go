package encode

import "github.com/andybalholm/brotli"

// openBrotli opens a level of Brotli. Measured on the 48 MB of the flights table's plain columns in pages of 1 MiB, in
// processor time of a busy machine:
//
//	level   window    MB/s   compressed to     KiB of an encoder
//	0       256 KiB    246          16.5 %     922
//	1       256 KiB    161          16.8 %   3,162
//	2       256 KiB     83          14.7 %   2,034
//	3       256 KiB     70          15.5 %   2,034
//	4        64 KiB     50          15.7 %   2,298
//	5        64 KiB     19          13.8 %   2,126
//	6        64 KiB     15          13.6 %   2,126
//	7        64 KiB     14          13.4 %   2,128
//	8        64 KiB     11          13.3 %   2,134
//	9        64 KiB      9          13.1 %   3,022
//	10      256 KiB      1          11.8 %   7,466, and 30 times the page
//	11      256 KiB     <1          10.8 %   7,477, and 30 times the page
//
// With windows above 64 KiB levels 4 to 9 take other hash tables: 4 MiB at level 5, 20 at level 8, 38 at level 9, for
// files smaller by a hundredth.
func openBrotli(level int) codec { return newPooledCodec(codecBrotli, level, newBrotliEncoder) }

func newBrotliEncoder(level int) encoder {
	windowBits := 18
	if 4 <= level && level <= 9 {
		windowBits = 16
	}
	// At level 4 the library takes a table of 4 MiB and other matches once it sees a MiB coming, and keeps to what the
	// first page was. A first write that fills a block and no more shows it no such page.
	return &streamEncoder{
		stream:     brotli.NewWriterOptions(nil, brotli.WriterOptions{Quality: level, LGWin: windowBits}),
		firstBytes: 64 << 10,
	}
}
