package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
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
		return report(stdout, results)
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
	results, err := measureAll(c, &driver{streams, peers, c.rounds, c.memory, log})
	if err != nil {
		return err
	}
	return report(stdout, results)
}

// measureAll measures all cases. The file of results is complete after each of them.
func measureAll(c *config, d *driver) (results []result, err error) {
	d.log.begin(len(c.cases))
	for _, each := range c.cases {
		measured := d.measure(each)
		results = append(results, measured...)
		d.log.finish(each, outcome(each, measured))
		if c.json == "" {
			continue
		}
		if err := writeResults(c.json, results); err != nil {
			return nil, err
		}
	}
	return results, nil
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
	for _, c := range cases {
		if n := len(shapes); n == 0 || shapes[n-1].name != c.shape.name {
			shapes = append(shapes, c.shape)
		}
	}
	return shapes
}
