package encode

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"iter"
)

// magicEncrypted stands at both ends of a file whose footer is encrypted.
const magicEncrypted = "PARE"

// fileCipher encrypts one file. A nil fileCipher leaves it as it is. It is for one goroutine at a time; its columns'
// ciphers may be used beside it.
type fileCipher struct {
	plaintextFooter bool
	footerKey       *keyCipher
	keyMetadata     []byte // of the footer key
	algorithm       encryptionAlgorithm
	fileAAD         []byte
	columns         []*columnCipher // by leaf; nil: not encrypted
	sealed          []byte
}

// newFileCipher returns nil if e is, which has been checked.
func newFileCipher(e *Encryption, leaves []leafColumn) (*fileCipher, error) {
	if e == nil {
		return nil, nil
	}
	entries, err := e.assign(leaves)
	if err != nil {
		return nil, err
	}
	f := &fileCipher{plaintextFooter: e.PlaintextFooter, keyMetadata: bytes.Clone(e.FooterKeyMetadata)}
	f.identify(e)
	keys := ciphers{}
	if f.footerKey, err = keys.of(e.FooterKey); err != nil {
		return nil, err
	}
	f.columns = make([]*columnCipher, len(leaves))
	for i, entry := range entries {
		if entry == plainColumn {
			continue
		}
		c := &columnCipher{key: f.footerKey, ctr: f.algorithm.CTR, ordinal: i, fileAAD: len(f.fileAAD)}
		c.aad = append(c.aad, f.fileAAD...)
		if entry != uniformColumn && e.Columns[entry].Key != nil {
			own := &e.Columns[entry]
			if c.key, err = keys.of(own.Key); err != nil {
				return nil, err
			}
			c.crypto = columnCrypto{Path: leaves[i].Path, KeyMetadata: bytes.Clone(own.KeyMetadata)}
		}
		f.columns[i] = c
	}
	return f, nil
}

// identify draws the file's random identifier.
func (f *fileCipher) identify(e *Encryption) {
	unique := make([]byte, fileUniqueBytes)
	_, _ = rand.Read(unique)
	f.algorithm = encryptionAlgorithm{
		CTR:             e.Algorithm == algorithmGCMCTR,
		FileUnique:      unique,
		SupplyAADPrefix: e.OmitAADPrefix,
	}
	if !e.OmitAADPrefix {
		f.algorithm.AADPrefix = bytes.Clone(e.AADPrefix)
	}
	f.fileAAD = append(append(f.fileAAD, e.AADPrefix...), unique...)
}

// magic returns what stands at both ends of the file.
func (f *fileCipher) magic() string {
	if f == nil || f.plaintextFooter {
		return magic
	}
	return magicEncrypted
}

// attach gives the columns of a file, in the order of its leaves, what encrypts their pages.
func (f *fileCipher) attach(columns iter.Seq2[int, *column]) {
	if f == nil {
		return
	}
	for leaf, c := range columns {
		c.chunk.cipher = f.columns[leaf]
	}
}

// index returns a part of the page index as it is stored, valid until the next call.
func (f *fileCipher) index(plain []byte, m moduleType, group, leaf int) ([]byte, error) {
	if f == nil || f.columns[leaf] == nil {
		return plain, nil
	}
	var err error
	if f.sealed, err = f.columns[leaf].seal(f.sealed[:0], plain, m, group, 0); err != nil {
		return nil, fmt.Errorf("encode: page index: %w", err)
	}
	return f.sealed, nil
}

// footer returns what stands between the last index and the length of the footer. It hides or strips the metadata of
// encrypted columns in m.
func (f *fileCipher) footer(m *fileMetaData) ([]byte, error) {
	if f == nil {
		return m.append(nil), nil
	}
	for g := range m.RowGroups {
		columns := m.RowGroups[g].Columns
		for i := range columns {
			if f.columns[i] == nil {
				continue
			}
			if err := f.protect(&columns[i], f.columns[i], g); err != nil {
				return nil, err
			}
		}
	}
	aad := append(f.fileAAD, byte(moduleFooter))
	if f.plaintextFooter {
		m.Encryption, m.SigningKeyMetadata = &f.algorithm, f.keyMetadata
		return f.signed(m.append(nil), aad)
	}
	crypto := fileCryptoMetaData{Algorithm: f.algorithm, KeyMetadata: f.keyMetadata}
	return f.footerKey.sealGCM(crypto.append(nil), m.append(nil), aad)
}

// signed returns a footer with its signature, a nonce and a tag (Encryption.md, 5.5).
func (f *fileCipher) signed(footer, aad []byte) ([]byte, error) {
	module, err := f.footerKey.sealGCM(nil, footer, aad)
	if err != nil {
		return nil, err
	}
	footer = append(footer, module[moduleLengthBytes:][:nonceBytes]...)
	return append(footer, module[len(module)-tagBytes:]...), nil
}

// protect hides the metadata of a column chunk from those who have no key to it (Encryption.md, 5.3 to 5.5).
func (f *fileCipher) protect(c *columnChunk, by *columnCipher, group int) error {
	c.Crypto = &by.crypto
	if !f.plaintextFooter && by.crypto.withFooterKey() {
		return nil // the footer's encryption hides it
	}
	w := thriftWriter{}
	c.writeMetaData(&w)
	var err error
	if c.EncryptedMetaData, err = by.seal(nil, w.finish(), moduleColumnMetaData, group, 0); err != nil {
		return err
	}
	if !f.plaintextFooter {
		c.HideMetaData = true
		return nil
	}
	// Readers that know no encryption get along with what is left: types, sizes and offsets.
	c.Statistics, c.SizeStatistics, c.Geospatial, c.EncodingStats, c.KeyValues = nil, nil, nil, nil, nil
	return nil
}
