package encode

// frontEdges are the smallest and the largest of a page's values, of which it is known how many bytes they share with the
// one before each: a value that shares more with it than that does with an edge compares to the edge as it does.
type frontEdges struct {
	some     bool
	min, max keptValue
	// Bytes that the last value shares with them.
	minShared, maxShared int
}

// add takes a block of values, of which the first follows the last one of the block before.
func (e *frontEdges) add(b *byteBlock, fronts []front) {
	first := 0
	lo, hi := e.min.value, e.max.value
	if !e.some {
		lo = b.at(0)
		hi, e.some, first = lo, true, 1
		e.minShared, e.maxShared = len(lo), len(lo)
	}
	lower, higher := first > 0, first > 0
	for i := first; i < b.n; i++ {
		p, before := int(fronts[i].prefix), false
		if p <= e.minShared {
			v := b.at(i)
			if e.minShared, before = meet(v, lo, p, e.minShared); before {
				lower, lo, e.minShared = true, v, len(v)
			}
		}
		if p <= e.maxShared {
			v := b.at(i)
			if e.maxShared, before = meet(hi, v, p, e.maxShared); before {
				higher, hi, e.maxShared = true, v, len(v)
			}
		}
	}
	if lower {
		e.min.set(lo)
	}
	if higher {
		e.max.set(hi)
	}
}

// meet returns how many bytes x and y share, and whether x comes first. They share p, and no more unless that is as many
// as the value before one of them shared with the other.
func meet(x, y []byte, p, last int) (shared int, before bool) {
	if p == last {
		p += sharedPrefix(x[p:], y[p:])
	}
	if p == len(x) || p == len(y) {
		return p, len(x) < len(y)
	}
	return p, x[p] < y[p]
}

func (e *frontEdges) own() {
	e.min.own()
	e.max.own()
}

// keptValue is a value that is needed after its block. It lies in storage, unless it is short and may have been in
// scratch.
type keptValue struct{ value, room []byte }

func (k *keptValue) set(value []byte) {
	k.value = value
	if len(value) <= maxGatheredBytes {
		k.own()
	}
}

// own makes the value independent of storage.
func (k *keptValue) own() {
	k.room = append(k.room[:0], k.value...)
	k.value = k.room
}
