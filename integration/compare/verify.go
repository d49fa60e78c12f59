package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sluice-io/sluice/integration/lint"
)

// verifyAll has ours, of the peers, write each case to a file, and checks the file with the linter and against the
// stream with pyarrow. The error says how many files are not right.
func verifyAll(cases []aCase, peers []ready, streams string, log *progress) error {
	compare, err := pythonScript("verify.py")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sluice-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	wrong, files := 0, 0
	log.begin(cases, streams)
	for _, c := range cases {
		stream := filepath.Join(streams, c.shape.name+streamSuffix)
		var outcome []string
		for _, p := range peers {
			if !p.ours {
				continue
			}
			files++
			log.doing("%s: %s", c, p.name)
			verdict := "ok"
			if err := verify(p.command, compare, c.settings, stream, filepath.Join(dir, "file.parquet")); err != nil {
				wrong++
				verdict = err.Error()
			}
			outcome = append(outcome, p.name+": "+verdict)
		}
		log.finish(c, strings.Join(outcome, ", "))
	}
	switch {
	case files == 0:
		return fmt.Errorf("--verify checks ours, and --peers has none")
	case wrong > 0:
		return fmt.Errorf("%d of %d files are not right", wrong, files)
	}
	return nil
}

// verify writes a file and checks it.
func verify(command, compare []string, settings, stream, name string) error {
	p, err := start(command, settings, stream, "file", name)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	defer p.close()
	if _, err := p.read("ready"); err != nil {
		return err
	}
	if err := p.end(); err != nil {
		return err
	}
	if err := lint.Path(name, nil); err != nil {
		return err
	}
	args := append(compare[1:len(compare):len(compare)], stream, name)
	output, err := exec.Command(compare[0], args...).CombinedOutput()
	verdict := strings.TrimSpace(string(output))
	if err != nil {
		return fmt.Errorf("pyarrow: %w: %s", err, lastLine(verdict))
	}
	if verdict != "ok" {
		return fmt.Errorf("pyarrow: %s", verdict)
	}
	return nil
}
