package cloud

import (
	"context"
	"fmt"
	"time"

	"gocloud.dev/blob"
)

// Commit makes the object visible and ends it. It returns nil only when the object is durable and visible. After an
// error the upload has been aborted and nothing is visible under the key that was not there before, except with the
// code Uncertain: then the store could not be asked.
//
// When ctx ends before the last byte is handed over, Commit aborts. From then on the store alone decides, and Commit
// waits for its answer half of Options.AbortTimeout longer than ctx.
func (o *Object) Commit(ctx context.Context) error {
	if err := o.begin(); err != nil {
		return fmt.Errorf("cloud: commit %q: %w", o.key, err)
	}
	if err := o.commit(ctx); err != nil {
		o.end(aborted)
		return fmt.Errorf("cloud: commit %q: %w", o.key, err)
	}
	o.end(committed)
	return nil
}

func (o *Object) commit(ctx context.Context) error {
	o.expire()
	if ctx.Err() != nil {
		o.feed.stop(context.Cause(ctx))
	}
	o.feed.seal()
	select {
	case <-o.uploaded:
	case <-ctx.Done():
		if !o.feed.stop(context.Cause(ctx)) {
			force := time.AfterFunc(o.bucket.options.grace(), o.cancel)
			defer force.Stop()
		}
		<-o.uploaded
	}
	switch {
	case o.err == nil:
		return nil
	case !o.feed.atEnd():
		return o.feed.failure()
	}
	return o.settle(ctx, o.err)
}

// settle finds out what became of an object whose last byte was handed over, and whose upload failed all the same.
// An answer can get lost on the way, and then the drivers send the request again: a create-if-absent that succeeded
// the first time is refused the second time because of itself.
func (o *Object) settle(ctx context.Context, failure error) error {
	if o.id == "" {
		return failure // a file system does not lose answers
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.bucket.options.AbortTimeout)
	defer cancel()
	found, err := o.bucket.blob.Attributes(ctx, o.key)
	switch {
	case err == nil && o.owns(found):
		return nil
	case err == nil || IsNotFound(err):
		return failure
	}
	switch CodeOf(failure) {
	case Unknown, Canceled:
		return uncertain(failure, err)
	}
	return failure // the store did answer
}

func (o *Object) owns(found *blob.Attributes) bool { return found.Metadata[idName] == o.id }
