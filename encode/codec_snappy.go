package encode

import (
	"slices"

	"github.com/klauspost/compress/s2"
)

// snappyCodec writes Snappy's block format, in s2's variant of it that every Snappy reader understands. Its tables are
// pooled in s2, 64 KiB a call.
//
// Of s2's two encoders this is the fast one: on the flights table's plain columns 1062 MB/s and 24.0 %, where the
// better one takes 732 MB/s, 575 KiB a call, and 21.2 %. Who wants small files chooses zstd, with half of that.
type snappyCodec struct{}

func (snappyCodec) ID() codecID { return codecSnappy }

func (snappyCodec) compress(dst, src []byte) []byte {
	dst = slices.Grow(dst, s2.MaxEncodedLen(len(src)))
	n := len(dst)
	return dst[:n+len(s2.EncodeSnappy(dst[n:], src))]
}
