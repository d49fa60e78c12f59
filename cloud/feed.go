package cloud

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// errEarly is a driver that called an upload done without having read it to its end.
var errEarly = errors.New("the driver ended the upload before the end of the data")

// stopped is why a feed broke off. It counts as a context.Canceled, which tells the drivers that nothing is wrong
// with the store, and carries the cause.
type stopped struct{ cause error }

func (s *stopped) Error() string        { return "upload stopped: " + s.cause.Error() }
func (s *stopped) Unwrap() error        { return s.cause }
func (s *stopped) Is(target error) bool { return target == context.Canceled }

// feed is the reader that an upload reads: the bytes of Write arrive in Read or WriteTo, without a buffer between.
//
//	write → write → … → seal          the reader sees io.EOF, the driver publishes
//	write → write → … → stop(cause)   the reader cancels the upload's context, then fails with cause
//
// That order is the point of it. Some drivers publish what they have when their reader fails, all of them give up
// when their context has ended; so the context ends first, unless the driver's hooks say that it need not. A stop takes effect at the driver's next read, which
// leaves it time to finish a request that creates something to be cleaned up; a driver that does not read for grace
// gets its context cancelled all the same.
type feed struct {
	cancel      context.CancelFunc // of the upload's context
	grace       time.Duration
	cancelFirst bool // before the reader fails

	mu      sync.Mutex
	changed sync.Cond // of every field below
	chunk   []byte    // what Write offers and the reader has not taken yet
	lent    bool      // a Write call of the driver is using chunk, outside the lock
	sealed  bool      // no more chunks will come
	ended   bool      // the reader has seen io.EOF: only the store decides now
	err     error     // why there is no more writing: a *stopped, or the upload's own error
	force   *time.Timer
}

func newFeed(cancel context.CancelFunc, grace time.Duration, cancelFirst bool) *feed {
	f := &feed{cancel: cancel, grace: grace, cancelFirst: cancelFirst}
	f.changed.L = &f.mu
	return f
}

// write blocks until the reader has taken all of p, or nothing will be taken any more. Either way p is free again.
func (f *feed) write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return 0, f.err
	}
	f.chunk = p
	f.changed.Broadcast()
	for f.lent || len(f.chunk) > 0 && f.err == nil {
		f.changed.Wait()
	}
	n := len(p) - len(f.chunk)
	f.chunk = nil
	if n < len(p) {
		return n, f.err
	}
	return n, nil
}

// seal says that no more chunks will come, so that the reader's next read finds the end.
func (f *feed) seal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sealed = true
	f.changed.Broadcast()
}

// stop breaks the upload off, unless it has failed, been stopped, or had the end of the data before. It does not
// wait, and says whether the upload is certain to publish nothing.
func (f *feed) stop(cause error) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return false
	}
	if f.err == nil {
		f.err = &stopped{cause}
		f.force = time.AfterFunc(f.grace, f.cancel)
		f.changed.Broadcast()
	}
	return true
}

// finish takes note that the upload has returned err.
func (f *feed) finish(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && !f.ended {
		err = errEarly
	}
	if f.err == nil {
		f.err = err
	}
	if f.force != nil {
		f.force.Stop()
	}
	f.changed.Broadcast()
	return err
}

// failure returns why there is no more writing, nil if there is.
func (f *feed) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// atEnd says whether the reader has seen the end of the data.
func (f *feed) atEnd() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ended
}

// await waits, under the lock, for a chunk, the end (io.EOF) or a stop, of which it tells the driver's context first.
func (f *feed) await() error {
	for len(f.chunk) == 0 && !f.sealed && f.err == nil {
		f.changed.Wait()
	}
	switch {
	case f.err != nil:
		if f.cancelFirst {
			f.cancel()
		}
		return f.err
	case len(f.chunk) > 0:
		return nil
	}
	f.ended = true
	return io.EOF
}

// took takes note, under the lock, that the reader is done with the first n bytes of the chunk.
func (f *feed) took(n int) {
	f.chunk = f.chunk[n:]
	if len(f.chunk) == 0 {
		f.changed.Broadcast()
	}
}

// Read implements io.Reader for the driver.
func (f *feed) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	if err := f.await(); err != nil {
		return 0, err
	}
	n := copy(p, f.chunk)
	f.took(n)
	return n, nil
}

// WriteTo implements io.WriterTo for the drivers that would read into a buffer of their own only to write it on.
func (f *feed) WriteTo(w io.Writer) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var total int64
	for {
		if err := f.await(); err == io.EOF {
			return total, nil
		} else if err != nil {
			return total, err
		}
		n, err := f.lend(w)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
}

// lend has w write the chunk while the lock is free, so that a stop gets through.
func (f *feed) lend(w io.Writer) (n int, err error) {
	chunk := f.chunk
	f.lent = true
	f.mu.Unlock()
	n, err = w.Write(chunk)
	f.mu.Lock()
	f.lent = false
	if err == nil && n < len(chunk) {
		err = io.ErrShortWrite
	}
	f.took(n)
	f.changed.Broadcast()
	return n, err
}
