package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// TestMain makes the test binary a peer when it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == peerCommand {
		os.Exit(runPeer(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// writeStream writes an array of one nullable column, in two batches, as DIR/NAME.arrows.
func writeStream(t *testing.T, dir, name string, a arrow.Array) {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, name+streamSuffix))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: a.DataType(), Nullable: true}}, nil)
	stream := ipc.NewWriter(file, ipc.WithSchema(schema))
	half := int64(a.Len() / 2)
	for _, part := range []arrow.Array{array.NewSlice(a, 0, half), array.NewSlice(a, half, int64(a.Len()))} {
		if err := stream.Write(array.NewRecordBatch(schema, []arrow.Array{part}, int64(part.Len()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.Close(); err != nil {
		t.Fatal(err)
	}
}

// tinyStreams makes a column of texts, and one that is run-end-encoded, which arrow-go cannot write.
func tinyStreams(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	ends, values := arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64
	runs := array.NewRunEndEncodedBuilder(memory.DefaultAllocator, ends, values)
	for i := range 1000 {
		texts.Append(strings.Repeat("x", i%7))
		runs.Append(10)
		runs.ValueBuilder().(*array.Int64Builder).Append(int64(i))
	}
	texts.AppendNull()
	writeStream(t, dir, "texts", texts.NewArray())
	writeStream(t, dir, "int64_ree", runs.NewArray())
	return dir
}

// TestCompare measures Go's writers, as processes of their own, and looks at both forms of what comes of it.
func TestCompare(t *testing.T) {
	dir := tinyStreams(t)
	file := filepath.Join(t.TempDir(), "results.json")
	var stdout, stderr bytes.Buffer
	peers := []string{"sluice", "sluice-crc", "sluice-table", "arrow-go", "arrow-go-table", "parquet-go"}
	args := []string{"--data", dir, "--rounds", "1", "--json", file, "--settings", "default,v2,cdc",
		"--peers", strings.Join(peers, ",")}
	if err := run(args, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var results []result
	if err := json.Unmarshal(text, &results); err != nil {
		t.Fatal(err)
	}
	if want := 2 * 3 * len(peers); len(results) != want {
		t.Fatalf("%d results, want %d:\n%s", len(results), want, text)
	}
	for _, r := range results {
		refused := r.Shape == "int64_ree" && !strings.HasPrefix(r.Peer, "sluice") ||
			r.Settings == "cdc" && !strings.HasPrefix(r.Peer, "sluice")
		measured := r.CPUNS > 0 && r.Bytes > 100 && r.PeakBytes > 0
		if refused != (r.Error != "") || measured == refused {
			t.Errorf("%+v", r)
		}
	}
	markdown := stdout.String()
	for _, want := range []string{"## default\n", "## v2\n", "## cdc\n", "### Processor time of a write, ms\n",
		"### Peak of memory, MiB\n", "| int64_ree | error |",
		"\n| no slower than the fastest writer in the same mode | default | sluice | "} {
		if !strings.Contains(markdown, want) {
			t.Errorf("the report lacks %q:\n%s", want, markdown)
		}
	}
	if lines := strings.Count(stderr.String(), "\n"); lines != 6 {
		t.Errorf("%d lines of progress, want one for each of 6 cases:\n%s", lines, &stderr)
	}
	var again bytes.Buffer
	if err := run([]string{"--report", file}, &again, &stderr); err != nil || again.String() != markdown {
		t.Errorf("--report shows something else (error %v):\n%s", err, &again)
	}
}

// TestChecksum holds the peers that differ in it against each other.
func TestChecksum(t *testing.T) {
	dir := tinyStreams(t)
	sizes := map[string]int64{}
	for _, p := range allPeers {
		if !p.ours {
			continue
		}
		command, err := p.command(nil)
		if err != nil {
			t.Fatal(err)
		}
		d := driver{streams: dir, peers: []ready{{p, command}}, rounds: 1, log: newProgress(&bytes.Buffer{})}
		sizes[p.name] = d.measure(aCase{shape{name: "texts"}, "default"})[0].Bytes
	}
	if plain := sizes["sluice"]; plain == 0 || sizes["sluice-table"] != plain || sizes["sluice-crc"] <= plain {
		t.Errorf("bytes of our files: %v", sizes)
	}
}

// TestDeadPeer has a peer that ends without a word.
func TestDeadPeer(t *testing.T) {
	d := driver{
		streams: tinyStreams(t),
		peers:   []ready{{aPeer{name: "gone"}, []string{"false"}}, {aPeer{name: "mute"}, []string{"true"}}},
		rounds:  1, memory: true, log: newProgress(&bytes.Buffer{}),
	}
	for i, want := range []string{"exit status 1", "exit status 0"} {
		r := d.measure(aCase{shape{name: "texts"}, "default"})[i]
		if !strings.Contains(r.Error, want) || r.CPUNS != 0 {
			t.Errorf("%+v, want an error with %q", r, want)
		}
	}
}

// TestCases counts what the package comment's commands measure: the cases of the Rust suite.
func TestCases(t *testing.T) {
	for _, test := range []struct {
		args string
		want int
	}{
		{"--shapes suite,strings,ndv --settings all", 483},
		{"--shapes memory --settings default,v2,cdc --rounds 0", 96},
		{"--shapes suite --settings all", 7 * 65},
		{"--shapes suite", 65},
		{"--shapes strings", 17},
		{"--shapes strings --settings plain", 6},
		{"--shapes *_ree,string_ree --settings zstd,zstd-v2", 2 * 9},
	} {
		c, err := parse(strings.Fields(test.args), &bytes.Buffer{})
		if err != nil {
			t.Errorf("%s: %v", test.args, err)
		} else if len(c.cases) != test.want {
			t.Errorf("%s: %d cases, want %d: %v", test.args, len(c.cases), test.want, c.cases)
		}
	}
}

func TestFlagsRefuse(t *testing.T) {
	for args, want := range map[string]string{
		"--shapes nothing":                   `no shape "nothing"`,
		"--settings fast":                    `no settings "fast"`,
		"--shapes strings --settings v2":     "no shape of these is written with settings v2",
		"--peers arrow":                      `no peer "arrow"`,
		"--rounds -1":                        "must not be negative",
		"--rounds 0 --memory=false":          "nothing left to measure",
		"--data testdata/nowhere":            "no file *.arrows in testdata/nowhere",
		"primitive":                          `what is "primitive"?`,
		"--report testdata/nowhere.json":     "no such file",
		"--data . --shapes suite":            "no file *.arrows in .",
		"--peers sluice --shapes a --data .": "no file *.arrows in .",
	} {
		err := run(strings.Fields(args), &bytes.Buffer{}, &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// TestHelp names all that may be chosen.
func TestHelp(t *testing.T) {
	var help bytes.Buffer
	_, err := parse([]string{"--help"}, &help)
	if err == nil {
		t.Fatal("--help measures")
	}
	words := slices.Concat(shapeNames(allShapes()), allSettings, peerNames(allPeers))
	for _, word := range words {
		if !strings.Contains(help.String(), word) {
			t.Errorf("--help does not name %q", word)
		}
	}
	if len(words) < 100 {
		t.Errorf("there are but %d words to choose from", len(words))
	}
}
