package cloud

import (
	"context"
	"io"
	"iter"
	"time"
)

// Attributes describes an object.
type Attributes struct {
	Size        int64 // bytes
	ModTime     time.Time
	ContentType string
	ETag        string // empty where the store has none
}

// Attributes returns the attributes of the object with the key.
func (b *Bucket) Attributes(ctx context.Context, key string) (Attributes, error) {
	return Attributes{}, errStub
}

// Exists says whether there is an object with the key.
func (b *Bucket) Exists(ctx context.Context, key string) (bool, error) { return false, errStub }

// Delete removes the object with the key; NotFound if there is none.
func (b *Bucket) Delete(ctx context.Context, key string) error { return errStub }

// NewReader opens the object for reading from its start. The caller closes the reader; ctx bounds its life.
func (b *Bucket) NewReader(ctx context.Context, key string) (io.ReadCloser, error) {
	return nil, errStub
}

// NewRangeReader opens length bytes of the object from offset on; a negative length means up to the end, and a range
// that goes past the end stops there. The caller closes the reader; ctx bounds its life.
func (b *Bucket) NewRangeReader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	return nil, errStub
}

// ReadAll returns the bytes of the object.
func (b *Bucket) ReadAll(ctx context.Context, key string) ([]byte, error) { return nil, errStub }

// ReaderAt reads an object at any offset. It may be used from several goroutines at once.
type ReaderAt struct{}

// OpenReaderAt opens the object for random access. The caller closes it; ctx bounds its life.
func (b *Bucket) OpenReaderAt(ctx context.Context, key string) (*ReaderAt, error) {
	return nil, errStub
}

// Size returns the size of the object in bytes.
func (r *ReaderAt) Size() int64 { return 0 }

// ReadAt implements io.ReaderAt: one range request a call, except on a file.
func (r *ReaderAt) ReadAt(p []byte, off int64) (int, error) { return 0, errStub }

// Close ends the use of the reader.
func (r *ReaderAt) Close() error { return errStub }

// ListOptions sets what List yields. The zero value of every field is its default.
type ListOptions struct {
	// Delimiter, usually "/", folds all keys that have it after the prefix into one entry with IsDir, whose key ends
	// with the delimiter. Default: every key is yielded.
	Delimiter string
}

// Entry is one result of List.
type Entry struct {
	Key     string
	Size    int64 // bytes; 0 for a directory
	ModTime time.Time
	IsDir   bool
}

// List yields the objects whose keys start with prefix, in the byte order of their keys. An error ends it.
func (b *Bucket) List(ctx context.Context, prefix string, o *ListOptions) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { yield(Entry{}, errStub) }
}
