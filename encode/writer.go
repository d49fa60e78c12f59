package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow-go/v18/arrow"
)

// createdBy names this writer in the footer, in the form that readers parse.
const createdBy = "sluice version 0.1.0"

const magic = "PAR1"

// Writer writes one Parquet file, batch by batch. It is for one goroutine at a time. After an error it refuses all
// further work, and what it has written must be thrown away.
type Writer struct {
	out     countingWriter
	schema  *arrow.Schema
	known   *arrow.Schema // of the last batch, found equal to schema
	file    *fileSchema
	fields  []*field
	options Options
	sorting []*sortKey
	cipher  *fileCipher // nil: not encrypted

	records   int64      // of the file
	inGroup   int64      // of the open row group
	group     rowGroup   // that is being written out
	index     groupIndex // of group
	rowGroups []rowGroup
	indexes   []groupIndex
	err       error
	closed    bool
}

// Summary says what a closed file holds.
type Summary struct {
	Records   int64
	Bytes     int64 // of the whole file
	RowGroups int
}

// groupIndex is the page index of a row group, one entry a leaf column.
type groupIndex struct {
	columns []*columnIndex
	offsets []*offsetIndex
}

// NewWriter begins a file of the given schema on w. It refuses, by field path, a type that it cannot write, before
// anything is written. Nil options are the defaults.
func NewWriter(w io.Writer, schema *arrow.Schema, o *Options) (*Writer, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	file, err := newSchema(schema)
	if err != nil {
		return nil, err
	}
	if err := file.apply(schema, &options); err != nil {
		return nil, fmt.Errorf("encode: schema: %w", err)
	}
	if err := options.checkColumns(file.Leaves); err != nil {
		return nil, err
	}
	cipher, err := newFileCipher(options.Encryption, file.Leaves)
	if err != nil {
		return nil, err
	}
	options.Encryption = nil // the writer keeps no keys
	pw := &Writer{out: countingWriter{w: w}, schema: schema, file: file, options: options, cipher: cipher}
	if err := pw.makeFields(); err != nil {
		return nil, err
	}
	if err := pw.startOrder(); err != nil {
		return nil, err
	}
	cipher.attach(pw.columns())
	if err := pw.out.write("magic bytes", []byte(cipher.magic())); err != nil {
		return nil, err
	}
	return pw, nil
}

// makeFields makes the top-level columns, and takes from the Arrow schema the dictionaries that readers cannot have, for
// the encoding of their values.
func (w *Writer) makeFields() error {
	leaves := w.file.Leaves
	undone := map[int]bool{}
	for i, f := range w.schema.Fields() {
		field, err := newField(f, leaves, &w.options)
		if err != nil {
			return err
		}
		for _, c := range field.columns {
			if c.leaf.Dictionary && c.candidates[0].append != nil {
				undone[i] = true
			}
		}
		leaves = leaves[len(field.columns):]
		w.fields = append(w.fields, field)
	}
	if err := w.file.dropDictionaries(w.schema, undone); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return nil
}

// columns are the writers of the leaf columns, by their number in the schema.
func (w *Writer) columns() iter.Seq2[int, *column] {
	return func(yield func(int, *column) bool) {
		leaf := 0
		for _, f := range w.fields {
			for _, c := range f.columns {
				if !yield(leaf, c) {
					return
				}
				leaf++
			}
		}
	}
}

// Write adds the batch's records, and ends row groups as they fill. The batch is not kept after Write returns, but for
// the dictionary of a dictionary-encoded column, which is retained until another one comes. An error names field path
// and record.
func (w *Writer) Write(batch arrow.RecordBatch) error {
	if err := w.ready(); err != nil {
		return err
	}
	if err := w.checkSchema(batch.Schema()); err != nil {
		return w.fail(err)
	}
	rest := int(batch.NumRows())
	for from := 0; rest > 0; {
		n := int(min(int64(rest), w.options.RowGroupRecords-w.inGroup))
		if len(w.sorting) > 0 {
			n = min(n, sortStep)
		}
		err := w.options.Run(len(w.fields), func(i int) error {
			return w.fields[i].write(batch.Column(i).Data(), from, n, w.records)
		})
		if err == nil {
			err = w.checkOrder(w.records)
		}
		if err != nil {
			return w.fail(err)
		}
		from, rest = from+n, rest-n
		w.records += int64(n)
		if w.inGroup += int64(n); w.inGroup == w.options.RowGroupRecords {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// ready reports why the writer takes nothing more.
func (w *Writer) ready() error {
	if w.err != nil {
		return fmt.Errorf("encode: the file was given up: %w", w.err)
	}
	if w.closed {
		return errors.New("encode: the file is closed")
	}
	return nil
}

// fail keeps the first error and lets go of what the file holds.
func (w *Writer) fail(err error) error {
	if err != nil && w.err == nil {
		w.err = err
		w.release()
	}
	return err
}

// checkSchema refuses a batch of other columns. Metadata may differ.
func (w *Writer) checkSchema(s *arrow.Schema) error {
	if s == w.schema || s == w.known {
		return nil
	}
	if s.NumFields() != w.schema.NumFields() {
		return fmt.Errorf("encode: the batch has %d columns, the file %d", s.NumFields(), w.schema.NumFields())
	}
	for i, f := range w.schema.Fields() {
		g := s.Field(i)
		if f.Name != g.Name || !arrow.TypeEqual(f.Type, g.Type) {
			return fmt.Errorf("encode: column %d of the batch is %q %s, of the file %q %s", i, g.Name, g.Type, f.Name, f.Type)
		}
	}
	w.known = s
	return nil
}

// Buffered returns the bytes that the open row group holds in memory.
func (w *Writer) Buffered() int64 {
	var n int64
	for _, c := range w.columns() {
		n += c.held()
	}
	return n
}

// Flush ends the open row group and writes it out; without records it does nothing.
func (w *Writer) Flush() error {
	if err := w.ready(); err != nil || w.inGroup == 0 {
		return err
	}
	if err := w.options.Run(len(w.fields), func(i int) error { return w.fields[i].finish() }); err != nil {
		return w.fail(err)
	}
	w.beginGroup()
	for _, f := range w.fields {
		if err := w.writeField(f); err != nil {
			return w.fail(err)
		}
	}
	return w.fail(w.endGroup())
}

// beginGroup begins a row group, whose column chunks writeField adds.
func (w *Writer) beginGroup() {
	n := len(w.file.Leaves)
	w.group = rowGroup{FileOffset: w.out.n, Ordinal: -1, Columns: make([]columnChunk, 0, n)}
	w.index = groupIndex{columns: make([]*columnIndex, 0, n), offsets: make([]*offsetIndex, 0, n)}
	if len(w.rowGroups) <= 1<<15-1 {
		w.group.Ordinal = int16(len(w.rowGroups))
	}
}

// writeField writes out the column chunks of a field that is finished, or what is left of them.
func (w *Writer) writeField(f *field) error {
	for _, c := range f.columns {
		meta, ci, oi, err := c.chunk.writeTo(&w.out)
		if err != nil {
			return fmt.Errorf("encode: write column %q: %w", c.leaf, err)
		}
		w.group.Columns = append(w.group.Columns, meta)
		w.group.TotalBytes += meta.UncompressedBytes
		w.group.CompressedBytes += meta.CompressedBytes
		if w.options.NoPageIndex {
			ci, oi = nil, nil
		}
		w.index.columns, w.index.offsets = append(w.index.columns, ci), append(w.index.offsets, oi)
	}
	return nil
}

// endGroup writes what follows the column chunks.
func (w *Writer) endGroup() error {
	if err := w.writeBloomFilters(); err != nil {
		return err
	}
	w.group.NumRows, w.group.SortingColumns = w.inGroup, w.endOrder()
	w.rowGroups = append(w.rowGroups, w.group)
	w.indexes = append(w.indexes, w.index)
	w.inGroup = 0
	return nil
}

// Close ends the open row group and writes the footer. It does not close the io.Writer.
func (w *Writer) Close() (Summary, error) {
	if err := w.Flush(); err != nil {
		return Summary{}, err
	}
	defer w.release()
	w.closed = true
	if err := w.fail(w.writeEnd()); err != nil {
		return Summary{}, err
	}
	return Summary{Records: w.records, Bytes: w.out.n, RowGroups: len(w.rowGroups)}, nil
}

// Abort gives back what an unfinished file holds. After Close it does nothing.
func (w *Writer) Abort() {
	if !w.closed && w.err == nil {
		_ = w.fail(errors.New("encode: aborted"))
	}
}

// release gives back slabs and Arrow dictionaries.
func (w *Writer) release() {
	for _, c := range w.columns() {
		c.discard()
	}
	w.fields = nil
}

// writeEnd writes the page index and the footer (parquet.thrift, FileMetaData).
func (w *Writer) writeEnd() error {
	if err := w.writeIndexes(); err != nil {
		return err
	}
	meta := fileMetaData{
		Schema:       w.file.Elements,
		NumRows:      w.records,
		RowGroups:    w.rowGroups,
		KeyValues:    w.file.keyValues(&w.options),
		CreatedBy:    createdBy,
		ColumnOrders: w.file.columnOrders(),
	}
	footer, err := w.cipher.footer(&meta)
	if err != nil {
		return fmt.Errorf("encode: footer: %w", err)
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return w.out.write("footer", append(footer, w.cipher.magic()...))
}

// writeIndexes writes all column indexes, then all offset indexes, as PageIndex.md wants them.
func (w *Writer) writeIndexes() error {
	var buf []byte
	for g := range w.indexes {
		for i, ci := range w.indexes[g].columns {
			if ci == nil {
				continue
			}
			c := &w.rowGroups[g].Columns[i]
			buf = ci.append(buf[:0])
			stored, err := w.cipher.index(buf, moduleColumnIndex, g, i)
			if err != nil {
				return err
			}
			c.ColumnIndexOffset, c.ColumnIndexBytes = w.out.n, int32(len(stored))
			if err := w.out.write("page index", stored); err != nil {
				return err
			}
		}
	}
	for g := range w.indexes {
		for i, oi := range w.indexes[g].offsets {
			if oi == nil {
				continue
			}
			c := &w.rowGroups[g].Columns[i]
			buf = oi.append(buf[:0])
			stored, err := w.cipher.index(buf, moduleOffsetIndex, g, i)
			if err != nil {
				return err
			}
			c.OffsetIndexOffset, c.OffsetIndexBytes = w.out.n, int32(len(stored))
			if err := w.out.write("page index", stored); err != nil {
				return err
			}
		}
	}
	return nil
}

// countingWriter counts what goes through.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// write writes what is named.
func (c *countingWriter) write(what string, p []byte) error {
	if _, err := c.Write(p); err != nil {
		return fmt.Errorf("encode: write %s: %w", what, err)
	}
	return nil
}
