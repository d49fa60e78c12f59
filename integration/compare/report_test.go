package main

import (
	"math"
	"os"
	"path/filepath"
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
	if n := strings.Count(text, "### Peak of memory"); n != 1 {
		t.Errorf("%d tables of memory in\n%s", n, text)
	}
}

func TestReportGoals(t *testing.T) {
	text := cannedReport(t)
	for _, want := range []string{
		"| time over the fastest writer's in the same mode, shapes without runs | default | sluice | 1 | 1.50 | 0.50 |",
		"| time over the fastest writer's in the same mode, shapes without runs | default | sluice-table | 1 | 0.25 | 0.50 |",
		"| time over the Rust writer's, shapes with runs | default | sluice | 1 | 0.010 | 0.050 |",
		"| time over the Rust writer's, shapes with runs | default | sluice-table | 1 | 0.040 | 0.050 |",
		"| no slower than the fastest writer in the same mode | default | sluice | 1 of 2 | 0.12 |",
		// 1,014,096 bytes are allowed.
		"| no more bytes than the Rust writer's file + 1 % + 4 KiB | default | sluice | 1 of 2 | 0.91 |",
		"| no more bytes than the Rust writer's file + 1 % + 4 KiB | default | sluice-table | 2 of 2 | 0.91 |",
		"| zstd: no slower than arrow-go | zstd | sluice | 0 of 1 | 1.25 |",
		// 5.12 MiB are allowed of flat.
		"| peak of memory of 1.15 × the file + 4 MiB | default | sluice | 2 of 2 | 0.49 |",
		"| peak of memory of 1.15 × the file + 4 MiB | default | sluice-table | 1 of 2 | 0.54 |",
		"### Missed: no slower than the fastest writer in the same mode, default, sluice\n\n- flat ×1.50",
		"### Missed: peak of memory of 1.15 × the file + 4 MiB, default, sluice-table\n\n- flat ×1.17",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

func TestMissesWorstFirst(t *testing.T) {
	b := newBoard([]result{
		{Shape: "a", Settings: "default", Peer: "arrow-rs", CPUNS: 10}, {Shape: "a", Settings: "default", Peer: "sluice", CPUNS: 11},
		{Shape: "b", Settings: "default", Peer: "arrow-rs", CPUNS: 10}, {Shape: "b", Settings: "default", Peer: "sluice", CPUNS: 30},
		{Shape: "c", Settings: "default", Peer: "arrow-rs", CPUNS: 10}, {Shape: "c", Settings: "default", Peer: "sluice", CPUNS: 10},
	})
	ratios, misses := b.check(goals[0], "default", "sluice")
	if len(ratios) != 3 || len(misses) != 2 || misses[0].shape != "b" || misses[1].shape != "a" {
		t.Errorf("ratios %v, misses %v", ratios, misses)
	}
}

func TestGeometricMean(t *testing.T) {
	if got := geometricMean([]float64{0.5, 2, 1}); math.Abs(got-1) > 1e-12 {
		t.Errorf("got %v, want 1", got)
	}
	if got := geometricMean([]float64{4, 9}); math.Abs(got-6) > 1e-12 {
		t.Errorf("got %v, want 6", got)
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
