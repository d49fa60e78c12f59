package sink

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sluice-io/sluice/cloud"
)

// plant makes an object for the time of the test, which is no Parquet file.
func plant(t *testing.T, bucket *cloud.Bucket, key string) {
	t.Helper()
	object, err := bucket.Create(t.Context(), key, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := object.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bucket.Delete(context.Background(), key); err != nil {
			t.Error(err)
		}
	})
}

func TestNestedInBucket(t *testing.T) {
	for _, test := range []struct {
		object, dataset string
		conflict        bool
	}{
		{"sales/1.parquet", "sales", false},
		{"sales/1.parquet", "sales/orders", true},
		{"sales/1.parquet", "sales/orders/eu", true},
		{"sales/orders/eu/1.parquet", "sales", true},
		{"sales/orders/1.parquet", "sales/orders", false},
		{"sales/orders/1.parquet", "sales/returns", false},
		{"sales/orders/1.parquet", "sale", false},
		{"sales/orders/1.parquet", "sales/order", false},
		{"sales/day=1/1.parquet", "sales", false}, // a partition
		{"sales/_intent/1.json", "sales", false},
		{"_sluice/1.json", "sales", false},
		{"sales/.hidden", "sales/orders", false},
		{"1.parquet", "sales", false}, // beside all datasets
	} {
		s, bucket := open(t, nil)
		plant(t, bucket, test.object)
		put, err := s.Begin(t.Context(), test.dataset, schema, Settings{})
		if test.conflict {
			wantFault(t, err, FaultConflict, "choose a name beside it")
		} else if err != nil {
			t.Errorf("%s beside %s: %v", test.dataset, test.object, err)
		} else {
			put.Abort()
		}
	}
}

func TestNestedInOpenPuts(t *testing.T) {
	s, _ := open(t, nil)
	orders := begin(t, s, "sales/orders")
	begin(t, s, "sales/orders").Abort() // several puts to one dataset are fine
	begin(t, s, "sales/returns").Abort()
	_, err := s.Begin(t.Context(), "sales", schema, Settings{})
	wantFault(t, err, FaultConflict, `around dataset "sales/orders"`)
	_, err = s.Begin(t.Context(), "sales/orders/eu", schema, Settings{})
	wantFault(t, err, FaultConflict, `inside dataset "sales/orders"`)
	orders.Abort()
	begin(t, s, "sales").Abort()
}

// TestNestedRace begins first puts to nested datasets at once: those that are let in must not lie inside each other.
func TestNestedRace(t *testing.T) {
	s, _ := open(t, nil)
	for round := range 20 {
		names := []string{fmt.Sprintf("r%d", round), fmt.Sprintf("r%d/a", round), fmt.Sprintf("r%d/a/b", round)}
		var won atomic.Int64
		var group sync.WaitGroup
		puts := make([]*Put, len(names))
		for i, name := range names {
			group.Go(func() {
				put, err := s.Begin(t.Context(), name, schema, Settings{})
				if err == nil {
					won.Add(1)
					puts[i] = put
				}
			})
		}
		group.Wait()
		if won.Load() != 1 {
			t.Errorf("%d of %v were let in", won.Load(), names)
		}
		for _, put := range puts {
			if put != nil {
				put.Abort()
			}
		}
	}
}

// TestNestedForgets sees that a dataset that was checked once is checked again after a nested one came and went.
func TestNestedForgets(t *testing.T) {
	s, bucket := open(t, nil)
	begin(t, s, "sales").Abort()
	orders := begin(t, s, "sales/orders")
	if _, err := orders.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := s.Begin(t.Context(), "sales", schema, Settings{})
	wantFault(t, err, FaultConflict, "sales/orders")
	if len(keys(t, bucket)) != 1 {
		t.Error("the object is gone")
	}
}
