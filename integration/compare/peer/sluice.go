package peer

import (
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/sluice-io/sluice/encode"
)

// options returns ours for the settings of an input.
func options(in *Input) (*encode.Options, error) {
	o := &encode.Options{Compression: "none", NoPageChecksum: true}
	switch in.Settings {
	case "default":
	case "v2":
		version2(o, in.Schema)
	case "zstd":
		o.Compression = "zstd"
	case "zstd-v2":
		o.Compression = "zstd"
		version2(o, in.Schema)
	case "bloom":
		o.BloomFilterFPP = 0.05
	case "cdc":
		o.ContentChunks = &encode.ContentChunks{}
	case "distinct":
		o.DistinctCounts = true
	case "plain":
		o.DictionaryBytes, o.Encoding = -1, "plain"
	case "delta":
		o.DictionaryBytes, o.Encoding = -1, "delta_byte_array"
	default:
		return nil, unknownSettings(in.Settings)
	}
	return o, nil
}

// version2 sets encodings of today. "compact" leaves values of fixed length plain, as not all readers know another
// encoding of them; here columns of decimals, whose values often begin alike, have the Rust writer's.
func version2(o *encode.Options, schema *arrow.Schema) {
	o.DataPageVersion, o.Encoding = 2, "compact"
	for _, f := range schema.Fields() {
		if isLongDecimal(f.Type) {
			o.Columns = append(o.Columns, encode.ColumnOptions{Path: f.Name, Encoding: "delta_byte_array"})
		}
	}
}

// isLongDecimal says whether values of a type are decimals of FIXED_LEN_BYTE_ARRAY.
func isLongDecimal(dt arrow.DataType) bool {
	switch dt := dt.(type) {
	case *arrow.RunEndEncodedType:
		return isLongDecimal(dt.Encoded())
	case *arrow.DictionaryType:
		return isLongDecimal(dt.ValueType)
	case arrow.DecimalType:
		return dt.GetPrecision() > 18
	}
	return false
}

func unknownSettings(settings string) error { return fmt.Errorf("no settings %q", settings) }

func withChecksum(o *encode.Options) { o.NoPageChecksum = false }

// writeBatches writes batch after batch, with options that change may change.
func writeBatches(change func(o *encode.Options)) func(in *Input) (Write, error) {
	return func(in *Input) (Write, error) {
		o, err := options(in)
		if err != nil {
			return nil, err
		}
		if change != nil {
			change(o)
		}
		in = ofTimestamps(in)
		return func(w io.Writer) error {
			writer, err := encode.NewWriter(w, in.Schema, o)
			if err != nil {
				return err
			}
			for _, b := range in.Batches {
				if err := writer.Write(b); err != nil {
					return err
				}
			}
			_, err = writer.Close()
			return err
		}, nil
	}
}

// ofTimestamps has columns of date64 as timestamps in milliseconds, over the same values. A Parquet DATE has whole
// days, and our writer refuses a date64 within a day rather than cut it; the Rust writer writes such columns as plain
// INT64.
func ofTimestamps(in *Input) *Input {
	fields := slices.Clone(in.Schema.Fields())
	for i := range fields {
		if fields[i].Type.ID() == arrow.DATE64 {
			fields[i].Type = &arrow.TimestampType{Unit: arrow.Millisecond}
		}
	}
	metadata := in.Schema.Metadata()
	out := &Input{Schema: arrow.NewSchema(fields, &metadata), Settings: in.Settings}
	for _, b := range in.Batches {
		columns := slices.Clone(b.Columns())
		for i, a := range columns {
			if a.DataType().ID() == arrow.DATE64 {
				data := a.Data()
				columns[i] = array.MakeFromData(array.NewData(fields[i].Type, data.Len(), data.Buffers(), nil,
					data.NullN(), data.Offset()))
			}
		}
		out.Batches = append(out.Batches, array.NewRecordBatch(out.Schema, columns, b.NumRows()))
	}
	return out
}

// writeTable writes all batches at once.
func writeTable(in *Input) (Write, error) {
	o, err := options(in)
	if err != nil {
		return nil, err
	}
	in = ofTimestamps(in)
	return func(w io.Writer) error {
		_, err := encode.WriteTable(w, in.Schema, in.Batches, o)
		return err
	}, nil
}
