package integration

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/sluice-io/sluice/encode"
	"github.com/sluice-io/sluice/integration/lint"
)

// feature is a row of testdata/features.csv: files that have a thing which a reader may not know.
type feature struct {
	name   string
	fields []arrow.Field
	files  []encode.Options // one file for each
	ask    ask
}

// ask is what readers are asked about a file beside its records, as far as they can be.
type ask struct {
	Between  []string `json:"between,omitempty"` // column, least and largest value: the records with it in between
	Bloom    string   `json:"bloom,omitempty"`   // column: its filters exclude a value that is not there, and none that is
	FieldIDs bool     `json:"field_ids,omitempty"`
	Sorting  string   `json:"sorting,omitempty"` // the first column by which row groups say that they are sorted
}

const featureRecords = 500

// records makes the records of a feature: column "n" counts them, the others have nulls where they may.
func (f *feature) records(t *testing.T) arrow.RecordBatch {
	t.Helper()
	fields := append([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int32}}, f.fields...)
	for i := range fields {
		if f.ask.FieldIDs {
			fields[i].Metadata = arrow.MetadataFrom(map[string]string{"PARQUET:field_id": fmt.Sprint(100 + i)})
		}
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for i := range featureRecords {
		b.Field(0).(*array.Int32Builder).Append(int32(i))
		for k, field := range f.fields {
			if err := sample(b.Field(k+1), field, i); err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
		}
	}
	return b.NewRecordBatch()
}

// sample appends a value of a field.
func sample(b array.Builder, field arrow.Field, i int) error {
	if field.Nullable && i%7 == 3 || field.Type.ID() == arrow.NULL {
		b.AppendNull()
		return nil
	}
	if field.Name == "long" { // longer than the bounds that statistics keep
		return b.AppendValueFromString(longText(i / 9))
	}
	if field.Name == "noise" { // which gets little smaller
		return b.AppendValueFromString(fmt.Sprint(int64(uint64(i+1) * 0x9e3779b97f4a7c15 >> (i % 9))))
	}
	if field.Name == "runs" {
		return b.AppendValueFromString(fmt.Sprint(i/120%2 == 0))
	}
	if blob, ok := sampleBlob(field, i); ok {
		b.(*array.BinaryBuilder).Append(blob)
		return nil
	}
	switch b := b.(type) {
	case *array.StructBuilder:
		b.Append(true)
		for k, child := range field.Type.(*arrow.StructType).Fields() {
			if err := sample(b.FieldBuilder(k), child, i*3+k); err != nil {
				return err
			}
		}
		return nil
	case *array.MapBuilder:
		dt := field.Type.(*arrow.MapType)
		b.Append(true)
		return errors.Join(
			samples(b.KeyBuilder(), arrow.Field{Type: dt.KeyType()}, 10*i, i%4),
			samples(b.ItemBuilder(), dt.ItemField(), i, i%4))
	case *array.FixedSizeListBuilder:
		b.Append(true)
		return samples(b.ValueBuilder(), field.Type.(*arrow.FixedSizeListType).ElemField(), i, 3)
	case array.ListLikeBuilder:
		b.Append(true)
		return samples(b.ValueBuilder(), field.Type.(arrow.ListLikeType).ElemField(), i, i%4)
	case *array.BinaryBuilder:
		if field.Type.ID() == arrow.BINARY {
			b.Append([]byte{byte(i), 0xff, byte(i / 9), 0})
			return nil
		}
	case *array.FixedSizeBinaryBuilder:
		width := field.Type.(*arrow.FixedSizeBinaryType).ByteWidth
		b.Append([]byte(fmt.Sprintf("%0*d", width, i*i))[:width])
		return nil
	}
	if dictionary, ok := field.Type.(*arrow.DictionaryType); ok {
		return b.AppendValueFromString(sampleText(dictionary.ValueType, i%6))
	}
	return b.AppendValueFromString(sampleText(field.Type, i))
}

func longText(i int) string { return fmt.Sprintf("%s/%03d", strings.Repeat("ü", 60), i) }

// sampleBlob returns a value of bytes that mean something.
func sampleBlob(field arrow.Field, i int) (blob []byte, ok bool) {
	kind, _ := field.Metadata.GetValue(logicalTypeKey)
	extension, _ := field.Metadata.GetValue(extensionKey)
	switch {
	case kind == "BSON": // a document without elements
		return []byte{5, 0, 0, 0, 0}, true
	case extension == "geoarrow.wkb": // a point
		point := binary.LittleEndian.AppendUint32([]byte{1}, 1)
		point = binary.LittleEndian.AppendUint64(point, math.Float64bits(float64(i)))
		return binary.LittleEndian.AppendUint64(point, math.Float64bits(-float64(i)/8)), true
	case field.Name == "metadata": // of a VARIANT, without names
		return []byte{1, 0, 0}, true
	case field.Name == "value" && field.Type.ID() == arrow.BINARY: // of a VARIANT, an int8
		return []byte{3 << 2, byte(i)}, true
	}
	return nil, false
}

func samples(b array.Builder, field arrow.Field, i, n int) error {
	for k := range n {
		if err := sample(b, field, i+k); err != nil {
			return err
		}
	}
	return nil
}

// sampleText returns a value in text, as builders read it. Values ascend in part, are of both signs, and come again.
func sampleText(dt arrow.DataType, i int) string {
	signed := (i-featureRecords/3)*37%120 - i%2
	at := time.Date(2024, 2, 28, 23, 59, 0, 0, time.UTC).Add(time.Duration(i) * 4001 * time.Second)
	switch dt := dt.(type) {
	case *arrow.BooleanType:
		return fmt.Sprint(i%3 == 0 || i%50 > 43) // no stretch that would be an RLE run
	case *arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type:
		return fmt.Sprint(i * 97 % 251)
	case *arrow.Uint64Type:
		return fmt.Sprint(uint64(i) * 0x0123456789abcdef)
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type:
		return fmt.Sprint(signed)
	case *arrow.Int64Type:
		return fmt.Sprint(int64(signed) * 0x0102030405060708 / 3)
	case *arrow.Float16Type, *arrow.Float32Type, *arrow.Float64Type:
		return fmt.Sprint(float64(signed) / 8)
	case arrow.DecimalType:
		digits := strings.Repeat("8", int(dt.GetPrecision()-dt.GetScale())-1)
		return fmt.Sprintf("%d%s.%0*d", signed%10, digits, dt.GetScale(), i%10)
	case *arrow.MonthDayNanoIntervalType:
		return fmt.Sprintf(`{"months": %d, "days": %d, "nanoseconds": %d}`, i%30, i, int64(i)*1_000_000)
	case *arrow.Date32Type:
		return at.Format("2006-01-02")
	case *arrow.Time32Type, *arrow.Time64Type:
		return at.Format("15:04:05")
	case *arrow.TimestampType:
		zone := map[bool]string{true: "Z"}[dt.TimeZone != ""]
		return at.Format("2006-01-02T15:04:05") + zone
	case arrow.ExtensionType:
		if dt.ExtensionName() == "arrow.uuid" {
			return fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(i)*2654435761, i)
		}
		return fmt.Sprintf(`{"i": %d}`, i)
	}
	return fmt.Sprintf("ü/%03d/%s", i/9, strings.Repeat("x", i%11))
}

// write writes a file of the feature in a directory, lints it, and returns it.
func (f *feature) write(t *testing.T, dir string, i int, batch arrow.RecordBatch) *featureFile {
	t.Helper()
	o := f.files[i]
	var out bytes.Buffer
	if o.RowGroupRecords == 0 {
		o.RowGroupRecords, o.DataPageRecords = 300, 70
	}
	if _, err := encode.WriteTable(&out, batch.Schema(), []arrow.RecordBatch{batch}, &o); err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	found, err := lint.Read(bytes.NewReader(out.Bytes()), int64(out.Len()), &lint.Options{Keys: keysOf(o.Encryption)})
	if err != nil {
		t.Errorf("%s: %v", f.name, err)
		return nil
	}
	name := filepath.Join(dir, strings.NewReplacer("/", "_", " ", "_").Replace(f.name)+fmt.Sprintf("_%d.parquet", i))
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return &featureFile{feature: f, name: name, encryption: o.Encryption, contents: found, data: out.Bytes()}
}

// featureFile is a file of a feature.
type featureFile struct {
	*feature
	name       string
	encryption *encode.Encryption // nil: none
	contents   *lint.Contents
	data       []byte
	errors     map[string]string // by reader; "" if it read what was written
}
