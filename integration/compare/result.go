package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// result is what was measured of a peer that writes a case, and where. What was not measured is 0.
type result struct {
	Shape     string `json:"shape"`
	Settings  string `json:"settings"`
	Peer      string `json:"peer"`
	CPUNS     int64  `json:"cpu_ns"`     // processor time of a write: the least of all rounds' means
	Bytes     int64  `json:"bytes"`      // of the file
	PeakBytes int64  `json:"peak_bytes"` // how far resident memory grew
	Error     string `json:"error"`      // why the peer could not write it

	Rounds  int     `json:"rounds,omitempty"`  // of timing, but for the warm-up
	Version string  `json:"version,omitempty"` // of the peer
	Load    float64 `json:"load,omitempty"`    // average of the machine over a minute, when the case was done
	Run     string  `json:"run,omitempty"`     // what the machine and this program are
}

func (r result) of() cell { return cell{r.Shape, r.Settings, r.Peer} }

// merge takes what a later result of the same peer with the same case has measured.
func (r result) merge(later result) result {
	if later.Error != "" || r.Error != "" {
		return later
	}
	if later.CPUNS == 0 {
		later.CPUNS, later.Rounds = r.CPUNS, r.Rounds
	}
	if later.PeakBytes == 0 {
		later.PeakBytes = r.PeakBytes
	}
	return later
}

// writeResults writes a list of results as JSON, one a line. It replaces the file at once, so that an end of this
// program leaves one list or the other.
func writeResults(name string, results []result) error {
	text := []byte("[")
	for i, r := range results {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, '\n'), line...)
	}
	if err := os.WriteFile(name+".partial", append(text, "\n]\n"...), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".partial", name)
}

// mergeResults adds later results to those that there are.
func mergeResults(results, later []result) []result {
	at := make(map[cell]int, len(results))
	for i, r := range results {
		at[r.of()] = i
	}
	for _, r := range later {
		if i, found := at[r.of()]; found {
			results[i] = results[i].merge(r)
			continue
		}
		at[r.of()] = len(results)
		results = append(results, r)
	}
	return results
}

// readResults reads the lists of several files, and merges what they have of the same peer with the same case.
func readResults(names []string) (results []result, err error) {
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var list []result
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		results = mergeResults(results, list)
	}
	return results, nil
}

// resume reads the results that an earlier run left in a file, "" or not there for none, and returns the cases that they
// do not have all of.
func resume(name string, cases []aCase, peers []aPeer) (results []result, missing []aCase, err error) {
	if name == "" {
		return nil, cases, nil
	}
	results, err = readResults([]string{name})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cases, nil
	}
	if err != nil {
		return nil, nil, err
	}
	found := map[cell]result{}
	for _, r := range results {
		found[r.of()] = r
	}
	missing = slices.DeleteFunc(slices.Clone(cases), func(c aCase) bool {
		return !slices.ContainsFunc(peers, func(p aPeer) bool {
			r := found[cell{c.shape.name, c.settings, p.name}]
			measured := r.Error != "" || (!c.time || r.CPUNS > 0) && (!c.memory || !p.memory || r.PeakBytes > 0)
			return p.refuses[c.settings] == "" && !measured
		})
	})
	return results, missing, nil
}
