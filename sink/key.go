package sink

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"sync"
	"time"
)

// keyIDs makes the ids that name objects: UUIDs of version 7 (RFC 9562, section 6.2, method 3). As text they sort by
// the time they were made, to a quarter of a microsecond; within a process they strictly ascend, and 62 random bits
// keep those of different processes apart. It is safe for concurrent use.
type keyIDs struct {
	mu   sync.Mutex
	last uint64 // the newest stamp given out
}

// next returns a new id, 36 bytes of text.
func (k *keyIDs) next(now time.Time) string {
	var id [16]byte
	rand.Read(id[8:]) // never fails: the runtime ends the program first
	stamp := k.stamp(now)
	binary.BigEndian.PutUint64(id[:8], stamp>>12<<16|0x7000|stamp&0xfff)
	id[8] = id[8]&0x3f | 0x80
	return formatID(id)
}

// stamp returns the milliseconds since 1970 in its upper 52 bits and 4096ths of a millisecond in its lower 12, moved on
// where that would not be above the last one.
func (k *keyIDs) stamp(now time.Time) uint64 {
	millis := uint64(now.UnixMilli())
	fraction := uint64(now.Nanosecond()%int(time.Millisecond)) << 12 / uint64(time.Millisecond)
	stamp := millis<<12 | fraction
	k.mu.Lock()
	defer k.mu.Unlock()
	stamp = max(stamp, k.last+1)
	k.last = stamp
	return stamp
}

func formatID(id [16]byte) string {
	var text [36]byte
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
