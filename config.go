package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"github.com/sluice-io/sluice/sink"
)

// The keys of a configuration file that are no flags: the settings of each dataset, and the keys that these may name.
const (
	datasetsKey       = "datasets"
	encryptionKeysKey = "encryption_keys"
)

// configFile is a YAML file that gives flags their values, where neither the command line nor the environment does:
//
//	listen: 0.0.0.0:8815
//	bucket: s3://lake?region=eu-central-1
//	datasets:
//	  sales/orders: {compression: zstd, row_group_size: 500_000}
//	encryption_keys:
//	  customers: {file: /run/secrets/customers.key}
type configFile struct {
	path     string
	flags    map[string]yaml.Node
	datasets map[string]sink.Settings
	keys     map[string]sink.Key
}

var _ kong.Resolver = (*configFile)(nil)

// configPath is the value of --config.
type configPath string

// BeforeResolve loads the file before kong asks for the values of flags.
func (configPath) BeforeResolve(ctx *kong.Context, trace *kong.Path, file *configFile) error {
	path, _ := ctx.FlagValue(trace.Flag).(configPath)
	if err := file.load(string(path)); err != nil {
		return err
	}
	ctx.AddResolver(file)
	return file.checkKeys(ctx)
}

func (f *configFile) load(path string) error {
	reader, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	defer reader.Close()
	f.path = path
	if err := yaml.NewDecoder(reader).Decode(&f.flags); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("configuration %s: %w", path, err)
	}
	if err := f.loadSection(datasetsKey, f.loadDatasets); err != nil {
		return err
	}
	return f.loadSection(encryptionKeysKey, f.loadKeys)
}

// loadSection takes a section out of the flags, if it is there.
func (f *configFile) loadSection(key string, load func(section yaml.Node) error) error {
	section, there := f.flags[key]
	if !there {
		return nil
	}
	delete(f.flags, key)
	return load(section)
}

func (f *configFile) loadDatasets(section yaml.Node) error {
	var datasets map[string]yaml.Node
	if err := section.Decode(&datasets); err != nil {
		return f.errorAt(section, "datasets must map names to settings: %w", err)
	}
	f.datasets = make(map[string]sink.Settings, len(datasets))
	for name, node := range datasets {
		if err := sink.CheckDataset(name); err != nil {
			return f.errorAt(node, "datasets: %w", err)
		}
		var options map[string]any
		if err := node.Decode(&options); err != nil {
			return f.errorAt(node, "dataset %q: %w", name, err)
		}
		settings, err := sink.Settings{}.With(options)
		if err != nil {
			return f.errorAt(node, "dataset %q: %w", name, err)
		}
		f.datasets[name] = settings
	}
	return nil
}

// checkKeys refuses keys that are no flags of the command.
func (f *configFile) checkKeys(ctx *kong.Context) error {
	known := []string{datasetsKey, encryptionKeysKey}
	for _, flag := range ctx.Selected().Flags {
		if flag.Name != "config" && flag.Name != "help" {
			known = append(known, flag.Name)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f.flags)) {
		if !slices.Contains(known, flagName(key)) {
			slices.Sort(known)
			return f.errorAt(f.flags[key], "unknown key %q; known are %s", key, strings.Join(known, ", "))
		}
	}
	return nil
}

// flagName is the flag's name of a key, in which words may be joined by underscores too.
func flagName(key string) string { return strings.ReplaceAll(key, "_", "-") }

// Validate has nothing to do: BeforeResolve has checked the keys.
func (f *configFile) Validate(*kong.Application) error { return nil }

// Resolve returns the file's value of a flag; the environment comes before it.
func (f *configFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil
		}
	}
	for key, node := range f.flags {
		if flagName(key) != flag.Name {
			continue
		}
		if node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
			return nil, f.errorAt(node, "%q must be a single value", key)
		}
		return node.Value, nil
	}
	return nil, nil
}

func (f *configFile) errorAt(node yaml.Node, format string, args ...any) error {
	return fmt.Errorf("configuration %s:%d: %w", f.path, node.Line, fmt.Errorf(format, args...))
}
