package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// canned are results of two shapes, one with runs, which no writer but the Rust one and ours can write.
var canned = []result{
	{Shape: "flat", Settings: "default", Peer: "arrow-rs", CPUNS: 20e6, Bytes: 1_000_000, PeakBytes: 9 << 20},
	{Shape: "flat", Settings: "default", Peer: "arrow-go", CPUNS: 10e6, Bytes: 900_000, PeakBytes: 30 << 20},
	{Shape: "flat", Settings: "default", Peer: "sluice", CPUNS: 15e6, Bytes: 1_020_000, PeakBytes: 5 << 20},
	{Shape: "flat", Settings: "default", Peer: "arrow-cpp", CPUNS: 8e6, Bytes: 950_000, PeakBytes: 7 << 20},
	{Shape: "flat", Settings: "default", Peer: "sluice-table", CPUNS: 2e6, Bytes: 1_014_000, PeakBytes: 6 << 20},
	{Shape: "long_ree", Settings: "default", Peer: "arrow-rs", CPUNS: 100e6, Bytes: 20_000, PeakBytes: 24 << 20},
	{Shape: "long_ree", Settings: "default", Peer: "arrow-go", Error: "no runs | none: run<a>"},
	{Shape: "short_ree", Settings: "default", Peer: "arrow-cpp", Error: "no runs | none:\nrun<b>"},
	{Shape: "long_ree", Settings: "default", Peer: "sluice", CPUNS: 1e6, Bytes: 20_000, PeakBytes: 1 << 20},
	{Shape: "long_ree", Settings: "default", Peer: "sluice-table", CPUNS: 4e6, Bytes: 20_000, PeakBytes: 1 << 20},
	{Shape: "flat", Settings: "zstd", Peer: "arrow-go", CPUNS: 40e6, Bytes: 500_000},
	{Shape: "flat", Settings: "zstd", Peer: "sluice", CPUNS: 50e6, Bytes: 500_000},
}

func cannedReport(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	if err := report(&text, canned); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestReportTables(t *testing.T) {
	text := cannedReport(t)
	for _, want := range []string{
		"| shape | arrow-rs | arrow-go | sluice | × | arrow-cpp | sluice-table | × |",
		// Within the mode: 15 / 10, 2 / 8. With runs there is the Rust writer alone, and none in table mode.
		"| flat | 20.0 | 10.0 | 15.0 | 1.50 | 8.00 | 2.00 | 0.25 |",
		"| long_ree | 100 | error | 1.00 | 0.010 |  | 4.00 |  |",
		// Bytes over the Rust writer's.
		"| flat | 1000000 | 900000 | 1020000 | 1.02 | 950000 | 1014000 | 1.01 |",
		"| flat | 9.00 | 30.0 | 5.00 | 0.56 | 7.00 | 6.00 | 0.86 |",
		`| no runs \| none: run… | arrow-go, arrow-cpp | long_ree, short_ree |`,
		"| flat |  | 40.0 | 50.0 | 1.25 |  |  |  |",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	// Nobody measured memory with zstd.
	if n := strings.Count(text, "### Peak of memory, MiB\n"); n != 1 {
		t.Errorf("%d tables of memory in\n%s", n, text)
	}
}

func TestLosses(t *testing.T) {
	text := cannedReport(t)
	for _, want := range []string{
		"### Time, ms: 2 of 4",
		"| flat | default | sluice | 15.0 | 10.0 | arrow-go | 1.50 |\n| flat | zstd | sluice | 50.0 | 40.0 | arrow-go | 1.25 |",
		"### Bytes: 2 of 4",
		// Arrow C++ has 950,000 bytes, of which 963,596 are allowed.
		"| flat | default | sluice | 1020000 | 963596 | arrow-cpp + 1 % + 4 KiB | 1.06 |",
		// 5.11 MiB are allowed for the file.
		"### Peak of memory, MiB: 1 of 4\n",
		"| flat | default | sluice-table | 6.00 | 5.11 | 1.15 × file + 4 MiB | 1.17 |",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

// TestCodecGoal has a case of zstd that is slower than others where that is allowed, and where it is not.
func TestCodecGoal(t *testing.T) {
	b := newBoard([]result{
		{Shape: "a", Settings: "default", Peer: "arrow-rs", CPUNS: 10}, {Shape: "a", Settings: "zstd", Peer: "arrow-rs", CPUNS: 21},
		{Shape: "a", Settings: "zstd", Peer: "arrow-go", CPUNS: 90}, {Shape: "a", Settings: "zstd", Peer: "sluice", CPUNS: 80},
		{Shape: "b", Settings: "default", Peer: "arrow-rs", CPUNS: 10}, {Shape: "b", Settings: "zstd", Peer: "arrow-rs", CPUNS: 19},
		{Shape: "b", Settings: "zstd", Peer: "arrow-go", CPUNS: 90}, {Shape: "b", Settings: "zstd", Peer: "sluice", CPUNS: 20},
		{Shape: "c", Settings: "default", Peer: "arrow-rs", CPUNS: 10}, {Shape: "c", Settings: "zstd", Peer: "arrow-rs", CPUNS: 50},
		{Shape: "c", Settings: "zstd", Peer: "arrow-go", CPUNS: 90}, {Shape: "c", Settings: "zstd", Peer: "sluice", CPUNS: 91},
	})
	losses, cases := b.losses(lossKinds[0])
	if len(losses) != 3 || cases != 3 {
		t.Fatalf("%d of %d: %+v", len(losses), cases, losses)
	}
	for i, want := range []loss{{cell: cell{shape: "a"}, allowed: true}, {cell: cell{shape: "c"}}, {cell: cell{shape: "b"}}} {
		if losses[i].shape != want.shape || losses[i].allowed != want.allowed {
			t.Errorf("loss %d: %+v, want %s allowed: %v", i, losses[i], want.shape, want.allowed)
		}
	}
}

func TestMeans(t *testing.T) {
	var text strings.Builder
	newBoard(canned).writeMeans(&text)
	for _, want := range []string{
		"| *goal* |  | *0.50* | *0.50* | *0.050* | *0.050* | *0.14* |",
		"| others | default | 1.50 (1) | 0.25 (1) | 0.010 (1) | 0.040 (1) | 0.15 (2) |",
		"| others | zstd | 1.25 (1) |  |  |  |  |",
		"| **others** | all | 1.37 (2) | 0.25 (1) | 0.010 (1) | 0.040 (1) | 0.15 (2) |",
	} {
		if !strings.Contains(text.String(), want+"\n") {
			t.Errorf("no line %q in\n%s", want, text.String())
		}
	}
}

func TestPage(t *testing.T) {
	results := slices.Clone(canned)
	for i := range results {
		results[i].Run, results[i].Version, results[i].Rounds, results[i].Load = "a machine", "1.2", 7, float64(i)
	}
	var text strings.Builder
	if err := writePage(&text, results); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"- a machine",
		"- Others: arrow-rs 1.2, arrow-go 1.2, arrow-cpp 1.2",
		"- Load of the machine, the comparison's own process among it: median 6.0, most 11.0",
		"| flat | 15.0 | 10.0 arrow-go | 1.50 | 2.00 | 8.00 arrow-cpp | 0.25 |  | 1020000 | 1.02 | 5.00 | 9.00 arrow-rs | 0.56 | 6.00 | 7.00 arrow-cpp | 0.86 |",
		"| shape | batch ms | fastest | × | table ms | fastest | × | with CRC | bytes | × |", // memory of zstd
	} {
		if !strings.Contains(text.String(), want+"\n") {
			t.Errorf("no line %q in\n%s", want, text.String())
		}
	}
}

func TestRunsByName(t *testing.T) {
	for name, want := range map[string]bool{"ree_list_ree_list": true, "int32_ree": true, "street": false, "tree_depth": false} {
		if hasRuns(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// TestResultsMerge reads two files, of which the later one has a cell anew.
func TestResultsMerge(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "1.json"), filepath.Join(dir, "2.json")
	if err := writeResults(first, canned); err != nil {
		t.Fatal(err)
	}
	anew := canned[2]
	anew.CPUNS = 1
	if err := writeResults(second, []result{anew}); err != nil {
		t.Fatal(err)
	}
	got, err := readResults([]string{first, second})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(canned) || got[2] != anew || got[0] != canned[0] {
		t.Errorf("got %+v", got)
	}
	if err := os.WriteFile(second, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readResults([]string{second}); err == nil || !strings.Contains(err.Error(), "2.json") {
		t.Errorf("a file that is no list: %v", err)
	}
}
