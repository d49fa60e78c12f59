package peer

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// slabValues is how many values are converted at a time.
const slabValues = 4096

// parquetGo writes column by column through parquet-go's fastest way in, which takes its own values, so that every
// Arrow value is converted on the way. Columns of lists and structs have no such way. It always writes checksums, and
// leaves the cut of pages by records alone.
func parquetGo(in *Input) (Write, error) {
	options, encoding, err := parquetGoOptions(in)
	if err != nil {
		return nil, err
	}
	group, columns := parquet.Group{}, make([]appendValues, in.Schema.NumFields())
	for i, f := range in.Schema.Fields() {
		node, values, err := parquetGoColumn(f.Type)
		if err != nil {
			return nil, err
		}
		if node.Type().Kind() != parquet.Boolean && encoding != nil {
			node = parquet.Encoded(node, encoding)
		}
		if f.Nullable {
			node = parquet.Optional(node)
		}
		group[f.Name], columns[i] = node, values
	}
	schema := parquet.NewSchema("schema", group)
	leaves := make([]parquet.LeafColumn, len(columns)) // a group orders its columns by name
	for i, f := range in.Schema.Fields() {
		leaves[i], _ = schema.Lookup(f.Name)
	}
	return func(w io.Writer) error {
		writer := parquet.NewWriter(w, append(options, schema)...)
		values := make([]parquet.Value, 0, slabValues)
		for _, b := range in.Batches {
			for i, leaf := range leaves {
				out := writer.ColumnWriters()[leaf.ColumnIndex]
				for from, n := 0, int(b.NumRows()); from < n; from += slabValues {
					to := min(from+slabValues, n)
					values = columns[i](values[:0], b.Column(i), from, to, leaf)
					if _, err := out.WriteRowValues(values); err != nil {
						return err
					}
				}
			}
		}
		return writer.Close()
	}, nil
}

// parquetGoOptions returns parquet-go's options and the encoding of all columns that may have it, nil for its default.
func parquetGoOptions(in *Input) (options []parquet.WriterOption, encoding parquetGoEncoding, err error) {
	options = []parquet.WriterOption{
		parquet.DataPageVersion(1), parquet.DataPageStatistics(true), parquet.PageBufferSize(1 << 20),
		parquet.DictionaryMaxBytes(1 << 20), parquet.MaxRowsPerRowGroup(rowGroupRecords),
	}
	fastest := parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest})
	encoding = &parquet.RLEDictionary
	switch in.Settings {
	case "default":
	case "v2":
		options = append(options, parquet.DataPageVersion(2))
	case "zstd":
		options = append(options, fastest)
	case "zstd-v2":
		options = append(options, fastest, parquet.DataPageVersion(2))
	case "bloom":
		// The split-block filter of the other writers has this many bits a value at a rate of 0.05.
		const bitsPerValue = 7
		var filters []parquet.BloomFilterColumn
		for _, f := range in.Schema.Fields() {
			filters = append(filters, parquet.SplitBlockFilter(bitsPerValue, f.Name))
		}
		options = append(options, parquet.BloomFilters(filters...))
	case "cdc":
		return nil, nil, errors.New("parquet-go cannot end pages by their content")
	case "distinct":
		return nil, nil, errors.New("parquet-go counts no distinct values")
	case "plain":
		encoding = &parquet.Plain
	case "delta":
		encoding = &parquet.DeltaByteArray
	default:
		return nil, nil, fmt.Errorf("no settings %q", in.Settings)
	}
	return options, encoding, nil
}
