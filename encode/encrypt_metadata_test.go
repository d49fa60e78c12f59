package encode

import (
	"math/rand/v2"
	"testing"
)

func TestCryptoMetaDataBytes(t *testing.T) {
	checkGolden(t, "testdata/metadata/filecrypto.txt", func(dst []byte) []byte {
		hidden := fileCryptoMetaData{
			Algorithm:   encryptionAlgorithm{CTR: true, FileUnique: []byte{1, 2, 3, 4}, SupplyAADPrefix: true},
			KeyMetadata: []byte("key"),
		}
		stored := fileCryptoMetaData{Algorithm: encryptionAlgorithm{AADPrefix: []byte("ab"), FileUnique: []byte{9}}}
		return stored.append(hidden.append(dst))
	})
	checkGolden(t, "testdata/metadata/columncrypto.txt", func(dst []byte) []byte {
		w := thriftWriter{buf: dst}
		for _, c := range []columnChunk{
			{
				OffsetIndexOffset: 10, OffsetIndexBytes: 5, EncryptedMetaData: []byte("xy"), HideMetaData: true,
				Crypto: &columnCrypto{Path: []string{"a", "b"}, KeyMetadata: []byte("k")},
			},
			{Type: typeInt32, Path: []string{"c"}, DataPageOffset: 4, Crypto: &columnCrypto{}},
		} {
			c.write(&w)
		}
		return w.buf
	})
}

func randomAlgorithm(r *rand.Rand) *encryptionAlgorithm {
	if r.IntN(2) == 0 {
		return nil
	}
	return &encryptionAlgorithm{
		CTR: r.IntN(2) == 0, AADPrefix: []byte(randomString(r)), FileUnique: []byte(randomString(r)),
		SupplyAADPrefix: r.IntN(2) == 0,
	}
}

// encryptRandomly gives some chunks crypto metadata, and hides the metadata of some.
func encryptRandomly(r *rand.Rand, c columnChunk) columnChunk {
	if r.IntN(2) == 0 {
		return c
	}
	if r.IntN(2) == 0 {
		c = columnChunk{
			OffsetIndexOffset: c.OffsetIndexOffset, OffsetIndexBytes: c.OffsetIndexBytes,
			ColumnIndexOffset: c.ColumnIndexOffset, ColumnIndexBytes: c.ColumnIndexBytes, HideMetaData: true,
		}
	}
	c.EncryptedMetaData = []byte(randomString(r))
	c.Crypto = &columnCrypto{}
	if r.IntN(2) == 0 {
		c.Crypto = &columnCrypto{
			Path:        append(randomList(r, func() string { return randomString(r) }), "leaf"),
			KeyMetadata: []byte(randomString(r)),
		}
	}
	return c
}
