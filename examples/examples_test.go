// Package examples has no code of its own: this test runs each program of the directories below.
package examples

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/sluice-io/sluice/integration/lint/linttest"
	"github.com/sluice-io/sluice/integration/tools"
)

func TestMain(m *testing.M) { os.Exit(tools.Run(m)) }

func TestEmbedded(t *testing.T) {
	lake := t.TempDir()
	cmd := exec.Command("go", "run", "./embedded", lake)
	cmd.Stderr = t.Output()
	receipt, err := cmd.Output()
	if err != nil {
		t.Fatalf("go run ./embedded: %v", err)
	}
	wantOrders(t, lake, receipt)
	linttest.Dir(t, lake)
}

func TestPyarrow(t *testing.T) {
	lake := t.TempDir()
	server := tools.StartServer(t, lake, nil)
	script, err := filepath.Abs("pyarrow/put.py")
	if err != nil {
		t.Fatal(err)
	}
	wantOrders(t, lake, []byte(tools.Python(t).Output(t, script, server.URL)))
	server.Stop(t)
}

// wantOrders checks that the receipt is that of three orders, and that they are in the lake.
func wantOrders(t *testing.T, lake string, text []byte) {
	t.Helper()
	var receipt tools.Receipt
	if err := json.Unmarshal(text, &receipt); err != nil {
		t.Fatalf("the program printed %s: %v", text, err)
	}
	if receipt.Dataset != "sales/orders" || receipt.Records != 3 || len(receipt.Objects) != 1 {
		t.Fatalf("receipt %+v", receipt)
	}
	parquet, err := file.OpenParquetFile(filepath.Join(lake, receipt.Objects[0].Key), false)
	if err != nil {
		t.Fatal(err)
	}
	defer parquet.Close()
	chunk, err := parquet.MetaData().RowGroup(0).ColumnChunk(1)
	if err != nil {
		t.Fatal(err)
	}
	if parquet.NumRows() != 3 || chunk.Compression().String() != "ZSTD" {
		t.Errorf("the object has %d records, compressed with %s; want 3 and ZSTD", parquet.NumRows(), chunk.Compression())
	}
}
