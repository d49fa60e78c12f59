package encode

import (
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Writer writes one Parquet file, batch by batch. It is for one goroutine at a time. After an error it refuses all
// further work, and what it has written must be thrown away.
type Writer struct{}

// Summary says what a closed file holds.
type Summary struct {
	Records   int64
	Bytes     int64 // of the whole file
	RowGroups int
}

// NewWriter begins a file of the given schema on w. It refuses, by field path, a type that it cannot write, before
// anything is written. Nil options are the defaults.
func NewWriter(w io.Writer, schema *arrow.Schema, o *Options) (*Writer, error) {
	return nil, errors.New("encode: not built yet")
}

// Write adds the batch's records, and ends row groups as they fill. The batch is not kept after Write returns.
// An error names field path and record.
func (w *Writer) Write(batch arrow.RecordBatch) error { return nil }

// Buffered returns the bytes that the open row group holds in memory.
func (w *Writer) Buffered() int64 { return 0 }

// Flush ends the open row group and writes it out; without records it does nothing.
func (w *Writer) Flush() error { return nil }

// Close ends the open row group and writes the footer. It does not close the io.Writer.
func (w *Writer) Close() (Summary, error) { return Summary{}, nil }
