package peer

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// writeStream writes a stream of three batches of a record each: a time within a day and a number.
func writeStream(t *testing.T) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "a.arrows")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "time", Type: arrow.FixedWidthTypes.Date64},
		{Name: "number", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	stream := ipc.NewWriter(out, ipc.WithSchema(schema))
	for i := range 3 {
		b.Field(0).(*array.Date64Builder).Append(arrow.Date64(i) + 1)
		b.Field(1).(*array.Int32Builder).Append(int32(i))
		if err := stream.Write(b.NewRecordBatch()); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// events runs a peer to its end and returns what it said.
func events(t *testing.T, stdin string, args ...string) (events []map[string]any, exitCode int) {
	t.Helper()
	var stdout bytes.Buffer
	exitCode = Main(args, strings.NewReader(stdin), &stdout)
	for line := range strings.Lines(stdout.String()) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		events = append(events, e)
	}
	return events, exitCode
}

// TestTasks has every writer do what the contract has, with every settings that it knows.
func TestTasks(t *testing.T) {
	stream, out := writeStream(t), filepath.Join(t.TempDir(), "a.parquet")
	for _, w := range Writers() {
		for _, settings := range []string{"default", "v2", "zstd", "zstd-v2", "bloom"} {
			timed, code := events(t, "1\n2\n", w.Name, settings, stream, "time")
			if len(timed) != 3 || code != 0 || timed[0]["records"] != 3.0 ||
				timed[1]["writes"] != 1.0 || timed[2]["writes"] != 2.0 {
				t.Errorf("%s, %s: exit code %d, %v", w.Name, settings, code, timed)
				continue
			}
			if said, code := events(t, "", w.Name, settings, stream, "file", out); len(said) != 1 || code != 0 {
				t.Errorf("%s, %s: exit code %d, %v", w.Name, settings, code, said)
				continue
			}
			info, err := os.Stat(out)
			if err != nil {
				t.Fatal(err)
			}
			if bytes := timed[2]["bytes"]; bytes != float64(info.Size()) {
				t.Errorf("%s, %s: %v bytes into nothing, %d into a file", w.Name, settings, bytes, info.Size())
			}
			reader, err := file.OpenParquetFile(out, false)
			if err != nil {
				t.Errorf("%s, %s: %v", w.Name, settings, err)
				continue
			}
			if reader.NumRows() != 3 || reader.NumRowGroups() != 1 {
				t.Errorf("%s, %s: %d records in %d row groups", w.Name, settings, reader.NumRows(), reader.NumRowGroups())
			}
			if err := reader.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestRoundsOfSettings has one process write with several settings, of which it refuses some.
func TestRoundsOfSettings(t *testing.T) {
	said, code := events(t, "1\n1 cdc\n1 v2\n2 fast\n1\n", "arrow-go", "default", writeStream(t), "time")
	if code != 0 || len(said) != 6 {
		t.Fatalf("exit code %d, %v", code, said)
	}
	for i, want := range []string{"ready", "round", "error", "round", "error", "round"} {
		if said[i]["event"] != want {
			t.Errorf("event %d: %v, want %s", i, said[i], want)
		}
	}
	if said[1]["bytes"] != said[5]["bytes"] || said[1]["bytes"] == said[3]["bytes"] {
		t.Errorf("default, v2, default: %v", said)
	}
	said, code = events(t, "one\n", "sluice", "default", writeStream(t), "time")
	if code != 1 || len(said) != 2 || said[1]["error"] != `a round is WRITES [SETTINGS], got "one"` {
		t.Errorf("exit code %d, %v", code, said)
	}
}

func TestRefusals(t *testing.T) {
	stream := writeStream(t)
	for _, test := range []struct{ args, want string }{
		{"sluice default", "arguments are NAME SETTINGS STREAM TASK"},
		{"nobody default " + stream + " time", `no peer "nobody": must be one of sluice, `},
		{"sluice fast " + stream + " memory", `no settings "fast"`},
		{"arrow-go fast " + stream + " memory", `no settings "fast"`},
		{"parquet-go fast " + stream + " memory", `no settings "fast"`},
		{"arrow-go cdc " + stream + " memory", "cannot end pages by their content"},
		{"parquet-go distinct " + stream + " memory", "counts no distinct values"},
		{"sluice default " + stream + " sleep", `task "sleep"`},
		{"sluice default " + stream + "x time", "no such file"},
		{"sluice default " + stream + " file", "must be time, memory, file FILE or profile FILE"},
	} {
		said, code := events(t, "", strings.Fields(test.args)...)
		last := said[len(said)-1]
		message, _ := last["error"].(string)
		if code != 1 || last["event"] != "error" || !strings.Contains(message, test.want) {
			t.Errorf("%s: exit code %d, %v, want %q", test.args, code, said, test.want)
		}
	}
}
