package integration

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/sluice-io/sluice/integration/tools"
)

// families are the tables of testdata/python/kinds.py: every type, each in every shape.
var families = []string{
	"integers", "floats", "decimals", "times", "timestamps", "bytes", "dictionaries",
	"long", // few types, records of 10,000 elements, several pages
}

const typesSeed = 3

// TestTypes puts every type with nulls at every level and reads it back with three readers.
func TestTypes(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	python := tools.Python(t)
	settings := map[string]string{
		// Several row groups and many pages, so that both end inside and between batches.
		"small pages":   `{"compression": "zstd", "row_group_size": 250, "max_rows_per_page": 50, "data_page_size": 700}`,
		"no dictionary": `{"compression": "none", "use_dictionary": false}`,
		"defaults":      `{}`,
	}
	for name, options := range settings {
		for _, family := range families {
			t.Run(name+"/"+family, func(t *testing.T) {
				receipt := client.MustPut(t, tools.Put{
					Command:   fmt.Sprintf(`{"dataset": "%s/%s", "options": %s}`, name, family, options),
					Source:    "kinds",
					Arguments: map[string]any{"family": family, "seed": typesSeed},
				})
				object := filepath.Join(lake, receipt.Objects[0].Key)
				differences := python.Output(t, "check_kinds.py", family, strconv.Itoa(typesSeed), object, readByArrowGo(t, object))
				if differences != "\n" {
					t.Errorf("the readers show something else than was put:\n%s", differences)
				}
			})
		}
	}
}

// readByArrowGo reads a Parquet file with arrow-go and returns the path of an Arrow file of what it read.
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
	table, err := reader.ReadTable(context.Background())
	if err != nil {
		t.Fatalf("arrow-go: %v", err)
	}
	defer table.Release()

	path = filepath.Join(t.TempDir(), "read.arrow")
	output, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	writer, err := ipc.NewFileWriter(output, ipc.WithSchema(table.Schema()))
	if err != nil {
		t.Fatal(err)
	}
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
	saw := map[string]int{"integers": 144, "floats": 48, "decimals": 112, "times": 160, "timestamps": 192, "bytes": 96,
		"dictionaries": 304, "long": 20}
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			output := python.Output(t, "check_compare.py", family, strconv.Itoa(typesSeed))
			if want := fmt.Sprintf("saw %d\n", saw[family]); output != want {
				t.Errorf("the comparison of changed columns printed:\n%swant %s", output, want)
			}
		})
	}
}
