package sink

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/encode"
)

// secret is what a client might take for the right thing to send: no error shows it.
const secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQ="

func TestEncryptionRefused(t *testing.T) {
	for _, test := range []struct{ properties, want string }{
		{`"` + secret + `"`, `must be an object such as {"footer_key": "name of a key"`},
		{`true`, "must be an object"},
		{`["` + secret + `"]`, "must be an object"},
		{`{}`, `has no "footer_key"`},
		{`{"column_keys": {"kc": ["a"]}}`, `has no "footer_key"`},
		{`{"footer_key": ["` + secret + `"]}`, `"footer_key": must be the name of a key`},
		{`{"footer_key": ""}`, `"footer_key": must be the name of a key`},
		{`{"footer_key": "kf", "` + secret + `": true}`, "has a member that is not known; known are aad_prefix, column_keys,"},
		{`{"footer_key": "kf", "encryption_algorithm": "` + secret + `"}`, `must be "AES_GCM_V1" or`},
		{`{"footer_key": "kf", "column_keys": ["` + secret + `"]}`, `"column_keys": must be an object such as`},
		{`{"footer_key": "kf", "column_keys": {}}`, `"column_keys": must be an object such as`},
		{`{"footer_key": "kf", "column_keys": {"a": "` + secret + `"}}`, `"column_keys": must be an object such as`},
		{`{"footer_key": "kf", "column_keys": {"` + secret + `": []}}`, `"column_keys": must be an object such as`},
		{`{"footer_key": "kf", "column_keys": {"k1": ["a"], "k2": ["a"]}}`, "a column is there twice"},
		{`{"footer_key": "kf", "column_keys": {"k1": ["a"]}, "uniform_encryption": true}`, "leave it or \"column_keys\" out"},
		{`{"footer_key": "kf", "data_key_length_bits": 100}`, "must be 128, 192 or 256"},
		{`{"footer_key": "kf", "data_key_length_bits": "` + secret + `"}`, "must be 128, 192 or 256"},
		{`{"footer_key": "kf", "plaintext_footer": "` + secret + `"}`, "must be true or false"},
		{`{"footer_key": "kf", "aad_prefix": 1}`, "must be a string"},
		{`{"footer_key": "kf", "store_aad_prefix": false}`, `there is no "aad_prefix"`},
		{`{"footer_key": "kf", "double_wrapping": true}`, "must be false: data keys are wrapped once"},
		{`{"footer_key": "kf", "internal_key_material": false}`, "must be true: wrapped keys are in the file"},
	} {
		var value any
		if err := json.Unmarshal([]byte(test.properties), &value); err != nil {
			t.Fatal(err)
		}
		_, err := Settings{}.With(map[string]any{"encryption_properties": value})
		wantInputError(t, err, `option "encryption_properties": `, test.want)
	}
}

func wantInputError(t *testing.T, err error, mention ...string) {
	t.Helper()
	var refused *Error
	if !errors.As(err, &refused) || refused.Fault != FaultInput {
		t.Errorf("got %v, want an input error with %q", err, mention)
		return
	}
	for _, text := range mention {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
	if strings.Contains(err.Error(), secret) {
		t.Errorf("%v shows the secret", err)
	}
}

// TestEncryptionIsFixed sees that a put cannot change how the server's settings encrypt its dataset, nor turn it off.
func TestEncryptionIsFixed(t *testing.T) {
	base := Settings{Encryption: &Encryption{FooterKey: "kf"}}
	for _, value := range []any{nil, false, map[string]any{"footer_key": "other"}} {
		_, err := base.With(map[string]any{"encryption_properties": value})
		wantInputError(t, err, `option "encryption_properties": the server's settings for this dataset encrypt it`)
	}
	got, err := base.With(map[string]any{"compression": "zstd"})
	if err != nil || got.Encryption == nil {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, value := range []any{nil, false} {
		got, err := Settings{}.With(map[string]any{"encryption_properties": value})
		if err != nil || got.Encryption != nil {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

// TestEncryptionUnknownKeys names keys that the sink does not have.
func TestEncryptionUnknownKeys(t *testing.T) {
	keys := map[string]Key{"kf": make(Key, 16)}
	into, bucket := open(t, &Options{EncryptionKeys: keys})
	for _, e := range []*Encryption{
		{FooterKey: secret},
		{FooterKey: "kf", ColumnKeys: map[string][]string{secret: {"id"}}},
		{FooterKey: "kf", ColumnKeys: map[string][]string{"kf": {"id"}, secret: {"name"}}},
	} {
		_, err := into.Begin(t.Context(), "a", schema, Settings{Encryption: e})
		wantInputError(t, err, `option "encryption_properties": `, "the server has no key of")
		_, err = New(bucket, &Options{EncryptionKeys: keys, Datasets: map[string]Settings{"a": {Encryption: e}}})
		wantInputError(t, err, `option "encryption_properties": `, "the server has no key of")
	}
	_, err := New(bucket, &Options{EncryptionKeys: map[string]Key{"kf": Key(secret)}})
	wantInputError(t, err, `encryption key "kf" has 28 bytes`)
	_, err = New(bucket, &Options{Datasets: map[string]Settings{"a": {
		Encryption: &Encryption{FooterKey: "kf"}, File: FileOptions{Encryption: &encode.Encryption{FooterKey: make(Key, 16)}}}}})
	wantInputError(t, err, "both Encryption and File.Encryption")
}

// TestKeyMaterial looks at what a file says of its keys, and unwraps them.
func TestKeyMaterial(t *testing.T) {
	keys := keyring{"kf": Key("0123456789abcdef"), "kc": Key("0123456789abcdef01234567")}
	e := &Encryption{FooterKey: "kf", DataKeyBytes: 24,
		ColumnKeys: map[string][]string{"kc": {"b.list.element", "a"}, "kf": {"b"}}}
	file, err := keys.seal(e)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	seen := [][]byte{file.FooterKey}
	for _, c := range file.Columns {
		paths = append(paths, c.Path)
		seen = append(seen, c.Key)
	}
	if diff := cmp.Diff([]string{"a", "b", "b.list.element"}, paths); diff != "" {
		t.Error(diff)
	}
	slices.SortFunc(seen, bytes.Compare)
	if n := len(slices.CompactFunc(seen, bytes.Equal)); n != 4 {
		t.Errorf("4 keys are %d different ones", n)
	}
	checkMaterial(t, keys, file.FooterKeyMetadata, file.FooterKey, `{"keyMaterialType":"PKMT1","internalStorage":true,`+
		`"isFooterKey":true,"kmsInstanceID":"DEFAULT","kmsInstanceURL":"DEFAULT","masterKeyID":"kf","wrappedDEK":"`)
	checkMaterial(t, keys, file.Columns[2].KeyMetadata, file.Columns[2].Key, `{"keyMaterialType":"PKMT1","internalStorage":true,`+
		`"isFooterKey":false,"masterKeyID":"kc","wrappedDEK":"`)
}

func checkMaterial(t *testing.T, keys keyring, metadata []byte, want Key, prefix string) {
	t.Helper()
	if !strings.HasPrefix(string(metadata), prefix) || !strings.HasSuffix(string(metadata), `","doubleWrapping":false}`) {
		t.Errorf("key material %s", metadata)
	}
	var material struct{ MasterKeyID, WrappedDEK string }
	if err := json.Unmarshal(metadata, &material); err != nil {
		t.Fatal(err)
	}
	wrapped, err := base64.StdEncoding.DecodeString(material.WrappedDEK)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(keys[material.MasterKeyID])
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	got, err := gcm.Open(nil, wrapped[:12], wrapped[12:], []byte(material.MasterKeyID))
	if err != nil || !bytes.Equal(got, want) || len(got) != 24 {
		t.Errorf("unwrapped %d bytes, the same as the key: %v, error %v", len(got), bytes.Equal(got, want), err)
	}
}
