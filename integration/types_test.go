package integration

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/sluice-io/sluice/integration/tools"
)

// families are the tables of testdata/python/kinds.py: every type, each in every shape.
var families = []string{
	"integers", "floats", "decimals", "times", "timestamps", "intervals", "nothing", "bytes", "views", "list_views",
	"dictionaries", "nested_dictionaries", "runs", "nested_runs",
	"long", // few types, records of 10,000 elements, several pages
}

// typesSeed gives each dictionary below lists a value in every row group: without one arrow-go does not join the row
// groups of a fixed-size list, and makes no dictionary for any list, of pyarrow's files neither.
const typesSeed = 1

// typesSettings are the ways in which each table is put, by the name of a dataset.
var typesSettings = map[string]string{
	"defaults": `{}`,
	// Several row groups and many pages, so that both end inside and between batches.
	"pages": `{"compression": "zstd", "data_page_version": "2.0", "row_group_size": 250, "max_rows_per_page": 50,
		"data_page_size": 700}`,
	"plain": `{"compression": "none", "use_dictionary": false}`,
	"compact": `{"compression": "lz4", "use_dictionary": false, "encoding": "compact", "data_page_version": "2.0",
		"max_rows_per_page": 200}`,
}

// TestTypes puts every type with nulls at every level and reads it back with three readers.
func TestTypes(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	python := tools.Python(t)
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			args := []string{family, strconv.Itoa(typesSeed)}
			for name, options := range typesSettings {
				receipt := client.MustPut(t, tools.Put{
					Command:   fmt.Sprintf(`{"dataset": "%s/%s", "options": %s}`, family, name, options),
					Source:    "kinds",
					Arguments: map[string]any{"family": family, "seed": typesSeed},
				})
				object := filepath.Join(lake, receipt.Objects[0].Key)
				args = append(args, object, readByArrowGo(t, object))
			}
			t.Parallel() // the client is one for all, the readers are not
			if differences := python.Output(t, "check_kinds.py", args...); differences != "" {
				t.Errorf("the readers show something else than was put:\n%s", differences)
			}
		})
	}
}

// readByArrowGo reads a Parquet file with arrow-go, but for the columns that it cannot read, and returns the path of an
// Arrow stream of what it read.
func readByArrowGo(t *testing.T, object string) (path string) {
	t.Helper()
	parquet, err := file.OpenParquetFile(object, false)
	if err != nil {
		t.Fatalf("arrow-go: %v", err)
	}
	defer parquet.Close()
	reader, err := pqarrow.NewFileReader(parquet, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatalf("arrow-go: %v", err)
	}
	var leaves, rowGroups []int
	unreadable := unreadableByArrowGo(t)
	for leaf := range parquet.MetaData().Schema.NumColumns() {
		column, _, _ := strings.Cut(parquet.MetaData().Schema.Column(leaf).Path(), ".")
		if _, kind, _ := strings.Cut(column, ":"); !unreadable[kind] {
			leaves = append(leaves, leaf)
		}
	}
	for rowGroup := range parquet.NumRowGroups() {
		rowGroups = append(rowGroups, rowGroup)
	}
	table, err := reader.ReadRowGroups(t.Context(), leaves, rowGroups)
	if err != nil {
		t.Fatalf("arrow-go: %v", err)
	}
	defer table.Release()
	return writeStream(t, table)
}

// readTable reads a table of testdata, comments aside; the first record has the names of its columns.
func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	input, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	lines := csv.NewReader(input)
	lines.Comment = '#'
	records, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// unreadableByArrowGo are the types that testdata/readers.csv says so of.
func unreadableByArrowGo(t *testing.T) map[string]bool {
	t.Helper()
	records := readTable(t, "testdata/readers.csv")
	name, reader := slices.Index(records[0], "type"), slices.Index(records[0], "arrow-go")
	unreadable := map[string]bool{}
	for _, record := range records {
		unreadable[record[name]] = record[reader] == "unreadable"
	}
	return unreadable
}

func writeStream(t *testing.T, table arrow.Table) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "read.arrows")
	output, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	writer := ipc.NewWriter(output, ipc.WithSchema(table.Schema()))
	batches := array.NewTableReader(table, table.NumRows())
	defer batches.Release()
	for batches.Next() {
		if err := writer.Write(batches.RecordBatch()); err != nil {
			t.Fatalf("arrow-go: %v", err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestComparisonSeesEveryChange changes one leaf value in each column: the comparison of TestTypes has to see it.
func TestComparisonSeesEveryChange(t *testing.T) {
	python := tools.Python(t)
	saw := map[string]int{"integers": 144, "floats": 48, "decimals": 112, "times": 160, "timestamps": 192, "intervals": 32,
		"nothing": 4, "bytes": 96, "views": 64, "list_views": 60, "dictionaries": 304, "nested_dictionaries": 103,
		"runs": 304, "nested_runs": 149, "long": 25}
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			output := python.Output(t, "check_compare.py", family)
			if want := fmt.Sprintf("saw %d\n", saw[family]); output != want {
				t.Errorf("the comparison of changed columns printed:\n%swant %s", output, want)
			}
		})
	}
}
