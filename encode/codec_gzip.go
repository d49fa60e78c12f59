package encode

import "github.com/klauspost/compress/gzip"

// openGzip opens a level of gzip: one member of RFC 1952 a page, as the specification recommends, without a name and
// a time. Measured on the 48 MB of the flights table's plain columns in pages of 1 MiB, in processor time
// of a busy machine:
//
//	level   MB/s   compressed to   KiB of an encoder
//	1        421          15.9 %       816
//	2        295          15.5 %     1,192
//	3        286          15.4 %     1,192
//	4        203          15.1 %       936
//	5        168          15.3 %     1,064
//	6        151          14.8 %     1,064
//	7         65          14.4 %     1,000
//	8         31          14.0 %     1,000
//	9          3          13.6 %     1,397
//
// The default is zlib's 6 and not Arrow's 9, which takes fifty times as long for files smaller by a twelfth.
func openGzip(level int) codec { return newPooledCodec(codecGzip, level, newGzipEncoder) }

func newGzipEncoder(level int) encoder {
	w, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err)
	}
	return &streamEncoder{stream: w}
}
