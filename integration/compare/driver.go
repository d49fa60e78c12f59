package main

import (
	"path/filepath"
	"time"
)

// driver measures cases.
type driver struct {
	streams string // directory of the streams
	peers   []ready
	rounds  int  // of timing; 0 for none
	memory  bool // measure it too
	log     *progress
}

// ready is a peer whose program is there.
type ready struct {
	aPeer
	command []string
}

// roundTime is how long a round of a peer lasts at least, so that short writes are not lost in the clock's grain.
const roundTime = 50 * time.Millisecond

// maxWrites bounds the writes of a round.
const maxWrites = 1000

// entry is a peer that takes part in a case.
type entry struct {
	ready
	process *process
	writes  int64 // of a round
	result  result
}

// measure returns a result of each peer, in the order of peers.
func (d *driver) measure(c aCase) []result {
	entries := make([]*entry, len(d.peers))
	for i, p := range d.peers {
		entries[i] = &entry{ready: p, result: result{Shape: c.shape.name, Settings: c.settings, Peer: p.name}}
	}
	if d.rounds > 0 {
		d.time(c, entries)
	}
	if d.memory {
		for _, e := range entries {
			if e.result.Error == "" {
				d.log.doing("%s: memory of %s", c, e.name)
				e.fail(e.measureMemory(c, d.stream(c)))
			}
		}
	}
	results := make([]result, len(entries))
	for i, e := range entries {
		results[i] = e.result
	}
	return results
}

func (d *driver) stream(c aCase) string { return filepath.Join(d.streams, c.shape.name+streamSuffix) }

// time has all peers resident and lets them write in turn, round after round, each time beginning with another one, so
// that what else the machine does hits all of them. A first round, of one write, warms them up.
func (d *driver) time(c aCase, entries []*entry) {
	defer func() {
		for _, e := range entries {
			if e.process != nil {
				e.process.close()
			}
		}
	}()
	for _, e := range entries {
		d.log.doing("%s: %s loads", c, e.name)
		e.fail(e.start(c, d.stream(c)))
	}
	for round := range d.rounds + 1 {
		for i := range entries {
			e := entries[(round+i)%len(entries)]
			if e.result.Error != "" {
				continue
			}
			d.log.doing("%s: round %d of %d, %s", c, round, d.rounds, e.name)
			e.fail(e.round())
		}
	}
}

// fail ends the part that a peer has in the case, if err is not nil.
func (e *entry) fail(err error) {
	if err == nil {
		return
	}
	e.result = result{Shape: e.result.Shape, Settings: e.result.Settings, Peer: e.result.Peer, Error: err.Error()}
	if e.process != nil {
		e.process.close()
		e.process = nil
	}
}

func (e *entry) start(c aCase, stream string) (err error) {
	if e.process, err = start(e.command, c.settings, stream, "time"); err != nil {
		return err
	}
	_, err = e.process.read("ready")
	return err
}

// round is the warm-up, which says how many writes the others have, or one of those.
func (e *entry) round() error {
	warm := e.writes > 0
	got, err := e.process.round(max(e.writes, 1))
	if err != nil {
		return err
	}
	mean := max(got.CPUNS/max(got.Writes, 1), 1)
	if !warm {
		e.writes = min(max(roundTime.Nanoseconds()/mean, 1), maxWrites)
		return nil
	}
	if e.result.CPUNS == 0 || mean < e.result.CPUNS {
		e.result.CPUNS = mean
	}
	e.result.Bytes = got.Bytes
	return nil
}

// measureMemory has a process of its own write once.
func (e *entry) measureMemory(c aCase, stream string) error {
	p, err := start(e.command, c.settings, stream, "memory")
	if err != nil {
		return err
	}
	defer p.close()
	if _, err := p.read("ready"); err != nil {
		return err
	}
	got, err := p.read("memory")
	if err != nil {
		return err
	}
	e.result.PeakBytes, e.result.Bytes = got.PeakBytes, got.Bytes
	return nil
}
