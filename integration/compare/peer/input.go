package peer

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Input is what is written: the batches of a stream, in memory, and the settings.
type Input struct {
	Schema   *arrow.Schema
	Batches  []arrow.RecordBatch
	Settings string
}

func (in *Input) records() (n int64) {
	for _, b := range in.Batches {
		n += b.NumRows()
	}
	return n
}

// load reads a whole Arrow IPC stream.
func load(stream, settings string, mem memory.Allocator) (*Input, error) {
	file, err := os.Open(stream)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := ipc.NewReader(bufio.NewReaderSize(file, 1<<20), ipc.WithAllocator(mem))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stream, err)
	}
	defer reader.Release()
	in := &Input{Schema: reader.Schema(), Settings: settings}
	for reader.Next() {
		batch := reader.RecordBatch()
		batch.Retain()
		in.Batches = append(in.Batches, batch)
	}
	if err := reader.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", stream, err)
	}
	return in, nil
}

// offHeap is an Arrow allocator that maps memory and gives none back. The garbage collector lets the heap grow in
// proportion to what lives in it, so an input in the heap would have a writer's garbage counted as its need.
type offHeap struct{ rest []byte }

const mapBytes = 64 << 20

func (o *offHeap) Allocate(size int) []byte {
	need := (size + 63) &^ 63
	if need > len(o.rest) {
		mapped, err := syscall.Mmap(-1, 0, max(need, mapBytes), syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			panic(err) // an allocator has no other way to say it
		}
		o.rest = mapped
	}
	b := o.rest[:size:need]
	o.rest = o.rest[need:]
	return b
}

func (o *offHeap) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	grown := o.Allocate(size)
	copy(grown, b)
	return grown
}

func (o *offHeap) Free([]byte) {}

// resetPeak gives free memory back to the system, makes the resident memory of now its peak, and returns it.
func resetPeak() (int64, error) {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return 0, fmt.Errorf("the peak of resident memory is known on Linux alone: %w", err)
	}
	return status("VmRSS:")
}

// peakBytes returns the peak of resident memory since resetPeak.
func peakBytes() (int64, error) { return status("VmHWM:") }
