package file

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

const (
	// tempDir holds the objects that are being written, below the root so that they can be linked to their place.
	tempDir = ".sluice-tmp"
	// bufferBytes gathers small writes; larger ones go to the file as they are.
	bufferBytes = 64 << 10
)

// tempName returns a name for an unfinished object, with the time (UTC) at which its writing began.
func tempName() string {
	return path.Join(tempDir, time.Now().UTC().Format("20060102T150405Z")+"-"+rand.Text()+".part")
}

// writer implements driver.Writer and driver.Uploader: a temporary file, then one link or rename.
type writer struct {
	ctx       context.Context // the driver interface has no other place for it
	bucket    *bucket
	key       string
	temp      string
	overwrite bool
	file      openFile
	buffer    *bufio.Writer
	err       error // what broke the upload off; the temporary file is gone then
}

// NewTypedWriter implements driver.Bucket. Files have no place for a content type, which is dropped, nor for metadata,
// which is refused.
func (b *bucket) NewTypedWriter(ctx context.Context, key, _ string, o *driver.WriterOptions) (driver.Writer, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if len(o.Metadata) > 0 {
		return nil, fail(gcerrors.InvalidArgument, "file:// keeps no metadata")
	}
	if o.BeforeWrite != nil {
		if err := o.BeforeWrite(func(any) bool { return false }); err != nil {
			return nil, err
		}
	}
	w := &writer{ctx: ctx, bucket: b, key: key, temp: tempName(), overwrite: !o.IfNotExist}
	if err := w.create(); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *writer) create() error {
	err := w.bucket.fs.Mkdir(tempDir)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	w.file, err = w.bucket.fs.Create(w.temp)
	if err != nil {
		return err
	}
	w.buffer = bufio.NewWriterSize(w.file, bufferBytes)
	return nil
}

// Write implements driver.Writer.
func (w *writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if err := w.ctx.Err(); err != nil {
		return 0, w.giveUp(err)
	}
	n, err := w.buffer.Write(p)
	if err != nil {
		return n, w.giveUp(err)
	}
	return n, nil
}

// sink is the writer without its other methods, so that a reader's WriteTo does not come back to Upload.
type sink struct{ w *writer }

func (s sink) Write(p []byte) (int, error) { return s.w.Write(p) }

// Upload implements driver.Uploader. A reader that fails breaks the upload off, which is for Close to return: gocloud
// gives codes only to the errors of Close.
func (w *writer) Upload(r io.Reader) error {
	if _, err := io.Copy(sink{w}, r); err != nil {
		_ = w.giveUp(err)
	}
	return nil
}

// Close publishes the file under its key, or removes it if anything has gone wrong.
func (w *writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if err := w.ctx.Err(); err != nil {
		return w.giveUp(err)
	}
	if err := w.buffer.Flush(); err != nil {
		return w.giveUp(err)
	}
	if err := w.file.Sync(); err != nil {
		return w.giveUp(err)
	}
	info, err := w.file.Stat()
	if err != nil {
		return w.giveUp(err)
	}
	if err := w.file.Close(); err != nil {
		w.file = nil
		return w.giveUp(err)
	}
	w.file = nil
	if err := w.ctx.Err(); err != nil { // a long sync leaves much time for that
		return w.giveUp(err)
	}
	if err := w.publish(info); err != nil {
		return w.giveUp(err)
	}
	w.err = errors.New("the object has been published")
	return nil
}

// giveUp closes and removes the temporary file. It returns err, or what kept the file from being removed.
func (w *writer) giveUp(err error) error {
	if w.err != nil {
		return w.err
	}
	w.err = err
	if w.file != nil {
		_ = w.file.Close() // nothing of it is of use any more
		w.file = nil
	}
	if failed := w.bucket.fs.Remove(w.temp); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
		w.err = fmt.Errorf("temporary file is left over after %q: %w", err, failed)
	}
	return w.err
}

// publish gives the synced temporary file its place and makes that durable.
func (w *writer) publish(info fs.FileInfo) error {
	dir := path.Dir(w.key)
	if err := w.bucket.dirs.make(dir); err != nil {
		return err
	}
	err := w.place(info)
	if errors.Is(err, fs.ErrNotExist) { // someone removed the directory that was known to be there
		w.bucket.dirs.forget()
		if err = w.bucket.dirs.make(dir); err == nil {
			err = w.place(info)
		}
	}
	if err != nil {
		return err
	}
	if err := w.bucket.fs.SyncDir(dir); err != nil {
		return w.takeBack(info, err)
	}
	if !w.overwrite {
		_ = w.bucket.fs.Remove(w.temp) // the object is safe; a name in the temporary directory does no harm
	}
	return nil
}

// place links or renames the temporary file to the key.
func (w *writer) place(info fs.FileInfo) error {
	if w.overwrite {
		return w.bucket.fs.Rename(w.temp, w.key)
	}
	err := w.bucket.fs.Link(w.temp, w.key)
	if err == nil || w.isPlaced(info) { // over a network a link can succeed and its answer get lost
		return nil
	}
	switch {
	case !errors.Is(err, fs.ErrExist):
		if isNoLinks(err) {
			return fail(gcerrors.Unimplemented, "this file system has no hard links, by which alone an object can be created only if absent: %w", err)
		}
		return err
	case w.isDirectory():
		return fail(gcerrors.InvalidArgument, "%s is a directory of other objects", w.key)
	}
	return fail(gcerrors.FailedPrecondition, "an object with this key exists")
}

// isPlaced says whether the key is a name of the temporary file.
func (w *writer) isPlaced(info fs.FileInfo) bool {
	found, err := w.bucket.fs.Stat(w.key)
	return err == nil && os.SameFile(found, info)
}

func (w *writer) isDirectory() bool {
	found, err := w.bucket.fs.Stat(w.key)
	return err == nil && found.IsDir()
}

// takeBack removes a linked object that could not be made durable. What a rename replaced cannot be had back: then
// the key has the old object or the new one, whole either way.
func (w *writer) takeBack(info fs.FileInfo, cause error) error {
	if w.overwrite || !w.isPlaced(info) {
		return cause
	}
	if err := w.bucket.fs.Remove(w.key); err != nil {
		return fmt.Errorf("the object is visible but not durable (%q), and cannot be removed: %w", cause, err)
	}
	_ = w.bucket.fs.SyncDir(path.Dir(w.key)) // or a crash could bring it back
	return cause
}
