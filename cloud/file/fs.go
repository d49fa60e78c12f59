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

func (f *rootFS) Create(name string) (openFile, error) {
	return asOpenFile(f.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666))
}

func (f *rootFS) Open(name string) (openFile, error) {
	return asOpenFile(f.root.Open(filepath.FromSlash(name)))
}

// asOpenFile keeps a nil *os.File out of the interface.
func asOpenFile(f *os.File, err error) (openFile, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (f *rootFS) Stat(name string) (fs.FileInfo, error) {
	return f.root.Stat(filepath.FromSlash(name))
}

func (f *rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

func (f *rootFS) Mkdir(name string) error {
	return f.root.Mkdir(filepath.FromSlash(name), 0o777)
}

func (f *rootFS) SyncDir(name string) error {
	dir, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer dir.Close()
	return syncDir(dir)
}

func (f *rootFS) Link(oldName, newName string) error {
	return f.root.Link(filepath.FromSlash(oldName), filepath.FromSlash(newName))
}

func (f *rootFS) Rename(oldName, newName string) error {
	return f.root.Rename(filepath.FromSlash(oldName), filepath.FromSlash(newName))
}

func (f *rootFS) Remove(name string) error { return f.root.Remove(filepath.FromSlash(name)) }
func (f *rootFS) Close() error             { return f.root.Close() }
