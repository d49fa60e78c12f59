package encode

import "fmt"

// codec compresses whole pages. It is safe for concurrent use: what a call needs in memory is borrowed from a pool that
// all codecs of one kind share, so there is as much of it as there are calls at the same moment, and none of it belongs
// to a column or a file.
type codec interface {
	ID() codecID
	// compress appends src, compressed, to dst. They must not overlap.
	compress(dst, src []byte) []byte
}

// newCodec returns the codec of that name. Level 0 is the codec's default.
func newCodec(name string, level int) (codec, error) {
	switch name {
	case "none":
		return noneCodec{}, needNoLevel(name, level)
	case "snappy":
		return snappyCodec{}, needNoLevel(name, level)
	case "zstd":
		return newZstdCodec(level)
	}
	return nil, fmt.Errorf("encode: compression %q is not known: use none, snappy or zstd", name)
}

func needNoLevel(name string, level int) error {
	if level != 0 {
		return fmt.Errorf("encode: compression level %d: %s has no levels, leave it out", level, name)
	}
	return nil
}

// noneCodec stores pages as they are.
type noneCodec struct{}

func (noneCodec) ID() codecID { return codecNone }

func (noneCodec) compress(dst, src []byte) []byte { return append(dst, src...) }
