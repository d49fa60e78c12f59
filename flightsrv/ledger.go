package flightsrv

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// alignment of every buffer, in bytes: what the Arrow columnar format recommends.
const alignment = 64

// minPooled is the smallest buffer that is worth keeping, and maxPooled the largest that a message can hold. Others are
// left to the garbage collector.
const (
	minPooled = 64 << 10
	maxPooled = 2 << 30
)

// numClasses is the number of size classes from minPooled to maxPooled: eight to each power of two, so that at most an
// eighth of a buffer lies idle.
const numClasses = 8 * 16

// ledger counts the bytes of message bodies that are in use, over all streams, and keeps released buffers for the
// next message. It is safe for concurrent use.
type ledger struct {
	inUse atomic.Int64
	pools [numClasses]sync.Pool // released buffers by size class
	// poison overwrites released buffers, so that a test notices who still reads them.
	poison bool
}

func pooled(size int) bool { return size >= minPooled && size <= maxPooled }

// classOf returns the class of the buffers that hold size bytes, and their capacity. size is one that is pooled.
func classOf(size int) (class, capacity int) {
	power := bits.Len(uint(size - 1)) // 1<<(power-1) < size <= 1<<power
	step := 1 << (power - 4)
	steps := (size - 1<<(power-1) + step - 1) / step // 1 to 8
	return (power-16)*8 + steps - 1, 1<<(power-1) + steps*step
}

// take returns size bytes with any content.
func (l *ledger) take(size int) []byte {
	l.inUse.Add(int64(size))
	if !pooled(size) {
		return alignedBytes(size)
	}
	class, capacity := classOf(size)
	if buf, ok := l.pools[class].Get().(*[]byte); ok {
		return (*buf)[:size]
	}
	return alignedBytes(capacity)[:size]
}

// give takes back what take returned, at its full length.
func (l *ledger) give(buf []byte) {
	l.inUse.Add(-int64(len(buf)))
	if l.poison {
		for i := range buf {
			buf[i] = 0xdb
		}
	}
	if pooled(len(buf)) {
		class, _ := classOf(cap(buf))
		l.pools[class].Put(&buf)
	}
}

func alignedBytes(size int) []byte {
	if size == 0 {
		return nil
	}
	buf := make([]byte, size+alignment-1)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(buf))) % alignment)
	return buf[skip : skip+size : skip+size]
}

// account is one stream's part of the ledger, and Arrow's allocator for it. It is safe for concurrent use.
type account struct {
	ledger *ledger

	mu     sync.Mutex
	inUse  int64
	closed bool
}

var _ memory.Allocator = (*account)(nil)

// body returns size bytes with any content, which Free takes back.
func (a *account) body(size int) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.inUse += int64(size)
	return a.ledger.take(size)
}

// Allocate returns size zero bytes.
func (a *account) Allocate(size int) []byte {
	buf := a.body(size)
	clear(buf)
	return buf
}

// Reallocate returns a buffer that starts with what fits of buf, which it frees; the rest is zero.
func (a *account) Reallocate(size int, buf []byte) []byte {
	bigger := a.body(size)
	n := copy(bigger, buf)
	clear(bigger[n:])
	a.Free(buf)
	return bigger
}

// Free takes a buffer back.
func (a *account) Free(buf []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return // counted by close, and left to the garbage collector
	}
	a.inUse -= int64(len(buf))
	a.ledger.give(buf)
}

// close ends the account. Buffers that were not freed are taken off the ledger and left to the garbage collector:
// Arrow's reader forgets some when a message breaks off in the middle. It returns their bytes.
func (a *account) close() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	forgotten := a.inUse
	a.closed = true
	a.inUse = 0
	a.ledger.inUse.Add(-forgotten)
	return forgotten
}
