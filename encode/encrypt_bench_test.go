package encode

import (
	"crypto/aes"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"math/rand/v2"
)

// encryptedChunk is a column chunk whose pages are encrypted.
func encryptedChunk(t testing.TB, keyBytes int, ctr bool) *chunk {
	t.Helper()
	block, err := aes.NewCipher(testKey(0, keyBytes))
	if err != nil {
		t.Fatal(err)
	}
	key, err := newKeyCipher(block)
	if err != nil {
		t.Fatal(err)
	}
	return &chunk{cipher: &columnCipher{key: key, ctr: ctr, aad: make([]byte, 8), fileAAD: 8}}
}

func (c *chunk) encryptParts(s *pageScratch, parts ...[]byte) error {
	p := payload{}
	copy(p.parts[:], parts)
	s.header = append(s.header[:0], "a page header"...)
	if err := c.encryptPage(s, &p, moduleDataPage); err != nil {
		return err
	}
	return c.encryptHeader(s, moduleDataPageHeader)
}

// Encrypting a page allocates nothing but, with CTR, the standard library's stream.
func TestEncryptPageAllocations(t *testing.T) {
	page := make([]byte, 50_000)
	for _, ctr := range []bool{false, true} {
		c, s := encryptedChunk(t, 16, ctr), &pageScratch{}
		most := 0.0
		if ctr {
			most = 1
		}
		for _, levels := range []int{0, 100, len(page)} {
			n := testing.AllocsPerRun(100, func() {
				if err := c.encryptParts(s, page[:levels], page[levels:]); err != nil {
					t.Fatal(err)
				}
			})
			if n > most {
				t.Errorf("CTR %v, %d bytes of levels: %v allocations a page", ctr, levels, n)
			}
		}
	}
}

func BenchmarkEncryptPage(b *testing.B) {
	for _, ctr := range []bool{false, true} {
		for _, keyBytes := range []int{16, 32} {
			for _, pageBytes := range []int{4 << 10, 64 << 10, 1 << 20} {
				name := map[bool]string{false: algorithmGCM, true: algorithmGCMCTR}[ctr]
				b.Run(fmt.Sprintf("algorithm=%s/key=%d/page=%d", name, 8*keyBytes, pageBytes), func(b *testing.B) {
					c, s, page := encryptedChunk(b, keyBytes, ctr), &pageScratch{}, make([]byte, pageBytes)
					b.SetBytes(int64(pageBytes))
					b.ReportAllocs()
					for b.Loop() {
						if err := c.encryptParts(s, page); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// A column of random numbers, which no codec gets smaller, so that encryption has all there is to do.
func BenchmarkWriteEncrypted(b *testing.B) {
	a := benchArray(arrow.PrimitiveTypes.Int64, 0, func(r *rand.Rand, b array.Builder, _ int) {
		b.(*array.Int64Builder).Append(r.Int64())
	})
	for _, algorithm := range []string{"none", algorithmGCM, algorithmGCMCTR} {
		b.Run("algorithm="+algorithm, func(b *testing.B) {
			o := &Options{}
			if algorithm != "none" {
				o.Encryption = &Encryption{FooterKey: testKey(0, 16), Algorithm: algorithm}
			}
			benchWrite(b, a, o)
		})
	}
}
