package encode

import "math"

// ledger is what the dictionary of a column chunk costs and saves, in bytes of the file: pages of indices and entries
// on the one side, the same values without a dictionary on the other. It knows both of the pages that it measures, and
// takes the others to be like them.
//
// A page that makes the balance better than ever before is kept, with all pages before it. Others wait: for one that
// makes up for them, or for the end of the dictionary, which has them written again without it. So what is kept is the
// first part of the chunk for which the dictionary pays most, and nothing where it does not pay.
type ledger struct {
	always    bool  // the dictionary is kept, whatever it costs
	limit     int   // plain bytes of the entries
	records   int64 // of a row group, at most
	rates     rates
	measuring schedule

	recordsSoFar  int       // those with null only, too
	values        int       // in pages so far
	with, without float64   // bytes of these pages, entries aside
	best          float64   // what the pages that are kept save
	judged        entriesOf // when that was last looked at
	waiting       []openPage
	waitingValues int
}

// rates say how many bytes the file has of one.
type rates struct {
	plain   float64 // of values in plain encoding, in what they would be stored in without a dictionary
	indices float64
	entries float64
}

// verdict is about the pages of indices that are not kept yet.
type verdict int

const (
	keepPages verdict = iota
	waitWithPages
	leavePages
)

// clear begins the next column chunk.
func (l *ledger) clear() { *l = ledger{always: l.always, limit: l.limit, records: l.records} }

// enter enters a page whose indices are stored as body.
func (c *column) enter(p *openPage, body []byte, b *pageBounds) {
	if p.count == 0 {
		return
	}
	l := &c.ledger
	if l.measuring.due() {
		c.measure(p, body)
	}
	l.values += p.count
	l.waitingValues += p.count
	l.with += float64(l.rates.indices * float64(len(body)))
	l.without += float64(l.rates.plain * float64(c.plainBytes(p, b)))
}

// judge says what becomes of the pages that are not kept, of which the last has been entered.
func (c *column) judge() verdict {
	l := &c.ledger
	if l.values == 0 {
		return waitWithPages
	}
	if saved := l.saved(c.dict); saved > l.best {
		l.best, l.waitingValues = saved, 0
		return keepPages
	}
	// Once there is a dictionary, the values that it is for may come again.
	if c.referred == 0 && !l.promising(c.dict) || l.waitingValues > l.limit {
		return leavePages
	}
	if l.close() {
		l.measuring.next = l.measuring.pages + 1
	}
	return waitWithPages
}

// weigh enters the page in progress, whose indices are stored as body, and says what becomes of it.
func (c *column) weigh(body []byte, b *pageBounds) verdict {
	l := &c.ledger
	l.recordsSoFar += c.records
	if l.always || c.count == 0 && c.referred > 0 && len(l.waiting) == 0 {
		return keepPages
	}
	c.enter(&c.openPage, body, b)
	return c.judge()
}

// saved returns what the dictionary saves so far.
func (l *ledger) saved(d dictionary) float64 {
	return l.without - l.with - float64(l.rates.entries*float64(d.plainBytes()))
}

// tolerated is the part of a column chunk's bytes that a dictionary for all of it may cost more than one for a part.
const tolerated = 1.0 / 256

// paysAtEnd reports whether the pages that wait at the end of the chunk shall be kept, as they are not worth a mixture.
func (l *ledger) paysAtEnd(d dictionary) bool {
	return l.best > 0 && l.best-l.saved(d) <= tolerated*(l.without-l.best)
}

// plainBytes returns the plain bytes of a page that has these bounds.
func (c *column) plainBytes(p *openPage, b *pageBounds) int {
	if fixed := c.values.fixedBits(); fixed > 0 {
		return p.count * fixed / 8
	}
	return 4*p.count + int(b.unencodedBytes)
}

// promising reports whether a dictionary that has not paid so far may yet: in a row group as long as it may be, with
// values drawn evenly from as few as the ones so far may come from.
func (l *ledger) promising(d dictionary) bool {
	n, entries := float64(l.values), float64(d.numEntries())
	saves := (l.without - l.with) / n // of a value, entries aside
	if saves <= 0 {
		pages := 1 // after which this is believed
		if l.close() {
			pages = mostBetween
		}
		most := entries * float64(l.limit) / float64(max(1, d.plainBytes()))
		return l.measuring.pages <= pages && comesFrom(n, entries, most)
	}
	before := l.judged
	l.judged = entriesOf{n, entries}
	if n <= fewValues {
		return true
	}
	entry := float64(d.plainBytes()) / entries
	total := n * float64(l.records) / float64(l.recordsSoFar)
	different := l.mostDifferent(entry, l.rates.entries*entry, saves, total)
	if before.values == 0 && l.measuring.pages > 1 { // the screen has found that values come again
		return true
	}
	// They may go round and round, and now come again.
	fresh := drawn(different, n) - drawn(different, before.values)
	return comesFrom(n, entries, different) || entries-before.entries <= fresh+3*math.Sqrt(fresh)
}

// entriesOf says how many entries so many values have.
type entriesOf struct{ values, entries float64 }

// mostDifferent returns from how many different values, drawn evenly, a dictionary pays in a total of so many: one
// whose entries have that many plain bytes and stored ones, and that saves as many bytes of each value.
func (l *ledger) mostDifferent(entry, stored, saves, total float64) float64 {
	pays := func(different float64) bool {
		values := total
		if most := float64(l.limit) / max(1, entry); most < different { // until it is full
			values = min(values, -different*math.Log1p(-most/different))
		}
		return saves*values > stored*drawn(different, values)
	}
	lo, hi := 1.0, 1e12
	for range 50 {
		if mid := math.Sqrt(lo * hi); pays(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// close reports whether indices, entries aside, and values take so nearly the same that no page may be taken for
// another.
func (l *ledger) close() bool { return math.Abs(l.with-l.without) <= l.without/16 }

// fewValues is how many values may be distinct whatever they are drawn from: comesFrom is true of them.
const fewValues = 9

// comesFrom reports whether n values of which so many are distinct may be drawn from no more than that many different
// ones.
func comesFrom(n, distinct, different float64) bool {
	again := n - drawn(different, n)
	return n-distinct >= again-3*math.Sqrt(again)
}

// drawn returns how many different values are expected in n that are drawn evenly.
func drawn(different, n float64) float64 { return -different * math.Expm1(-n/different) }

// maxSampleBytes is the most plain bytes of values that are measured, unless the first has more.
const maxSampleBytes = 1 << 20

// measure finds the rates of a page whose indices are stored as body, and the best encoding for its values.
func (c *column) measure(p *openPage, body []byte) {
	r := &c.ledger.rates
	*r = rates{1, 1, 1}
	if len(c.candidates) == 1 && c.candidates[0].append == nil && c.chunk.codec.ID() == codecNone {
		return
	}
	s := scratchPool.Get().(*pageScratch)
	defer s.free()
	rate := func(size, plain int) float64 { return float64(max(0, size)) / float64(max(1, plain)) }
	s.plain = c.dict.appendEntries(s.plain[:0], 0, c.dict.numEntries())
	r.entries = rate(c.chunk.storedSize(s, nil, s.plain), len(s.plain))
	var n int
	s.plain, n = c.dict.appendValues(s.plain[:0], &p.ids, maxSampleBytes)
	levels := c.encodeLevels(s, p)
	if n < p.count { // as many of the levels
		levels = nil
	}
	best, size, _ := c.smallest(s, levels, s.plain, n)
	alone := c.chunk.storedSize(s, levels, nil)
	c.encoding, r.plain = best, rate(size-alone, len(s.plain))
	r.indices = rate(c.chunk.storedSize(s, levels, body)-alone, len(body))
}

// held returns the bytes of memory that the pages take which wait.
func (l *ledger) held() (n int64) {
	for i := range l.waiting {
		p := &l.waiting[i]
		n += p.ids.held() + int64(cap(p.plain)) + p.rep.held() + p.def.held()
	}
	return n
}
