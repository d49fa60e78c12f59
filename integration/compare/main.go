package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == peerCommand {
		os.Exit(runPeer(os.Args[2:]))
	}
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// run does what the command line asks for: Markdown goes to stdout, what is being done to stderr.
func run(args []string, stdout, stderr io.Writer) error {
	c, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if len(c.results) > 0 {
		results, err := readResults(c.results)
		if err != nil {
			return err
		}
		return writePage(stdout, results)
	}
	log := newProgress(stderr)
	streams := c.data
	if streams == "" {
		if streams, err = makeStreams(shapesOf(c.cases), log); err != nil {
			return err
		}
	}
	peers, err := prepare(c.peers, log)
	if err != nil {
		return err
	}
	if c.verify {
		return verifyAll(c.cases, peers, streams, log)
	}
	results, missing, err := resume(c.json, c.cases, c.peers)
	if err != nil {
		return err
	}
	if results, err = measureAll(c.json, missing, results, &driver{streams, peers, c.rounds, log}); err != nil {
		return err
	}
	return report(stdout, results)
}

// measureAll measures cases, and adds what comes of it to earlier results. A file of that name, "" for none, is complete
// after each case.
func measureAll(name string, cases []aCase, results []result, d *driver) ([]result, error) {
	d.log.begin(cases, d.streams)
	at := describeRun()
	for shape := range perShape(cases) {
		err := d.measure(shape, func(c aCase, measured []result) error {
			for i := range measured {
				measured[i].Run, measured[i].Load = at, loadAverage()
			}
			results = mergeResults(results, measured)
			d.log.finish(c, outcome(c, measured))
			if name == "" {
				return nil
			}
			return writeResults(name, results)
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// perShape yields the cases of one shape after another; each shape's must lie side by side.
func perShape(cases []aCase) iter.Seq[[]aCase] {
	return func(yield func([]aCase) bool) {
		for len(cases) > 0 {
			n := 1
			for n < len(cases) && cases[n].shape.name == cases[0].shape.name {
				n++
			}
			if !yield(cases[:n]) {
				return
			}
			cases = cases[n:]
		}
	}
}

// prepare builds the peers that are not there.
func prepare(peers []aPeer, log *progress) (prepared []ready, err error) {
	for _, p := range peers {
		command, err := p.command(log)
		if err != nil {
			return nil, fmt.Errorf("peer %s (--peers can leave it out): %w", p.name, err)
		}
		prepared = append(prepared, ready{p, command})
	}
	return prepared, nil
}

func shapesOf(cases []aCase) (shapes []shape) {
	for of := range perShape(cases) {
		shapes = append(shapes, of[0].shape)
	}
	return shapes
}
