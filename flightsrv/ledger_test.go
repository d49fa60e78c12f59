package flightsrv

import (
	"testing"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

func TestSizeClasses(t *testing.T) {
	last := -1
	for size := minPooled; size < 1<<31; size += 1 + size/97 {
		class, capacity := classOf(size)
		if capacity < size || capacity > size+size/8+1 {
			t.Fatalf("%d bytes get %d", size, capacity)
		}
		if again, same := classOf(capacity); again != class || same != capacity {
			t.Fatalf("%d bytes are of class %d, their buffer of %d bytes is of class %d", size, class, capacity, again)
		}
		if class < last {
			t.Fatalf("class %d of %d bytes is below that of fewer bytes", class, size)
		}
		last = class
	}
}

func TestAccount(t *testing.T) {
	var l ledger
	a := &account{ledger: &l}
	for _, size := range []int{0, 1, 63, 64, minPooled - 1, minPooled, minPooled + 1, 1 << 20} {
		for range 2 { // the second time from the pool
			buf := a.Allocate(size)
			if len(buf) != size || l.inUse.Load() != int64(size) {
				t.Errorf("%d bytes: got %d, %d in use", size, len(buf), l.inUse.Load())
			}
			if size > 0 && uintptr(unsafe.Pointer(&buf[0]))%alignment != 0 {
				t.Errorf("%d bytes are not aligned", size)
			}
			for i := range buf {
				if buf[i] != 0 {
					t.Fatalf("%d bytes: byte %d is not zero", size, i)
				}
				buf[i] = 1
			}
			a.Free(buf)
		}
	}
	if n := l.inUse.Load(); n != 0 {
		t.Errorf("%d bytes in use", n)
	}
}

// TestAccountBuffers lets Arrow's buffers grow and shrink, which is what calls Reallocate.
func TestAccountBuffers(t *testing.T) {
	var l ledger
	a := &account{ledger: &l}
	buffer := memory.NewResizableBuffer(a)
	for _, size := range []int{10, 100_000, 1_000_000, 50, 70_000} {
		buffer.Resize(size)
		buffer.Bytes()[0] = 7
		if l.inUse.Load() < int64(size) {
			t.Errorf("%d bytes in use of %d", l.inUse.Load(), size)
		}
	}
	kept := memory.SliceBuffer(buffer, 8, 16)
	buffer.Release()
	if l.inUse.Load() == 0 {
		t.Error("the memory of a slice was given back")
	}
	kept.Release()
	if n := l.inUse.Load(); n != 0 {
		t.Errorf("%d bytes in use", n)
	}
}

func TestAccountClose(t *testing.T) {
	var l ledger
	forgetful, other := &account{ledger: &l}, &account{ledger: &l}
	kept := other.Allocate(10)
	lost := forgetful.Allocate(100)
	if n := forgetful.close(); n != 100 {
		t.Errorf("%d bytes were forgotten, want 100", n)
	}
	forgetful.Free(lost) // too late to count
	if n := l.inUse.Load(); n != 10 {
		t.Errorf("%d bytes in use, want the other account's 10", n)
	}
	other.Free(kept)
	if n := other.close(); n != 0 {
		t.Errorf("%d bytes were forgotten, want none", n)
	}
}
