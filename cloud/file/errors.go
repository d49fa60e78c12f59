package file

import (
	"errors"
	"fmt"
	"io/fs"

	"gocloud.dev/gcerrors"
)

// failure is an error of the driver itself, with its code.
type failure struct {
	code gcerrors.ErrorCode
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func fail(code gcerrors.ErrorCode, format string, args ...any) error {
	return &failure{code, fmt.Errorf(format, args...)}
}

// ErrorCode implements driver.Bucket.
func (b *bucket) ErrorCode(err error) gcerrors.ErrorCode {
	var own *failure
	switch {
	case errors.As(err, &own):
		return own.code
	case isFull(err):
		return gcerrors.ResourceExhausted
	case isBadName(err):
		return gcerrors.InvalidArgument
	case errors.Is(err, fs.ErrNotExist):
		return gcerrors.NotFound
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return gcerrors.PermissionDenied
	}
	return gcerrors.Unknown
}
