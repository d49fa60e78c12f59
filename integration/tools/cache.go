package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Cached returns the directory of the given name in the user's cache, and makes it first when it is not there: build
// fills an empty directory, which gets its name only when build returns no error. Of several processes that want it at
// the same time one builds and the others wait. The directory holds all that build may depend on in its name.
func Cached(name string, build func(dir string) error) (dir string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("tools: make %s: %w", name, err)
		}
	}()
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	base = filepath.Join(base, "sluice")
	if err := os.MkdirAll(base, 0o755); err != nil {
		return "", err
	}
	dir = filepath.Join(base, name)
	unlock, err := lockFile(dir + ".lock")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()

	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	// Only the holder of the lock uses this name, so what is there was left by a process that died.
	partial := dir + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return "", err
	}
	if err := os.Mkdir(partial, 0o755); err != nil {
		return "", err
	}
	if err := build(partial); err != nil {
		return "", errors.Join(err, os.RemoveAll(partial))
	}
	return dir, os.Rename(partial, dir)
}
