// Package read opens the Parquet objects that a put has stored and shows their rows.
//
//	file, err := read.Open(ctx, bucket, receipt.Objects[0].Key)
//	defer file.Close()
//	rows, err := file.Head(ctx, 5)
//	defer rows.Release()
//	err = read.WriteTable(os.Stdout, rows)
//
// It uses arrow-go's reader, which knows nothing of the writer in this project: what it shows is what the file says. It
// is a package of its own because that reader is large, and a server that only stores does without.
package read

import (
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/sluice-io/sluice/cloud"
)

// File is an open Parquet object. It is for one goroutine at a time.
type File struct {
	key    string
	object *cloud.ReaderAt
	reader *file.Reader
	arrow  *pqarrow.FileReader
	schema *arrow.Schema
}

// Open opens the object with the key and reads its footer. The caller closes the file; ctx bounds its life.
func Open(ctx context.Context, bucket *cloud.Bucket, key string) (*File, error) {
	object, err := bucket.OpenReaderAt(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	f := &File{key: key, object: object}
	if err := f.open(); err != nil {
		object.Close()
		return nil, fmt.Errorf("read: %q: %w", key, err)
	}
	return f, nil
}

func (f *File) open() (err error) {
	if f.reader, err = file.NewParquetReader(io.NewSectionReader(f.object, 0, f.object.Size())); err != nil {
		return err
	}
	f.arrow, err = pqarrow.NewFileReader(f.reader, pqarrow.ArrowReadProperties{BatchSize: 1024}, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	f.schema, err = f.arrow.Schema()
	return err
}

// Schema returns the Arrow schema of the rows.
func (f *File) Schema() *arrow.Schema { return f.schema }

// Records returns the number of records.
func (f *File) Records() int64 { return f.reader.NumRows() }

// RowGroups returns the number of row groups.
func (f *File) RowGroups() int { return f.reader.NumRowGroups() }

// Codec returns the name of the codec of the first column chunk, such as "SNAPPY"; empty without row groups or columns.
func (f *File) Codec() string {
	if f.reader.NumRowGroups() == 0 {
		return ""
	}
	chunk, err := f.reader.MetaData().RowGroup(0).ColumnChunk(0)
	if err != nil {
		return ""
	}
	return chunk.Compression().String()
}

// Head returns the first n records, or all if there are fewer. The caller releases them.
func (f *File) Head(ctx context.Context, n int64) (arrow.RecordBatch, error) {
	rows, err := f.head(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("read: %q: %w", f.key, err)
	}
	return rows, nil
}

func (f *File) head(ctx context.Context, n int64) (arrow.RecordBatch, error) {
	reader, err := f.arrow.GetRecordReader(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	defer reader.Release()
	var batches []arrow.RecordBatch
	defer func() {
		for _, batch := range batches {
			batch.Release()
		}
	}()
	for n > 0 && reader.Next() {
		batch := reader.RecordBatch().NewSlice(0, min(n, reader.RecordBatch().NumRows()))
		batches = append(batches, batch)
		n -= batch.NumRows()
	}
	if err := reader.Err(); err != nil && err != io.EOF {
		return nil, err
	}
	return concatenate(f.schema, batches)
}

// concatenate joins batches of one schema.
func concatenate(schema *arrow.Schema, batches []arrow.RecordBatch) (arrow.RecordBatch, error) {
	columns := make([]arrow.Array, schema.NumFields())
	defer func() {
		for _, column := range columns {
			if column != nil {
				column.Release()
			}
		}
	}()
	var records int64
	for _, batch := range batches {
		records += batch.NumRows()
	}
	for i := range columns {
		parts := make([]arrow.Array, len(batches))
		for j, batch := range batches {
			parts[j] = batch.Column(i)
		}
		var err error
		if len(parts) == 0 {
			columns[i] = array.MakeArrayOfNull(memory.DefaultAllocator, schema.Field(i).Type, 0)
		} else if columns[i], err = array.Concatenate(parts, memory.DefaultAllocator); err != nil {
			return nil, err
		}
	}
	return array.NewRecordBatch(schema, columns, records), nil
}

// Close ends the use of the file.
func (f *File) Close() error {
	if err := f.object.Close(); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	return nil
}
