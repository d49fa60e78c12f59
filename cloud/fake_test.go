package cloud

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"

	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

// fake is a driver whose upload and look-up are a test's own functions.
type fake struct {
	driver.Bucket // nil: whatever else is called is not expected
	upload        func(ctx context.Context, id string, r io.Reader) error

	mu     sync.Mutex
	owner  string // id of the visible object, "" for none
	look   error  // what a look-up fails with
	looked int
}

var (
	errRefused = errors.New("precondition failed")
	errNetwork = errors.New("connection reset")
	errGone    = errors.New("not found")
	errDenied  = errors.New("access denied")
)

func (f *fake) ErrorCode(err error) gcerrors.ErrorCode {
	switch {
	case errors.Is(err, errRefused):
		return gcerrors.FailedPrecondition
	case errors.Is(err, errGone):
		return gcerrors.NotFound
	case errors.Is(err, errDenied):
		return gcerrors.PermissionDenied
	}
	return gcerrors.Unknown
}

func (f *fake) Close() error { return nil }

func (f *fake) publish(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.owner = id
}

func (f *fake) Attributes(ctx context.Context, _ string) (*driver.Attributes, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked++
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case f.look != nil:
		return nil, f.look
	case f.owner == "":
		return nil, errGone
	}
	return &driver.Attributes{Metadata: map[string]string{idName: f.owner}}, nil
}

func (f *fake) NewTypedWriter(ctx context.Context, _, _ string, o *driver.WriterOptions) (driver.Writer, error) {
	return &fakeWriter{f: f, ctx: ctx, id: o.Metadata[idName]}, nil
}

// fakeWriter gives the error of an upload at Close, as the drivers do that upload in the background.
type fakeWriter struct {
	f   *fake
	ctx context.Context
	id  string
	err error
}

func (w *fakeWriter) Write([]byte) (int, error) { return 0, errors.New("fake: Write is not Upload") }

func (w *fakeWriter) Upload(r io.Reader) error {
	w.err = w.f.upload(w.ctx, w.id, r)
	return nil
}

func (w *fakeWriter) Close() error { return w.err }

// newFake opens a bucket on a fake.
func newFake(f *fake) *Bucket {
	options, err := (*Options)(nil).withDefaults()
	if err != nil {
		panic(err)
	}
	return &Bucket{url: "fake://", scheme: "fake", options: options, blob: blob.NewBucket(f), objects: map[*Object]struct{}{}}
}

// create starts an object and writes some bytes.
func create(t *testing.T, b *Bucket, data string) *Object {
	t.Helper()
	o, err := b.Create(t.Context(), "key", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	return o
}

func wantCode(t *testing.T, err error, code Code) {
	t.Helper()
	if err == nil || CodeOf(err) != code {
		t.Errorf("error %v, code %v; want code %v", err, CodeOf(err), code)
	}
}
