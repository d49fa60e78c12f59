package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// config is what the command line asks for.
type config struct {
	cases   []aCase
	peers   []aPeer
	rounds  int
	verify  bool
	data    string   // directory of streams; "" to make them
	json    string   // file for the results
	results []string // files of results to report
}

// parse reads the command line. flag.ErrHelp means that help was asked for, and written to w.
func parse(args []string, w io.Writer) (*config, error) {
	c := &config{}
	set := flag.NewFlagSet("compare", flag.ContinueOnError)
	set.SetOutput(w)
	set.Usage = func() { writeUsage(w, set) }
	shapes := set.String("shapes", "", "`LIST` of shapes, groups and patterns (default: short, of --data: all)")
	settings := set.String("settings", "", "`LIST` of settings, or all (default: default, or the shape's own)")
	peers := set.String("peers", "", "`LIST` of peers (default: all)")
	set.IntVar(&c.rounds, "rounds", 7, "rounds of timing, of which the fastest counts; 0 for none")
	memory := set.Bool("memory", false, "measure memory too, in processes of their own")
	page := set.Bool("page", false, "measure what RESULTS.md has, instead of --shapes, --settings, --memory")
	set.BoolVar(&c.verify, "verify", false, "instead of measuring, check our files with pyarrow and the linter")
	set.StringVar(&c.data, "data", "", "`DIRECTORY` of Arrow IPC streams NAME.arrows, which are then the shapes")
	set.StringVar(&c.json, "json", "", "`FILE` for the results, as JSON; cases that it has are not measured again")
	results := set.String("report", "", "instead of measuring, print RESULTS.md of a `LIST` of files of --json")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case set.NArg() > 0:
		return nil, fmt.Errorf("what is %q? all there is are flags: --help lists them", set.Arg(0))
	case c.rounds < 0:
		return nil, fmt.Errorf("--rounds %d: must not be negative", c.rounds)
	case c.rounds == 0 && !*memory && !*page && !c.verify:
		return nil, errors.New("--rounds 0 without --memory: there is nothing left to measure")
	case *page && (c.data != "" || *shapes != "" || *settings != "" || *memory):
		return nil, errors.New("--page says itself which shapes, settings and memory: it goes without those flags")
	}
	c.results = list(*results)
	if len(c.results) > 0 {
		return c, nil
	}
	if err := c.choose(list(*shapes), list(*settings), list(*peers)); err != nil {
		return nil, err
	}
	for i := range c.cases {
		c.cases[i].time, c.cases[i].memory = c.rounds > 0, *memory
	}
	if *page {
		c.cases = pageCases()
	}
	return c, nil
}

// list splits a list at its commas.
func list(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ","), func(word string) bool { return word == "" })
}

// choose finds what the lists name.
func (c *config) choose(shapes, settings, peers []string) (err error) {
	all, words := allShapes(), []string{"short"}
	if c.data != "" {
		words = []string{"all"}
		if all, err = streamsIn(c.data); err != nil {
			return err
		}
	}
	if len(shapes) > 0 {
		words = shapes
	}
	selected, err := selectShapes(all, words)
	if err != nil {
		return err
	}
	if c.cases, err = selectCases(selected, settings); err != nil {
		return err
	}
	if len(peers) == 0 {
		peers = peerNames(allPeers)
	}
	c.peers, err = selectPeers(peers)
	return err
}

func writeUsage(w io.Writer, set *flag.FlagSet) {
	fmt.Fprint(w, "Compares sluice with other writers of Parquet: go run ./integration/compare [flags]\n\n")
	set.PrintDefaults()
	fmt.Fprint(w, "\nGroups of shapes, besides all:\n")
	for _, g := range groups {
		fmt.Fprintf(w, "  %-9s %s: %s\n", g.name, g.what, strings.Join(shapeNames(g.shapes), " "))
	}
	fmt.Fprintf(w, "Settings: %s\nPeers:\n", strings.Join(allSettings, " "))
	for _, p := range allPeers {
		fmt.Fprintf(w, "  %-15s %s%s\n", p.name, p.what, without(p.refuses))
	}
	fmt.Fprintf(w, "\n%s", earlyStop())
}

// without lists the settings that a peer is left out of, or those that it has if they are fewer.
func without(refuses map[string]string) string {
	if len(refuses) == 0 {
		return ""
	}
	has := slices.DeleteFunc(slices.Clone(allSettings), func(s string) bool { return refuses[s] != "" })
	if len(has) < len(refuses) {
		return "; with " + strings.Join(has, ", ") + " alone"
	}
	return "; not with " + strings.Join(slices.Sorted(maps.Keys(refuses)), ", ")
}

// earlyStop says which peers do not take all rounds.
func earlyStop() string {
	var when []string
	for _, h := range hopeless {
		when = append(when, fmt.Sprintf("after round %d it is above %d ×", h.rounds, h.times))
	}
	return "A peer takes no more rounds of a case when its best cannot count any more: when " + strings.Join(when, ", ") +
		"\nthe fastest other writer's of its mode. Ours and the Rust writer take all.\n"
}
