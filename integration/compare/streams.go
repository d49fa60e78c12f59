package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/integration/tools"
)

// streamSuffix ends the name of an Arrow IPC stream.
const streamSuffix = ".arrows"

// pythonMakes returns the script that makes a shape, false if the Rust generator does.
func pythonMakes(name string) (script string, made bool) {
	if name == "flights" {
		return "flights.py", true
	}
	return "unlisted.py", slices.Contains(shapeNames(groupOf("unlisted")), name)
}

// streamsIn returns the shapes of the streams in a directory, by name.
func streamsIn(dir string) (shapes []shape, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+streamSuffix))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no file *%s in %s", streamSuffix, dir)
	}
	for _, file := range files {
		shapes = append(shapes, shape{name: strings.TrimSuffix(filepath.Base(file), streamSuffix)})
	}
	return shapes, err
}

// makeStreams returns the directory of the streams, in the user's cache, with those of the shapes in it. They stay
// there; a change of what makes them is another directory.
func makeStreams(shapes []shape, log *progress) (dir string, err error) {
	sum, err := digest("rust/generator")
	if err != nil {
		return "", err
	}
	dir, err = tools.Cached("compare-data-"+sum, func(string) error { return nil })
	if err != nil {
		return "", err
	}
	var missing []string
	for _, s := range shapes {
		_, err := os.Stat(filepath.Join(dir, s.name+streamSuffix))
		switch {
		case errors.Is(err, os.ErrNotExist):
			missing = append(missing, s.name)
		case err != nil:
			return "", err
		}
	}
	return dir, makeMissing(dir, missing, log)
}

// makeMissing makes the streams of shapes, each by the program that can.
func makeMissing(dir string, names []string, log *progress) error {
	by := map[string][]string{} // of scripts; "": the Rust generator
	for _, name := range names {
		script, made := pythonMakes(name)
		if !made {
			script = ""
		}
		by[script] = append(by[script], name)
	}
	for _, script := range slices.Sorted(maps.Keys(by)) {
		command, err := generator(script, log)
		if err != nil {
			return err
		}
		if err := generate(command, dir, by[script], log); err != nil {
			return err
		}
	}
	return nil
}

// generator returns the command of a script, or of the Rust generator if it is "".
func generator(script string, log *progress) ([]string, error) {
	if script != "" {
		return pythonScript(script)
	}
	program, err := rustProgram("generator", log)
	return []string{program}, err
}

// generate makes streams of shapes, and says of each when it is there.
func generate(command []string, dir string, names []string, log *progress) error {
	args := slices.Concat(command[1:], []string{dir}, names)
	cmd := exec.Command(command[0], args...)
	var trouble strings.Builder
	cmd.Stderr = &trouble
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		log.say("made %s", lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("make streams: %w: %s", err, strings.TrimSpace(trouble.String()))
	}
	return nil
}
