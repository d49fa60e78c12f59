package peer

import (
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// rowGroupRecords is above what any shape has.
const rowGroupRecords = 1 << 20

// arrowGoProperties are arrow-go's options for the settings. Those that it is given in all of them are its defaults,
// but for the page index. It has no limit of a page's records.
func arrowGoProperties(settings string) (*parquet.WriterProperties, error) {
	properties := []parquet.WriterProperty{
		parquet.WithVersion(parquet.V2_LATEST), // of the logical types
		parquet.WithDataPageVersion(parquet.DataPageV1),
		parquet.WithCompression(compress.Codecs.Uncompressed),
		parquet.WithDictionaryDefault(true),
		parquet.WithDictionaryPageSizeLimit(1 << 20),
		parquet.WithDataPageSize(1 << 20),
		parquet.WithStats(true),
		parquet.WithPageIndexEnabled(true),
		parquet.WithMaxRowGroupLength(rowGroupRecords),
	}
	v2 := parquet.WithDataPageVersion(parquet.DataPageV2)
	zstd, level := parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1)
	noDictionary := parquet.WithDictionaryDefault(false)
	switch settings {
	case "default":
	case "v2":
		properties = append(properties, v2)
	case "zstd":
		properties = append(properties, zstd, level)
	case "zstd-v2":
		properties = append(properties, zstd, level, v2)
	case "bloom":
		properties = append(properties, parquet.WithBloomFilterEnabled(true), parquet.WithBloomFilterFPP(0.05),
			parquet.WithBloomFilterNDV(rowGroupRecords))
	case "cdc":
		return nil, errors.New("arrow-go cannot end pages by their content")
	case "distinct":
		return nil, errors.New("arrow-go counts no distinct values")
	case "plain":
		properties = append(properties, noDictionary, parquet.WithEncoding(parquet.Encodings.Plain))
	case "delta":
		properties = append(properties, noDictionary, parquet.WithEncoding(parquet.Encodings.DeltaByteArray))
	default:
		return nil, unknownSettings(settings)
	}
	return parquet.NewWriterProperties(properties...), nil
}

// arrowGo is a writer of arrow-go's that write uses.
func arrowGo(in *Input, write func(fw *pqarrow.FileWriter) error) (Write, error) {
	properties, err := arrowGoProperties(in.Settings)
	if err != nil {
		return nil, err
	}
	arrowProperties := pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema())
	return func(w io.Writer) error {
		fw, err := pqarrow.NewFileWriter(in.Schema, w, properties, arrowProperties)
		if err != nil {
			return err
		}
		if err := write(fw); err != nil {
			return err
		}
		return fw.Close()
	}, nil
}

// arrowGoBatches writes batch after batch into one row group, of which arrow-go keeps the pages until it ends.
func arrowGoBatches(in *Input) (Write, error) {
	return arrowGo(in, func(fw *pqarrow.FileWriter) error {
		for _, b := range in.Batches {
			if err := fw.WriteBuffered(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// arrowGoTable writes all batches at once, column after column.
func arrowGoTable(in *Input) (Write, error) {
	return arrowGo(in, func(fw *pqarrow.FileWriter) error {
		table := array.NewTableFromRecords(in.Schema, in.Batches)
		defer table.Release()
		return fw.WriteTable(table, rowGroupRecords)
	})
}
