package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/integration/tools"
)

// streamSuffix ends the name of an Arrow IPC stream.
const streamSuffix = ".arrows"

// flightsShape is the one that Python makes.
const flightsShape = "flights"

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
	if slices.Contains(missing, flightsShape) {
		if err := makeFlights(dir); err != nil {
			return "", err
		}
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == flightsShape })
	}
	if len(missing) == 0 {
		return dir, nil
	}
	return dir, generate(dir, missing, log)
}

func makeFlights(dir string) error {
	command, err := pythonScript("flights.py")
	if err != nil {
		return err
	}
	cmd := exec.Command(command[0], append(command[1:], filepath.Join(dir, flightsShape+streamSuffix))...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make %s: %w\n%s", flightsShape, err, output)
	}
	return nil
}

// generate makes streams of shapes, and says of each when it is there.
func generate(dir string, names []string, log *progress) error {
	program, err := rustProgram("generator", log)
	if err != nil {
		return err
	}
	cmd := exec.Command(program, append([]string{dir}, names...)...)
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
