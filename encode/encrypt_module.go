package encode

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// moduleType says what a module holds (Encryption.md, 4.4.2).
type moduleType byte

const (
	moduleFooter               moduleType = 0
	moduleColumnMetaData       moduleType = 1
	moduleDataPage             moduleType = 2
	moduleDictionaryPage       moduleType = 3
	moduleDataPageHeader       moduleType = 4
	moduleDictionaryPageHeader moduleType = 5
	moduleColumnIndex          moduleType = 6
	moduleOffsetIndex          moduleType = 7
	moduleBloomFilterHeader    moduleType = 8
	moduleBloomFilterBitset    moduleType = 9
)

// A module in the file (Encryption.md, 5.1):
//
//	length (4 bytes) | nonce (12 bytes) | as many bytes as were encrypted | tag (16 bytes; none of CTR)
const (
	moduleLengthBytes = 4
	nonceBytes        = 12
	tagBytes          = 16
)

// maxInvocations is how many modules a key may encrypt (Encryption.md, 4.1.4).
const maxInvocations = 1 << 32

// keyCipher encrypts modules with one key. It is safe for concurrent use.
type keyCipher struct {
	block       cipher.Block
	gcm         cipher.AEAD // draws a nonce for each module and puts it in front
	invocations atomic.Int64
}

func newKeyCipher(block cipher.Block) (*keyCipher, error) {
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("encode: AES-GCM: %w", err)
	}
	return &keyCipher{block: block, gcm: gcm}, nil
}

func (k *keyCipher) count() error {
	if k.invocations.Add(1) > maxInvocations {
		return errors.New("its key has encrypted 2^32 modules, all that it may: begin another file with another key")
	}
	return nil
}

// sealGCM appends a module. What is encrypted must not lie in the memory behind dst.
func (k *keyCipher) sealGCM(dst, plain, aad []byte) ([]byte, error) {
	if err := k.count(); err != nil {
		return dst, err
	}
	at := len(dst)
	dst = slices.Grow(dst, moduleLengthBytes+nonceBytes+len(plain)+tagBytes)
	dst = k.gcm.Seal(dst[:at+moduleLengthBytes], nil, plain, aad)
	putModuleLength(dst[at:])
	return dst, nil
}

// sealCTR appends a module of two parts without a tag.
func (k *keyCipher) sealCTR(dst []byte, parts [2][]byte) ([]byte, error) {
	if err := k.count(); err != nil {
		return dst, err
	}
	at, n := len(dst), len(parts[0])+len(parts[1])
	const front = moduleLengthBytes + nonceBytes
	dst = slices.Grow(dst, front+max(n, 4))[:at+front+4]
	iv := dst[at+moduleLengthBytes:] // the nonce and a counter, in whose place the first value comes
	_, _ = rand.Read(iv[:nonceBytes])
	binary.BigEndian.PutUint32(iv[nonceBytes:], 1)
	stream := cipher.NewCTR(k.block, iv)
	dst = dst[:at+front+n]
	body := dst[at+front:]
	stream.XORKeyStream(body, parts[0])
	stream.XORKeyStream(body[len(parts[0]):], parts[1])
	putModuleLength(dst[at:])
	return dst, nil
}

func putModuleLength(module []byte) {
	binary.LittleEndian.PutUint32(module, uint32(len(module)-moduleLengthBytes))
}

// columnCipher encrypts what a file holds of one leaf column. It is for one goroutine at a time.
type columnCipher struct {
	key     *keyCipher
	ctr     bool // for pages
	crypto  columnCrypto
	ordinal int    // of the leaf column
	group   int    // ordinal of the row group that is gathered
	aad     []byte // of the last module; begins with the file's
	fileAAD int    // bytes of the file's
}

// nextRowGroup begins the next row group. A nil columnCipher, of a column that is not encrypted, has none.
func (c *columnCipher) nextRowGroup() {
	if c != nil {
		c.group++
	}
}

// moduleAAD returns the AAD of a module (Encryption.md, 4.4.2), valid until the next call. All but the pages' have no
// page.
func (c *columnCipher) moduleAAD(m moduleType, group, page int) ([]byte, error) {
	if group > math.MaxInt16 {
		return nil, fmt.Errorf("row group %d: an encrypted file has at most %d: "+
			"raise the records of a row group or begin another file", group, math.MaxInt16+1)
	}
	aad := append(c.aad[:c.fileAAD], byte(m))
	aad = binary.LittleEndian.AppendUint16(aad, uint16(group))
	aad = binary.LittleEndian.AppendUint16(aad, uint16(c.ordinal))
	if m == moduleDataPage || m == moduleDataPageHeader {
		if page > math.MaxInt16 {
			return nil, fmt.Errorf("an encrypted column chunk has at most %d data pages: "+
				"raise the limits of data pages, or lower the records of a row group", math.MaxInt16+1)
		}
		aad = binary.LittleEndian.AppendUint16(aad, uint16(page))
	}
	c.aad = aad
	return aad, nil
}

// seal appends a module of any type but a page. Only a page's header has a page.
func (c *columnCipher) seal(dst, plain []byte, m moduleType, group, page int) ([]byte, error) {
	aad, err := c.moduleAAD(m, group, page)
	if err != nil {
		return dst, err
	}
	return c.key.sealGCM(dst, plain, aad)
}

// sealPage puts a page of the row group that is gathered into s.sealed.
func (c *columnCipher) sealPage(s *pageScratch, parts [2][]byte, m moduleType, page int) error {
	aad, err := c.moduleAAD(m, c.group, page)
	if err != nil {
		return err
	}
	if c.ctr {
		s.sealed, err = c.key.sealCTR(s.sealed[:0], parts)
		return err
	}
	plain := parts[0]
	if len(plain) == 0 {
		plain = parts[1]
	} else if len(parts[1]) > 0 {
		s.joined = append(append(s.joined[:0], parts[0]...), parts[1]...)
		plain = s.joined
	}
	s.sealed, err = c.key.sealGCM(s.sealed[:0], plain, aad)
	return err
}

// encryptPage makes a module of a page, unless the column is not encrypted.
func (c *chunk) encryptPage(s *pageScratch, p *payload, m moduleType) error {
	if c.cipher == nil {
		return nil
	}
	if n := int64(p.size()) + moduleLengthBytes + nonceBytes + tagBytes; n > math.MaxInt32 {
		return fmt.Errorf("it has %d bytes after encryption, more than a page can hold", n)
	}
	if err := c.cipher.sealPage(s, p.parts, m, c.numPages()); err != nil {
		return err
	}
	p.parts = [2][]byte{s.sealed, nil}
	return nil
}

// encryptHeader makes a module of s.header, unless the column is not encrypted.
func (c *chunk) encryptHeader(s *pageScratch, m moduleType) error {
	if c.cipher == nil {
		return nil
	}
	sealed, err := c.cipher.seal(s.sealedHeader[:0], s.header, m, c.cipher.group, c.numPages())
	s.header, s.sealedHeader = sealed, s.header
	return err
}

// encryptBloomFilter makes two modules of a Bloom filter, unless there is none or the column is not encrypted. It is
// called before the chunk is written.
func (c *chunk) encryptBloomFilter(filter []byte) ([]byte, error) {
	if c.cipher == nil || len(filter) == 0 {
		return filter, nil
	}
	header := len(filter) % bloomBlockBytes // it is shorter than a block, and the rest is blocks
	dst := make([]byte, 0, len(filter)+2*(moduleLengthBytes+nonceBytes+tagBytes))
	dst, err := c.cipher.seal(dst, filter[:header], moduleBloomFilterHeader, c.cipher.group, 0)
	if err != nil {
		return nil, err
	}
	return c.cipher.seal(dst, filter[header:], moduleBloomFilterBitset, c.cipher.group, 0)
}
