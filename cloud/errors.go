package cloud

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"gocloud.dev/gcerrors"
)

// Code is the class of an error of this package, as far as a caller may want to branch on it.
type Code int

const (
	// Unknown is every error that has no class of its own: a broken network, a server that fails.
	Unknown Code = iota
	// NotFound says that there is no such object, or no such bucket.
	NotFound
	// Exists says that the key is taken: a create-if-absent write lost.
	Exists
	// Permission says that the store refuses the caller, or does not know them.
	Permission
	// Invalid says that the key, the URL or an option cannot be right.
	Invalid
	// Exhausted says that the store has no room or will not keep up: disk full, quota used up, too many requests.
	Exhausted
	// Canceled says that a context ended, by cancel or deadline.
	Canceled
	// Closed says that the object or bucket has been closed, committed or aborted already.
	Closed
	// Uncertain says that a commit got no answer, nor could it find one out: the object may be visible or not.
	Uncertain
)

// coded is an error of this package itself.
type coded struct {
	code Code
	err  error
}

func (e *coded) Error() string { return e.err.Error() }
func (e *coded) Unwrap() error { return e.err }

func invalid(format string, args ...any) error {
	return &coded{Invalid, fmt.Errorf(format, args...)}
}

var (
	errCommitted = &coded{Closed, errors.New("the object has been committed")}
	errAborted   = &coded{Closed, errors.New("the object has been aborted")}
	errClosed    = &coded{Closed, errors.New("the bucket has been closed")}
)

// uncertain is a commit whose outcome could not be found out.
func uncertain(commit, look error) error {
	return &coded{Uncertain, fmt.Errorf("%w; looking for the object failed too, so it may be visible or not: %w", commit, look)}
}

// CodeOf returns the class of err: Unknown for nil and for errors that this package did not return.
func CodeOf(err error) Code {
	if err == nil {
		return Unknown
	}
	var own *coded
	if errors.As(err, &own) {
		return own.code
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Canceled
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound:
		return NotFound
	case gcerrors.AlreadyExists, gcerrors.FailedPrecondition:
		return Exists
	case gcerrors.PermissionDenied:
		return Permission
	case gcerrors.InvalidArgument:
		return Invalid
	case gcerrors.ResourceExhausted:
		return Exhausted
	case gcerrors.Unknown:
		return codeOfCause(err)
	}
	return Unknown
}

// codeOfCause looks at the error itself where the driver knows no code. A directory that cannot be opened is not a
// driver's error yet. The S3 driver looks at the HTTP status only when there is no error code, and the servers have
// their own codes for a wrong key id.
func codeOfCause(err error) Code {
	if errors.Is(err, fs.ErrPermission) {
		return Permission
	}
	var response interface{ HTTPStatusCode() int }
	if !errors.As(err, &response) {
		return Unknown
	}
	switch response.HTTPStatusCode() {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Permission
	case http.StatusNotFound:
		return NotFound
	case http.StatusPreconditionFailed:
		return Exists
	case http.StatusInsufficientStorage, http.StatusTooManyRequests:
		return Exhausted
	}
	return Unknown
}

// IsNotFound says whether err has the code NotFound.
func IsNotFound(err error) bool { return CodeOf(err) == NotFound }

// IsExists says whether err has the code Exists.
func IsExists(err error) bool { return CodeOf(err) == Exists }

// IsPermission says whether err has the code Permission.
func IsPermission(err error) bool { return CodeOf(err) == Permission }
