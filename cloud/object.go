package cloud

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"gocloud.dev/blob"
)

// idName is the name of the metadata by which Commit knows an object for its own when the store's answer got lost.
const idName = "sluiceid"

// Object is an object that is being written. It ends with exactly one of Commit or Abort; until then nothing is
// visible under its key. Write and Commit are for one goroutine; Abort may be called from any, and unblocks a Write.
type Object struct {
	bucket *Bucket
	key    string
	id     string // idName's value; empty where there is no metadata and no need for it
	feed   *feed
	size   atomic.Int64

	cancel   context.CancelFunc // ends the upload
	expired  func() error       // why the context of Create has ended, nil if it has not
	unwatch  func() bool        // ends watching that context
	uploaded chan struct{}      // closed when the upload has returned
	err      error              // the upload's; to be read once uploaded is closed

	mu    sync.Mutex
	state objectState
	ended chan struct{} // closed when state is committed or aborted
}

type objectState int

const (
	writing objectState = iota
	ending
	committed
	aborted
)

// Create starts an object. ctx governs the whole upload up to Commit: when it ends, Write fails and so will Commit.
// The caller must call Commit or Abort, whatever happens to ctx.
func (b *Bucket) Create(ctx context.Context, key string, o *ObjectOptions) (*Object, error) {
	object, err := b.create(ctx, key, o)
	if err != nil {
		return nil, fmt.Errorf("cloud: create %q: %w", key, err)
	}
	return object, nil
}

func (b *Bucket) create(ctx context.Context, key string, o *ObjectOptions) (*Object, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, &stopped{context.Cause(ctx)}
	}
	// The upload outlives ctx by the time that it takes to stop in good order.
	uploadCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	object := &Object{
		bucket:   b,
		key:      key,
		feed:     newFeed(cancel, b.options.grace(), !b.hooks.FailedReaderAborts),
		cancel:   cancel,
		uploaded: make(chan struct{}),
		ended:    make(chan struct{}),
	}
	upload := &blob.WriterOptions{
		BufferSize:     int(b.options.PartBytes),
		MaxConcurrency: b.options.PartConcurrency,
		ContentType:    options.ContentType,
		Metadata:       options.Metadata,
		IfNotExist:     !options.Overwrite,
		BeforeWrite:    b.hooks.BeforeUpload,
	}
	if b.scheme != "file" {
		object.id = rand.Text()
		if upload.Metadata == nil {
			upload.Metadata = map[string]string{}
		}
		upload.Metadata[idName] = object.id
	}
	object.expired = func() error { return context.Cause(ctx) }
	object.unwatch = context.AfterFunc(ctx, object.expire)
	if err := b.track(object); err != nil {
		object.unwatch()
		cancel()
		return nil, err
	}
	go object.upload(uploadCtx, upload)
	return object, nil
}

// upload is the goroutine of the object; Commit and Abort wait for it.
func (o *Object) upload(ctx context.Context, options *blob.WriterOptions) {
	defer close(o.uploaded)
	defer o.cancel()
	o.err = o.feed.finish(o.bucket.blob.Upload(ctx, o.key, o.feed, options))
}

// expire breaks the upload off if the context of Create has ended.
func (o *Object) expire() {
	if err := o.expired(); err != nil {
		o.feed.stop(err)
	}
}

// Key returns the object's key.
func (o *Object) Key() string { return o.key }

// Size returns how many bytes have been written so far.
func (o *Object) Size() int64 { return o.size.Load() }

// Write hands p to the upload and returns once the upload took all of it: p is the caller's again. Once a Write has
// failed, every later Write and Commit fails too.
func (o *Object) Write(p []byte) (int, error) {
	if err := o.usable(); err != nil {
		return 0, fmt.Errorf("cloud: write %q: %w", o.key, err)
	}
	o.expire()
	n, err := o.feed.write(p)
	o.size.Add(int64(n))
	if err != nil {
		return n, fmt.Errorf("cloud: write %q: %w", o.key, err)
	}
	return n, nil
}

// usable says whether the object is still open.
func (o *Object) usable() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state.check()
}

func (s objectState) check() error {
	switch s {
	case writing:
		return nil
	case committed:
		return errCommitted
	}
	return errAborted
}

// begin leaves the state writing, if the object is in it.
func (o *Object) begin() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.state.check(); err != nil {
		return err
	}
	o.state = ending
	return nil
}

// end enters a final state.
func (o *Object) end(state objectState) {
	o.unwatch()
	o.bucket.untrack(o)
	o.mu.Lock()
	o.state = state
	o.mu.Unlock()
	close(o.ended)
}

// Abort ends the object without a trace: neither an object, nor a temporary file, nor a multipart upload stays. It
// takes 1.5 × Options.AbortTimeout at most, whatever became of the context of Create. It returns nil when it is
// called again, or after a Commit that failed; after a Commit that succeeded it changes nothing and fails with Closed.
func (o *Object) Abort() error {
	if err := o.abort(); err != nil {
		return fmt.Errorf("cloud: abort %q: %w", o.key, err)
	}
	return nil
}

func (o *Object) abort() error {
	o.feed.stop(errAborted) // also gets a Commit to fail that waits for the upload to take the end
	if o.begin() != nil {
		<-o.ended
		if o.state == committed {
			return errCommitted
		}
		return nil
	}
	<-o.uploaded
	o.end(aborted)
	var stop *stopped
	if errors.As(o.feed.failure(), &stop) && !errors.Is(o.err, context.Canceled) {
		return fmt.Errorf("part of the upload may have stayed: %w", o.err)
	}
	return nil
}
