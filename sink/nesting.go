package sink

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/sluice-io/sluice/cloud"
)

// maxChecked bounds the memory that names of datasets can take.
const maxChecked = 10_000

// claims keeps datasets from lying inside one another. It knows the datasets that puts of this process are open on, and
// remembers which ones were found free of conflicts in the bucket, so that only the first put to a dataset lists it.
type claims struct {
	bucket *cloud.Bucket

	mu      sync.Mutex
	open    map[string]int      // puts per dataset
	checked map[string]struct{} // datasets whose surroundings in the bucket were looked at
}

func newClaims(bucket *cloud.Bucket) *claims {
	return &claims{bucket: bucket, open: map[string]int{}, checked: map[string]struct{}{}}
}

// claim takes the dataset for a put, until release. Its error is an *Error.
func (c *claims) claim(ctx context.Context, dataset string) error {
	checked, err := c.enter(dataset)
	if err != nil || checked {
		return err
	}
	if err := c.checkBucket(ctx, dataset); err != nil {
		c.release(dataset)
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.checked) >= maxChecked {
		clear(c.checked)
	}
	c.checked[dataset] = struct{}{}
	return nil
}

// release gives back what one call of claim took.
func (c *claims) release(dataset string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[dataset]--
	if c.open[dataset] == 0 {
		delete(c.open, dataset)
	}
}

// enter counts a put on the dataset, unless an open one is in the way, and says whether the bucket has been checked.
// What was known about datasets around or inside this one is forgotten: it may be about to change.
func (c *claims) enter(dataset string) (checked bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.open {
		if nested(dataset, other) {
			return false, conflict(dataset, other, "which a put is open on")
		}
	}
	for other := range c.checked {
		if nested(dataset, other) {
			delete(c.checked, other)
		}
	}
	c.open[dataset]++
	_, checked = c.checked[dataset]
	return checked, nil
}

// checkBucket looks for objects of datasets around and inside this one.
func (c *claims) checkBucket(ctx context.Context, dataset string) error {
	for i, r := range dataset {
		if r != '/' {
			continue
		}
		outer := dataset[:i]
		for entry, err := range c.bucket.List(ctx, outer+"/", &cloud.ListOptions{Delimiter: "/"}) {
			if err != nil {
				return storageError(dataset, fmt.Errorf("look for a dataset around it: %w", err))
			}
			if !entry.IsDir && visible(entry.Key[len(outer)+1:]) {
				return conflict(dataset, outer, "which holds objects")
			}
		}
	}
	for entry, err := range c.bucket.List(ctx, dataset+"/", &cloud.ListOptions{Delimiter: "/"}) {
		if err != nil {
			return storageError(dataset, fmt.Errorf("look for datasets inside it: %w", err))
		}
		if inner := strings.TrimSuffix(entry.Key, "/"); entry.IsDir && visible(inner[len(dataset)+1:]) {
			return conflict(dataset, inner, "which holds objects")
		}
	}
	return nil
}

// visible says whether a name in a listing can belong to a dataset: not a partition, and not one that query engines
// skip.
func visible(name string) bool {
	return name != "" && name[0] != '_' && name[0] != '.' && !strings.Contains(name, "=")
}

// nested says whether one of two dataset names lies inside the other; equal ones do not.
func nested(a, b string) bool {
	return strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

func conflict(dataset, other, why string) error {
	place := "inside"
	if strings.HasPrefix(other, dataset+"/") {
		place = "around"
	}
	return &Error{Dataset: dataset, Fault: FaultConflict, Err: fmt.Errorf(
		"it would lie %s dataset %q, %s, and a query over one would read both; choose a name beside it", place, other, why)}
}
