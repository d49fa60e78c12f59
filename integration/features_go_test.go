package integration

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	arrowgo "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/sluice-io/sluice/integration/lint"
)

// caught returns what a reader that panics did not return.
func caught(read func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return read()
}

// byArrowGo reads a file with arrow-go, and answers what is asked about it.
func (f *featureFile) byArrowGo(t *testing.T) (table arrow.Table, err error) {
	err = caught(func() error {
		props := arrowgo.NewReaderProperties(memory.DefaultAllocator)
		if e := f.encryption; e != nil {
			keys := map[string]string{string(e.FooterKeyMetadata): string(e.FooterKey)}
			for _, c := range e.Columns {
				keys[string(c.KeyMetadata)] = string(c.Key)
			}
			props.FileDecryptProps = arrowgo.NewFileDecryptionProperties(arrowgo.WithKeyRetriever(keyRetriever(keys)))
		}
		r, err := file.NewParquetReader(bytes.NewReader(f.data), file.WithReadProps(props))
		if err != nil {
			return err
		}
		reader, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		if err != nil {
			return err
		}
		if table, err = reader.ReadTable(t.Context()); err != nil {
			return err
		}
		if f.ask.Bloom != "" {
			return f.askBloom(func(group, column int) (func(value []byte) (bool, error), error) {
				g, err := r.GetBloomFilterReader().RowGroup(group)
				if err != nil {
					return nil, err
				}
				filter, err := g.GetColumnBloomFilter(column)
				if err != nil || filter == nil {
					return nil, errors.Join(err, errors.New("no Bloom filter"))
				}
				return func(value []byte) (bool, error) { return filter.CheckHash(filter.Hasher().Sum64(value)), nil }, nil
			})
		}
		if f.ask.FieldIDs {
			for i, field := range f.fields {
				if id := r.MetaData().Schema.Root().Field(i + 1).FieldID(); int(id) != 101+i {
					return fmt.Errorf("field id %d of %s", id, field.Name)
				}
			}
		}
		return nil
	})
	return table, err
}

// keyRetriever finds keys by their metadata.
type keyRetriever map[string]string

func (k keyRetriever) GetKey(metadata []byte) string { return k[string(metadata)] }

// askBloom looks up all values of the column asked about, and as many that are not there: no more than a twentieth of
// them may be found by filters with a rate of 0.01.
func (f *featureFile) askBloom(open func(group, column int) (has func(value []byte) (bool, error), err error)) error {
	for group, chunks := range f.contents.RowGroups {
		column := slices.IndexFunc(chunks, func(c *lint.Chunk) bool { return c.Leaf.String() == f.ask.Bloom })
		has, err := open(group, column)
		if err != nil {
			return err
		}
		found, values := 0, chunks[column].Stream().Values
		for _, value := range values {
			there, err := has(value)
			if err != nil || !there {
				return fmt.Errorf("Bloom filter: %q is found: %v, error %w", value, there, err)
			}
			if there, err = has(append(bytes.Clone(value), '!')); err != nil {
				return err
			}
			if there {
				found++
			}
		}
		if found > len(values)/20 {
			return fmt.Errorf("Bloom filter: %d of %d values that are not there are found", found, len(values))
		}
	}
	return nil
}

// byParquetGo reads every leaf with parquet-go, and compares levels and values with those that the linter found. What
// readers that know Arrow show of them is compared with what was written.
func (f *featureFile) byParquetGo() error {
	return caught(func() error {
		var options []parquetgo.FileOption
		if f.encryption != nil {
			options = append(options, parquetgo.WithDecryption(f))
		}
		r, err := parquetgo.OpenFile(bytes.NewReader(f.data), int64(len(f.data)), options...)
		if err != nil {
			return err
		}
		for group, g := range r.RowGroups() {
			for column, chunk := range g.ColumnChunks() {
				want := f.contents.RowGroups[group][column]
				got, err := readParquetGo(chunk)
				if err == nil {
					err = differ(got, want)
				}
				if err == nil {
					// It reads no column index of a file whose first column chunk has none.
					first := f.contents.RowGroups[0][0].Meta.ColumnIndexOffset != 0
					err = checkIndexParquetGo(chunk, want, first && want.Meta.ColumnIndexOffset != 0)
				}
				if err != nil {
					return fmt.Errorf("row group %d, column %s: %w", group, want.Leaf, err)
				}
			}
		}
		return f.askParquetGo(r)
	})
}

// FooterKey gives parquet-go the footer key.
func (f *featureFile) FooterKey([]byte) ([]byte, error) { return f.encryption.FooterKey, nil }

// ColumnKey gives parquet-go the key of a column.
func (f *featureFile) ColumnKey(path []string, _ []byte) ([]byte, error) {
	return keysOf(f.encryption).Columns[strings.Join(path, ".")], nil
}

func (f *featureFile) askParquetGo(r *parquetgo.File) error {
	if f.ask.Bloom != "" {
		return f.askBloom(func(group, column int) (func(value []byte) (bool, error), error) {
			filter := r.RowGroups()[group].ColumnChunks()[column].BloomFilter()
			if filter == nil {
				return nil, errors.New("no Bloom filter")
			}
			return func(value []byte) (bool, error) { return filter.Check(parquetgo.ByteArrayValue(value)) }, nil
		})
	}
	if f.ask.FieldIDs {
		for i, e := range r.Schema().Fields() {
			if e.ID() != 100+i {
				return fmt.Errorf("field id %d of %s", e.ID(), e.Name())
			}
		}
	}
	if f.ask.Sorting != "" {
		for _, g := range r.RowGroups() {
			if by := g.SortingColumns(); len(by) != 1 || by[0].Path()[0] != f.ask.Sorting || by[0].Descending() {
				return fmt.Errorf("sorted by %v", by)
			}
		}
	}
	return nil
}

// readParquetGo reads a column chunk.
func readParquetGo(chunk parquetgo.ColumnChunk) (s lint.Stream, err error) {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		values := make([]parquetgo.Value, page.NumValues())
		if n, err := page.Values().ReadValues(values); n < len(values) {
			return s, fmt.Errorf("%d values of %d: %w", n, len(values), err)
		}
		for _, v := range values {
			s.Def, s.Rep = append(s.Def, v.DefinitionLevel()), append(s.Rep, v.RepetitionLevel())
			if !v.IsNull() {
				s.Values = append(s.Values, plainValue(v))
			}
		}
		parquetgo.Release(page)
	}
}

// plainValue returns a value as the linter gives it.
func plainValue(v parquetgo.Value) []byte {
	switch v.Kind() {
	case parquetgo.Boolean:
		if v.Boolean() {
			return []byte{1}
		}
		return []byte{0}
	case parquetgo.Int32:
		return binary.LittleEndian.AppendUint32(nil, uint32(v.Int32()))
	case parquetgo.Int64:
		return binary.LittleEndian.AppendUint64(nil, uint64(v.Int64()))
	case parquetgo.Float:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v.Float()))
	case parquetgo.Double:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.Double()))
	}
	return bytes.Clone(v.ByteArray())
}

// differ says where a leaf differs from the one that the linter found.
func differ(got lint.Stream, c *lint.Chunk) error {
	want := c.Stream()
	if !slices.Equal(got.Def, want.Def) || !slices.Equal(got.Rep, want.Rep) {
		return fmt.Errorf("differs: %d levels, there are %d, or others", len(got.Def), len(want.Def))
	}
	if len(got.Values) != len(want.Values) {
		return fmt.Errorf("differs: %d values, there are %d", len(got.Values), len(want.Values))
	}
	for i := range want.Values {
		if !bytes.Equal(got.Values[i], want.Values[i]) {
			return fmt.Errorf("differs: value %d is %x, not %x", i, got.Values[i], want.Values[i])
		}
	}
	return nil
}

// checkIndexParquetGo compares the page index that parquet-go sees with the pages.
func checkIndexParquetGo(chunk parquetgo.ColumnChunk, want *lint.Chunk, columnIndex bool) error {
	offsets, err := chunk.OffsetIndex()
	if err != nil {
		return fmt.Errorf("offset index: %w", err)
	}
	if n := offsets.NumPages(); n != len(want.Pages) {
		return fmt.Errorf("offset index of %d pages, there are %d", n, len(want.Pages))
	}
	for i, p := range want.Pages {
		if offsets.Offset(i) != p.Offset || offsets.CompressedPageSize(i) != p.Size || offsets.FirstRowIndex(i) != p.FirstRecord {
			return fmt.Errorf("page %d lies elsewhere", i)
		}
	}
	if !columnIndex {
		return nil
	}
	bounds, err := chunk.ColumnIndex()
	if err != nil {
		return fmt.Errorf("column index: %w", err)
	}
	for i, p := range want.Pages {
		if bounds.NullCount(i) != int64(p.Nulls()) || bounds.NullPage(i) != (len(p.Values) == 0) {
			return fmt.Errorf("page %d has %d nulls, there are %d", i, bounds.NullCount(i), p.Nulls())
		}
	}
	return nil
}
