package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-io/sluice/sink"
)

// keySource says where an encryption key is; it is neither in the configuration nor on the command line.
type keySource struct {
	File string `yaml:"file"`
	Env  string `yaml:"env"`
}

func (f *configFile) loadKeys(section yaml.Node) error {
	var nodes map[string]yaml.Node
	if err := section.Decode(&nodes); err != nil {
		const format = "%s must map names to where the keys are, such as {file: PATH} or {env: NAME}"
		return f.errorAt(section, format, encryptionKeysKey)
	}
	f.keys = make(map[string]sink.Key, len(nodes))
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		node := nodes[name]
		var members map[string]string
		var source keySource
		wrong := node.Decode(&members) != nil || node.Decode(&source) != nil || len(members) != 1
		if wrong || (source.File == "") == (source.Env == "") {
			return f.errorAt(node, "encryption key %q: must be {file: PATH} or {env: NAME}, not the key itself", name)
		}
		key, err := source.read()
		if err != nil {
			return f.errorAt(node, "encryption key %q: %w", name, err)
		}
		f.keys[name] = key
	}
	return nil
}

// read returns the key, which is base64 of 16, 24 or 32 bytes with white space around it. Its errors do not show it.
func (s keySource) read() (sink.Key, error) {
	text, from := os.Getenv(s.Env), "the environment variable "+s.Env
	if s.File != "" {
		content, err := os.ReadFile(s.File)
		if err != nil {
			return nil, err
		}
		text, from = string(content), "the file "+s.File
	} else if _, set := os.LookupEnv(s.Env); !set {
		return nil, fmt.Errorf("%s is not set", from)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		err = errors.New("no base64")
	} else if n := len(key); n != 16 && n != 24 && n != 32 {
		err = fmt.Errorf("base64 of %d bytes", n)
	}
	if err != nil {
		const format = "%s holds %w: it must be base64 of 16, 24 or 32 bytes, as `openssl rand -base64 32` prints"
		return nil, fmt.Errorf(format, from, err)
	}
	return key, nil
}
