package integration

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

// readByJava has parquet-java read the files, leaf by leaf, and compares levels and values with those that the linter
// found.
func readByJava(t *testing.T, files []*featureFile) {
	t.Helper()
	var input bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&input, "%s\t%s.leaves\n", f.name, f.name)
	}
	cmd := tools.Java(t, "ReadLeaves.java")
	cmd.Stdin, cmd.Stderr = &input, t.Output()
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("ReadLeaves.java: %v", err)
	}
	answers := bufio.NewScanner(bytes.NewReader(output))
	for _, f := range files {
		if !answers.Scan() {
			t.Fatalf("ReadLeaves.java did not answer for %s", f.name)
		}
		f.errors["parquet-java"] = answers.Text()
		if answers.Text() != "ok" {
			continue
		}
		got, err := os.ReadFile(f.name + ".leaves")
		if err != nil {
			t.Fatal(err)
		}
		f.errors["parquet-java"] = firstDifference(string(got), f.leaves())
	}
}

// leaves writes what the linter found as ReadLeaves.java writes it.
func (f *featureFile) leaves() string {
	var text strings.Builder
	for _, chunks := range f.contents.RowGroups {
		for _, c := range chunks {
			fmt.Fprintf(&text, "leaf %s\n", c.Leaf)
			s, next := c.Stream(), 0
			for i, def := range s.Def {
				value := ""
				if def == c.Leaf.MaxDef {
					value = hex.EncodeToString(s.Values[next])
					next++
				}
				fmt.Fprintf(&text, "%d %d %s\n", s.Rep[i], def, value)
			}
		}
	}
	return text.String()
}

func firstDifference(got, want string) string {
	if got == want {
		return ""
	}
	lines := strings.Split(got, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(lines) || lines[i] != line {
			return fmt.Sprintf("differs: line %d is %q, not %q", i+1, lines[min(i, len(lines)-1)], line)
		}
	}
	return fmt.Sprintf("differs: %d lines", len(lines))
}
