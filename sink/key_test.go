package sink

import (
	"regexp"
	"sync"
	"testing"
	"time"
)

func TestKeyIDs(t *testing.T) {
	var ids keyIDs
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	last := ""
	now := time.UnixMilli(1_700_000_000_000)
	for i := range 10_000 {
		if i%7 == 0 {
			now = now.Add(time.Microsecond)
		}
		if i == 5000 {
			now = now.Add(-time.Second) // the clock is set back
		}
		id := ids.next(now)
		if !form.MatchString(id) {
			t.Fatalf("%q is not a UUID of version 7", id)
		}
		if id <= last {
			t.Fatalf("%q does not sort after %q", id, last)
		}
		last = id
	}
}

func TestKeyIDTime(t *testing.T) {
	var ids keyIDs
	// 2022-02-22 19:22:22 UTC is the example of RFC 9562, appendix A.6.
	if id := ids.next(time.UnixMilli(1645557742000)); id[:14] != "017f22e2-79b0-" || id[14:18] != "7000" {
		t.Errorf("got %q", id)
	}
}

func TestKeyIDsConcurrently(t *testing.T) {
	var ids keyIDs
	var seen sync.Map
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				if _, twice := seen.LoadOrStore(ids.next(time.Now()), true); twice {
					t.Error("an id was given twice")
				}
			}
		})
	}
	group.Wait()
}
