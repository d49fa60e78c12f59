package encode

import (
	"slices"

	"github.com/klauspost/compress/s2"
)

// snappyCodec writes Snappy's block format, in s2's variant of it that every Snappy reader understands. Its tables are
// pooled in s2, 64 KiB a call.
type snappyCodec struct{}

func (snappyCodec) ID() codecID { return codecSnappy }

func (snappyCodec) compress(dst, src []byte) []byte {
	dst = slices.Grow(dst, s2.MaxEncodedLen(len(src)))
	n := len(dst)
	return dst[:n+len(s2.EncodeSnappy(dst[n:], src))]
}
