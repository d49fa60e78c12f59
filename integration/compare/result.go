package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// result is what was measured of a peer that writes a case. What was not measured is 0.
type result struct {
	Shape     string `json:"shape"`
	Settings  string `json:"settings"`
	Peer      string `json:"peer"`
	CPUNS     int64  `json:"cpu_ns"`     // processor time of a write: the least of all rounds' means
	Bytes     int64  `json:"bytes"`      // of the file
	PeakBytes int64  `json:"peak_bytes"` // how far resident memory grew
	Error     string `json:"error"`      // why the peer could not write it
}

// writeResults writes a list of results as JSON, one a line.
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
	return os.WriteFile(name, append(text, "\n]\n"...), 0o644)
}

// readResults reads the lists of several files. Where two have the same peer with the same case, the later one counts.
func readResults(names []string) (results []result, err error) {
	type key struct{ shape, settings, peer string }
	at := map[key]int{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var list []result
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, r := range list {
			k := key{r.Shape, r.Settings, r.Peer}
			if i, found := at[k]; found {
				results[i] = r
				continue
			}
			at[k] = len(results)
			results = append(results, r)
		}
	}
	return results, nil
}
