package integration

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/sluice-io/sluice/integration/tools"
)

// refused is how testdata/meanings.csv says that a reader refuses a file.
const refused = "refused"

// readMeanings reads testdata/meanings.csv: the types as each reader shows them, by the kind and the reader.
func readMeanings(t *testing.T) (kinds []string, shown map[string]map[string]string) {
	t.Helper()
	records := readTable(t, "testdata/meanings.csv")
	shown = map[string]map[string]string{}
	for _, record := range records[1:] {
		kinds = append(kinds, record[0])
		shown[record[0]] = map[string]string{}
		for i, reader := range records[0] {
			shown[record[0]][reader] = record[i]
		}
	}
	return kinds, shown
}

// TestMeanings puts the logical types that Arrow has no type for, and reads them with five readers.
func TestMeanings(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	python := tools.Python(t)
	kinds, shown := readMeanings(t)
	for i, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			receipt := client.MustPut(t, tools.Put{
				Command:   fmt.Sprintf(`{"dataset": "meanings/%d", "options": {"row_group_size": 70, "data_page_size": 300}}`, i),
				Source:    "meanings",
				Arguments: map[string]any{"kind": kind},
			})
			object := filepath.Join(lake, receipt.Objects[0].Key)
			t.Parallel() // the client is one for all, the readers are not
			if got := meaningInParquetGo(t, object); got != shown[kind]["parquet-go"] {
				t.Errorf("parquet-go calls it %s, not %s", got, shown[kind]["parquet-go"])
			}
			byGo := ""
			if shown[kind]["arrow-go"] != refused {
				byGo = readAllByArrowGo(t, object)
			}
			if differences := python.Output(t, "check_meanings.py", kind, object, byGo); differences != "" {
				t.Errorf("the readers show something else than was put:\n%s", differences)
			}
		})
	}
}

// TestRefusedMeanings puts values that are not what their logical type says: the message has to say where they are.
func TestRefusedMeanings(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	for _, test := range []struct {
		kind, value string
		mention     []string
	}{
		{"GEOMETRY", "0101000020e6100000000000000000f03f0000000000000040", []string{`"one"`, "EWKB", "ISO WKB"}},
		{"GEOMETRY", "0101000000000000000000f03f", []string{`"one"`, "13 bytes", "cut off"}},
		{"GEOGRAPHY", "010100000000000000000079400000000000000000", []string{`"one"`, "x from 400 to 400"}},
		{"BSON", "0600000000", []string{`"one"`, "BSON", "5 bytes"}},
		{"VARIANT", "0301000200", []string{`"one.value"`, "VARIANT", "cut off"}},
	} {
		t.Run(test.kind, func(t *testing.T) {
			reply := client.Put(t, tools.Put{Path: []string{"broken"}, Source: "broken",
				Arguments: map[string]any{"kind": test.kind, "value": test.value}})
			wantRefusal(t, reply, "ArrowInvalid", append(test.mention, "INVALID_ARGUMENT", "record 1")...)
		})
	}
	if files, err := tools.Files(lake); err != nil || len(files) != 0 {
		t.Errorf("refused puts left %v, %v", files, err)
	}
}

// readAllByArrowGo reads a Parquet file with arrow-go, and returns the path of an Arrow stream of what it read.
func readAllByArrowGo(t *testing.T, object string) (path string) {
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
	table, err := reader.ReadTable(t.Context())
	if err != nil {
		t.Fatalf("arrow-go: %v", err)
	}
	defer table.Release()
	return writeStream(t, table)
}

// meaningInParquetGo reads every row of a file with parquet-go, and returns its name for the logical type of the column
// "one".
func meaningInParquetGo(t *testing.T, object string) string {
	t.Helper()
	input, err := os.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	stat, err := input.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquetgo.OpenFile(input, stat.Size())
	if err != nil {
		return refused
	}
	rows := int64(0)
	for _, group := range f.RowGroups() {
		reader := group.Rows()
		buffer := make([]parquetgo.Row, 64)
		for {
			n, err := reader.ReadRows(buffer)
			rows += int64(n)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("parquet-go: %v", err)
			}
		}
		if err := reader.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if rows != f.NumRows() || rows == 0 {
		t.Errorf("parquet-go reads %d rows of %d", rows, f.NumRows())
	}
	for _, field := range f.Schema().Fields() {
		if field.Name() == "one" {
			name, _, _ := strings.Cut(fmt.Sprint(field.Type().LogicalType()), "{")
			return name
		}
	}
	t.Fatal("parquet-go: there is no column")
	return ""
}
