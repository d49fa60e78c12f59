package integration

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/integration/tools"
)

var tenNumbers = map[string]any{"records": 10}

// TestRefusedBeforeData sends a descriptor and a schema and no data: the refusal has to come all the same.
func TestRefusedBeforeData(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	tests := []struct {
		name    string
		path    []string
		command string
		source  string // default numbers
		mention []string
	}{
		{name: "empty name", path: []string{""}, mention: []string{"empty"}},
		{name: "empty segment", path: []string{"sales", ""}, mention: []string{"empty"}},
		{name: "parent directory", path: []string{"sales", ".."}, mention: []string{`".."`}},
		{name: "hidden by underscore", path: []string{"_sales"}, mention: []string{`"_sales"`, `"_"`}},
		{name: "hidden by dot", path: []string{"sales", ".orders"}, mention: []string{`".orders"`, `"."`}},
		{name: "partition name", path: []string{"day=1"}, mention: []string{`"day=1"`, "="}},
		{name: "control character", path: []string{"sa\x01les"}, mention: []string{"control character"}},
		{name: "newline", path: []string{"sales\n"}, mention: []string{"control character"}},
		{name: "slash in segment", path: []string{"sales/orders"}, mention: []string{"/"}},
		{name: "no command", command: " ", mention: []string{"JSON"}},
		{name: "command is no JSON", command: "sales/orders", mention: []string{"JSON"}},
		{name: "command is no object", command: `["sales"]`, mention: []string{"object"}},
		{name: "command without dataset", command: `{"options": {}}`, mention: []string{"dataset"}},
		{name: "command with other key", command: `{"dataset": "sales", "datset": "x"}`, mention: []string{"datset"}},
		{name: "command with bad name", command: `{"dataset": "sales/../x"}`, mention: []string{`".."`}},
		{name: "command with empty segment", command: `{"dataset": "sales//x"}`, mention: []string{"empty"}},
		{name: "unknown option", command: `{"dataset": "sales", "options": {"codec": "zstd"}}`,
			mention: []string{"codec", "compression"}},
		{name: "option of wrong type", command: `{"dataset": "sales", "options": {"row_group_size": "many"}}`,
			mention: []string{"row_group_size", "many"}},
		{name: "option out of range", command: `{"dataset": "sales", "options": {"row_group_size": 0}}`,
			mention: []string{"row_group_size", "0"}},
		{name: "unknown codec", command: `{"dataset": "sales", "options": {"compression": "lzma"}}`,
			mention: []string{"lzma", "snappy"}},
		{name: "type that is not stored", path: []string{"sales"}, source: "union", mention: []string{"bad.inner", "union"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			put := tools.Put{Path: test.path, Command: test.command, Source: test.source, Listen: true}
			if put.Source == "" {
				put.Source, put.Arguments = "numbers", tenNumbers
			}
			reply := client.Put(t, put)
			// ArrowInvalid is what pyarrow makes of INVALID_ARGUMENT.
			wantRefusal(t, reply, "ArrowInvalid", append(test.mention, "INVALID_ARGUMENT")...)
		})
	}
	if files, err := tools.Files(lake); err != nil || len(files) != 0 {
		t.Errorf("refused puts left %v, %v", files, err)
	}
}

func wantRefusal(t *testing.T, reply tools.Reply, class string, mention ...string) {
	t.Helper()
	if reply.Error != class {
		t.Errorf("pyarrow raised %q, not %s: %s", reply.Error, class, reply.Message)
	}
	for _, text := range mention {
		if !strings.Contains(reply.Message, text) {
			t.Errorf("the message does not mention %q: %s", text, reply.Message)
		}
	}
}

func TestReceipt(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	tests := []struct {
		name string
		put  tools.Put
		want tools.Receipt // without key and bytes
	}{
		{
			name: "path",
			put:  tools.Put{Path: []string{"sales", "orders"}, Source: "numbers", Arguments: map[string]any{"records": 2500}},
			want: tools.Receipt{Dataset: "sales/orders", Batches: 3, Records: 2500,
				Objects: []tools.Object{{Records: 2500, RowGroups: 1}}},
		},
		{
			name: "command",
			put: tools.Put{Command: `{"dataset": "sales/orders", "options": {"row_group_size": 1000}}`, Source: "numbers",
				Arguments: map[string]any{"records": 2500, "batch_records": 700}},
			want: tools.Receipt{Dataset: "sales/orders", Batches: 4, Records: 2500,
				Objects: []tools.Object{{Records: 2500, RowGroups: 3}}},
		},
		{
			name: "no batches",
			put:  tools.Put{Path: []string{"none"}, Source: "numbers", Arguments: map[string]any{"records": 0}},
			want: tools.Receipt{Dataset: "none", Objects: []tools.Object{{}}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.put.Lake = lake
			reply := client.Put(t, test.put)
			if reply.Error != "" {
				t.Fatalf("%s: %s", reply.Error, reply.Message)
			}
			receipt := reply.Receipt
			if diff := cmp.Diff(receipt.Keys(), reply.There); diff != "" {
				t.Errorf("objects of the receipt, and those that were there when it came (-want +got):\n%s", diff)
			}
			checkObjects(t, lake, receipt)
			for i := range receipt.Objects {
				receipt.Objects[i].Key, receipt.Objects[i].Bytes = "", 0
			}
			if diff := cmp.Diff(test.want, receipt); diff != "" {
				t.Errorf("receipt (-want +got):\n%s", diff)
			}
		})
	}
}

// checkObjects compares what a receipt says of its objects with the objects.
func checkObjects(t *testing.T, lake string, receipt tools.Receipt) {
	t.Helper()
	for _, object := range receipt.Objects {
		name := filepath.Join(lake, filepath.FromSlash(object.Key))
		if ok, err := filepath.Match(receipt.Dataset+"/*.parquet", object.Key); err != nil || !ok {
			t.Errorf("key %q is not that of a Parquet object of dataset %s", object.Key, receipt.Dataset)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		parquet, err := file.OpenParquetFile(name, false)
		if err != nil {
			t.Fatal(err)
		}
		defer parquet.Close()
		have := tools.Object{Key: object.Key, Records: parquet.NumRows(), Bytes: info.Size(), RowGroups: parquet.NumRowGroups()}
		if diff := cmp.Diff(have, object); diff != "" {
			t.Errorf("object, and what the receipt says of it (-object +receipt):\n%s", diff)
		}
		if columns := parquet.MetaData().Schema.NumColumns(); columns != 1 {
			t.Errorf("the object has %d columns, not 1", columns)
		}
	}
}

// TestKeysSort puts twice: the names of the objects order them by time.
func TestKeysSort(t *testing.T) {
	client := tools.StartClient(t, tools.StartServer(t, t.TempDir(), nil))
	put := tools.Put{Path: []string{"numbers"}, Source: "numbers", Arguments: tenNumbers}
	last := ""
	for range 5 {
		key := client.MustPut(t, put).Objects[0].Key
		if key <= last {
			t.Errorf("key %s of a later put does not come after %s", key, last)
		}
		last = key
	}
}

func TestNestedDatasets(t *testing.T) {
	lake := t.TempDir()
	server := tools.StartServer(t, lake, nil)
	client := tools.StartClient(t, server)
	put := func(path ...string) tools.Put {
		return tools.Put{Path: path, Source: "numbers", Arguments: tenNumbers}
	}
	client.MustPut(t, put("sales", "orders"))
	client.MustPut(t, put("sales", "returns"))
	client.MustPut(t, put("sales2"))

	for _, nested := range [][]string{{"sales"}, {"sales", "orders", "old"}} {
		reply := client.Put(t, put(nested...))
		wantRefusal(t, reply, "ArrowInvalid", "FAILED_PRECONDITION", strings.Join(nested, "/"), "sales/orders")
	}
	client.MustPut(t, put("sales", "orders"))

	// A new server knows only what the bucket tells it.
	server.Stop(t)
	client = tools.StartClient(t, tools.StartServer(t, lake, nil))
	reply := client.Put(t, put("sales"))
	wantRefusal(t, reply, "ArrowInvalid", "FAILED_PRECONDITION")
	if found := objects(t, lake); len(found) != 4 {
		t.Errorf("the lake holds %v, not the objects of 4 puts", found)
	}
}

func TestMessageLimit(t *testing.T) {
	lake := t.TempDir()
	const limit = 6_000_000 // above gRPC's own 4 MiB
	server := tools.StartServer(t, lake, &tools.ServerOptions{Args: []string{fmt.Sprintf("--max-message-bytes=%d", limit)}})
	client := tools.StartClient(t, server)
	put := func(bytes int) tools.Put {
		return tools.Put{Path: []string{"text"}, Source: "text", Arguments: map[string]any{"bytes": bytes}}
	}
	client.MustPut(t, put(limit-10_000))

	reply := client.Put(t, put(limit))
	// gRPC itself answers, before any of the server's own code: with the size of the message and the limit.
	sizes := regexp.MustCompile(`RESOURCE_EXHAUSTED.*\((\d+) vs. 6000000\)`).FindStringSubmatch(reply.Message)
	if sizes == nil {
		t.Fatalf("the message does not name both sizes: %s", reply.Message)
	}
	if size, err := strconv.Atoi(sizes[1]); err != nil || size < limit || size > limit+10_000 {
		t.Errorf("the message names %s for a message of some more than %d bytes", sizes[1], limit)
	}
	if found := objects(t, lake); len(found) != 1 {
		t.Errorf("the lake holds %v, not the one object of the put that was taken", found)
	}
}
