package encode

import "errors"

// codec makes compressors. It is safe for concurrent use.
type codec interface {
	ID() codecID
	// newCompressor returns a compressor for one worker at a time.
	newCompressor() compressor
}

// compressor compresses whole pages. It belongs to one worker at a time, however many columns that worker writes.
type compressor interface {
	// compress appends src, compressed, to dst.
	compress(dst, src []byte) []byte
}

// newCodec returns the codec of that name ("none", "snappy", "zstd"); level 0 is the codec's default.
func newCodec(name string, level int) (codec, error) {
	return nil, errors.New("encode: not built yet")
}
