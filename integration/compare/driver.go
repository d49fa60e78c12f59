package main

import (
	"path/filepath"
	"time"
)

// driver measures cases.
type driver struct {
	streams string // directory of the streams
	peers   []ready
	rounds  int // of timing
	log     *progress
}

// ready is a peer whose program is there.
type ready struct {
	aPeer
	command []string
}

// roundTime is how long a round of a peer lasts at least, so that short writes are not lost in the clock's grain.
const roundTime = 20 * time.Millisecond

// maxWrites bounds the writes of a round.
const maxWrites = 1000

// hopeless says when a peer need not go on with a case: after rounds, when its best is above times the fastest of the
// other writers in its mode.
var hopeless = []struct {
	rounds int
	times  int64
}{{1, 4}, {3, 2}}

// resident is a peer that has a shape's stream in memory, for all cases of the shape.
type resident struct {
	ready
	process *process // nil if it could not load it, or died since
	version string
	refusal error // why it could not load it
}

// entry is a resident that takes part in a case.
type entry struct {
	*resident
	settings string
	writes   int64 // of a round
	result   result
}

// measure measures the cases of one shape, and hands over a result of each peer that has the case's settings, in the
// order of peers.
func (d *driver) measure(cases []aCase, done func(c aCase, results []result) error) error {
	stream := d.stream(cases[0])
	residents := make([]*resident, len(d.peers))
	for i, p := range d.peers {
		residents[i] = &resident{ready: p}
		defer residents[i].close()
	}
	for _, c := range cases {
		var entries []*entry
		for _, r := range residents {
			if r.refuses[c.settings] == "" {
				named := result{Shape: c.shape.name, Settings: c.settings, Peer: r.name}
				entries = append(entries, &entry{resident: r, settings: c.settings, result: named})
			}
		}
		if c.time {
			d.time(c, entries, stream)
		}
		if c.memory {
			d.remember(c, entries, stream)
		}
		results := make([]result, len(entries))
		for i, e := range entries {
			e.result.Version = e.version
			results[i] = e.result
		}
		if err := done(c, results); err != nil {
			return err
		}
	}
	return nil
}

func (d *driver) stream(c aCase) string { return filepath.Join(d.streams, c.shape.name+streamSuffix) }

// load has the peer load the stream if it has not.
func (r *resident) load(stream string) (err error) {
	if r.process != nil || r.refusal != nil {
		return r.refusal
	}
	// Each round says what its settings are.
	if r.process, err = start(r.command, "default", stream, "time"); err != nil {
		return err
	}
	first, err := r.process.read("ready")
	if r.version = first.Version; err != nil {
		r.refusal = err
		r.close()
	}
	return err
}

func (r *resident) close() {
	if r.process != nil {
		r.process.close()
		r.process = nil
	}
}

// time lets the peers write in turn, round after round, each time beginning with another one, so that what else the
// machine does hits all of them. A first round, of one write, warms them up.
func (d *driver) time(c aCase, entries []*entry, stream string) {
	for _, e := range entries {
		d.log.doing("%s: %s loads", c, e.name)
		e.fail(e.load(stream))
	}
	for round := range d.rounds + 1 {
		for i := range entries {
			e := entries[(round+i)%len(entries)]
			if e.result.Error != "" || e.behind(entries) {
				continue
			}
			d.log.doing("%s: round %d of %d, %s", c, round, d.rounds, e.name)
			e.fail(e.round())
		}
	}
}

// behind says whether a peer can no longer be the fastest of its mode. Ours and the Rust writer, which all are compared
// with, go on.
func (e *entry) behind(entries []*entry) bool {
	if e.ours || e.name == rustPeer {
		return false
	}
	best := int64(0)
	for _, other := range entries {
		if ns := other.result.CPUNS; !other.ours && other.mode == e.mode && ns > 0 && (best == 0 || ns < best) {
			best = ns
		}
	}
	for _, h := range hopeless {
		if e.result.Rounds >= h.rounds && e.result.CPUNS > h.times*best {
			return true
		}
	}
	return false
}

// fail ends the part that a peer has in the case, if err is not nil.
func (e *entry) fail(err error) {
	if err != nil {
		e.result = result{Shape: e.result.Shape, Settings: e.result.Settings, Peer: e.result.Peer, Error: err.Error()}
	}
}

// round is the warm-up, which says how many writes the others have, or one of those.
func (e *entry) round() error {
	warm := e.writes > 0
	got, err := e.process.round(max(e.writes, 1), e.settings)
	if err != nil {
		if e.process.over {
			e.close()
		}
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
	e.result.Rounds++
	return nil
}

// remember measures the memory of those that did not fail.
func (d *driver) remember(c aCase, entries []*entry, stream string) {
	for _, e := range entries {
		if e.result.Error == "" && e.memory {
			d.log.doing("%s: memory of %s", c, e.name)
			e.fail(e.remember(stream))
		}
	}
}

// remember has a process of its own write once.
func (e *entry) remember(stream string) error {
	p, err := start(e.command, e.settings, stream, "memory")
	if err != nil {
		return err
	}
	defer p.close()
	first, err := p.read("ready")
	if err != nil {
		return err
	}
	got, err := p.read("memory")
	if err != nil {
		return err
	}
	e.version = first.Version
	e.result.PeakBytes, e.result.Bytes = got.PeakBytes, got.Bytes
	return nil
}
