package encode

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowSchemaKey is the key of the file's key-value metadata under which Arrow readers look for the schema that the
// records had, with what Parquet does not keep: dictionaries, time zones, widths of offsets, metadata of fields.
const arrowSchemaKey = "ARROW:schema"

// encodeArrowSchema returns a schema of these fields, which are as readers can take them, with the endianness of s and that
// metadata, as an encapsulated IPC message in base64.
func encodeArrowSchema(s *arrow.Schema, fields []arrow.Field, metadata []KeyValue) (string, error) {
	var keys, values []string
	for _, pair := range metadata {
		keys, values = append(keys, pair.Key), append(values, pair.Value)
	}
	m := arrow.NewMetadata(keys, values)
	s = arrow.NewSchemaWithEndian(fields, &m, s.Endianness())

	payload := ipc.GetSchemaPayload(s, memory.DefaultAllocator)
	defer payload.Release()
	var message bytes.Buffer
	if _, err := payload.WritePayload(&message); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(message.Bytes()), nil
}

// schemaMetadata returns the schema's own metadata in its order. What a schema that was read from a Parquet file may
// have of its former self in there is left out.
func schemaMetadata(m arrow.Metadata) []KeyValue {
	var pairs []KeyValue
	for i, key := range m.Keys() {
		if key != arrowSchemaKey {
			pairs = append(pairs, KeyValue{Key: key, Value: m.Values()[i]})
		}
	}
	return pairs
}

// checkMetadata refuses metadata that is not text: Arrow may carry it, but Thrift's and Flatbuffers' strings are UTF-8,
// and some readers refuse the whole file for it.
func checkMetadata(m arrow.Metadata) error {
	for i, key := range m.Keys() {
		if !utf8.ValidString(key) || !utf8.ValidString(m.Values()[i]) {
			return fmt.Errorf("metadata %.100q is not UTF-8: encode it as text, or leave it out", key)
		}
	}
	return nil
}

// readFields returns the fields as readers shall see them: without what no reader makes of Parquet's columns, and for
// which some lose the types below, or refuse the whole file. Run ends are gone, and so are dictionaries of anything but
// plain values; list views are lists.
func readFields(fields []arrow.Field) []arrow.Field {
	read := make([]arrow.Field, len(fields))
	for i, f := range fields {
		read[i] = readField(f)
	}
	return read
}

func readField(f arrow.Field) arrow.Field {
	f.Type = readType(f.Type)
	if x := extensionOf(f.Metadata); x.name != "" {
		f.Type = x.stored(f.Type)
	}
	return f
}

func readType(t arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case arrow.ExtensionType:
		return readExtension(t)
	case *arrow.RunEndEncodedType:
		return readType(t.Encoded())
	case *arrow.ListViewType:
		return arrow.ListOfField(readField(t.ElemField()))
	case *arrow.LargeListViewType:
		return arrow.LargeListOfField(readField(t.ElemField()))
	case *arrow.DictionaryType:
		return readDictionary(t)
	}
	return withFields(t, readField)
}

// withFields returns a struct, list or map with other fields in the place of its own, and any other type as it is.
func withFields(t arrow.DataType, other func(f arrow.Field) arrow.Field) arrow.DataType {
	switch t := t.(type) {
	case *arrow.StructType:
		fields := slices.Clone(t.Fields())
		for i := range fields {
			fields[i] = other(fields[i])
		}
		return arrow.StructOf(fields...)
	case *arrow.ListType:
		return arrow.ListOfField(other(t.ElemField()))
	case *arrow.LargeListType:
		return arrow.LargeListOfField(other(t.ElemField()))
	case *arrow.FixedSizeListType:
		return arrow.FixedSizeListOfField(t.Len(), other(t.ElemField()))
	case *arrow.MapType:
		m := arrow.MapOfFields(other(t.KeyField()), other(t.ItemField()))
		m.KeysSorted = t.KeysSorted
		return m
	}
	return t
}

// readExtension gives the extension the storage that readers see, if it takes that.
func readExtension(x arrow.ExtensionType) arrow.DataType {
	return withStorage(x, extension{name: x.ExtensionName()}.stored(readType(x.StorageType())))
}

// withStorage returns the extension with another storage, or that if the extension does not take it.
func withStorage(x arrow.ExtensionType, storage arrow.DataType) arrow.DataType {
	if arrow.TypeEqual(storage, x.StorageType(), arrow.CheckMetadata()) {
		return x
	}
	if read, err := x.Deserialize(storage, x.Serialize()); err == nil {
		return read
	}
	return storage
}

// stored returns the storage that readers see of an extension. Dictionaries in a VARIANT are more than arrow-go takes.
func (x extension) stored(storage arrow.DataType) arrow.DataType {
	storage = bareType(storage)
	if x.isVariant() {
		storage = withoutDictionaries(arrow.Field{Type: storage}).Type
	}
	return storedType(storage)
}

// storedType returns the type that a column of t has without an Arrow schema. As the storage of an extension, another
// is refused by some readers, and makes others leave the extension out; arrow-go panics at large offsets.
func storedType(t arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case *arrow.LargeStringType:
		return arrow.BinaryTypes.String
	case *arrow.LargeBinaryType:
		return arrow.BinaryTypes.Binary
	case *arrow.Date64Type:
		return arrow.FixedWidthTypes.Date32
	case *arrow.Time32Type:
		return arrow.FixedWidthTypes.Time32ms
	case *arrow.TimestampType:
		if t.Unit == arrow.Second {
			return &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: t.TimeZone}
		}
	case *arrow.MonthIntervalType, *arrow.DayTimeIntervalType, *arrow.MonthDayNanoIntervalType:
		return &arrow.FixedSizeBinaryType{ByteWidth: intervalBytes}
	case *arrow.LargeListType:
		return arrow.ListOfField(storedField(t.ElemField()))
	}
	return withFields(t, storedField)
}

// storedField does the same below. There arrow-go refuses the whole file for the difference, and for views too.
func storedField(f arrow.Field) arrow.Field {
	switch t := f.Type.(type) {
	case *arrow.StringViewType:
		f.Type = arrow.BinaryTypes.String
	case *arrow.BinaryViewType:
		f.Type = arrow.BinaryTypes.Binary
	default:
		f.Type = storedType(t)
	}
	return f
}

// readDictionary keeps a dictionary of values that readers can have one of. Most make one of strings and bytes alone;
// arrow-rs refuses columns that shall be one of the types left out here.
func readDictionary(t *arrow.DictionaryType) arrow.DataType {
	switch value := readType(t.ValueType).(type) {
	case arrow.ExtensionType, arrow.NestedType, *arrow.NullType, *arrow.BooleanType, arrow.DecimalType,
		*arrow.FixedSizeBinaryType:
		return value
	case *arrow.StringViewType:
		return &arrow.DictionaryType{IndexType: t.IndexType, ValueType: arrow.BinaryTypes.String, Ordered: t.Ordered}
	case *arrow.BinaryViewType:
		return &arrow.DictionaryType{IndexType: t.IndexType, ValueType: arrow.BinaryTypes.Binary, Ordered: t.Ordered}
	default:
		return &arrow.DictionaryType{IndexType: t.IndexType, ValueType: bareType(value), Ordered: t.Ordered}
	}
}

// withoutDictionaries returns a field that readField returned, with values instead of dictionaries.
func withoutDictionaries(f arrow.Field) arrow.Field {
	if t, ok := f.Type.(*arrow.DictionaryType); ok {
		f.Type = t.ValueType
	}
	f.Type = withFields(f.Type, withoutDictionaries)
	return f
}

// bareType takes off a dictionary or an extension. The field of an Arrow schema has one of either at most, and cannot
// tell which is around the other.
func bareType(t arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return t.ValueType
	case arrow.ExtensionType:
		return t.StorageType()
	}
	return t
}
