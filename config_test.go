package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/sink"
)

// parse parses a command line with a configuration file of the given content, if there is any.
func parse(t *testing.T, yaml string, args ...string) (*commandLine, *configFile, error) {
	t.Helper()
	if yaml != "" {
		path := filepath.Join(t.TempDir(), "sluice.yaml")
		if err := os.WriteFile(path, []byte(yaml), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--config", path)
	}
	var cli commandLine
	var file configFile
	_, err := newParser(&cli, &file).Parse(args)
	return &cli, &file, err
}

func TestDefaults(t *testing.T) {
	cli, _, err := parse(t, "", "serve")
	if err != nil {
		t.Fatal(err)
	}
	want := serveCommand{Listen: "127.0.0.1:8815", Bucket: "./lake", MaxMessageBytes: 256 << 20,
		ShutdownTimeout: 30 * time.Second, LogLevel: "info", LogFormat: "console"}
	if diff := cmp.Diff(want, cli.Serve); diff != "" {
		t.Error(diff)
	}
}

// TestPrecedence sees the command line go before the environment, that before the file, and that before the default.
func TestPrecedence(t *testing.T) {
	const file = "listen: file:1\nbucket: file\nmax_message_bytes: 1MiB\nshutdown-timeout: 1s\nworkers: 3\n"
	t.Setenv("SLUICE_BUCKET", "environment")
	t.Setenv("SLUICE_LISTEN", "environment:1")
	t.Setenv("SLUICE_LOG_FORMAT", "json")
	cli, _, err := parse(t, file, "serve", "--listen", "line:1")
	if err != nil {
		t.Fatal(err)
	}
	path := cli.Serve.Config
	want := serveCommand{Config: path, Listen: "line:1", Bucket: "environment", MaxMessageBytes: 1 << 20, Workers: 3,
		ShutdownTimeout: time.Second, LogLevel: "info", LogFormat: "json"}
	if diff := cmp.Diff(want, cli.Serve); diff != "" {
		t.Error(diff)
	}
}

// TestConfigFromEnvironment names the file itself in the environment.
func TestConfigFromEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sluice.yaml")
	if err := os.WriteFile(path, []byte("workers: 7\ndatasets: {a: {compression: zstd}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SLUICE_CONFIG", path)
	cli, file, err := parse(t, "", "serve")
	if err != nil {
		t.Fatal(err)
	}
	if cli.Serve.Workers != 7 || file.datasets["a"].File.Compression != "zstd" {
		t.Errorf("got %+v, %+v", cli.Serve, file.datasets)
	}
}

func TestDatasetSections(t *testing.T) {
	_, file, err := parse(t, `
datasets:
  sales/orders: {compression: zstd, compression_level: 7, row_group_size: 500_000}
  events:
    use_dictionary: false
  plain:
`, "serve")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]sink.Settings{
		"sales/orders": {File: sink.FileOptions{Compression: "zstd", CompressionLevel: 7, RowGroupRecords: 500_000}},
		"events":       {File: sink.FileOptions{DictionaryBytes: -1}},
		"plain":        {},
	}
	if diff := cmp.Diff(want, file.datasets); diff != "" {
		t.Error(diff)
	}
}

// TestEncryptionKeys reads keys from a file and from the environment.
func TestEncryptionKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("\nMDEyMzQ1Njc4OWFiY2RlZg==\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ORDERS_KEY", "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1u")
	_, file, err := parse(t, "encryption_keys:\n  a: {file: "+path+"}\n  b: {env: ORDERS_KEY}\n", "serve")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "0123456789abcdef", "b": "0123456789abcdefghijklmn"}
	got := map[string]string{}
	for name, key := range file.keys {
		got[name] = string(key)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestConfigRefused(t *testing.T) {
	t.Setenv("SLUICE_TEST_SHORT", "c2VjcmV0")
	t.Setenv("SLUICE_TEST_WORD", "c2VjcmV0!")
	for _, test := range []struct{ yaml, want string }{
		{"bukket: x\n", `:1: unknown key "bukket"; known are bucket, datasets, encryption_keys, listen`},
		{"\nhelp: true\n", `:2: unknown key "help"`},
		{"config: other.yaml\n", `unknown key "config"`},
		{"rows: 1\n", `unknown key "rows"`}, // a flag of another command
		{"listen: [a]\n", `:1: "listen" must be a single value`},
		{"listen:\n", `"listen" must be a single value`},
		{"listen: a\nlisten: b\n", "already defined"},
		{"workers: many\n", "workers"},
		{"log-level: loud\n", "log-level"},
		{"max-message-bytes: 1 apple\n", `"1 apple" is not a size`},
		{"- a\n", "cannot unmarshal"},
		{"a: b: c\n", "mapping values"},
		{"datasets: [a]\n", ":1: datasets must map names to settings"},
		{"datasets:\n  a//b: {}\n", ":2: datasets: sink: dataset name segment"},
		{"datasets:\n  a:\n    codec: zstd\n", `:3: dataset "a": sink: unknown option "codec"; known are`},
		{"datasets:\n  a: {row_group_size: 0}\n", `option "row_group_size": 0 is out of range`},
		{"datasets:\n  a: zstd\n", `:2: dataset "a"`},
		{"encryption_keys: [a]\n", ":1: encryption_keys must map names to where the keys are"},
		{"encryption_keys:\n  k: c2VjcmV0\n", `:2: encryption key "k": must be {file: PATH} or {env: NAME}, not the key itself`},
		{"encryption_keys: {k: {file: a, env: b}}\n", "must be {file: PATH} or {env: NAME}"},
		{"encryption_keys: {k: {key: c2VjcmV0}}\n", "must be {file: PATH} or {env: NAME}"},
		{"encryption_keys: {k: {env: SLUICE_TEST_NO_KEY}}\n", "the environment variable SLUICE_TEST_NO_KEY is not set"},
		{"encryption_keys: {k: {file: /nowhere/k}}\n", `encryption key "k": open /nowhere/k`},
		{"encryption_keys: {k: {env: SLUICE_TEST_SHORT}}\n", "SLUICE_TEST_SHORT holds base64 of 6 bytes: it must be base64 of 16,"},
		{"encryption_keys: {k: {env: SLUICE_TEST_WORD}}\n", "SLUICE_TEST_WORD holds no base64"},
	} {
		_, _, err := parse(t, test.yaml, "serve")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.yaml, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "c2VjcmV0") {
			t.Errorf("%q: the error shows the key: %v", test.yaml, err)
		}
	}
	if _, _, err := parse(t, "", "serve", "--config", filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a file that is not there was taken")
	}
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]byteSize{"0": 0, "1048576": 1 << 20, "1024KiB": 1 << 20, "256MiB": 256 << 20,
		"2 GiB": 2 << 30, "1GB": 1e9, "5MB": 5e6, "7kB": 7000, "12B": 12} {
		var got byteSize
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1.5MiB", "1TiB", "9223372036854775807GiB", "1mib"} {
		var got byteSize
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: got %d", text, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := formatCount(n); got != want {
			t.Errorf("%d: got %q", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1500: "1.5 kB", 2_000_000: "2.0 MB", 34e9: "34.0 GB"} {
		if got := formatBytes(n); got != want {
			t.Errorf("%d: got %q", n, got)
		}
	}
}
