package lint

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Crypto is how an encrypted file is read.
type Crypto struct {
	Algorithm   EncryptionAlgorithm
	KeyMetadata []byte // of the footer key
	Modules     []Module

	keys *Keys
	aad  []byte // of the file
}

// Module is a module as it was found.
type Module struct {
	ID    ModuleID
	Nonce string
	Plain []byte
}

// ModuleID says which module of a file one is. What does not apply is -1.
type ModuleID struct {
	Kind                ModuleType
	Group, Column, Page int
}

// ModuleType says what a module holds (Encryption.md, 4.4.2).
type ModuleType byte

// The types of modules.
const (
	ModuleFooter               ModuleType = 0
	ModuleColumnMetaData       ModuleType = 1
	ModuleDataPage             ModuleType = 2
	ModuleDictionaryPage       ModuleType = 3
	ModuleDataPageHeader       ModuleType = 4
	ModuleDictionaryPageHeader ModuleType = 5
	ModuleColumnIndex          ModuleType = 6
	ModuleOffsetIndex          ModuleType = 7
	ModuleBloomFilterHeader    ModuleType = 8
	ModuleBloomFilterBitset    ModuleType = 9
)

// aad returns what the module was authenticated with (Encryption.md, 4.4).
func (id ModuleID) aad(file []byte) []byte {
	aad := append(bytes.Clone(file), byte(id.Kind))
	for _, ordinal := range []int{id.Group, id.Column, id.Page} {
		if ordinal >= 0 {
			aad = append(aad, byte(ordinal), byte(ordinal>>8))
		}
	}
	return aad
}

func footerID() ModuleID { return ModuleID{ModuleFooter, -1, -1, -1} }

func (c *Chunk) moduleID(kind ModuleType, page int) ModuleID {
	return ModuleID{kind, c.Group, c.Leaf.Ordinal, page}
}

// setCrypto makes ready to read modules.
func (f *Contents) setCrypto(algorithm *EncryptionAlgorithm, keyMetadata []byte) error {
	if f.keys == nil {
		return errors.New("the file is encrypted, and there are no keys")
	}
	a := *algorithm
	if a.SupplyAADPrefix != (len(f.keys.AADPrefix) > 0) || a.SupplyAADPrefix && len(a.AADPrefix) > 0 {
		return fmt.Errorf("the AAD prefix must be supplied: %v, there are %d and %d bytes of it",
			a.SupplyAADPrefix, len(f.keys.AADPrefix), len(a.AADPrefix))
	}
	if len(a.FileUnique) != 8 {
		return fmt.Errorf("the file's identifier has %d bytes", len(a.FileUnique))
	}
	f.Crypto = &Crypto{Algorithm: a, KeyMetadata: keyMetadata, keys: f.keys}
	f.Crypto.aad = slices.Concat(f.keys.AADPrefix, a.AADPrefix, a.FileUnique)
	return nil
}

// open decrypts a module that takes all of b.
func (l *Crypto) open(key, b []byte, id ModuleID) ([]byte, error) {
	module, rest, err := readSized(b)
	if err != nil || len(rest) > 0 {
		return nil, fmt.Errorf("module %+v: %d bytes follow it, error %w", id, len(rest), err)
	}
	page := id.Kind == ModuleDataPage || id.Kind == ModuleDictionaryPage
	plain, err := l.decrypt(key, module, id.aad(l.aad), page && l.Algorithm.CTR)
	if err != nil {
		return nil, fmt.Errorf("module %+v: %w", id, err)
	}
	l.Modules = append(l.Modules, Module{id, string(module[:12]), plain})
	return plain, nil
}

func (l *Crypto) decrypt(key, module, aad []byte, ctr bool) ([]byte, error) {
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

// takeFooter claims and reads the footer.
func (f *Contents) takeFooter(from, size int64) (v Value, err error) {
	b, err := f.read(from, size, "footer")
	if err != nil {
		return v, err
	}
	if f.magic == "PARE" {
		crypto, rest, err := ReadThrift("FileCryptoMetaData", b)
		if err != nil {
			return v, fmt.Errorf("file crypto metadata: %w", err)
		}
		algorithm, _ := crypto.Field(1)
		if err := f.setCrypto(encryptionAlgorithmOf(algorithm, true), crypto.Blob(2)); err != nil {
			return v, Encryption.broken(err)
		}
		if b, err = f.Crypto.open(f.keys.Footer, rest, footerID()); err != nil {
			return v, Encryption.broken(err)
		}
	}
	v, rest, err := ReadThrift("FileMetaData", b)
	if err != nil {
		return v, fmt.Errorf("footer: %w", err)
	}
	algorithm := encryptionAlgorithmOf(v.Field(8))
	if algorithm == nil || f.magic == "PARE" {
		if len(rest) > 0 || algorithm != nil || v.Has(9) {
			return v, fmt.Errorf("%d bytes follow the footer, it names an algorithm: %v", len(rest), algorithm != nil)
		}
		return v, nil
	}
	if err := f.setCrypto(algorithm, v.Blob(9)); err != nil {
		return v, Encryption.broken(err)
	}
	return v, Encryption.broken(f.Crypto.verify(b[:len(b)-len(rest)], rest))
}

// verify checks a signed footer.
func (l *Crypto) verify(footer, signature []byte) error {
	if len(signature) != 28 {
		return fmt.Errorf("%d bytes follow the footer, not a signature of 28", len(signature))
	}
	block, err := aes.NewCipher(l.keys.Footer)
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
	l.Modules = append(l.Modules, Module{footerID(), string(signature[:12]), footer})
	return nil
}

// key returns what the chunk is encrypted with.
func (c *Chunk) key() ([]byte, error) {
	if c.Meta.Crypto.withFooterKey() {
		return c.file.Crypto.keys.Footer, nil
	}
	key, ok := c.file.Crypto.keys.Columns[c.Leaf.String()]
	if !ok {
		return nil, errors.New("there is no key")
	}
	return key, nil
}

func (c *Chunk) open(b []byte, kind ModuleType, page int) ([]byte, error) {
	key, err := c.key()
	if err != nil {
		return nil, err
	}
	return c.file.Crypto.open(key, b, c.moduleID(kind, page))
}

// openMetaData puts the encrypted metadata in the place of the visible one, once it has checked what is visible.
func (c *Chunk) openMetaData() error {
	m := &c.Meta
	if m.Crypto == nil {
		if m.EncryptedMetaData != nil || m.HideMetaData {
			return errors.New("its metadata is encrypted, it is not")
		}
		return nil
	}
	if c.file.Crypto == nil {
		return errors.New("it is encrypted, the file is not")
	}
	if !m.Crypto.withFooterKey() && !slices.Equal(m.Crypto.Path, c.Leaf.Path) {
		return fmt.Errorf("its key is that of %q", m.Crypto.Path)
	}
	plaintextFooter := c.file.magic == "PAR1"
	apart := plaintextFooter || !m.Crypto.withFooterKey()
	if apart != (m.EncryptedMetaData != nil) || m.HideMetaData != (apart && !plaintextFooter) {
		return fmt.Errorf("its metadata is encrypted: %v, and hidden: %v", m.EncryptedMetaData != nil, m.HideMetaData)
	}
	if m.EncryptedMetaData == nil {
		return nil
	}
	b, err := c.open(m.EncryptedMetaData, ModuleColumnMetaData, -1)
	if err != nil {
		return err
	}
	v, err := readWhole("ColumnMetaData", b)
	if err != nil {
		return err
	}
	whole := columnMetaDataOf(v)
	whole.OffsetIndexOffset, whole.OffsetIndexBytes = m.OffsetIndexOffset, m.OffsetIndexBytes
	whole.ColumnIndexOffset, whole.ColumnIndexBytes = m.ColumnIndexOffset, m.ColumnIndexBytes
	whole.Crypto, whole.EncryptedMetaData, whole.HideMetaData = m.Crypto, m.EncryptedMetaData, m.HideMetaData
	visible := whole
	visible.Statistics, visible.SizeStatistics, visible.Geospatial, visible.EncodingStats = nil, nil, nil, nil
	if !m.HideMetaData && !reflect.DeepEqual(visible, *m) {
		return fmt.Errorf("visible metadata %+v is not the encrypted less statistics, %+v", *m, visible)
	}
	*m = whole
	return nil
}

// takeIndex claims a part of the page index.
func (c *Chunk) takeIndex(name string, kind ModuleType, from int64, size int32) (v Value, err error) {
	b, err := c.file.read(from, int64(size), "%s of %q", name, c.Leaf.String())
	if err == nil && c.Meta.Crypto != nil {
		b, err = c.open(b, kind, -1)
	}
	if err == nil {
		v, err = readWhole(name, b)
	}
	return v, at(err, -1, "", -1, from)
}

// readHeader reads the page header that b begins with, and returns its size there.
func (c *Chunk) readHeader(b []byte) (v Value, size int64, err error) {
	if c.Meta.Crypto == nil {
		v, rest, err := ReadThrift("PageHeader", b)
		return v, int64(len(b) - len(rest)), err
	}
	module, _, err := readSized(b)
	if err != nil {
		return v, 0, Encryption.broken(err)
	}
	size = int64(4 + len(module))
	if _, dictionary := c.start(); dictionary && !c.HasDictionary {
		b, err = c.open(b[:size], ModuleDictionaryPageHeader, -1)
	} else {
		b, err = c.open(b[:size], ModuleDataPageHeader, len(c.Pages))
	}
	if err != nil {
		return v, size, err
	}
	v, err = readWhole("PageHeader", b)
	return v, size, err
}

// openPage decrypts a page.
func (c *Chunk) openPage(b []byte, kind PageType) ([]byte, error) {
	switch {
	case c.Meta.Crypto == nil:
		return b, nil
	case kind == DictionaryPage:
		return c.open(b, ModuleDictionaryPage, -1)
	}
	return c.open(b, ModuleDataPage, len(c.Pages))
}

// takeBloom claims a Bloom filter, and returns its header and its bits.
func (c *Chunk) takeBloom() ([]byte, error) {
	b, err := c.file.read(c.Meta.BloomOffset, int64(c.Meta.BloomBytes), "Bloom filter of %q", c.Leaf.String())
	if err != nil || c.Meta.Crypto == nil {
		return b, err
	}
	header, rest, err := readSized(b)
	if err != nil {
		return nil, err
	}
	if header, err = c.open(b[:4+len(header)], ModuleBloomFilterHeader, -1); err != nil {
		return nil, err
	}
	bits, err := c.open(rest, ModuleBloomFilterBitset, -1)
	return append(header, bits...), err
}
