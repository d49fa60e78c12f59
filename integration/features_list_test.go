package integration

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"

	"github.com/sluice-io/sluice/encode"
	"github.com/sluice-io/sluice/integration/lint"
)

// features are the rows of testdata/features.csv.
func features() (all []*feature) {
	all = append(all, encodingFeatures()...)
	all = append(all, codecFeatures()...)
	all = append(all, pageFeatures()...)
	all = append(all, logicalFeatures()...)
	all = append(all, nestedFeatures()...)
	return append(all, encryptionFeatures()...)
}

func nullable(name string, dt arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: dt, Nullable: true}
}

// bothColumns are one column without nulls and one with.
func bothColumns(dt arrow.DataType) []arrow.Field {
	return []arrow.Field{{Name: "required", Type: dt}, nullable("optional", dt)}
}

// bothVersions has pages of versions 1 and 2.
func bothVersions(o encode.Options) []encode.Options {
	two := o
	two.DataPageVersion = 2
	return []encode.Options{o, two}
}

// encodingFeatures are every encoding of every type that may have it (Encodings.md), in pages of both versions.
func encodingFeatures() (all []*feature) {
	types := []struct {
		name      string
		dt        arrow.DataType
		encodings string
	}{
		{"boolean", arrow.FixedWidthTypes.Boolean, "plain rle"},
		{"int32", arrow.PrimitiveTypes.Int32, "plain dictionary delta_binary_packed byte_stream_split"},
		{"int64", arrow.PrimitiveTypes.Int64, "plain dictionary delta_binary_packed byte_stream_split"},
		{"float", arrow.PrimitiveTypes.Float32, "plain dictionary byte_stream_split"},
		{"double", arrow.PrimitiveTypes.Float64, "plain dictionary byte_stream_split"},
		{"byte_array", arrow.BinaryTypes.String, "plain dictionary delta_length_byte_array delta_byte_array"},
		{"fixed_len_byte_array", &arrow.FixedSizeBinaryType{ByteWidth: 6}, "plain dictionary delta_byte_array byte_stream_split"},
		{"float16", arrow.FixedWidthTypes.Float16, "plain dictionary delta_byte_array byte_stream_split"},
		{"decimal in bytes", &arrow.Decimal128Type{Precision: 30, Scale: 3},
			"plain dictionary delta_byte_array byte_stream_split"},
	}
	for _, c := range types {
		for _, name := range strings.Fields(c.encodings) {
			o := encode.Options{DictionaryBytes: -1, Columns: []encode.ColumnOptions{
				{Path: "required", Encoding: name}, {Path: "optional", Encoding: name},
			}}
			if name == "dictionary" {
				o = encode.Options{}
			}
			all = append(all, &feature{name: name + " of " + c.name, fields: bothColumns(c.dt), files: bothVersions(o)})
		}
	}
	runs := []encode.ColumnOptions{{Path: "runs", Encoding: "rle"}}
	return append(all, &feature{
		name: "rle of boolean in runs", files: bothVersions(encode.Options{Columns: runs}),
		fields: []arrow.Field{{Name: "runs", Type: arrow.FixedWidthTypes.Boolean}},
	})
}

var mixed = []arrow.Field{
	nullable("b", arrow.FixedWidthTypes.Boolean), nullable("i", arrow.PrimitiveTypes.Int64),
	nullable("f", arrow.PrimitiveTypes.Float64), nullable("s", arrow.BinaryTypes.String),
	nullable("l", arrow.ListOf(arrow.PrimitiveTypes.Int32)),
}

func codecFeatures() (all []*feature) {
	noise := []arrow.Field{{Name: "noise", Type: arrow.PrimitiveTypes.Int64}}
	for _, codec := range []string{"none", "snappy", "gzip", "brotli", "zstd", "lz4_raw"} {
		o := encode.Options{Compression: codec}
		all = append(all, &feature{name: codec, fields: mixed, files: bothVersions(o)})
		o.DictionaryBytes, o.RowGroupRecords = -1, featureRecords // pages of 4,000 bytes
		all = append(all, &feature{name: codec + " of noise", fields: noise, files: bothVersions(o)})
	}
	return all
}

func pageFeatures() []*feature {
	long := arrow.Field{Name: "long", Type: arrow.BinaryTypes.String}
	return []*feature{
		{name: "no checksums", fields: mixed, files: bothVersions(encode.Options{NoPageChecksum: true})},
		{name: "dictionary given up", fields: mixed, files: bothVersions(encode.Options{DictionaryBytes: 600})},
		{name: "compact", fields: mixed, files: bothVersions(encode.Options{Encoding: "compact"})},
		{
			name: "pages of one record", fields: mixed, files: bothVersions(encode.Options{DataPageRecords: 1, RowGroupRecords: 200}),
		},
		{name: "content-defined chunks", fields: mixed, files: bothVersions(encode.Options{
			DictionaryBytes: -1, ContentChunks: &encode.ContentChunks{MinBytes: 256, MaxBytes: 1024},
		})},
		{
			name: "bounds of numbers", fields: mixed, files: bothVersions(encode.Options{}),
			ask: ask{Between: []string{"f", "-3.5", "4.25"}},
		},
		{
			name: "bounds of texts", fields: mixed, files: bothVersions(encode.Options{}),
			ask: ask{Between: []string{"s", "ü/010", "ü/020"}},
		},
		{name: "truncated bounds", fields: []arrow.Field{long},
			files: bothVersions(encode.Options{}), ask: ask{Between: []string{"long", longText(10), longText(20)}}},
		{
			name: "Bloom filters", fields: []arrow.Field{long}, files: bothVersions(encode.Options{BloomFilterFPP: 0.01}),
			ask: ask{Bloom: "long"},
		},
		{name: "sorting columns", fields: mixed, files: bothVersions(encode.Options{
			SortingColumns: []encode.SortingColumn{{Column: "n"}},
		}), ask: ask{Sorting: "n", Between: []string{"n", "77", "311"}}},
		{name: "field ids", fields: mixed, files: bothVersions(encode.Options{}), ask: ask{FieldIDs: true}},
		{name: "distinct counts and metadata", fields: mixed, files: bothVersions(encode.Options{
			DistinctCounts: true, Metadata: []encode.KeyValue{{Key: "who", Value: "wrote"}, {Key: "empty"}},
		})},
	}
}

// logicalFeatures are every logical type of values.
func logicalFeatures() (all []*feature) {
	json, err := extensions.NewJSONType(arrow.BinaryTypes.String)
	if err != nil {
		panic(err)
	}
	number, blob := arrow.PrimitiveTypes, arrow.BinaryTypes.Binary
	at := func(zone string) (types []arrow.DataType) {
		for _, unit := range []arrow.TimeUnit{arrow.Millisecond, arrow.Microsecond, arrow.Nanosecond} {
			types = append(types, &arrow.TimestampType{Unit: unit, TimeZone: zone})
		}
		return types
	}
	for _, c := range []struct {
		name  string
		types []arrow.DataType
	}{
		{"STRING", []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString}},
		{"bytes", []arrow.DataType{blob, &arrow.FixedSizeBinaryType{ByteWidth: 5}}},
		{"INTEGER", []arrow.DataType{number.Int8, number.Int16, number.Uint8, number.Uint16, number.Uint32, number.Uint64}},
		{"DECIMAL in INT32 and INT64", []arrow.DataType{
			&arrow.Decimal32Type{Precision: 7, Scale: 2}, &arrow.Decimal128Type{Precision: 18, Scale: 4},
		}},
		{"DECIMAL in bytes", []arrow.DataType{&arrow.Decimal128Type{Precision: 38, Scale: 9}}},
		{"DECIMAL of 76 digits", []arrow.DataType{&arrow.Decimal256Type{Precision: 76, Scale: 20}}},
		{"DATE", []arrow.DataType{arrow.FixedWidthTypes.Date32}},
		{"TIME", []arrow.DataType{
			arrow.FixedWidthTypes.Time32ms, arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time64ns,
		}},
		{"TIMESTAMP of an instant", at("UTC")},
		{"TIMESTAMP of a local time", at("")},
		{"INTERVAL", []arrow.DataType{arrow.FixedWidthTypes.MonthDayNanoInterval}},
		{"FLOAT16", []arrow.DataType{arrow.FixedWidthTypes.Float16}},
		{"UNKNOWN", []arrow.DataType{arrow.Null}},
		{"UUID", []arrow.DataType{extensions.NewUUIDType()}},
		{"JSON", []arrow.DataType{json}},
	} {
		f := &feature{name: c.name, files: bothVersions(encode.Options{})}
		for i, dt := range c.types {
			f.fields = append(f.fields, nullable(fmt.Sprint("c", i), dt))
		}
		all = append(all, f)
	}
	variant := arrow.StructOf(arrow.Field{Name: "metadata", Type: blob}, arrow.Field{Name: "value", Type: blob})
	for _, c := range []struct {
		name, key, value string
		dt               arrow.DataType
	}{
		{"ENUM", logicalTypeKey, "ENUM", arrow.BinaryTypes.String},
		{"BSON", logicalTypeKey, "BSON", blob},
		{"VARIANT", extensionKey, "arrow.parquet.variant", variant},
		{"GEOMETRY", extensionKey, "geoarrow.wkb", blob},
	} {
		field := nullable("c", c.dt)
		field.Metadata = arrow.MetadataFrom(map[string]string{c.key: c.value})
		all = append(all, &feature{name: c.name, fields: []arrow.Field{field}, files: bothVersions(encode.Options{})})
	}
	return all
}

// What says in a field's metadata what its values are.
const (
	logicalTypeKey = "PARQUET:logical_type"
	extensionKey   = "ARROW:extension:name"
)

func nestedFeatures() (all []*feature) {
	ints, word := arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String
	point := arrow.StructOf(arrow.Field{Name: "x", Type: ints}, nullable("y", word))
	for _, c := range []struct {
		name  string
		types []arrow.DataType
	}{
		{"LIST", []arrow.DataType{arrow.ListOf(ints), arrow.ListOfNonNullable(word), arrow.LargeListOf(word)}},
		{"lists of lists", []arrow.DataType{arrow.ListOf(arrow.ListOf(ints)), arrow.ListOf(arrow.ListOf(arrow.ListOf(word)))}},
		{"fixed-size lists", []arrow.DataType{arrow.FixedSizeListOfNonNullable(3, ints)}},
		{"structs", []arrow.DataType{point, arrow.StructOf(nullable("p", point))}},
		{"lists of structs", []arrow.DataType{arrow.ListOf(point), arrow.StructOf(nullable("l", arrow.ListOf(point)))}},
		{"MAP", []arrow.DataType{arrow.MapOf(word, ints), arrow.MapOf(ints, point)}},
		{"maps of lists", []arrow.DataType{arrow.MapOf(word, arrow.ListOf(ints)), arrow.ListOf(arrow.MapOf(word, ints))}},
		{"dictionaries of texts", []arrow.DataType{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: word}}},
	} {
		f := &feature{name: c.name, files: bothVersions(encode.Options{})}
		for i, dt := range c.types {
			f.fields = append(f.fields, nullable(fmt.Sprint("c", i), dt))
		}
		all = append(all, f)
	}
	return all
}

// encryptionFeatures are every algorithm, footer, choice of keys and version of pages. Key metadata is in the form that
// Parquet's key tools have for it, so that readers with a KMS client find the keys.
func encryptionFeatures() (all []*feature) {
	for _, algorithm := range []string{"AES_GCM_V1", "AES_GCM_CTR_V1"} {
		for _, plaintextFooter := range []bool{false, true} {
			for _, columns := range []string{"one key", "column keys"} {
				footer := map[bool]string{false: "encrypted footer", true: "plaintext footer"}[plaintextFooter]
				e := &encode.Encryption{
					FooterKey: featureKey("kf"), FooterKeyMetadata: keyMaterial("kf", true),
					Algorithm: algorithm, PlaintextFooter: plaintextFooter,
				}
				if columns == "column keys" {
					e.Columns = []encode.EncryptedColumn{
						{Path: "s", Key: featureKey("ks"), KeyMetadata: keyMaterial("ks", false)},
						{Path: "l", Key: featureKey("kl"), KeyMetadata: keyMaterial("kl", false)}, {Path: "i"},
					}
				}
				for version := 1; version <= 2; version++ {
					all = append(all, &feature{
						name:   fmt.Sprintf("%s, %s, %s, version %d", algorithm, footer, columns, version),
						fields: mixed, files: []encode.Options{{Encryption: e, DataPageVersion: version}},
					})
				}
			}
		}
	}
	return all
}

// featureKey returns the key that a master key's name stands for.
func featureKey(name string) encode.Key { return encode.Key((name + strings.Repeat("-", 16))[:16]) }

// keyMaterial returns the metadata of a key that is not wrapped.
func keyMaterial(name string, footer bool) []byte {
	kms := ""
	if footer {
		kms = `"kmsInstanceID":"DEFAULT","kmsInstanceURL":"DEFAULT",`
	}
	return []byte(fmt.Sprintf(`{"keyMaterialType":"PKMT1","internalStorage":true,"isFooterKey":%v,%s"masterKeyID":"%s",`+
		`"wrappedDEK":"%s","doubleWrapping":false}`, footer, kms, name, base64.StdEncoding.EncodeToString(featureKey(name))))
}

// keysOf returns what the linter must know of an encrypted file.
func keysOf(e *encode.Encryption) *lint.Keys {
	if e == nil {
		return nil
	}
	keys := &lint.Keys{Footer: e.FooterKey, Columns: map[string][]byte{}}
	for _, c := range e.Columns {
		if c.Key != nil {
			keys.Columns[leafOf(c.Path)] = c.Key
		}
	}
	return keys
}

// leafOf returns the leaf column below a top-level column of mixed.
func leafOf(path string) string {
	if path == "l" {
		return "l.list.element"
	}
	return path
}
