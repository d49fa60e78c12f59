package encode

import (
	"crypto/aes"
	"fmt"
	"math"
	"slices"
)

// Encryption sets how a file is encrypted, as Encryption.md of the format defines it. Every part of the file that can
// be read alone (a page, its header, an index, the footer) is a module that is encrypted on its own, with a nonce of
// its own.
//
// One key may encrypt 2^32 modules, two a page, in all files together. A file counts its own; sharing keys out over
// files is the caller's part.
type Encryption struct {
	// FooterKey encrypts or signs the footer, and encrypts those encrypted columns that have no key of their own.
	FooterKey Key
	// FooterKeyMetadata tells readers how to get hold of the footer key. It is in the file as it is, for all to see.
	FooterKeyMetadata []byte
	// PlaintextFooter leaves the footer readable and signs it, so that readers that know no encryption can read the
	// columns that are not encrypted. The statistics of encrypted columns stay hidden.
	PlaintextFooter bool
	// Algorithm is "AES_GCM_V1" (default), under which nothing can be changed unnoticed, or "AES_GCM_CTR_V1", under
	// which the contents of pages can, but cost less.
	Algorithm string
	// AADPrefix names what the file is (a table and a version, say), so that readers who know the name notice when
	// another file stands in its place.
	AADPrefix []byte
	// OmitAADPrefix keeps AADPrefix out of the file. Readers must bring it then.
	OmitAADPrefix bool
	// Columns lists the columns that are encrypted. If there are none, all are, with the footer key.
	Columns []EncryptedColumn
}

// EncryptedColumn is a column of Encryption.
type EncryptedColumn struct {
	// Path names leaf columns as ColumnOptions.Path does. Where several entries name one, the last has it.
	Path string
	// Key encrypts the column. None: the footer key does.
	Key Key
	// KeyMetadata tells readers how to get hold of Key. The footer shows it.
	KeyMetadata []byte
}

// Key is an AES key of 16, 24 or 32 bytes. The writer keeps no reference to it. Package fmt, encoding/json and loggers
// that build on them show a placeholder in its place, unless it is in an unexported field.
type Key []byte

const hiddenKey = "(hidden)"

// Format writes the same for every key and verb.
func (Key) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(hiddenKey)) }

// MarshalText gives the same for every key.
func (Key) MarshalText() ([]byte, error) { return []byte(hiddenKey), nil }

// Format writes the same for every verb, without keys: package fmt would not ask the keys of a pointer that the verb
// does not suit.
func (e Encryption) Format(s fmt.State, _ rune) {
	type fields Encryption
	_, _ = fmt.Fprintf(s, "%+v", fields(e))
}

// Format writes the same for every verb, without the key.
func (c EncryptedColumn) Format(s fmt.State, _ rune) {
	type fields EncryptedColumn
	_, _ = fmt.Fprintf(s, "%+v", fields(c))
}

const (
	algorithmGCM    = "AES_GCM_V1"
	algorithmGCMCTR = "AES_GCM_CTR_V1"
)

// fileUniqueBytes is the length of the file's random part of the AAD.
const fileUniqueBytes = 8

// check says which field is out of range.
func (e *Encryption) check() error {
	if e.FooterKey == nil {
		return optionError("Encryption", "FooterKey is missing")
	}
	if err := e.FooterKey.check("FooterKey"); err != nil {
		return err
	}
	if e.Algorithm != "" && e.Algorithm != algorithmGCM && e.Algorithm != algorithmGCMCTR {
		return optionError("Encryption", "Algorithm %q is not known: use %s or %s", e.Algorithm, algorithmGCM, algorithmGCMCTR)
	}
	if e.OmitAADPrefix && len(e.AADPrefix) == 0 {
		return optionError("Encryption", "OmitAADPrefix without an AADPrefix: set one, or leave it out")
	}
	for i, c := range e.Columns {
		if c.Key == nil {
			if len(c.KeyMetadata) > 0 {
				return optionError(fmt.Sprintf("Encryption.Columns[%d]", i), "KeyMetadata without a Key")
			}
			continue
		}
		if err := c.Key.check(fmt.Sprintf("Columns[%d].Key", i)); err != nil {
			return err
		}
	}
	return nil
}

func (k Key) check(field string) error {
	switch len(k) {
	case 16, 24, 32:
		return nil
	}
	return optionError("Encryption", "%s has %d bytes: it must have 16, 24 or 32", field, len(k))
}

const (
	plainColumn   = -1 // not encrypted
	uniformColumn = -2 // encrypted with the footer key, as all are
)

// assign returns for each leaf the index in e.Columns of the entry that encrypts it, or one of the constants above.
func (e *Encryption) assign(leaves []leafColumn) ([]int, error) {
	entries := make([]int, len(leaves))
	used := make([]bool, len(e.Columns))
	for i := range leaves {
		entries[i] = uniformColumn
		if len(e.Columns) > 0 {
			entries[i] = e.lastMatch(leaves[i].Path)
		}
		if entries[i] != plainColumn && i > math.MaxInt16 {
			return nil, optionError("Encryption", "field %q is leaf column %d: only the first %d can be encrypted",
				&leaves[i], i, math.MaxInt16+1)
		}
		if entries[i] >= 0 {
			used[entries[i]] = true
		}
	}
	for i, ok := range used {
		if !ok {
			return nil, optionError(fmt.Sprintf("Encryption.Columns[%d]", i), "no column %.300q is left to encrypt: "+
				"there is none, or later entries have them all", e.Columns[i].Path)
		}
	}
	return entries, nil
}

// lastMatch returns the last of the entries that is for a column, or plainColumn.
func (e *Encryption) lastMatch(column []string) int {
	for i, c := range slices.Backward(e.Columns) {
		if pathMatches(c.Path, column) {
			return i
		}
	}
	return plainColumn
}

// ciphers makes one cipher for each key that occurs, however often it does.
type ciphers map[string]*keyCipher

func (c ciphers) of(key Key) (*keyCipher, error) {
	if k, ok := c[string(key)]; ok {
		return k, nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err) // of the key's length, which was checked
	}
	k, err := newKeyCipher(block)
	if err == nil {
		c[string(key)] = k
	}
	return k, err
}
