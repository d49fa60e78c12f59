package cloud

import (
	"context"
	"fmt"
	"io"
	"time"

	"gocloud.dev/blob"
)

// Attributes describes an object.
type Attributes struct {
	Size        int64 // bytes
	ModTime     time.Time
	ContentType string
	ETag        string            // empty where the store has none
	Metadata    map[string]string // ObjectOptions.Metadata, and what others put there
}

// Attributes returns the attributes of the object with the key; NotFound if there is none.
func (b *Bucket) Attributes(ctx context.Context, key string) (Attributes, error) {
	if err := checkKey(key); err != nil {
		return Attributes{}, b.wrap("attributes of", key, err)
	}
	a, err := b.blob.Attributes(ctx, key)
	if err != nil {
		return Attributes{}, b.wrap("attributes of", key, err)
	}
	return Attributes{Size: a.Size, ModTime: a.ModTime, ContentType: a.ContentType, ETag: a.ETag, Metadata: a.Metadata}, nil
}

// Exists says whether there is an object with the key.
func (b *Bucket) Exists(ctx context.Context, key string) (bool, error) {
	_, err := b.Attributes(ctx, key)
	if IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// Delete removes the object with the key; NotFound if there is none.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return b.wrap("delete", key, err)
	}
	return b.wrap("delete", key, b.blob.Delete(ctx, key))
}

// NewReader opens the object for reading from its start. The caller closes the reader; ctx bounds its life.
func (b *Bucket) NewReader(ctx context.Context, key string) (io.ReadCloser, error) {
	return b.NewRangeReader(ctx, key, 0, -1)
}

// NewRangeReader opens length bytes of the object from offset on, which lies inside the object; a negative length
// means up to its end, and a range that goes past the end stops there. The caller closes the reader; ctx bounds its
// life.
func (b *Bucket) NewRangeReader(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	r, err := b.rangeReader(ctx, key, offset, length)
	if err != nil {
		return nil, b.wrap("read", key, err)
	}
	return r, nil
}

func (b *Bucket) rangeReader(ctx context.Context, key string, offset, length int64) (*blob.Reader, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return b.blob.NewRangeReader(ctx, key, offset, length, &blob.ReaderOptions{BeforeRead: b.hooks.BeforeRead})
}

// ReadAll returns the bytes of the object.
func (b *Bucket) ReadAll(ctx context.Context, key string) ([]byte, error) {
	r, err := b.rangeReader(ctx, key, 0, -1)
	if err != nil {
		return nil, b.wrap("read", key, err)
	}
	defer r.Close()
	p := make([]byte, r.Size())
	if _, err := io.ReadFull(r, p); err != nil {
		return nil, b.wrap("read", key, err)
	}
	return p, nil
}

// ReaderAt reads an object at any offset. It may be used from several goroutines at once.
type ReaderAt struct {
	ctx    context.Context // io.ReaderAt has no place for it
	bucket *Bucket
	key    string
	size   int64
	file   *blob.Reader // open on file:// only
	direct io.ReaderAt  // of file
}

// OpenReaderAt opens the object for random access. The caller closes it; ctx bounds its life.
func (b *Bucket) OpenReaderAt(ctx context.Context, key string) (*ReaderAt, error) {
	r := &ReaderAt{ctx: ctx, bucket: b, key: key}
	if b.scheme != "file" {
		a, err := b.Attributes(ctx, key)
		if err != nil {
			return nil, err
		}
		r.size = a.Size
		return r, nil
	}
	f, err := b.rangeReader(ctx, key, 0, -1)
	if err != nil {
		return nil, b.wrap("open", key, err)
	}
	if !f.As(&r.direct) {
		panic("cloud: the file driver has no io.ReaderAt")
	}
	r.file, r.size = f, f.Size()
	return r, nil
}

// Size returns the size of the object in bytes.
func (r *ReaderAt) Size() int64 { return r.size }

// ReadAt implements io.ReaderAt: one range request a call, except on file://.
func (r *ReaderAt) ReadAt(p []byte, off int64) (int, error) {
	switch {
	case off < 0:
		return 0, fmt.Errorf("cloud: read %q: %w", r.key, invalid("negative offset %d", off))
	case len(p) == 0:
		return 0, nil
	case off >= r.size:
		return 0, io.EOF
	}
	want := min(int64(len(p)), r.size-off)
	n, err := r.readFull(p[:want], off)
	if err != nil {
		return n, r.bucket.wrap("read", r.key, fmt.Errorf("%d bytes at %d: %w", want, off, err))
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (r *ReaderAt) readFull(p []byte, off int64) (int, error) {
	if r.direct != nil {
		return r.direct.ReadAt(p, off)
	}
	body, err := r.bucket.rangeReader(r.ctx, r.key, off, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer body.Close()
	return io.ReadFull(body, p)
}

// Close ends the use of the reader.
func (r *ReaderAt) Close() error {
	if r.file == nil {
		return nil
	}
	return r.bucket.wrap("close", r.key, r.file.Close())
}
