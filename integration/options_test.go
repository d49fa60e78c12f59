package integration

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-io/sluice/integration/lint"
	"github.com/sluice-io/sluice/integration/tools"
)

// optionCase is an option, and how to see in a stored file that it was followed.
type optionCase struct {
	option  string
	options string         // all that the put has
	without string         // the same but for the option; "": none
	source  map[string]any // arguments of the table "settings"
	// check says why a file is not as the option wants it. The file of a put without the option must not be, either.
	check func(f *storedFile) error
	// same: the option changes nothing, and the file is that of a put without it.
	same bool
	// refused is in the error of a put without the option, which is what there is to see then.
	refused string
	// cut: the option changes values.
	cut bool
	// boundBytes is what bounds are cut to; 0 is the default.
	boundBytes int
}

// storedFile is a file as pyarrow and the linter see it.
type storedFile struct {
	path   string
	bytes  int64
	lint   *lint.Contents
	before *storedFile // that of the put without the option

	Types          map[string]string
	HasArrowSchema bool `json:"has_arrow_schema"`
	Metadata       map[string]string
	Version        string
	Columns        map[string]struct {
		Physical, Logical string
		Length            int
	}
	RowGroups []struct {
		Records int
		Sorting [][]any
		Chunks  map[string]storedChunk
	} `json:"row_groups"`
	Digest   string
	Readable []string
}

type storedChunk struct {
	Compression     string
	Encodings       []string
	Bytes           int
	Dictionary      bool
	ColumnIndex     bool `json:"column_index"`
	OffsetIndex     bool `json:"offset_index"`
	BloomBytes      int  `json:"bloom_bytes"`
	Bounds          []string
	Nulls, Distinct int
}

// expect is an error unless ok.
func expect(ok bool, format string, a ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, a...)
}

// chunk is a column's first chunk.
func (f *storedFile) chunk(column string) storedChunk { return f.RowGroups[0].Chunks[column] }

// pages are those of a column's first chunk.
func (f *storedFile) pages(t *testing.T, column string) []*lint.Page {
	t.Helper()
	for _, c := range f.lint.RowGroups[0] {
		if c.Leaf.String() == column {
			return c.Pages
		}
	}
	t.Fatalf("%s has no column %s", f.path, column)
	return nil
}

// describe reads files with pyarrow, which has the keys.
func describe(t *testing.T, keys map[string]string, paths ...string) map[string]*storedFile {
	t.Helper()
	given, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(tools.Python(t).Output(t, "describe.py", append([]string{string(given)}, paths...)...)))
	files := map[string]*storedFile{}
	for _, path := range paths {
		f := &storedFile{path: path}
		if err := decoder.Decode(f); err != nil {
			t.Fatal(err)
		}
		files[path] = f
	}
	return files
}

// readLint reads the file with the linter, in which bounds are cut to so many bytes.
func (f *storedFile) readLint(t *testing.T, boundBytes int) {
	t.Helper()
	file, err := os.Open(f.path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f.bytes = info.Size()
	f.lint, err = lint.Read(file, f.bytes, &lint.Options{BoundBytes: boundBytes,
		Omitted: []lint.Rule{lint.OffsetIndexes, lint.ColumnIndexes, lint.Bounds, lint.ArrowSchema}})
	if err != nil {
		t.Fatalf("%s: %v", f.path, err)
	}
}

// putSettings puts the table "settings".
func putSettings(t *testing.T, client *tools.Client, options string, arguments map[string]any) tools.Reply {
	t.Helper()
	if options == "" {
		options = "{}"
	}
	return client.Put(t, tools.Put{Command: fmt.Sprintf(`{"dataset": "all/options", "options": %s}`, options),
		Source: "settings", Arguments: arguments})
}

// mustPutSettings returns the path of the object.
func mustPutSettings(t *testing.T, client *tools.Client, lake, options string, arguments map[string]any) string {
	t.Helper()
	reply := putSettings(t, client, options, arguments)
	if reply.Error != "" {
		t.Fatalf("options %s: %s: %s", options, reply.Error, reply.Message)
	}
	return filepath.Join(lake, filepath.FromSlash(reply.Receipt.Objects[0].Key))
}

// TestOptions puts with each option, and sees its effect in what pyarrow and the linter say of the stored file, and that
// a put without the option has no such effect. No option is left out.
func TestOptions(t *testing.T) {
	lake := t.TempDir()
	// The linter of StartServer knows nothing of what is left out; describe does.
	client := tools.StartClient(t, tools.StartServer(t, "file://"+lake, nil))
	cases := optionCases(t)
	defaults := map[string]string{} // objects by the options without the one that is tested
	var with, all []string
	for _, c := range cases {
		if c.refused != "" {
			wantRefusal(t, putSettings(t, client, c.without, c.source), "ArrowInvalid", "INVALID_ARGUMENT", c.refused)
		}
		with = append(with, mustPutSettings(t, client, lake, c.options, c.source))
		if defaults[c.without] == "" {
			defaults[c.without] = mustPutSettings(t, client, lake, c.without, nil)
			all = append(all, defaults[c.without])
		}
	}
	files := describe(t, nil, append(all, with...)...)
	tested := map[string]bool{"encryption_properties": true} // TestEncryption
	for i, c := range cases {
		tested[c.option] = true
		t.Run(c.option+" "+c.options, func(t *testing.T) { c.compare(t, files[with[i]], files[defaults[c.without]]) })
	}
	unknown := putSettings(t, client, `{"no_such_option": 1}`, nil).Message
	known := knownOptions(t, unknown)
	for _, name := range known {
		if !tested[name] {
			t.Errorf("no test for option %q", name)
		}
	}
	if len(known) < len(tested) {
		t.Errorf("%d options are known, %d are tested: %s", len(known), len(tested), unknown)
	}
}

// knownOptions returns the options that the refusal of an unknown one lists.
func knownOptions(t *testing.T, refusal string) []string {
	t.Helper()
	_, list, found := strings.Cut(refusal, "known are ")
	names := regexp.MustCompile(`^[a-z0-9_]+(, [a-z0-9_]+)*`).FindString(list)
	if !found || names == "" {
		t.Fatalf("no options in the refusal of an unknown one: %s", refusal)
	}
	return strings.Split(names, ", ")
}

// compare checks a file, and that what it has is not that of one without the option.
func (c *optionCase) compare(t *testing.T, got, without *storedFile) {
	if !c.cut && got.Digest != without.Digest {
		t.Error("the rows are not those that were put")
	}
	if c.same {
		wantSameFile(t, got.path, without.path)
		return
	}
	got.before, without.before = without, without
	got.readLint(t, c.boundBytes)
	without.readLint(t, 0)
	if err := c.check(got); err != nil {
		t.Error(err)
	}
	if c.refused == "" && c.check(without) == nil {
		t.Error("the same is true of a file without the option")
	}
}

func wantSameFile(t *testing.T, path, other string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Error("the file is not the same as without the option")
	}
}
