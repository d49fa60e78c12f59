// Package cloud owns bytes and keys in a bucket.
package cloud

import (
	"context"
	"errors"
)

var errStub = errors.New("cloud: not there yet")

// Options sets how a bucket is used. The zero value of every field is its default.
type Options struct {
	// PartBytes is the size of one part of an upload in several parts, and the size from which an upload is in
	// several parts. 5 MiB to 1 GiB; default 8 MiB. An object has at most 10,000 parts on S3.
	PartBytes int64
	// PartConcurrency is how many parts of one object are under way at once. Default 2.
	PartConcurrency int
}

// Bucket is an open bucket. Its methods may be called from several goroutines at once.
type Bucket struct{}

// Open opens the bucket at url: file:///DIR, a plain path (the directory is made), mem://, or a URL of a driver that
// the program imports (cloud/drivers has s3://, gs:// and azblob://).
func Open(ctx context.Context, url string, o *Options) (*Bucket, error) { return nil, errStub }

// URL returns the URL of the bucket, without user information; a plain path has become file:///DIR.
func (b *Bucket) URL() string { return "" }

// ObjectBytes returns how many bytes of memory one open object may hold in upload buffers.
func (b *Bucket) ObjectBytes() int64 { return 0 }

// Close closes the bucket. Objects that are still open are aborted, and Close says so in its error.
func (b *Bucket) Close() error { return errStub }
