package encode

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

func wkbArrayOf(values ...[]byte) arrow.Array {
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	defer b.Release()
	for _, v := range values {
		if v == nil {
			b.AppendNull()
		} else {
			b.Append(v)
		}
	}
	return b.NewArray()
}

// The statistics of each chunk are of just the values that it has, whatever form they come in.
func TestGeospatialStatisticsOfChunks(t *testing.T) {
	a, b, unused := shape(1, 1.0, 2.0), shape(1001, -3.0, 4.0, 5.0), shape(3, 1, 1, points(100, 100))
	dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.Binary}
	entries := wkbArrayOf(unused, b, a, nil)
	keys := array.NewDictionaryArray(dt, int32Array([]int32{2, 2, 1, 2, 3, 3}), entries)
	// Two records a row group: a and a, b and a, null and null.
	want := []*geoStatistics{
		{Types: []int32{1}, Box: &boundingBox{XMin: 1, XMax: 1, YMin: 2, YMax: 2}},
		{Types: []int32{1, 1001}, Box: &boundingBox{XMin: -3, XMax: 1, YMin: 2, YMax: 4, HasZ: true, ZMin: 5, ZMax: 5}},
		nil,
	}
	runs := func(values arrow.Array) arrow.Array {
		return array.NewRunEndEncodedArray(int32Array([]int32{2, 3, 4, 6}), values, 6, 0)
	}
	for name, column := range map[string]arrow.Array{
		"plain":                wkbArrayOf(a, a, b, a, nil, nil),
		"dictionary":           keys,
		"runs":                 runs(wkbArrayOf(a, b, a, nil)),
		"runs of a dictionary": runs(array.NewDictionaryArray(dt, int32Array([]int32{2, 1, 2, 3}), entries)),
	} {
		f := unknownExtension(arrow.Field{Name: "g", Type: column.DataType(), Nullable: true}, wkbName, "")
		schema := arrow.NewSchema([]arrow.Field{f}, nil)
		batch := array.NewRecordBatch(schema, []arrow.Array{column}, 6)
		for _, o := range []*Options{
			{}, {Statistics: statisticsNone}, {DictionaryBytes: -1}, {DictionaryBytes: 30}, {DataPageRecords: 1, ContentChunks: &ContentChunks{MinBytes: 1, MaxBytes: 2}},
		} {
			o.RowGroupRecords = 2
			footer := footerOf(t, mustWrite(t, o, schema, batch))
			var got []*geoStatistics
			for _, g := range footer.RowGroups {
				c := g.Columns[0]
				if c.Statistics.HasMinMax {
					t.Errorf("%s: geometries have bounds", name)
				}
				got = append(got, c.Geospatial)
			}
			if o.Statistics == statisticsNone {
				if diff := cmp.Diff(make([]*geoStatistics, 3), got); diff != "" {
					t.Errorf("%s, without statistics (-want +got):\n%s", name, diff)
				}
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, dictionaries of %d bytes (-want +got):\n%s", name, o.DictionaryBytes, diff)
			}
		}
	}
}

// Where a shape lies is not to be seen in an encrypted file, whose footer may be.
func TestShapesAreEncrypted(t *testing.T) {
	column := wkbArrayOf(shape(1, 123456.75, -9876.5))
	f := unknownExtension(arrow.Field{Name: "g", Type: column.DataType()}, wkbName, "")
	schema := arrow.NewSchema([]arrow.Field{f}, nil)
	batch := array.NewRecordBatch(schema, []arrow.Array{column}, 1)
	for _, encrypted := range []bool{false, true} {
		o := &Options{Compression: "none"}
		if encrypted {
			o.Encryption = &Encryption{FooterKey: make([]byte, 16), PlaintextFooter: true}
		}
		data := mustWrite(t, o, schema, batch)
		if seen := bytes.Contains(data, points(123456.75)); seen == encrypted {
			t.Errorf("encrypted: %v, and the coordinate can be seen: %v", encrypted, seen)
		}
	}
}
