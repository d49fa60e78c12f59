package encode

import (
	"fmt"
	"io"
)

// streamEncoder makes an encoder of a library that only writes to streams. What the stream gives out goes straight to
// the end of the page's destination.
type streamEncoder struct {
	stream interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	// firstBytes is the size of the first write, 0 for the whole page.
	firstBytes int
	dst        []byte
}

// Write takes what the stream gives out.
func (e *streamEncoder) Write(b []byte) (int, error) {
	e.dst = append(e.dst, b...)
	return len(b), nil
}

func (e *streamEncoder) encode(dst, src []byte) []byte {
	e.dst = dst
	e.stream.Reset(e)
	if 0 < e.firstBytes && e.firstBytes < len(src) {
		e.write(src[:e.firstBytes])
		src = src[e.firstBytes:]
	}
	e.write(src)
	if err := e.stream.Close(); err != nil {
		panic(fmt.Sprintf("encode: end of a compressed page: %v", err))
	}
	dst, e.dst = e.dst, nil
	return dst
}

func (e *streamEncoder) write(src []byte) {
	if _, err := e.stream.Write(src); err != nil {
		panic(fmt.Sprintf("encode: compress a page: %v", err))
	}
}
