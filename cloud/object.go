package cloud

import "context"

// ObjectOptions sets how an object is created. The zero value of every field is its default.
type ObjectOptions struct {
	// ContentType is the object's media type. Default "application/octet-stream".
	ContentType string
	// Overwrite lets Commit replace an object that has the key already. Default: Commit fails with Exists.
	Overwrite bool
}

// Object is an object that is being written. It ends with exactly one of Commit or Abort; until then nothing is
// visible under its key. Write and Commit are for one goroutine; Abort may be called from any, and unblocks a Write.
type Object struct{}

// Create starts an object. ctx governs the whole upload up to Commit: when it ends, Write fails and Commit aborts.
// The caller must call Commit or Abort, whatever happens to ctx.
func (b *Bucket) Create(ctx context.Context, key string, o *ObjectOptions) (*Object, error) {
	return nil, errStub
}

// Key returns the object's key.
func (o *Object) Key() string { return "" }

// Size returns how many bytes have been written so far.
func (o *Object) Size() int64 { return 0 }

// Write hands p to the upload and returns once the upload took all of it: p is the caller's again. Once a Write has
// failed, every later Write and Commit fails with the same error.
func (o *Object) Write(p []byte) (int, error) { return 0, errStub }

// Commit makes the object visible. It returns nil only when the object is durable and visible. After an error
// nothing is visible under the key that was not there before, and the upload has been aborted.
func (o *Object) Commit(ctx context.Context) error { return errStub }

// Abort ends the object without a trace: neither an object, nor a temporary file, nor a multipart upload stays. It
// takes a bounded time of its own, whatever became of the context of Create. It returns nil when it is called
// again, or after a Commit that failed; after a Commit that succeeded it changes nothing and fails with Closed.
func (o *Object) Abort() error { return errStub }
