package integration

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/sluice-io/sluice/integration/lint/linttest"
	"github.com/sluice-io/sluice/integration/tools"
)

// TestShutdownLetsPutsFinish stops a server while a put is open, which then goes on to its end.
func TestShutdownLetsPutsFinish(t *testing.T) {
	lake := t.TempDir()
	server := tools.StartServer(t, lake, nil)
	client := holdHalfWay(t, server, lake, "flights")
	server.Terminate(t)
	if err := server.Await("shutting down"); err != nil {
		t.Fatal(err)
	}
	reply := client.Continue(t)
	if reply.Error != "" || reply.Receipt.Records != flightsRecords {
		t.Errorf("the open put ended with %+v", reply)
	}
	server.WantEnd(t)
	if found := objects(t, lake); len(found) != 1 {
		t.Errorf("the lake holds %v, not the one object of the put", found)
	}
}

// TestShutdownAbortsPuts stops a server while a put is open that does not go on.
func TestShutdownAbortsPuts(t *testing.T) {
	lake := t.TempDir()
	server := tools.StartServer(t, lake, &tools.ServerOptions{Args: []string{"--shutdown-timeout=100ms"}})
	client := holdHalfWay(t, server, lake, "flights")
	server.Stop(t)
	if files, err := tools.Files(lake); err != nil || len(files) != 0 {
		t.Errorf("an aborted put left %v, %v", files, err)
	}
	// FlightUnavailableError is what pyarrow makes of UNAVAILABLE: the put may be tried again.
	wantRefusal(t, client.Continue(t), "FlightUnavailableError")
}

// TestSettings puts with the settings of the configuration file and of the command.
func TestSettings(t *testing.T) {
	config := filepath.Join(t.TempDir(), "sluice.yaml")
	settings := "datasets:\n  sales/orders: {compression: zstd, row_group_size: 4}\n"
	if err := os.WriteFile(config, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, &tools.ServerOptions{Args: []string{"--config", config}}))
	tests := []struct {
		name, codec string
		put         tools.Put
		rowGroups   int
	}{
		{"defaults", "SNAPPY", tools.Put{Path: []string{"sales", "returns"}}, 1},
		{"of the file", "ZSTD", tools.Put{Path: []string{"sales", "orders"}}, 3},
		{"of the command", "UNCOMPRESSED",
			tools.Put{Command: `{"dataset": "sales/orders", "options": {"compression": "none"}}`}, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.put.Source, test.put.Arguments = "numbers", tenNumbers
			receipt := client.MustPut(t, test.put)
			parquet, err := file.OpenParquetFile(filepath.Join(lake, receipt.Objects[0].Key), false)
			if err != nil {
				t.Fatal(err)
			}
			defer parquet.Close()
			chunk, err := parquet.MetaData().RowGroup(0).ColumnChunk(0)
			if err != nil {
				t.Fatal(err)
			}
			if codec := chunk.Compression().String(); codec != test.codec || parquet.NumRowGroups() != test.rowGroups {
				t.Errorf("codec %s, %d row groups; want %s, %d", codec, parquet.NumRowGroups(), test.codec, test.rowGroups)
			}
		})
	}
}

// TestDemo runs the demonstration as a user does, and reads what it stored.
func TestDemo(t *testing.T) {
	cmd := tools.Sluice(t, "demo", "--rows", "300000")
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("sluice demo: %v\n%s", err, output)
	}
	if files := linttest.Dir(t, cmd.Dir); files != 1 {
		t.Errorf("the demo stored %d files", files)
	}
	objects := filepath.Join(cmd.Dir, "lake", "**", "*.parquet")
	rows := tools.Python(t).Output(t, "query.py", "SELECT count(*) FROM '"+objects+"'")
	if rows != "300000\n" {
		t.Errorf("DuckDB counts %s rows of the demo, want 300000; it printed:\n%s", rows, output)
	}
}
