package main

import (
	"bytes"
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

// tinyStreams makes a column of texts, one of lists, and one that is run-end-encoded, which arrow-go cannot write.
func tinyStreams(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	lists := array.NewListBuilder(memory.DefaultAllocator, arrow.PrimitiveTypes.Int32)
	ends, values := arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64
	runs := array.NewRunEndEncodedBuilder(memory.DefaultAllocator, ends, values)
	for i := range 1000 {
		texts.Append(strings.Repeat("x", i%7))
		lists.Append(true)
		lists.ValueBuilder().(*array.Int32Builder).AppendValues([]int32{7, int32(i)}, nil)
		runs.Append(10)
		runs.ValueBuilder().(*array.Int64Builder).Append(int64(i))
	}
	texts.AppendNull()
	writeStream(t, dir, "texts", texts.NewArray())
	writeStream(t, dir, "lists", lists.NewArray())
	writeStream(t, dir, "int64_ree", runs.NewArray())
	return dir
}

// measured runs the command and returns what it says and the results in the file.
func measured(t *testing.T, file string, args ...string) (stdout, stderr string, results []result) {
	t.Helper()
	var out, progress bytes.Buffer
	if err := run(append(args, "--json", file), &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	results, err := readResults([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), progress.String(), results
}

// TestCompare measures Go's writers, as processes of their own, and looks at all forms of what comes of it.
func TestCompare(t *testing.T) {
	dir := tinyStreams(t)
	file := filepath.Join(t.TempDir(), "results.json")
	peers := []string{"sluice", "sluice-crc", "sluice-table", "arrow-go", "arrow-go-table", "parquet-go"}
	args := []string{"--data", dir, "--rounds", "1", "--memory", "--settings", "default,v2,cdc",
		"--peers", strings.Join(peers, ",")}
	markdown, progress, results := measured(t, file, args...)
	remembered := map[string]bool{"sluice": true, "sluice-table": true, "arrow-go": true}
	if want := 3 * (2*len(peers) - 1 + 2); len(results) != want {
		t.Fatalf("%d results, want %d: %+v", len(results), want, results)
	}
	for _, r := range results {
		refused := r.Shape == "int64_ree" && !strings.HasPrefix(r.Peer, "sluice") ||
			r.Shape == "lists" && r.Peer == "parquet-go"
		measured := r.CPUNS > 0 && r.Bytes > 100 && (r.PeakBytes > 0) == remembered[r.Peer] && r.Rounds == 1 && r.Version != ""
		if refused != (r.Error != "") || measured == refused || r.Run == "" {
			t.Errorf("%+v", r)
		}
	}
	for _, want := range []string{"## default\n", "## v2\n", "## cdc\n", "### Processor time of a write, ms\n",
		"### Peak of memory, MiB\n", "| int64_ree | error |", "\n### Time, ms: ",
		"\n| arrow-go cannot end pages by their content | arrow-go, arrow-go-table | all, so it is left out |\n"} {
		if !strings.Contains(markdown, want) {
			t.Errorf("the report lacks %q:\n%s", want, markdown)
		}
	}
	if lines := strings.Count(progress, "\n"); lines != 9 {
		t.Errorf("%d lines of progress, want one for each of 9 cases:\n%s", lines, progress)
	}
	var page, stderr bytes.Buffer
	if err := run([]string{"--report", file}, &page, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n## Losses\n", "\n## All cases\n", "\n- Others: arrow-go ", "| int64_ree | ", notes} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, &page)
		}
	}
}

// TestResume goes on with a file that lacks the memory of one case and all of another.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	args := []string{"--data", tinyStreams(t), "--rounds", "1", "--peers", "sluice,arrow-go"}
	_, _, first := measured(t, file, append(args, "--settings", "default")...)
	args = append(args, "--settings", "default,v2")
	if _, progress, _ := measured(t, file, args...); strings.Count(progress, "\n") != 3 || strings.Contains(progress, "default") {
		t.Errorf("with the default settings done, it measured\n%s", progress)
	}
	_, _, last := measured(t, file, append(args, "--rounds", "0", "--memory")...)
	if len(last) != 12 {
		t.Fatalf("%d results: %+v", len(last), last)
	}
	for i, r := range last {
		if r.Error == "" && (r.CPUNS == 0 || r.PeakBytes == 0) || i < len(first) && r.CPUNS != first[i].CPUNS {
			t.Errorf("%+v", r)
		}
	}
}

// TestBehind has a peer that falls behind stop, after how many rounds depends on how far.
func TestBehind(t *testing.T) {
	entryOf := func(p aPeer, ns int64, rounds int) *entry {
		return &entry{resident: &resident{ready: ready{aPeer: p}}, result: result{CPUNS: ns, Rounds: rounds}}
	}
	other := aPeer{name: "other", mode: batches}
	best := entryOf(aPeer{name: "best", mode: batches}, 100, 1)
	ours := entryOf(aPeer{name: ourPeer, mode: batches, ours: true}, 10, 1)
	inTable := entryOf(aPeer{name: "in table mode", mode: table}, 10, 1)
	for _, test := range []struct {
		e    *entry
		want bool
	}{
		{entryOf(other, 0, 0), false},
		{entryOf(other, 400, 1), false},
		{entryOf(other, 401, 1), true},
		{entryOf(other, 201, 2), false},
		{entryOf(other, 200, 3), false},
		{entryOf(other, 201, 3), true},
		{entryOf(aPeer{name: rustPeer, mode: batches}, 999, 6), false},
		{entryOf(aPeer{name: ourPeer, mode: batches, ours: true}, 999, 6), false},
	} {
		if got := test.e.behind([]*entry{best, ours, inTable, test.e}); got != test.want {
			t.Errorf("%s, %d ns after %d rounds: %v", test.e.name, test.e.result.CPUNS, test.e.result.Rounds, got)
		}
	}
}

// measureOne measures the shape texts.
func measureOne(t *testing.T, d *driver, memory bool) (results []result) {
	t.Helper()
	c := aCase{shape{name: "texts"}, "default", true, memory}
	err := d.measure([]aCase{c}, func(_ aCase, measured []result) error {
		results = measured
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return results
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
		d := &driver{streams: dir, peers: []ready{{p, command}}, rounds: 1, log: newProgress(&bytes.Buffer{})}
		sizes[p.name] = measureOne(t, d, false)[0].Bytes
	}
	if plain := sizes["sluice"]; plain == 0 || sizes["sluice-table"] != plain || sizes["sluice-crc"] <= plain {
		t.Errorf("bytes of our files: %v", sizes)
	}
}

// TestDeadPeer has a peer that ends without a word.
func TestDeadPeer(t *testing.T) {
	d := &driver{
		streams: tinyStreams(t),
		peers:   []ready{{aPeer{name: "gone", memory: true}, []string{"false"}}, {aPeer{name: "mute", memory: true}, []string{"true"}}},
		rounds:  1, log: newProgress(&bytes.Buffer{}),
	}
	for i, r := range measureOne(t, d, true) {
		if want := []string{"exit status 1", "exit status 0"}[i]; !strings.Contains(r.Error, want) || r.CPUNS != 0 {
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
		{"--shapes memory --settings default,v2,cdc --rounds 0 --memory", 96},
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

// TestPageCases counts what the page has, and looks at what of it is timed and remembered.
func TestPageCases(t *testing.T) {
	c, err := parse([]string{"--page"}, &bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	timed, remembered := map[string]int{}, map[string]int{}
	for _, each := range c.cases {
		if each.time {
			timed[each.settings]++
		}
		if each.memory && slices.Contains(shapeNames(groupOf("memory")), each.shape.name) {
			remembered[each.settings]++
		}
	}
	if timed["v2"] != 65 || timed["cdc"] != 65 || timed["distinct"] != 65+11 || timed["plain"] != 6 || timed["delta"] != 11 {
		t.Errorf("timed: %v", timed)
	}
	if timed["default"] != len(allShapes())-len(groupOf("strings"))-len(groupOf("ndv")) || remembered["default"] != 32 || remembered["v2"] != 32 || remembered["cdc"] != 32 {
		t.Errorf("timed: %v, remembered: %v of %d shapes", timed, remembered, len(allShapes()))
	}
}

func TestFlagsRefuse(t *testing.T) {
	for args, want := range map[string]string{
		"--shapes nothing":                   `no shape "nothing"`,
		"--settings fast":                    `no settings "fast"`,
		"--shapes strings --settings v2":     "no shape of these is written with settings v2",
		"--peers arrow":                      `no peer "arrow"`,
		"--rounds -1":                        "must not be negative",
		"--rounds 0":                         "nothing left to measure",
		"--page --settings v2":               "goes without those flags",
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
