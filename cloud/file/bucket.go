package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

// bucket implements driver.Bucket.
type bucket struct {
	fs   fileSystem
	dirs *dirs
}

// OpenBucket opens the directory as a bucket. It is made, durably and with its parents, if it is not there yet.
func OpenBucket(dir string) (*blob.Bucket, error) {
	if err := makeRoot(dir); err != nil {
		return nil, fmt.Errorf("file: %w", err)
	}
	fsys, err := newRootFS(dir)
	if err != nil {
		return nil, fmt.Errorf("file: %w", err)
	}
	return blob.NewBucket(newBucket(fsys)), nil
}

func newBucket(fsys fileSystem) *bucket {
	return &bucket{fs: fsys, dirs: newDirs(fsys)}
}

// makeRoot makes the directory, starting from the deepest of its parents that is there.
func makeRoot(dir string) error {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	base := absolute
	for {
		info, err := os.Stat(base)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a directory", base)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || base == filepath.Dir(base) {
			return err
		}
		base = filepath.Dir(base)
	}
	if base == absolute {
		return nil
	}
	missing, err := filepath.Rel(base, absolute)
	if err != nil {
		return err
	}
	fsys, err := newRootFS(base)
	if err != nil {
		return err
	}
	defer fsys.Close()
	return newDirs(fsys).make(filepath.ToSlash(missing))
}

// checkKey refuses keys that are not the name of a file below the root, or would be one of the driver's own.
func checkKey(key string) error {
	if !fs.ValidPath(key) || key == "." {
		return fail(gcerrors.InvalidArgument, "not a relative path without . and ..")
	}
	if _, err := filepath.Localize(key); err != nil {
		return fail(gcerrors.InvalidArgument, "not a path on this system: %w", err)
	}
	if key == tempDir || strings.HasPrefix(key, tempDir+"/") {
		return fail(gcerrors.InvalidArgument, "%s is where unfinished objects are", tempDir)
	}
	return nil
}

// stat describes an object. Directories and special files are none.
func (b *bucket) stat(key string) (fs.FileInfo, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	info, err := b.fs.Stat(key)
	if err != nil {
		return nil, notFound(err)
	}
	if !info.Mode().IsRegular() {
		return nil, fail(gcerrors.NotFound, "%s is not a file", key)
	}
	return info, nil
}

// notFound tells a name below a file apart from other names that cannot be: to a reader, there is nothing there.
func notFound(err error) error {
	if isBadName(err) {
		return &failure{gcerrors.NotFound, err}
	}
	return err
}

func etag(info fs.FileInfo) string {
	return fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())
}

// contentType is what every file has.
const contentType = "application/octet-stream"

// Attributes implements driver.Bucket.
func (b *bucket) Attributes(_ context.Context, key string) (*driver.Attributes, error) {
	info, err := b.stat(key)
	if err != nil {
		return nil, err
	}
	return &driver.Attributes{
		ContentType: contentType,
		ModTime:     info.ModTime(),
		Size:        info.Size(),
		ETag:        etag(info),
	}, nil
}

// NewRangeReader implements driver.Bucket.
func (b *bucket) NewRangeReader(_ context.Context, key string, offset, length int64, o *driver.ReaderOptions) (driver.Reader, error) {
	if _, err := b.stat(key); err != nil { // opening a named pipe would block
		return nil, err
	}
	f, err := b.fs.Open(key)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && o.BeforeRead != nil {
		err = o.BeforeRead(func(any) bool { return false })
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	if length < 0 {
		length = max(0, info.Size()-offset)
	}
	return &reader{
		SectionReader: io.NewSectionReader(f, offset, length),
		file:          f,
		attributes:    driver.ReaderAttributes{ContentType: contentType, ModTime: info.ModTime(), Size: info.Size()},
	}, nil
}

// reader implements driver.Reader.
type reader struct {
	*io.SectionReader
	file       openFile
	attributes driver.ReaderAttributes
}

func (r *reader) Close() error                         { return r.file.Close() }
func (r *reader) Attributes() *driver.ReaderAttributes { return &r.attributes }

// As gives the whole file as an io.ReaderAt, valid until Close.
func (r *reader) As(target any) bool {
	p, ok := target.(*io.ReaderAt)
	if ok {
		*p = r.file
	}
	return ok
}

// Delete implements driver.Bucket. The name is gone durably; directories stay.
func (b *bucket) Delete(_ context.Context, key string, o *driver.DeleteOptions) error {
	if _, err := b.stat(key); err != nil {
		return err
	}
	if o.BeforeDelete != nil {
		if err := o.BeforeDelete(func(any) bool { return false }); err != nil {
			return err
		}
	}
	if err := b.fs.Remove(key); err != nil {
		return err
	}
	return b.fs.SyncDir(path.Dir(key))
}

// Copy implements driver.Bucket.
func (b *bucket) Copy(context.Context, string, string, *driver.CopyOptions) error {
	return fail(gcerrors.Unimplemented, "file:// does not copy")
}

// SignedURL implements driver.Bucket.
func (b *bucket) SignedURL(context.Context, string, *driver.SignedURLOptions) (string, error) {
	return "", fail(gcerrors.Unimplemented, "file:// has no signed URLs")
}

// As implements driver.Bucket.
func (b *bucket) As(any) bool { return false }

// ErrorAs implements driver.Bucket.
func (b *bucket) ErrorAs(err error, target any) bool { return errors.As(err, target) }

// Close implements driver.Bucket.
func (b *bucket) Close() error { return b.fs.Close() }
