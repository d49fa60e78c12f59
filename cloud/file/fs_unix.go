//go:build !windows

package file

import (
	"errors"
	"os"
	"syscall"
)

func syncDir(dir *os.File) error { return dir.Sync() }

// isFull says whether the file system has no room left.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// isBadName says whether the name itself is the trouble: too long, or below a file.
func isBadName(err error) bool {
	return errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR)
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

// isNoLinks says whether a link failed because the file system has none.
func isNoLinks(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, errors.ErrUnsupported)
}
