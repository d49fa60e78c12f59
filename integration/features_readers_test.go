package integration

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/sluice-io/sluice/integration/tools"
)

// TestReaders has every reader open a file of every feature, and holds testdata/features.csv against what came of it: a
// reader reads the records that were written, or refuses as the table says. With -long, parquet-java reads too.
func TestReaders(t *testing.T) {
	dir := t.TempDir()
	var files []*featureFile
	var requests []featureRequest
	for _, f := range features() {
		batch := f.records(t)
		want := writeStream(t, array.NewTableFromRecords(batch.Schema(), []arrow.RecordBatch{batch}))
		for i := range f.files {
			written := f.write(t, dir, i, batch)
			if written == nil {
				continue
			}
			request := featureRequest{File: written.name, Want: want, Ask: f.ask, Keys: written.keys()}
			table, err := written.byArrowGo(t)
			if err == nil {
				request.ArrowGo = writeStream(t, table)
			}
			written.errors = map[string]string{"arrow-go": textOf(err), "parquet-go": textOf(written.byParquetGo())}
			files, requests = append(files, written), append(requests, request)
		}
	}
	for i, answer := range askPython(t, requests) {
		for reader, err := range answer {
			if reader != "arrow-go" || files[i].errors[reader] == "" {
				files[i].errors[reader] = err
			}
		}
	}
	if *long {
		readByJava(t, files)
	}
	checkFeatures(t, files)
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// featureRequest is a line of the input of testdata/python/read_features.py, which says what it means.
type featureRequest struct {
	File    string       `json:"file"`
	Want    string       `json:"want"`
	ArrowGo string       `json:"arrow_go,omitempty"`
	Ask     ask          `json:"ask"`
	Keys    *featureKeys `json:"keys,omitempty"`
}

// featureKeys are what opens an encrypted file.
type featureKeys struct {
	Footer  []byte            `json:"footer"`
	Columns map[string][]byte `json:"columns"`
}

func (f *featureFile) keys() *featureKeys {
	keys := keysOf(f.encryption)
	if keys == nil {
		return nil
	}
	return &featureKeys{keys.Footer, keys.Columns}
}

// askPython returns for each file what came of each reader: "" if it read what was written.
func askPython(t *testing.T, requests []featureRequest) (answers []map[string]string) {
	t.Helper()
	var input bytes.Buffer
	for _, r := range requests {
		if err := json.NewEncoder(&input).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	cmd := tools.Python(t).Command("read_features.py")
	cmd.Stdin, cmd.Stderr, cmd.Env = &input, t.Output(), append(os.Environ(), "RUST_BACKTRACE=0")
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("read_features.py: %v", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var answer map[string]string
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != len(requests) {
		t.Fatalf("read_features.py answered %d of %d files", len(answers), len(requests))
	}
	return answers
}

// checkFeatures compares what came of the files with the table.
func checkFeatures(t *testing.T, files []*featureFile) {
	t.Helper()
	table, readers := featureTable(t)
	seen := map[string]bool{}
	for _, f := range files {
		row, ok := table[f.feature.name]
		if !ok {
			t.Errorf("testdata/features.csv has no feature %q", f.feature.name)
		}
		seen[f.feature.name] = true
		for _, reader := range readers {
			got, read := f.errors[reader]
			if !read {
				continue
			}
			switch want, refuses := strings.CutPrefix(row[reader], "no: "); {
			case !refuses && want != "yes":
				t.Errorf("%s: testdata/features.csv says %q of %s, want yes or no", f.feature.name, row[reader], reader)
			case !refuses && got != "":
				t.Errorf("%s: %s does not read %s: %s", f.feature.name, reader, f.name, got)
			case refuses && got == "":
				t.Errorf("%s: %s reads it now: say so in testdata/features.csv", f.feature.name, reader)
			case refuses && !strings.Contains(got, want):
				t.Errorf("%s: %s says %s, want %q in it", f.feature.name, reader, got, want)
			}
		}
	}
	for name := range table {
		if !seen[name] {
			t.Errorf("testdata/features.csv has a feature that no file has: %q", name)
		}
	}
}

// featureTable reads the table by feature and reader.
func featureTable(t *testing.T) (table map[string]map[string]string, readers []string) {
	t.Helper()
	records := readTable(t, "testdata/features.csv")
	table, readers = map[string]map[string]string{}, records[0][1:slices.Index(records[0], "why")]
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, reader := range readers {
			row[reader] = record[1+i]
		}
		if table[record[0]] != nil {
			t.Fatalf("testdata/features.csv has %q twice", record[0])
		}
		table[record[0]] = row
	}
	return table, readers
}
