package file

import (
	"errors"
	"io/fs"
	"path"
	"sync"
)

// dirs makes directories and their names durable.
type dirs struct {
	fs fileSystem

	mu      sync.Mutex
	durable map[string]bool // directories whose name, and whose parents' names, have been synced
}

// maxDurable bounds what dirs remembers; a bucket with more directories syncs some names again.
const maxDurable = 1 << 16

func newDirs(fsys fileSystem) *dirs { return &dirs{fs: fsys, durable: map[string]bool{}} }

// make makes dir and its parents, where they are not there yet, and syncs the directory that each of them is entered
// in. That also goes for those that were there: whoever made them need not have got as far as the sync. It is done
// once for each directory.
func (d *dirs) make(dir string) error {
	if dir == "." || d.known(dir) {
		return nil
	}
	parent := path.Dir(dir)
	if err := d.make(parent); err != nil {
		return err
	}
	if err := d.fs.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := d.fs.SyncDir(parent); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.durable) >= maxDurable {
		clear(d.durable)
	}
	d.durable[dir] = true
	return nil
}

func (d *dirs) known(dir string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.durable[dir]
}

// forget drops what is known of all directories, because one of them has turned out to be gone.
func (d *dirs) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.durable)
}
