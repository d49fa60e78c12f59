package cloud

import (
	"context"
	"fmt"
	"sync"

	"gocloud.dev/blob"
)

// Bucket is an open bucket. Its methods may be called from several goroutines at once.
type Bucket struct {
	url     string
	scheme  string
	options Options
	blob    *blob.Bucket
	hooks   Hooks

	mu      sync.Mutex
	closed  bool
	objects map[*Object]struct{} // neither committed nor aborted yet
}

// URL returns the URL of the bucket, without user information; a plain path has become file:///DIR.
func (b *Bucket) URL() string { return b.url }

// As gives access to the driver's own type of the bucket, as gocloud.dev/blob does; *s3.Client, for example.
func (b *Bucket) As(target any) bool { return b.blob.As(target) }

// ObjectBytes returns how many bytes of memory one open object may hold on top of the slice that Write is given. On
// mem:// the objects themselves are in memory, which it does not count.
func (b *Bucket) ObjectBytes() int64 {
	part, parts := b.options.PartBytes, int64(b.options.PartConcurrency)
	switch b.scheme {
	case "file":
		return fileBytes
	case "mem":
		return 0
	case "s3":
		// The first part is gathered in pieces and then copied, while none of the buffers of the other parts
		// is there yet: one for each part under way, and one that is being filled.
		return part*max(2, parts+2) + sdkBytes
	case "gs":
		return part + sdkBytes
	default:
		return part*parts + sdkBytes
	}
}

const (
	fileBytes = 64 << 10
	sdkBytes  = 1 << 20 // request bodies, TLS and connection buffers
)

// Check says whether the bucket is there and may be listed.
func (b *Bucket) Check(ctx context.Context) error {
	_, _, err := b.blob.ListPage(ctx, blob.FirstPageToken, 1, nil)
	return b.wrap("check", b.url, err)
}

// Close closes the bucket. Objects that are still open are aborted, and Close says so in its error.
func (b *Bucket) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return fmt.Errorf("cloud: close %s: %w", b.url, errClosed)
	}
	b.closed = true
	open := make([]*Object, 0, len(b.objects))
	for o := range b.objects {
		open = append(open, o)
	}
	b.mu.Unlock()

	for _, o := range open {
		_ = o.Abort() // a commit that came first is none of our business
	}
	if err := b.blob.Close(); err != nil {
		return fmt.Errorf("cloud: close %s: %w", b.url, err)
	}
	if len(open) > 0 {
		return fmt.Errorf("cloud: close %s: %d objects, such as %q, were neither committed nor aborted before", b.url, len(open), open[0].key)
	}
	return nil
}

// wrap adds operation and place to an error of the driver.
func (b *Bucket) wrap(operation, place string, err error) error {
	if err == nil {
		return nil
	}
	b.mu.Lock()
	closed := b.closed
	b.mu.Unlock()
	if closed {
		err = errClosed
	}
	return fmt.Errorf("cloud: %s %q: %w", operation, place, err)
}

// track enters an object into the list of those that are open.
func (b *Bucket) track(o *Object) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return errClosed
	}
	b.objects[o] = struct{}{}
	return nil
}

func (b *Bucket) untrack(o *Object) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.objects, o)
}
