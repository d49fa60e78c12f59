package sink

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestWorkersRunAll(t *testing.T) {
	w := newWorkers(3)
	for _, n := range []int{0, 1, 2, 3, 50} {
		var ran atomic.Int64
		if err := w.run(n, func(i int) error { ran.Add(1 << i % 60); return nil }); err != nil {
			t.Error(err)
		}
		var want int64
		for i := range n {
			want += 1 << i % 60
		}
		if ran.Load() != want {
			t.Errorf("%d tasks: not each ran once", n)
		}
	}
}

// TestWorkersBound runs many puts' tasks at once and looks at how many of them are under way.
func TestWorkersBound(t *testing.T) {
	w := newWorkers(2)
	var now, most atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			w.run(20, func(int) error {
				n := now.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				now.Add(-1)
				return nil
			})
		})
	}
	group.Wait()
	if most.Load() > 2 {
		t.Errorf("%d tasks ran at once", most.Load())
	}
}

func TestWorkersError(t *testing.T) {
	w := newWorkers(1)
	broken := errors.New("broken")
	ran := 0
	err := w.run(10, func(i int) error {
		ran++
		if i == 3 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || ran != 4 {
		t.Errorf("got %v after %d tasks", err, ran)
	}
}

func TestWorkersPanic(t *testing.T) {
	w := newWorkers(2)
	err := w.run(4, func(i int) error {
		if i == 1 {
			panic("what now")
		}
		return nil
	})
	var bug *panicError
	if !errors.As(err, &bug) || !strings.Contains(err.Error(), "what now") || !strings.Contains(err.Error(), "workers_test.go") {
		t.Errorf("got %v", err)
	}
	if err := w.run(4, func(int) error { return nil }); err != nil {
		t.Error(err) // a place was not given back, or this would not return
	}
}
