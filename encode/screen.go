package encode

import (
	"bytes"
	"math"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sluice-io/sluice/levels"
)

// screen finds out whether values come again, before a column chunk has a dictionary: of those with one hash in 64 it
// counts how many there are and how many different ones. It costs a hash a value. Until it knows, which is when values
// do come again or when a dictionary of the ones so far would be full, pages wait: in plain encoding, or as dictionary
// indices where it takes little to find those, in runs and in short Arrow dictionaries. The counts are the same in
// both.
type screen struct {
	decided bool
	values  int
	bytes   int // of the values in plain encoding
	sampled int // values that are in the sample
	seen    hashSet
	marks   []bool   // whether entries of the dictionary are in the sample
	hashes  []uint64 // scratch
}

const screenShare = 64

// enoughToTell is how many distinct values hardly ever have fewer than half their share in the sample.
const enoughToTell = 16 * screenShare

// enoughAgain is how many values of the sample must be expected to come again before that is believed of more.
const enoughAgain = 32

// isSampled reports whether values with this hash are in the sample.
func isSampled(hash uint64) bool { return hash < 1<<64/screenShare }

// screenHash is the same in every process, as the file depends on it.
func screenHash(v uint64) uint64 { return foldProduct(v^0x9e3779b97f4a7c15, 0xd1b54a32d192ed03) }

// clear begins the next column chunk.
func (s *screen) clear() {
	s.seen.clear()
	*s = screen{seen: s.seen, marks: s.marks[:0], hashes: s.hashes}
}

// addPlain adds a page of values in plain encoding.
func (s *screen) addPlain(d dictionary, plain []byte, n int) {
	s.hashes = d.appendHashes(s.hashes[:0], plain, n, true)
	s.sampled += len(s.hashes)
	s.seen.add(s.hashes, math.MaxInt)
	s.values, s.bytes = s.values+n, s.bytes+len(plain)
}

// addIndices adds a page of dictionary indices, whose values have so many bytes in plain encoding.
func (s *screen) addIndices(d dictionary, x *indices, plainBytes int) {
	scratch := scratchPool.Get().(*pageScratch)
	defer scratch.free()
	scratch.plain = d.appendEntries(scratch.plain[:0], len(s.marks), d.numEntries())
	s.hashes = d.appendHashes(s.hashes[:0], scratch.plain, d.numEntries()-len(s.marks), false)
	for _, h := range s.hashes {
		s.marks = append(s.marks, isSampled(h))
		if isSampled(h) {
			s.seen.add([]uint64{h}, math.MaxInt)
		}
	}
	s.sampled += int(x.count(func(id uint32) int64 { return oneIf(s.marks[id]) }))
	s.values, s.bytes = s.values+x.n, s.bytes+plainBytes
}

// verdict says whether pages of indices are to be weighed (keepPages), or a dictionary is out of the question
// (leavePages), or the pages wait. last: there are no more values.
func (s *screen) verdict(l *ledger, last bool) verdict {
	switch {
	case s.values == 0 && last:
		return leavePages
	case s.values == 0:
		return waitWithPages
	}
	enough := last || s.bytes >= l.limit
	switch {
	case s.values >= enoughToTell && s.sampled*screenShare < s.values/2, // few different ones, of which the sample has none
		2*(s.sampled-s.seen.len()) > s.sampled,
		s.sampled <= fewValues && enough:
		return keepPages
	case s.sampled <= enoughAgain && !enough:
		return waitWithPages
	}
	n, sampled, distinct := float64(s.values), float64(s.sampled), float64(s.seen.len())
	if entries := float64(s.bytes) / sampled; entries*distinct >= float64(l.limit) {
		return leavePages // a dictionary of the values so far would be full
	}
	entry := float64(s.bytes) / n
	width := float64(bits.Len(uint(n*distinct/max(1, sampled)))) / 8 // of an index
	total := n
	if !last {
		total *= float64(l.records) / float64(max(1, l.recordsSoFar))
	}
	different := l.mostDifferent(entry, entry, entry-width, total) / screenShare
	expected := sampled - drawn(different, sampled) // that come again
	switch {
	case (expected > enoughAgain || enough) && comesFrom(sampled, distinct, different):
		return keepPages
	case enough:
		return leavePages
	}
	return waitWithPages
}

// screens reports whether a column's first pages are screened: where as many records go into a page of plain numbers as
// into one of indices, or else it is told apart from one that is full.
func (c *column) screens() bool {
	return c.dict != nil && !c.ledger.always && c.leaf.MaxRep == 0 && c.chunker == nil
}

// unscreened reports whether nobody knows yet if values come again.
func (c *column) unscreened() bool { return c.dict != nil && !c.screen.decided }

// waitsPlain reports whether values of the storage of a span had better wait in plain encoding: if looking up as many
// as make a page takes more time. It makes no difference to the file.
func (c *column) waitsPlain(s *levels.Span) bool {
	switch {
	case s.NumValues == 0:
		return true
	case s.Times != nil || s.Selected[0].Times > 1:
		return false
	}
	if v, ok := c.values.(*byteValues); ok && v.content != nil { // which is to see each value once
		return false
	}
	keys := levels.StorageType(c.storage.DataType()).ID() == arrow.DICTIONARY
	return !keys || c.storage.Dictionary().Len() > c.limits.records
}

// endScreenedPage ends the page in progress, which is plain.
func (c *column) endScreenedPage() error {
	if !c.last && c.records < c.limits.records { // more records go into a page of indices
		return c.startDictionary()
	}
	c.screen.addPlain(c.dict, c.values.plainBody(c.body, c.count), c.count)
	c.plain, c.bounds, c.body = bytes.Clone(c.body), c.values.takeBounds(), c.body[:0]
	return c.endScreened()
}

// endScreened has the page in progress, which the screen knows, wait or acts upon what that says.
func (c *column) endScreened() error {
	c.ledger.recordsSoFar += c.records
	c.wait()
	return c.obey(c.screen.verdict(&c.ledger, c.last))
}

// obey acts upon a verdict of the screen. No page is in progress.
func (c *column) obey(v verdict) error {
	switch {
	case v == waitWithPages:
		return nil
	case v == leavePages && c.indexing:
		c.screen.decided = true
		return c.leaveDictionary()
	case v == leavePages:
		return c.dropDictionary()
	}
	if err := c.startDictionary(); err != nil || c.screen.decided {
		return err
	}
	c.screen.decided = true
	for i := range c.ledger.waiting {
		p := &c.ledger.waiting[i]
		bounds := c.dict.boundsOf(&p.ids)
		c.enter(p, c.encodeIndices(&p.ids), &bounds)
	}
	switch c.judge() {
	case keepPages:
		return c.keepWaiting()
	case leavePages:
		return c.leaveDictionary()
	}
	return nil
}

// startDictionary makes indices of all values so far, unless the dictionary is full before.
func (c *column) startDictionary() error {
	if c.indexing {
		return nil
	}
	for i := range c.ledger.waiting {
		p := &c.ledger.waiting[i]
		if c.dict.appendPlainIDs(&p.ids, p.plain, p.count) {
			return c.dropDictionary()
		}
	}
	if c.dict.appendPlainIDs(&c.ids, c.body, c.count) {
		return c.dropDictionary()
	}
	for i := range c.ledger.waiting {
		c.ledger.waiting[i].plain = nil
	}
	c.values.takeBounds()
	c.body, c.indexing = nil, true
	return nil
}

// dropDictionary writes the pages that wait as they are. The page in progress is plain, too.
func (c *column) dropDictionary() error {
	c.screen.decided = true
	c.dict.clear(true)
	c.ids = indices{}
	pages := c.ledger.waiting
	c.ledger.waiting = nil
	for i := range pages {
		p := &pages[i]
		if _, err := c.addPlainPage(p, p.plain, p.bounds); err != nil {
			return err
		}
		*p = openPage{}
	}
	return nil
}
