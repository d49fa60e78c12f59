package file

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// fileSystem is all that the driver does to a file system; a test can make each operation fail. Names are
// slash-separated and relative to the root, which is ".".
type fileSystem interface {
	// Create makes a file that must not be there yet, for writing.
	Create(name string) (openFile, error)
	// Open opens a file for reading.
	Open(name string) (openFile, error)
	// Stat follows symbolic links that stay below the root.
	Stat(name string) (fs.FileInfo, error)
	// ReadDir returns the entries of a directory, in no particular order.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Mkdir makes one directory, whose parent is there.
	Mkdir(name string) error
	// SyncDir makes the entries of a directory durable.
	SyncDir(name string) error
	// Link gives the file a second name, which must be free.
	Link(oldName, newName string) error
	// Rename gives the file another name, and takes that name away from what has it.
	Rename(oldName, newName string) error
	Remove(name string) error
	Close() error
}

type openFile interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	Stat() (fs.FileInfo, error)
	// Sync makes the file's bytes durable.
	Sync() error
}

// rootFS is the fileSystem below a directory. os.Root keeps every name below it, whatever symbolic links there are.
type rootFS struct{ root *os.Root }

func newRootFS(dir string) (*rootFS, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &rootFS{root}, nil
}

// full puts the root before the names in an error, for the reader of a log.
func (f *rootFS) full(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return &fs.PathError{Op: e.Op, Path: filepath.Join(f.root.Name(), e.Path), Err: e.Err}
	case *os.LinkError:
		return &os.LinkError{Op: e.Op, Old: filepath.Join(f.root.Name(), e.Old), New: filepath.Join(f.root.Name(), e.New), Err: e.Err}
	}
	return err
}

func (f *rootFS) Create(name string) (openFile, error) {
	return f.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
}

func (f *rootFS) Open(name string) (openFile, error) { return f.open(name, os.O_RDONLY) }

func (f *rootFS) open(name string, flags int) (openFile, error) {
	file, err := f.root.OpenFile(filepath.FromSlash(name), flags, 0o666)
	if err != nil {
		return nil, f.full(err)
	}
	return file, nil
}

func (f *rootFS) Stat(name string) (fs.FileInfo, error) {
	info, err := f.root.Stat(filepath.FromSlash(name))
	return info, f.full(err)
}

func (f *rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, f.full(err)
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

func (f *rootFS) Mkdir(name string) error {
	return f.full(f.root.Mkdir(filepath.FromSlash(name), 0o777))
}

func (f *rootFS) SyncDir(name string) error {
	dir, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return f.full(err)
	}
	defer dir.Close()
	return syncDir(dir)
}

func (f *rootFS) Link(oldName, newName string) error {
	return f.full(f.root.Link(filepath.FromSlash(oldName), filepath.FromSlash(newName)))
}

func (f *rootFS) Rename(oldName, newName string) error {
	return f.full(f.root.Rename(filepath.FromSlash(oldName), filepath.FromSlash(newName)))
}

func (f *rootFS) Remove(name string) error { return f.full(f.root.Remove(filepath.FromSlash(name))) }
func (f *rootFS) Close() error             { return f.root.Close() }
