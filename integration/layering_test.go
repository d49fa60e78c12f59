package integration

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

const module = "github.com/sluice-io/sluice"

const (
	arrowGo = "github.com/apache/arrow-go/v18/arrow"
	parquet = "github.com/apache/arrow-go/v18/parquet"
	grpc    = "google.golang.org/grpc"
	proto   = "google.golang.org/protobuf"
	gocloud = "gocloud.dev"
)

// layer is what the packages at dir may import, themselves and the standard library apart.
type layer struct {
	dir    string   // relative to the module; "" is its root
	ours   []string // packages of this module, relative to it
	others []string // other packages, each with those below it
	tests  []string // what test files may import besides: ours or others
}

// layers is the design's table. A package has the rules of the longest dir that it lies in; dir "" is the root alone.
var layers = []layer{
	{
		dir:    "",
		ours:   []string{"flightsrv", "flightsrv/read", "sink", "cloud", "cloud/drivers"},
		others: []string{"github.com/alecthomas/kong", "github.com/rs/zerolog", "go.yaml.in/yaml/v3", arrowGo, grpc},
		tests:  []string{"integration/lint/linttest"},
	},
	{
		dir:    "flightsrv",
		ours:   []string{"sink", "cloud"},
		others: []string{arrowGo, grpc, proto, "github.com/rs/zerolog"},
		tests:  []string{"flightsrv/read", "cloud/drivers", "integration/lint/linttest", "github.com/google/flatbuffers"},
	},
	{
		dir:    "flightsrv/read",
		ours:   []string{"cloud"},
		others: []string{arrowGo, parquet},
		tests:  []string{"sink", "integration/lint/linttest"},
	},
	{
		dir:    "sink",
		ours:   []string{"encode", "cloud"},
		others: []string{arrowGo, "golang.org/x/sync"},
		tests:  []string{"integration/lint/linttest", parquet, gocloud, "go.yaml.in/yaml/v3"},
	},
	{
		dir:    "encode",
		ours:   []string{"levels"},
		others: []string{arrowGo, "github.com/cespare/xxhash/v2", "github.com/klauspost/compress", "github.com/andybalholm/brotli", "github.com/pierrec/lz4/v4"},
		tests:  []string{"integration/lint", parquet, "github.com/parquet-go/parquet-go"},
	},
	{
		dir:    "levels",
		others: []string{arrowGo},
	},
	{
		dir:    "cloud",
		ours:   []string{"cloud/file"},
		others: []string{gocloud},
		tests:  []string{"cloud/cloudtest", "cloud/drivers", "cloud/file"},
	},
	{
		dir:    "cloud/cloudtest",
		ours:   []string{"cloud"},
		others: []string{gocloud, "github.com/google/go-cmp", "golang.org/x/sync"},
	},
	{
		dir:    "cloud/drivers",
		ours:   []string{"cloud", "cloud/drivers/s3"},
		others: []string{gocloud, "github.com/aws"},
		tests:  []string{"cloud/cloudtest"},
	},
	{
		dir:    "examples",
		ours:   []string{"flightsrv", "sink", "cloud"},
		others: []string{arrowGo, grpc, "github.com/rs/zerolog"},
		tests:  []string{"integration/tools", "integration/lint/linttest", parquet},
	},
	{
		dir: "integration",
		ours: []string{"flightsrv", "flightsrv/read", "sink", "encode", "levels", "cloud", "cloud/drivers",
			"cloud/cloudtest", "integration/tools", "integration/lint", "integration/lint/linttest"},
		others: []string{arrowGo, parquet, "github.com/parquet-go/parquet-go", grpc, gocloud, "github.com/aws"},
		tests:  []string{"github.com/parquet-go/parquet-go"},
	},
	{
		dir:  "integration/compare",
		ours: []string{"integration/compare/peer", "integration/lint", "integration/tools"},
	},
	{
		// The writers of Go, side by side.
		dir:    "integration/compare/peer",
		ours:   []string{"encode"},
		others: []string{arrowGo, parquet, "github.com/parquet-go/parquet-go"},
	},
	{
		// What checks the files of every package depends on none of them: its own tests alone write files to break.
		dir:    "integration/lint",
		others: []string{arrowGo, "github.com/cespare/xxhash/v2", "github.com/klauspost/compress", "github.com/andybalholm/brotli"},
		tests:  []string{"encode"},
	},
	{
		dir:  "integration/lint/cmd",
		ours: []string{"integration/lint"},
	},
	{
		dir:  "integration/lint/linttest",
		ours: []string{"integration/lint", "cloud"},
	},
}

// anyTest is what every test file may import.
var anyTest = []string{arrowGo, grpc, "github.com/google/go-cmp", "golang.org/x/sync"}

// TestLayering parses the imports of each file of the module and holds the table above against them.
func TestLayering(t *testing.T) {
	root, err := tools.ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, imports := 0, map[string]int{}
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && skippedByGo(name):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		files++
		imports[path.Dir(filepath.ToSlash(relative))] += checkFile(t, root, filepath.ToSlash(relative))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// A walk that finds nothing must not pass.
	if files < 20 || imports["flightsrv"] == 0 || imports["levels"] == 0 {
		t.Errorf("the walk saw %d files, and these numbers of imports: %v", files, imports)
	}
}

// skippedByGo says whether the go command takes no package from a directory: by its name, or as a module of its own.
func skippedByGo(dir string) bool {
	name := filepath.Base(dir)
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// checkFile reports the imports of a file that its layer does not have, and returns how many imports the file has.
func checkFile(t *testing.T, root, file string) int {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(file)), nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%v", err)
		return 0
	}
	dir := strings.TrimPrefix(path.Dir(file), ".")
	rules, found := layerOf(dir)
	if !found {
		t.Errorf("%s: package %s is in no layer: see the table in this test", file, dir)
		return 0
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if !rules.allows(imported, dir, strings.HasSuffix(file, "_test.go")) {
			t.Errorf("%s imports %s, which its layer (%q) does not allow", file, imported, rules.dir)
		}
	}
	return len(parsed.Imports)
}

func layerOf(dir string) (rules layer, found bool) {
	for _, candidate := range layers {
		in := dir == candidate.dir || candidate.dir != "" && below(dir, candidate.dir)
		if in && (!found || len(candidate.dir) > len(rules.dir)) {
			rules, found = candidate, true
		}
	}
	return rules, found
}

func (l layer) allows(imported, dir string, test bool) bool {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return imported != "C" // the standard library, and no cgo
	}
	allowed := l.others
	if test {
		allowed = slices.Concat(l.others, l.tests, anyTest)
	}
	if ours, found := strings.CutPrefix(imported, module+"/"); found {
		// Packages of this module are named one by one. An external test imports the package that it tests.
		return slices.Contains(l.ours, ours) || test && (ours == dir || slices.Contains(l.tests, ours))
	}
	return slices.ContainsFunc(allowed, func(other string) bool { return below(imported, other) })
}

// below says whether the slash-separated name is tree or lies in it.
func below(name, tree string) bool { return name == tree || strings.HasPrefix(name, tree+"/") }

func TestLayersRefuse(t *testing.T) {
	tests := []struct {
		dir, imported string
		test, want    bool
	}{
		{dir: "levels", imported: arrowGo + "/array", want: true},
		{dir: "levels", imported: "bytes", want: true},
		{dir: "levels", imported: "C", want: false},
		{dir: "levels", imported: module + "/encode", want: false},
		{dir: "levels", imported: parquet, want: false},
		{dir: "levels", imported: "github.com/google/go-cmp/cmp", want: false},
		{dir: "levels", imported: "github.com/google/go-cmp/cmp", test: true, want: true},
		{dir: "encode", imported: parquet + "/file", want: false},
		{dir: "encode", imported: parquet + "/file", test: true, want: true},
		{dir: "encode", imported: module + "/cloud", want: false},
		{dir: "sink", imported: module + "/levels", want: false},
		{dir: "sink", imported: module + "/flightsrv", test: true, want: false},
		{dir: "flightsrv", imported: module + "/encode", want: false},
		{dir: "flightsrv/read", imported: module + "/sink", want: false},
		{dir: "cloud", imported: arrowGo, want: false},
		{dir: "", imported: module + "/encode", want: false},
		{dir: "encode", imported: module + "/integration/lint", want: false},
		{dir: "encode", imported: module + "/integration/lint", test: true, want: true},
		{dir: "integration/lint", imported: module + "/encode", want: false},
	}
	for _, test := range tests {
		rules, found := layerOf(test.dir)
		if !found {
			t.Fatalf("no layer for %q", test.dir)
		}
		if got := rules.allows(test.imported, test.dir, test.test); got != test.want {
			t.Errorf("package %q may import %s (in a test: %v): %v, want %v", test.dir, test.imported, test.test, got, test.want)
		}
	}
	if rules, found := layerOf("util"); found {
		t.Errorf("a package of no layer has the rules of %q", rules.dir)
	}
}
