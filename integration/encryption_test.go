package integration

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

// masterKeys are those of the tests' servers, in base64.
var masterKeys = map[string]string{
	"orders": base64.StdEncoding.EncodeToString([]byte("the key of all that is an order.")),
	"people": base64.StdEncoding.EncodeToString([]byte("a key for people")),
}

// startEncrypting starts a server that has the keys, one in a file and one in its environment, and whose configuration
// goes on with the given text.
func startEncrypting(t *testing.T, bucketURL, configuration string) *tools.Server {
	t.Helper()
	dir := t.TempDir()
	key := filepath.Join(dir, "orders.key")
	config := filepath.Join(dir, "sluice.yaml")
	keys := fmt.Sprintf("encryption_keys:\n  orders: {file: %s}\n  people: {env: PEOPLE_KEY}\n", key)
	for path, content := range map[string]string{key: masterKeys["orders"] + "\n", config: keys + configuration} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tools.StartServer(t, bucketURL, &tools.ServerOptions{
		Args: []string{"--config", config, "--log-level", "debug"}, Env: []string{"PEOPLE_KEY=" + masterKeys["people"]}})
}

// TestEncryption puts with keys that the server has, and reads with pyarrow's CryptoFactory, whose KMS client unwraps the
// data keys of the file.
func TestEncryption(t *testing.T) {
	lake := t.TempDir()
	server := startEncrypting(t, "file://"+lake, "datasets:\n  fixed: {encryption_properties: {footer_key: orders}}\n")
	client := tools.StartClient(t, server)
	plain := mustPutSettings(t, client, lake, "", nil)
	all := []string{"id", "name", "color", "price", "at", "clock", "day", "span", "ok", "x", "tags"}
	others := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == "name" || name == "tags" })
	cases := []struct {
		properties string
		readable   []string // columns, without a key
	}{
		{`{"footer_key": "orders"}`, nil},
		{`{"footer_key": "orders", "encryption_algorithm": "AES_GCM_CTR_V1", "data_key_length_bits": 256, "uniform_encryption": true}`, nil},
		{`{"footer_key": "people", "aad_prefix": "all/options"}`, nil},
		{`{"footer_key": "orders", "column_keys": {"people": ["name", "tags"]}}`, nil},
		{`{"footer_key": "orders", "column_keys": {"people": ["name"], "orders": ["tags"]}, "plaintext_footer": true}`, others},
	}
	paths := []string{plain}
	for _, c := range cases {
		options := `{"bloom_filter_options": true, "encryption_properties": ` + c.properties + `}`
		paths = append(paths, mustPutSettings(t, client, lake, options, nil))
	}
	receipt := client.MustPut(t, tools.Put{Path: []string{"fixed"}, Source: "settings"})
	paths = append(paths, filepath.Join(lake, receipt.Objects[0].Key))
	files := describe(t, masterKeys, paths...)
	for i, path := range paths {
		readable := all
		if i > 0 && i <= len(cases) {
			readable = cases[i-1].readable
		} else if i > 0 {
			readable = nil
		}
		if f := files[path]; !slices.Equal(f.Readable, readable) || f.Digest != files[plain].Digest {
			t.Errorf("object %d: %v can be read without keys, want %v; the rows are those that were put: %v",
				i, f.Readable, readable, f.Digest == files[plain].Digest)
		}
	}
	checkHidden(t, lake, paths[1:], server)
}

// checkHidden looks for keys in the objects and in what the server printed.
func checkHidden(t *testing.T, lake string, paths []string, server *tools.Server) {
	t.Helper()
	places := map[string][]byte{"what the server printed": []byte(server.Log())}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		places[path] = content
		if !bytes.Contains(content, []byte("PKMT1")) && !bytes.HasPrefix(content, []byte("PARE")) {
			t.Errorf("%s is not encrypted", path)
		}
	}
	for name, key := range masterKeys {
		raw, err := base64.StdEncoding.DecodeString(key)
		if err != nil {
			t.Fatal(err)
		}
		for place, content := range places {
			if bytes.Contains(content, []byte(key)) || bytes.Contains(content, raw) {
				t.Errorf("key %q is in %s", name, place)
			}
		}
	}
}

// TestEncryptionRefused asks for keys that there are not, or sends one: the answer, and the server's log, do not show it.
func TestEncryptionRefused(t *testing.T) {
	lake := t.TempDir()
	server := startEncrypting(t, lake, "datasets:\n  all/options: {encryption_properties: {footer_key: orders}}\n")
	client := tools.StartClient(t, server)
	secret := masterKeys["people"]
	put := func(dataset, properties string) tools.Reply {
		return client.Put(t, tools.Put{Source: "settings", Listen: true, Command: fmt.Sprintf(
			`{"dataset": %q, "options": {"encryption_properties": %s}}`, dataset, properties)})
	}
	for _, c := range []struct{ dataset, properties, mention string }{
		{"free", `{"footer_key": "nobody"}`, "the server has no key of that name"},
		{"free", `{"footer_key": "` + secret + `"}`, "the server has no key of that name"},
		{"free", `"` + secret + `"`, "must be an object"},
		{"free", `{"footer_key": "orders", "column_keys": {"id": "` + secret + `"}}`, "must be an object such as"},
		{"free", `{"footer_key": "orders", "column_keys": {"` + secret + `": ["id"]}}`, "the server has no key of a name in there"},
		{"free", `{"footer_key": "orders", "` + secret + `": 1}`, "has a member that is not known"},
		{"free", `{"footer_key": "orders", "column_keys": {"people": ["id", "nope"]}}`, `no column "nope" is left to encrypt`},
		{"all/options", `{"footer_key": "people"}`, "the server's settings for this dataset encrypt it"},
		{"all/options", `false`, "the server's settings for this dataset encrypt it"},
	} {
		reply := put(c.dataset, c.properties)
		wantRefusal(t, reply, "ArrowInvalid", "INVALID_ARGUMENT", `option "encryption_properties": `, c.mention)
		if strings.Contains(reply.Message, secret) {
			t.Errorf("the message shows a key: %s", reply.Message)
		}
	}
	if strings.Contains(server.Log(), secret) {
		t.Errorf("the server printed a key:\n%s", server.Log())
	}
	if files, err := tools.Files(lake); err != nil || len(files) != 0 {
		t.Errorf("refused puts left %v, %v", files, err)
	}
}
