package sink

import "fmt"

// Fault says on whose side an error lies.
type Fault int

const (
	// FaultInput is an error in what the caller gave: a name, a setting, a schema or the data.
	FaultInput Fault = iota + 1
	// FaultConflict is a dataset that would lie inside another one, or around it.
	FaultConflict
	// FaultStorage is an error of the bucket; cloud.CodeOf reads the wrapped error.
	FaultStorage
	// FaultInternal is an error of this program.
	FaultInternal
)

// Error is what every function of this package returns, contexts that ended apart.
type Error struct {
	Dataset string // may be empty when the name itself is refused
	Fault   Fault
	Err     error
}

func (e *Error) Error() string {
	if e.Dataset == "" {
		return fmt.Sprintf("sink: %v", e.Err)
	}
	return fmt.Sprintf("sink: dataset %q: %v", e.Dataset, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

func inputError(dataset string, err error) error {
	return &Error{Dataset: dataset, Fault: FaultInput, Err: err}
}

func storageError(dataset string, err error) error {
	return &Error{Dataset: dataset, Fault: FaultStorage, Err: err}
}
