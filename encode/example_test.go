package encode_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"log"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/sluice-io/sluice/encode"
)

var ordersSchema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "item", Type: arrow.BinaryTypes.String, Nullable: true},
}, nil)

// orders makes a batch of n records, of which the first has the given id.
func orders(first int64, n int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, ordersSchema)
	defer b.Release()
	for i := range n {
		b.Field(0).(*array.Int64Builder).Append(first + int64(i))
		b.Field(1).(*array.StringBuilder).Append([]string{"tea", "milk", "honey"}[i%3])
	}
	return b.NewRecordBatch()
}

// open opens a file that was written to memory.
func open(data []byte, properties *parquet.ReaderProperties) *file.Reader {
	r, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(properties))
	if err != nil {
		log.Fatal(err)
	}
	return r
}

// A stream of unknown length becomes a file while it arrives. What the writer holds is the open row group.
func ExampleWriter() {
	var out bytes.Buffer // or a file, or an upload
	w, err := encode.NewWriter(&out, ordersSchema, &encode.Options{Compression: "zstd", RowGroupRecords: 1000})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort() // does nothing after Close
	for i := range int64(5) {
		batch := orders(i*500, 500)
		err := w.Write(batch)
		batch.Release() // the writer does not keep it
		if err != nil {
			log.Fatal(err)
		}
	}
	summary, err := w.Close()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Records, "records in", summary.RowGroups, "row groups")
	fmt.Println("all is written:", summary.Bytes == int64(out.Len()))
	// Output:
	// 2500 records in 3 row groups
	// all is written: true
}

// A table that is there as a whole is written column after column, in less memory. The file is the same.
func ExampleWriteTable() {
	batches := []arrow.RecordBatch{orders(0, 500), orders(500, 500)}
	options := &encode.Options{Metadata: []encode.KeyValue{{Key: "source", Value: "till 7"}}}

	var whole bytes.Buffer
	summary, err := encode.WriteTable(&whole, ordersSchema, batches, options)
	if err != nil {
		log.Fatal(err)
	}
	var parts bytes.Buffer
	w, err := encode.NewWriter(&parts, ordersSchema, options)
	if err != nil {
		log.Fatal(err)
	}
	for _, batch := range batches {
		if err := w.Write(batch); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Records, "records, the same file:", bytes.Equal(whole.Bytes(), parts.Bytes()))
	// Output:
	// 1000 records, the same file: true
}

// Columns can have options of their own. The last for a column has the last word.
func ExampleColumnOptions() {
	options := &encode.Options{
		Compression: "zstd",
		Columns: []encode.ColumnOptions{
			{Path: "*", BloomFilterFPP: 0.01},
			{Path: "id", Encoding: "delta_binary_packed", DictionaryBytes: -1, Compression: "none"},
			{Path: "item", Statistics: "none"},
		},
	}
	var out bytes.Buffer
	if _, err := encode.WriteTable(&out, ordersSchema, []arrow.RecordBatch{orders(0, 1000)}, options); err != nil {
		log.Fatal(err)
	}
	r := open(out.Bytes(), nil)
	defer r.Close()
	for i := range r.MetaData().Schema.NumColumns() {
		chunk, err := r.MetaData().RowGroup(0).ColumnChunk(i)
		if err != nil {
			log.Fatal(err)
		}
		stats, err := chunk.Statistics()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(chunk.PathInSchema(), chunk.Compression(), "bounds:", stats.HasMinMax())
	}

	// A path that matches no column is an error before anything is written, and so is what does not suit a column.
	options.Columns = append(options.Columns, encode.ColumnOptions{Path: "item", Name: "settings.yaml:7", Encoding: "rle"})
	_, err := encode.NewWriter(&out, ordersSchema, options)
	var wrong *encode.OptionError
	if errors.As(err, &wrong) {
		fmt.Printf("%s: column %s: %s\n", wrong.Name, wrong.Column, wrong.Option)
	}
	// Output:
	// id UNCOMPRESSED bounds: true
	// item ZSTD bounds: false
	// settings.yaml:7: column item: Encoding
}

// Keys come from the caller, who tells readers by key metadata where they get them: here the name of a key.
func ExampleEncryption() {
	keys := map[string]encode.Key{"footer": make(encode.Key, 16), "items": make(encode.Key, 32)}
	for _, key := range keys {
		_, _ = rand.Read(key)
	}
	options := &encode.Options{Encryption: &encode.Encryption{
		FooterKey:         keys["footer"],
		FooterKeyMetadata: []byte("footer"),
		PlaintextFooter:   true, // whoever has no key reads the other columns
		Columns: []encode.EncryptedColumn{
			{Path: "item", Key: keys["items"], KeyMetadata: []byte("items")},
		},
	}}
	fmt.Println(options.Encryption.Columns[0]) // no way of printing shows a key
	var out bytes.Buffer
	if _, err := encode.WriteTable(&out, ordersSchema, []arrow.RecordBatch{orders(0, 3)}, options); err != nil {
		log.Fatal(err)
	}
	fmt.Println("milk is hidden:", !bytes.Contains(out.Bytes(), []byte("milk")))

	properties := parquet.NewReaderProperties(nil)
	properties.FileDecryptProps = parquet.NewFileDecryptionProperties(
		parquet.WithKeyRetriever(keyRetriever(keys)))
	r := open(out.Bytes(), properties)
	defer r.Close()
	column, err := r.RowGroup(0).Column(1)
	if err != nil {
		log.Fatal(err)
	}
	items := make([]parquet.ByteArray, 3)
	levels := make([]int16, 3)
	if _, _, err := column.(*file.ByteArrayColumnChunkReader).ReadBatch(3, items, levels, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(items)
	// Output:
	// {Path:item Key:(hidden) KeyMetadata:[105 116 101 109 115]}
	// milk is hidden: true
	// [tea milk honey]
}

// keyRetriever has keys by the name that is their metadata.
type keyRetriever map[string]encode.Key

// GetKey returns the key of that name.
func (k keyRetriever) GetKey(metadata []byte) string { return string(k[string(metadata)]) }

// The order of records is told to readers, so it is checked: what is out of order is refused.
func ExampleSortingColumn() {
	options := &encode.Options{SortingColumns: []encode.SortingColumn{{Column: "id", Descending: true}}}
	w, err := encode.NewWriter(new(bytes.Buffer), ordersSchema, options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Write(orders(7, 1)), w.Write(orders(6, 1)))
	fmt.Println(w.Write(orders(8, 1)))
	// Output:
	// <nil> <nil>
	// encode: field "id": record 2 sorts before record 1 by the sorting columns "id" descending: send sorted records, or leave the option out
}
