package encode

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// lintKeys is what a reader must know of an encrypted file.
type lintKeys struct {
	footer    []byte
	columns   map[string][]byte // by the path with dots
	aadPrefix []byte            // which is not in the file
}

// lintCrypto is how an encrypted file is read.
type lintCrypto struct {
	lintKeys
	algorithm   encryptionAlgorithm
	keyMetadata []byte
	aad         []byte // of the file
	modules     []lintedModule
}

// lintedModule is a module as it was found.
type lintedModule struct {
	id    moduleID
	nonce string
	plain []byte
}

// moduleID says which module of a file one is. What does not apply is -1.
type moduleID struct {
	kind                moduleType
	group, column, page int
}

// aad returns what the module was authenticated with (Encryption.md, 4.4).
func (id moduleID) aad(file []byte) []byte {
	aad := append(bytes.Clone(file), byte(id.kind))
	for _, ordinal := range []int{id.group, id.column, id.page} {
		if ordinal >= 0 {
			aad = append(aad, byte(ordinal), byte(ordinal>>8))
		}
	}
	return aad
}

func footerID() moduleID { return moduleID{moduleFooter, -1, -1, -1} }

func (c *lintedChunk) moduleID(kind moduleType, page int) moduleID {
	return moduleID{kind, c.group, c.leaf.ordinal, page}
}

// setCrypto makes ready to read modules.
func (f *lintedFile) setCrypto(algorithm *encryptionAlgorithm, keyMetadata []byte) error {
	if f.keys == nil {
		return errors.New("the file is encrypted, and there are no keys")
	}
	a := *algorithm
	if a.SupplyAADPrefix != (len(f.keys.aadPrefix) > 0) || a.SupplyAADPrefix && len(a.AADPrefix) > 0 {
		return fmt.Errorf("the AAD prefix must be supplied: %v, there are %d and %d bytes of it",
			a.SupplyAADPrefix, len(f.keys.aadPrefix), len(a.AADPrefix))
	}
	if len(a.FileUnique) != 8 {
		return fmt.Errorf("the file's identifier has %d bytes", len(a.FileUnique))
	}
	f.crypto = &lintCrypto{lintKeys: *f.keys, algorithm: a, keyMetadata: keyMetadata}
	f.crypto.aad = append(append(append(f.crypto.aad, f.keys.aadPrefix...), a.AADPrefix...), a.FileUnique...)
	return nil
}

// open decrypts a module that takes all of b.
func (l *lintCrypto) open(key, b []byte, id moduleID) ([]byte, error) {
	module, rest, err := readSized(b)
	if err != nil || len(rest) > 0 {
		return nil, fmt.Errorf("module %+v: %d bytes follow it, error %w", id, len(rest), err)
	}
	page := id.kind == moduleDataPage || id.kind == moduleDictionaryPage
	plain, err := l.decrypt(key, module, id.aad(l.aad), page && l.algorithm.CTR)
	if err != nil {
		return nil, fmt.Errorf("module %+v: %w", id, err)
	}
	l.modules = append(l.modules, lintedModule{id, string(module[:12]), plain})
	return plain, nil
}

func (l *lintCrypto) decrypt(key, module, aad []byte, ctr bool) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	if len(module) < 12 {
		return nil, fmt.Errorf("%d bytes where a nonce should be", len(module))
	}
	nonce, body := module[:12:12], module[12:]
	if ctr {
		plain := make([]byte, len(body))
		cipher.NewCTR(block, append(nonce, 0, 0, 0, 1)).XORKeyStream(plain, body)
		return plain, nil
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, nonce, body, aad)
}

// readMagic returns the magic bytes of the file.
func (f *lintedFile) readMagic() (string, error) {
	magic := string(f.data[:4])
	if magic != "PAR1" && magic != "PARE" {
		return "", fmt.Errorf("magic %q", magic)
	}
	return magic, nil
}

// takeFooter claims and reads the footer.
func (f *lintedFile) takeFooter(magic string, from, size int64) (v thriftValue, err error) {
	b, err := f.take(from, size, "footer")
	if err != nil {
		return v, err
	}
	if magic == "PARE" {
		crypto, rest, err := readChecked("FileCryptoMetaData", b)
		if err != nil {
			return v, fmt.Errorf("file crypto metadata: %w", err)
		}
		algorithm, _ := crypto.field(1)
		if err := f.setCrypto(encryptionAlgorithmOf(algorithm, true), crypto.blob(2)); err != nil {
			return v, err
		}
		if b, err = f.crypto.open(f.crypto.footer, rest, footerID()); err != nil {
			return v, err
		}
	}
	v, rest, err := readChecked("FileMetaData", b)
	if err != nil {
		return v, fmt.Errorf("footer: %w", err)
	}
	algorithm := encryptionAlgorithmOf(v.field(8))
	if algorithm == nil || magic == "PARE" {
		if len(rest) > 0 || algorithm != nil || v.has(9) {
			return v, fmt.Errorf("%d bytes follow the footer, it names an algorithm: %v", len(rest), algorithm != nil)
		}
		return v, nil
	}
	if err := f.setCrypto(algorithm, v.blob(9)); err != nil {
		return v, err
	}
	return v, f.crypto.verify(b[:len(b)-len(rest)], rest)
}

// verify checks a signed footer.
func (l *lintCrypto) verify(footer, signature []byte) error {
	if len(signature) != 28 {
		return fmt.Errorf("%d bytes follow the footer, not a signature of 28", len(signature))
	}
	block, err := aes.NewCipher(l.footer)
	if err != nil {
		return err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return err
	}
	sealed := gcm.Seal(nil, signature[:12], footer, footerID().aad(l.aad))
	if !bytes.Equal(sealed[len(footer):], signature[12:]) {
		return errors.New("the footer's signature is not its own")
	}
	l.modules = append(l.modules, lintedModule{footerID(), string(signature[:12]), footer})
	return nil
}

// key returns what the chunk is encrypted with.
func (c *lintedChunk) key() ([]byte, error) {
	if c.meta.Crypto.withFooterKey() {
		return c.file.crypto.footer, nil
	}
	key, ok := c.file.crypto.columns[strings.Join(c.leaf.path, ".")]
	if !ok {
		return nil, errors.New("there is no key")
	}
	return key, nil
}

func (c *lintedChunk) open(b []byte, kind moduleType, page int) ([]byte, error) {
	key, err := c.key()
	if err != nil {
		return nil, err
	}
	return c.file.crypto.open(key, b, c.moduleID(kind, page))
}

// openMetaData puts the encrypted metadata in the place of the visible one, once it has checked what is visible.
func (c *lintedChunk) openMetaData() error {
	m := &c.meta
	if m.Crypto == nil {
		if m.EncryptedMetaData != nil || m.HideMetaData {
			return errors.New("its metadata is encrypted, it is not")
		}
		return nil
	}
	if c.file.crypto == nil {
		return errors.New("it is encrypted, the file is not")
	}
	if !m.Crypto.withFooterKey() && !cmp.Equal(m.Crypto.Path, c.leaf.path) {
		return fmt.Errorf("its key is that of %q", m.Crypto.Path)
	}
	plaintextFooter := string(c.file.data[:4]) == "PAR1"
	apart := plaintextFooter || !m.Crypto.withFooterKey()
	if apart != (m.EncryptedMetaData != nil) || m.HideMetaData != (apart && !plaintextFooter) {
		return fmt.Errorf("its metadata is encrypted: %v, and hidden: %v", m.EncryptedMetaData != nil, m.HideMetaData)
	}
	if m.EncryptedMetaData == nil {
		return nil
	}
	b, err := c.open(m.EncryptedMetaData, moduleColumnMetaData, -1)
	if err != nil {
		return err
	}
	v, rest, err := readChecked("ColumnMetaData", b)
	if err != nil || len(rest) > 0 {
		return fmt.Errorf("encrypted metadata: %d bytes follow it, error %w", len(rest), err)
	}
	whole := columnMetaDataOf(v)
	if !m.HideMetaData {
		visible := whole
		visible.Statistics, visible.SizeStatistics, visible.EncodingStats = nil, nil, nil
		if diff := cmp.Diff(visible, *m, cmpopts.IgnoreFields(columnChunk{}, "OffsetIndexOffset", "OffsetIndexBytes",
			"ColumnIndexOffset", "ColumnIndexBytes", "Crypto", "EncryptedMetaData")); diff != "" {
			return fmt.Errorf("visible metadata is not the encrypted less statistics (-encrypted +visible):\n%s", diff)
		}
	}
	whole.OffsetIndexOffset, whole.OffsetIndexBytes = m.OffsetIndexOffset, m.OffsetIndexBytes
	whole.ColumnIndexOffset, whole.ColumnIndexBytes = m.ColumnIndexOffset, m.ColumnIndexBytes
	whole.Crypto, whole.EncryptedMetaData, whole.HideMetaData = m.Crypto, m.EncryptedMetaData, m.HideMetaData
	*m = whole
	return nil
}

// takeIndex claims a part of the page index.
func (c *lintedChunk) takeIndex(name string, kind moduleType, from int64, size int32) (v thriftValue, err error) {
	what := fmt.Sprintf("%s of %q", name, c.leaf.String())
	if c.meta.Crypto == nil {
		return c.file.takeThrift(name, from, int64(size), "%s", what)
	}
	b, err := c.file.take(from, int64(size), "%s", what)
	if err != nil {
		return v, err
	}
	if b, err = c.open(b, kind, -1); err != nil {
		return v, err
	}
	v, rest, err := readChecked(name, b)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow it", len(rest))
	}
	return v, err
}

// readHeader reads the header of the page at an offset of the file, and returns its size there.
func (c *lintedChunk) readHeader(at, end int64) (v thriftValue, size int64, err error) {
	b := c.file.data[at:end]
	if c.meta.Crypto == nil {
		v, rest, err := readChecked("PageHeader", b)
		return v, int64(len(b) - len(rest)), err
	}
	module, _, err := readSized(b)
	if err != nil {
		return v, 0, err
	}
	size = int64(4 + len(module))
	if _, dictionary := c.start(); dictionary && !c.hasDictionary {
		b, err = c.open(b[:size], moduleDictionaryPageHeader, -1)
	} else {
		b, err = c.open(b[:size], moduleDataPageHeader, len(c.pages))
	}
	if err != nil {
		return v, size, err
	}
	v, rest, err := readChecked("PageHeader", b)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow it", len(rest))
	}
	return v, size, err
}

// openPage decrypts a page.
func (c *lintedChunk) openPage(b []byte, kind pageType) ([]byte, error) {
	switch {
	case c.meta.Crypto == nil:
		return b, nil
	case kind == pageDictionary:
		return c.open(b, moduleDictionaryPage, -1)
	}
	return c.open(b, moduleDataPage, len(c.pages))
}

// takeBloom claims a Bloom filter, and returns its header and its bits.
func (c *lintedChunk) takeBloom() ([]byte, error) {
	b, err := c.file.take(c.meta.BloomOffset, int64(c.meta.BloomBytes), "Bloom filter of %q", c.leaf.String())
	if err != nil || c.meta.Crypto == nil {
		return b, err
	}
	header, rest, err := readSized(b)
	if err != nil {
		return nil, err
	}
	if header, err = c.open(b[:4+len(header)], moduleBloomFilterHeader, -1); err != nil {
		return nil, err
	}
	bits, err := c.open(rest, moduleBloomFilterBitset, -1)
	return append(header, bits...), err
}
