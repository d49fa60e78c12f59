package sink

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/encode"
)

// Key is an AES key of 16, 24 or 32 bytes. Package fmt, encoding/json and loggers show a placeholder in its place.
type Key = encode.Key

// Encryption names the master keys that a file is encrypted under. Each file has data keys of its own, drawn at random:
// one for the footer and one for each path of ColumnKeys. The file holds them wrapped, which is encrypted with their
// master key, in key metadata of the form that the key tools of parquet-java and Arrow (pyarrow's CryptoFactory) read:
//
//	{"keyMaterialType":"PKMT1","internalStorage":true,"isFooterKey":false,
//	 "masterKeyID":"kc","wrappedDEK":"UmFuZG9t…","doubleWrapping":false}
//
// A reader's KMS client unwraps wrappedDEK: it is, in base64, a nonce of 12 bytes, the data key in AES-GCM under the
// master key, and the tag of 16 bytes, with the master key's name as additional data.
type Encryption struct {
	// FooterKey is the name of the footer's master key, which is that of all columns too if ColumnKeys is empty.
	FooterKey string
	// ColumnKeys has the columns that are encrypted by the name of their master key, with paths as in
	// encode.ColumnOptions. Where several are for one column, the one with the most names has it. The others are not
	// encrypted.
	ColumnKeys map[string][]string
	// Algorithm, PlaintextFooter, AADPrefix and OmitAADPrefix are as in encode.Encryption.
	Algorithm       string
	PlaintextFooter bool
	AADPrefix       string
	OmitAADPrefix   bool
	// DataKeyBytes is the length of data keys: 16, 24 or 32. Default 16.
	DataKeyBytes int
}

// keyring is the master keys by their names.
type keyring map[string]Key

// check refuses keys that AES cannot have, without showing them.
func (k keyring) check() error {
	for _, name := range slices.Sorted(maps.Keys(k)) {
		switch n := len(k[name]); {
		case name == "":
			return errors.New("an encryption key has no name")
		case n != 16 && n != 24 && n != 32:
			return fmt.Errorf("encryption key %q has %d bytes: it must have 16, 24 or 32", name, n)
		}
	}
	return nil
}

// checkNames refuses names of keys that there are not, with an encode.OptionError. It does not show them: whoever
// mistakes them for the keys themselves shall not find those in a log.
func (k keyring) checkNames(e *Encryption) error {
	var err error
	if _, ok := k[e.FooterKey]; !ok {
		err = errors.New("\"footer_key\": the server has no key of that name")
	}
	for name := range e.ColumnKeys {
		if _, ok := k[name]; !ok {
			err = errors.New("\"column_keys\": the server has no key of a name in there; " +
				"it is an object such as {\"name of a key\": [\"column\", \"column\"]}")
		}
	}
	if err != nil {
		return &encode.OptionError{Option: "Encryption", Err: err}
	}
	return nil
}

// seal returns the encryption of one file, with new data keys.
func (k keyring) seal(e *Encryption) (*encode.Encryption, error) {
	if err := k.checkNames(e); err != nil {
		return nil, err
	}
	file := &encode.Encryption{
		PlaintextFooter: e.PlaintextFooter,
		Algorithm:       e.Algorithm,
		AADPrefix:       []byte(e.AADPrefix),
		OmitAADPrefix:   e.OmitAADPrefix,
	}
	var err error
	file.FooterKey, file.FooterKeyMetadata, err = k.dataKey(e.FooterKey, e.DataKeyBytes, true)
	if err != nil {
		return nil, err
	}
	for _, c := range e.columns() {
		column := encode.EncryptedColumn{Path: c.path}
		if column.Key, column.KeyMetadata, err = k.dataKey(c.key, e.DataKeyBytes, false); err != nil {
			return nil, err
		}
		file.Columns = append(file.Columns, column)
	}
	return file, nil
}

// keyedColumn is a path with the name of its key.
type keyedColumn struct{ path, key string }

// columns returns the paths of ColumnKeys, those with more names behind the others.
func (e *Encryption) columns() []keyedColumn {
	var columns []keyedColumn
	for _, key := range slices.Sorted(maps.Keys(e.ColumnKeys)) {
		for _, path := range e.ColumnKeys[key] {
			columns = append(columns, keyedColumn{path, key})
		}
	}
	slices.SortStableFunc(columns, func(a, b keyedColumn) int {
		return strings.Count(a.path, ".") - strings.Count(b.path, ".")
	})
	return columns
}

// keyMaterial is the key metadata of a data key, in the order in which other writers have its fields.
type keyMaterial struct {
	Type            string `json:"keyMaterialType"`
	InternalStorage bool   `json:"internalStorage"`
	IsFooterKey     bool   `json:"isFooterKey"`
	KMSInstanceID   string `json:"kmsInstanceID,omitempty"`
	KMSInstanceURL  string `json:"kmsInstanceURL,omitempty"`
	MasterKeyID     string `json:"masterKeyID"`
	WrappedKey      string `json:"wrappedDEK"`
	DoubleWrapping  bool   `json:"doubleWrapping"`
}

// dataKey returns a new key and its metadata. Readers take the KMS of the footer's key for all of them.
func (k keyring) dataKey(master string, bytes int, footer bool) (Key, []byte, error) {
	if bytes == 0 {
		bytes = 16
	}
	key := make(Key, bytes)
	_, _ = rand.Read(key)
	wrapped, err := wrapKey(k[master], key, master)
	if err != nil {
		return nil, nil, err
	}
	material := keyMaterial{
		Type: "PKMT1", InternalStorage: true, IsFooterKey: footer, MasterKeyID: master, WrappedKey: wrapped,
	}
	if footer {
		material.KMSInstanceID, material.KMSInstanceURL = "DEFAULT", "DEFAULT"
	}
	metadata, err := json.Marshal(material)
	return key, metadata, err
}

// wrapKey returns a key encrypted with another one, of that name.
func wrapKey(master, key Key, name string) (string, error) {
	block, err := aes.NewCipher(master)
	if err != nil {
		return "", err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, gcm.NonceSize())
	_, _ = rand.Read(nonce)
	return base64.StdEncoding.EncodeToString(gcm.Seal(nonce, nonce, key, []byte(name))), nil
}
