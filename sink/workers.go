package sink

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// workers bounds how many tasks of all puts of a sink run at once. Every put brings its own goroutines, which wait for
// a place before each task, so that puts share the places task by task and none waits for another to end.
type workers struct {
	places chan struct{}
}

func newWorkers(n int) *workers {
	return &workers{places: make(chan struct{}, n)}
}

// run runs task(0) to task(n-1) and returns their first error once all that were started have ended; after an error no
// further ones start. A panic in a task is an error: it must not take other clients' puts down.
func (w *workers) run(n int, task func(i int) error) error {
	var next atomic.Int64
	var group errgroup.Group
	var failed atomic.Bool
	for range min(n, cap(w.places)) {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n && !failed.Load(); i = int(next.Add(1)) - 1 {
				w.places <- struct{}{}
				err := protect(func() error { return task(i) })
				<-w.places
				if err != nil {
					failed.Store(true)
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// panicError is a task's panic.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("a bug in this program: panic: %v\n%s", e.value, e.stack)
}

// protect returns a panic of f as an error.
func protect(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value, debug.Stack()}
		}
	}()
	return f()
}
