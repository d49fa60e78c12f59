package file

import (
	"errors"
	"os"
	"syscall"
)

// Windows has no call that syncs a directory; NTFS journals its entries.
func syncDir(*os.File) error { return nil }

const (
	errorInvalidFunction   = syscall.Errno(1)
	errorWriteProtect      = syscall.Errno(19)
	errorHandleDiskFull    = syscall.Errno(39)
	errorDiskFull          = syscall.Errno(112)
	errorInvalidName       = syscall.Errno(123)
	errorFilenameExcdRange = syscall.Errno(206)
	errorDirectory         = syscall.Errno(267)
)

// isFull says whether the file system has no room left.
func isFull(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}

// isBadName says whether the name itself is the trouble: too long, or below a file.
func isBadName(err error) bool {
	return errors.Is(err, errorInvalidName) || errors.Is(err, errorFilenameExcdRange) || errors.Is(err, errorDirectory) ||
		errors.Is(err, syscall.ENOTDIR)
}

func isReadOnly(err error) bool { return errors.Is(err, errorWriteProtect) }

// isNoLinks says whether a link failed because the file system has none.
func isNoLinks(err error) bool {
	return errors.Is(err, errorInvalidFunction) || errors.Is(err, errors.ErrUnsupported)
}
