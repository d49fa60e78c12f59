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
		refused string // a schema of that source, otherwise numbers
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
		{name: "union", path: []string{"sales"}, refused: "union", mention: []string{`"bad.inner"`, "dense_union"}},
		{name: "sparse union", path: []string{"sales"}, refused: "sparse union",
			mention: []string{`"bad.list.element"`, "sparse_union"}},
		{name: "struct without fields", path: []string{"sales"}, refused: "struct without fields",
			mention: []string{`"bad.key_value.value"`, "struct without fields"}},
		{name: "no columns", path: []string{"sales"}, refused: "no columns", mention: []string{"no columns"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			put := tools.Put{Path: test.path, Command: test.command, Source: "numbers", Arguments: tenNumbers, Listen: true}
			if test.refused != "" {
				put.Source, put.Arguments = "refused", map[string]any{"kind": test.refused}
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

// TestRefusedValues puts values that Parquet has no form for: the message has to say where they are.
func TestRefusedValues(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	tests := []struct {
		name                      string
		months, days, nanoseconds int64
		mention                   []string
	}{
		{name: "negative months", months: -5, mention: []string{"-5 months"}},
		{name: "negative days", days: -6, mention: []string{"-6 days"}},
		{name: "negative time", nanoseconds: -7, mention: []string{"-7 ns"}},
		{name: "part of a millisecond", nanoseconds: 1_500_000, mention: []string{"1500000 ns", "millisecond"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := client.Put(t, tools.Put{Path: []string{"events"}, Source: "intervals", Arguments: map[string]any{
				"months": test.months, "days": test.days, "nanoseconds": test.nanoseconds}})
			wantRefusal(t, reply, "ArrowInvalid", append(test.mention, "INVALID_ARGUMENT", `"event.interval"`, "record 1")...)
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
