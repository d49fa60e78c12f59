package encode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/bytestreamsplit"
	"github.com/parquet-go/parquet-go/encoding/delta"

	"github.com/sluice-io/sluice/integration/lint"
)

// encodedValues are the values of a page: how many, of which type, plain and encoded.
type encodedValues struct {
	leaf     lint.Leaf
	n        int
	plain    []byte
	encoding encodingID
	body     []byte
}

func newEncodedValues(t physicalType, width int, e encodingID, plain, body []byte, n int) *encodedValues {
	v := &encodedValues{n: n, plain: plain, encoding: e, body: body}
	v.leaf.Type, v.leaf.TypeLength = lint.Type(t), int32(width)
	return v
}

// check decodes the body with the linter's decoders and with two other readers.
func (v *encodedValues) check() error {
	values, err := v.lint()
	if err != nil {
		return fmt.Errorf("the linter: %w", err)
	}
	if got := v.joined(values); len(values) != v.n || !bytes.Equal(got, v.plain) {
		return fmt.Errorf("the linter: %d values\n%x", len(values), got)
	}
	if got, err := v.parquetGo(); err != nil || !bytes.Equal(got, v.plain) {
		return fmt.Errorf("parquet-go: error %v, values\n%x", err, got)
	}
	if v.n == 0 { // arrow-go does not look at such a page
		return nil
	}
	if got, err := v.arrowGo(); err != nil || !bytes.Equal(got, v.plain) {
		return fmt.Errorf("arrow-go: error %v, values\n%x", err, got)
	}
	return nil
}

// joined returns values in plain encoding.
func (v *encodedValues) joined(values [][]byte) (plain []byte) {
	for _, value := range values {
		if v.leaf.Type == lint.ByteArray {
			plain = binary.LittleEndian.AppendUint32(plain, uint32(len(value)))
		}
		plain = append(plain, value...)
	}
	return plain
}

func (v *encodedValues) lint() ([][]byte, error) {
	return lint.DecodeValues(&v.leaf, lint.Encoding(v.encoding), v.body, v.n)
}

// parquetGo decodes the body with parquet-go's decoder alone.
func (v *encodedValues) parquetGo() ([]byte, error) {
	d := map[encodingID]encoding.Encoding{
		encodingDeltaBinaryPacked:    &delta.BinaryPackedEncoding{},
		encodingDeltaLengthByteArray: &delta.LengthByteArrayEncoding{},
		encodingDeltaByteArray:       &delta.ByteArrayEncoding{},
		encodingByteStreamSplit:      &bytestreamsplit.Encoding{},
	}[v.encoding]
	body := bytes.Clone(v.body)
	switch physicalType(v.leaf.Type) {
	case typeInt32:
		got, err := d.DecodeInt32(nil, body)
		return bytesOf(got), err
	case typeInt64:
		got, err := d.DecodeInt64(nil, body)
		return bytesOf(got), err
	case typeFloat:
		got, err := d.DecodeFloat(nil, body)
		return bytesOf(got), err
	case typeDouble:
		got, err := d.DecodeDouble(nil, body)
		return bytesOf(got), err
	case typeFixedLenByteArray:
		return d.DecodeFixedLenByteArray(nil, body, int(v.leaf.TypeLength))
	}
	data, offsets, err := d.DecodeByteArray(nil, body, nil)
	var values [][]byte
	for i := range max(0, len(offsets)-1) {
		values = append(values, data[offsets[i]:offsets[i+1]])
	}
	return v.joined(values), err
}

// arrowGo has arrow-go read the body as the one page of a column chunk.
func (v *encodedValues) arrowGo() ([]byte, error) {
	size := int32(len(v.body))
	page := appendDataPageHeaderV1(nil, &dataPageHeader{
		NumValues: int32(v.n), Uncompressed: size, Compressed: size, Encoding: v.encoding,
	})
	page = append(page, v.body...)
	types := map[physicalType]parquet.Type{
		typeInt32: parquet.Types.Int32, typeInt64: parquet.Types.Int64, typeFloat: parquet.Types.Float,
		typeDouble: parquet.Types.Double, typeByteArray: parquet.Types.ByteArray,
		typeFixedLenByteArray: parquet.Types.FixedLenByteArray,
	}
	kind, width := types[physicalType(v.leaf.Type)], v.leaf.TypeLength
	if v.encoding == encodingDeltaByteArray { // arrow-go does not know it of fixed lengths, which makes no difference
		kind = parquet.Types.ByteArray
	}
	if kind != parquet.Types.FixedLenByteArray {
		width = -1
	}
	node, err := schema.NewPrimitiveNode("v", parquet.Repetitions.Required, kind, -1, width)
	if err != nil {
		return nil, err
	}
	mem := memory.DefaultAllocator
	source, err := parquet.NewReaderProperties(mem).GetStream(bytes.NewReader(page), 0, int64(len(page)))
	if err != nil {
		return nil, err
	}
	pages, err := file.NewPageReader(source, int64(v.n), compress.Codecs.Uncompressed, mem, nil)
	if err != nil {
		return nil, err
	}
	pool := &sync.Pool{New: func() any { return memory.NewResizableBuffer(mem) }}
	return readArrowGo(file.NewColumnReader(schema.NewColumn(node, 0, 0), pages, mem, pool), v)
}

func readArrowGo(r file.ColumnChunkReader, v *encodedValues) ([]byte, error) {
	switch r := r.(type) {
	case *file.Int32ColumnChunkReader:
		return readFixed(r.ReadBatch, v.n)
	case *file.Int64ColumnChunkReader:
		return readFixed(r.ReadBatch, v.n)
	case *file.Float32ColumnChunkReader:
		return readFixed(r.ReadBatch, v.n)
	case *file.Float64ColumnChunkReader:
		return readFixed(r.ReadBatch, v.n)
	case *file.FixedLenByteArrayColumnChunkReader:
		return readBytes(r.ReadBatch, v)
	case *file.ByteArrayColumnChunkReader:
		return readBytes(r.ReadBatch, v)
	}
	return nil, fmt.Errorf("a %T", r)
}

type batchReader[T any] func(n int64, values []T, def, rep []int16) (int64, int, error)

func readFixed[T any](read batchReader[T], n int) ([]byte, error) {
	values := make([]T, n)
	total, _, err := read(int64(n), values, nil, nil)
	return bytesOf(values[:total]), err
}

func readBytes[T ~[]byte](read batchReader[T], v *encodedValues) ([]byte, error) {
	var values [][]byte
	for len(values) < v.n { // as the reader gives only what lies together
		part := make([]T, v.n-len(values))
		total, _, err := read(int64(len(part)), part, nil, nil)
		if err != nil || total == 0 {
			return v.joined(values), errors.Join(err, fmt.Errorf("%d values of %d", len(values), v.n))
		}
		for _, value := range part[:total] {
			values = append(values, slices.Clone(value))
		}
	}
	return v.joined(values), nil
}
