//go:build unix

package tools

import (
	"os"
	"syscall"
)

// lockFile waits until this process alone holds the file at path. The lock ends with unlock or with the process.
func lockFile(path string) (unlock func() error, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		file.Close()
		return nil, &os.PathError{Op: "flock", Path: path, Err: err}
	}
	return file.Close, nil
}
