package encode

import (
	"errors"
	"fmt"

	"github.com/sluice-io/sluice/levels"
)

// valueError is an error of one value of a span, counted from its first value.
type valueError struct {
	index int
	err   error
}

func (e *valueError) Error() string { return e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// valueError names the record of an error that concerns one value of a span, or its last record.
func (c *column) valueError(err error, s *levels.Span) error {
	var value *valueError
	var size pageSizeError
	switch {
	case errors.As(err, &value):
		return c.errorf(s, s.RecordOfValue(value.index), "%w", value.err)
	case errors.As(err, &size):
		return c.errorf(s, s.NumRecords-1, "%w", size)
	}
	return fmt.Errorf("encode: field %q: %w", c.leaf, err)
}

// pageSizeError is the error of a page of so many bytes.
type pageSizeError int

func (e pageSizeError) Error() string {
	return fmt.Sprintf("a page of %d bytes: one record has more data than a page can hold", int(e))
}

// errorf makes an error that names the field and a record, which is counted from the first that begins in the span.
func (c *column) errorf(s *levels.Span, record int, format string, a ...any) error {
	number := c.firstRecord + int64(c.records+record)
	return fmt.Errorf("encode: field %q: record %d: %w", c.leaf, number, fmt.Errorf(format, a...))
}
