package flightsrv

import (
	"context"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sluice-io/sluice/flightsrv/read"
	"github.com/sluice-io/sluice/sink"
)

// readBack returns the rows of an object.
func readBack(t *testing.T, h *harness, key string) arrow.RecordBatch {
	t.Helper()
	file, err := read.Open(t.Context(), h.bucket, key)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := file.Head(t.Context(), file.Records())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rows.Release)
	return rows
}

func TestPut(t *testing.T) {
	for _, test := range []struct {
		name    string
		options []ipc.Option
	}{
		{"plain", nil},
		{"lz4", []ipc.Option{ipc.WithLZ4()}},
		{"zstd", []ipc.Option{ipc.WithZstd()}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := start(t, nil, nil)
			batches := []arrow.RecordBatch{testBatch(t, 0, 100_000), testBatch(t, 100_000, 10)}
			receipt, err := h.put(path("sales", "orders"), testSchema, batches, test.options...)
			if err != nil {
				t.Fatal(err)
			}
			keys := h.keys()
			if len(keys) != 1 || !strings.HasPrefix(keys[0], "sales/orders/") || !strings.HasSuffix(keys[0], ".parquet") {
				t.Fatalf("the bucket holds %v", keys)
			}
			size, err := h.bucket.Attributes(t.Context(), keys[0])
			if err != nil {
				t.Fatal(err)
			}
			want := &sink.Receipt{Dataset: "sales/orders", Batches: 2, Records: 100_010,
				Objects: []sink.Object{{Key: keys[0], Records: 100_010, Bytes: size.Size, RowGroups: 1}}}
			if diff := cmp.Diff(want, receipt); diff != "" {
				t.Error(diff)
			}
			rows := readBack(t, h, keys[0])
			for _, batch := range batches {
				if part := rows.NewSlice(0, batch.NumRows()); !array.RecordEqual(batch, part) {
					t.Error("other rows were stored than were put")
				}
				rows = rows.NewSlice(batch.NumRows(), rows.NumRows())
			}
		})
	}
}

func TestPutDictionaries(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "color", Nullable: true,
		Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}}}, nil)
	batch := func(words ...string) arrow.RecordBatch {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		defer b.Release()
		for _, word := range words {
			if err := b.Field(0).(*array.BinaryDictionaryBuilder).AppendString(word); err != nil {
				t.Fatal(err)
			}
		}
		return b.NewRecordBatch()
	}
	for _, test := range []struct {
		name    string
		options []ipc.Option
		second  []string
	}{
		{"replaced", nil, []string{"green", "red"}},
		{"delta", []ipc.Option{ipc.WithDictionaryDeltas(true)}, []string{"red", "blue", "green"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := start(t, nil, nil)
			batches := []arrow.RecordBatch{batch("red", "blue", "red"), batch(test.second...)}
			receipt, err := h.put(path("colors"), schema, batches, test.options...)
			if err != nil {
				t.Fatal(err)
			}
			want := append([]string{"red", "blue", "red"}, test.second...)
			rows := readBack(t, h, receipt.Objects[0].Key)
			var got []string
			for i := range int(rows.NumRows()) {
				got = append(got, rows.Column(0).ValueStr(i))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPutWithoutRecords(t *testing.T) {
	h := start(t, nil, nil)
	for _, batches := range [][]arrow.RecordBatch{nil, {testBatch(t, 0, 0)}} {
		receipt, err := h.put(path("empty"), testSchema, batches)
		if err != nil {
			t.Fatal(err)
		}
		if receipt.Records != 0 || receipt.Objects[0].RowGroups != 0 {
			t.Errorf("got %+v", receipt)
		}
		file, err := read.Open(t.Context(), h.bucket, receipt.Objects[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		for i, field := range file.Schema().Fields() {
			want := testSchema.Field(i)
			if field.Name != want.Name || field.Nullable != want.Nullable || !arrow.TypeEqual(field.Type, want.Type) {
				t.Errorf("got field %v, want %v", field, want)
			}
		}
		file.Close()
	}
}

func TestDescriptors(t *testing.T) {
	h := start(t, nil, nil)
	for _, test := range []struct {
		name       string
		descriptor *flight.FlightDescriptor
		want       string // in the error
	}{
		{"no type", &flight.FlightDescriptor{}, "use PATH"},
		{"empty path", path(), "empty"},
		{"empty segment", path("sales", ""), "empty"},
		{"parent", path("sales", ".."), `must not start with "."`},
		{"self", path("."), `must not start with "."`},
		{"hidden", path(".sales"), `must not start with "."`},
		{"underscore", path("_sales"), `must not start with "_"`},
		{"slash", path("sales/orders"), "separates segments"},
		{"backslash", path(`sales\orders`), "must not hold"},
		{"equals", path("day=1"), "partition"},
		{"glob", path("sales*"), "pattern"},
		{"newline", path("sales\n"), "control character U+000A"},
		{"long segment", path(strings.Repeat("x", 201)), "201 bytes"},
		{"long name", path(strings.Repeat("x", 200), strings.Repeat("x", 200), strings.Repeat("x", 200),
			strings.Repeat("x", 200), strings.Repeat("x", 200)), "1004 bytes"},
		{"no command", command(""), "not a JSON object"},
		{"other command", command("select 1"), "not a JSON object"},
		{"list", command(`["a"]`), "not a JSON object"},
		{"two objects", command(`{"dataset": "a"} {}`), "there is more after it"},
		{"cut off", command(`{"dataset": "a"`), "not a JSON object"},
		{"no dataset", command(`{}`), `no "dataset"`},
		{"unknown key", command(`{"dataset": "a", "option": {}}`), `unknown key "option"; known are dataset, options`},
		{"other case", command(`{"Dataset": "a"}`), `unknown key "Dataset"`},
		{"key twice", command(`{"dataset": "a", "dataset": "b"}`), "twice"},
		{"dataset of wrong type", command(`{"dataset": 1}`), "must be a string"},
		{"options of wrong type", command(`{"dataset": "a", "options": []}`), "must be a JSON object"},
		{"null options", command(`{"dataset": "a", "options": null}`), "must be a JSON object"},
		{"empty name", command(`{"dataset": ""}`), "empty"},
		{"bad name", command(`{"dataset": "a//b"}`), "empty"},
		{"nested", command(`{"dataset": "a", "options": ` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}`), "nested"},
		{"unknown option", command(`{"dataset": "a", "options": {"codec": "zstd"}}`), `unknown option "codec"; known are allow_truncated_timestamps, allow_truncated_values,`},
		{"unknown codec", command(`{"dataset": "a", "options": {"compression": "lzo"}}`), `"lzo" is not a codec`},
		{"null codec", command(`{"dataset": "a", "options": {"compression": null}}`), "not null"},
		{"level", command(`{"dataset": "a", "options": {"compression": "zstd", "compression_level": 23}}`), "levels 1 to 22"},
		{"level of snappy", command(`{"dataset": "a", "options": {"compression_level": 2}}`), "snappy has no levels"},
		{"fraction", command(`{"dataset": "a", "options": {"row_group_size": 1.5}}`), "whole number"},
		{"huge", command(`{"dataset": "a", "options": {"row_group_size": 1e30}}`), "row_group_size"},
		{"negative", command(`{"dataset": "a", "options": {"data_page_size": -1}}`), "out of range"},
		{"not a bool", command(`{"dataset": "a", "options": {"use_dictionary": "yes"}}`), "true, false or a list"},
		{"unknown column", command(`{"dataset": "a", "options": {"compression": {"nope": "zstd"}}}`), `there is no column "nope"`},
		{"encoding of another type", command(`{"dataset": "a", "options": {"column_encoding": "rle"}}`), `encoding "rle" is not one for its values`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := h.put(test.descriptor, testSchema, []arrow.RecordBatch{testBatch(t, 0, 10)})
			wantCode(t, err, codes.InvalidArgument)
			if text := status.Convert(err).Message(); !strings.Contains(text, test.want) {
				t.Errorf("%q does not say %q", text, test.want)
			}
		})
	}
	h.wantNothing()
}

func TestCommandOptions(t *testing.T) {
	h := start(t, nil, &sink.Options{Datasets: map[string]sink.Settings{
		"sales/orders": {File: sink.FileOptions{Compression: "zstd", RowGroupRecords: 40}},
	}})
	for _, test := range []struct {
		descriptor *flight.FlightDescriptor
		rowGroups  int
		codec      string
	}{
		{path("sales", "orders"), 3, "ZSTD"},
		{command(`{"dataset": "sales/orders"}`), 3, "ZSTD"},
		{command(`{"dataset": "sales/orders", "options": {"row_group_size": 100, "compression": "SNAPPY"}}`), 1, "SNAPPY"},
		{command(`{"dataset": "sales/other", "options": {"row_group_size": 60}}`), 2, "SNAPPY"},
		{command(`{"dataset": "a", "options": {"compression": "uncompressed"}}`), 1, "UNCOMPRESSED"},
		{command(`{"dataset": "a", "options": {"compression": "GZIP", "compression_level": 9}}`), 1, "GZIP"},
		{command(`{"dataset": "a", "options": {"compression": "brotli", "compression_level": 0}}`), 1, "BROTLI"},
		{command(`{"dataset": "a", "options": {"compression": "zstd", "compression_level": -5}}`), 1, "ZSTD"},
		{command(`{"dataset": "a", "options": {"compression": "LZ4", "compression_level": 12}}`), 1, "LZ4_RAW"},
	} {
		receipt, err := h.put(test.descriptor, testSchema, []arrow.RecordBatch{testBatch(t, 0, 100)})
		if err != nil {
			t.Fatal(err)
		}
		if n := receipt.Objects[0].RowGroups; n != test.rowGroups {
			t.Errorf("%v: %d row groups, want %d", test.descriptor, n, test.rowGroups)
		}
		file, err := read.Open(t.Context(), h.bucket, receipt.Objects[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		if codec := file.Codec(); codec != test.codec {
			t.Errorf("%v: codec %s, want %s", test.descriptor, codec, test.codec)
		}
		file.Close()
	}
}

func TestSchemaRefused(t *testing.T) {
	h := start(t, nil, nil)
	runs := arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String)
	for field, dt := range map[string]arrow.DataType{
		"either": arrow.SparseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int8}}, []arrow.UnionTypeCode{0}),
		"words":  &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: runs},
		"deep": arrow.ListOf(&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
			ValueType: arrow.StructOf(arrow.Field{Name: "a", Type: runs})}),
	} {
		schema := arrow.NewSchema([]arrow.Field{{Name: "fine", Type: arrow.PrimitiveTypes.Int64}, {Name: field, Type: dt}}, nil)
		stream := h.open(t.Context())
		// The schema is sent alone, and the answer is there before any data or the end of the stream.
		if err := stream.Send(messagesOf(t, path("sales"), schema)[0]); err != nil {
			t.Fatal(err)
		}
		_, err := stream.Recv()
		wantCode(t, err, codes.InvalidArgument)
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%v does not name the field", err)
		}
	}
	h.wantNothing()
}

func TestNestedDatasets(t *testing.T) {
	h := start(t, nil, nil)
	put := func(segments ...string) error {
		_, err := h.put(path(segments...), testSchema, nil)
		return err
	}
	if err := put("sales", "orders"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, put("sales"), codes.FailedPrecondition)
	wantCode(t, put("sales", "orders", "eu"), codes.FailedPrecondition)
	if err := put("sales", "returns"); err != nil {
		t.Error(err)
	}
	if err := put("sale"); err != nil {
		t.Error(err)
	}
	if n := len(h.keys()); n != 3 {
		t.Errorf("%d objects", n)
	}
}

// TestOtherCalls checks that what the server does not have says so.
func TestOtherCalls(t *testing.T) {
	h := start(t, nil, nil)
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	_, err := h.client.GetFlightInfo(ctx, path("sales"))
	wantCode(t, err, codes.Unimplemented)
	_, err = h.client.GetSchema(ctx, path("sales"))
	wantCode(t, err, codes.Unimplemented)
	get, err := h.client.DoGet(ctx, &flight.Ticket{})
	if err == nil {
		_, err = get.Recv()
	}
	wantCode(t, err, codes.Unimplemented)
	list, err := h.client.ListFlights(ctx, &flight.Criteria{})
	if err == nil {
		_, err = list.Recv()
	}
	wantCode(t, err, codes.Unimplemented)
	shake, err := h.client.Handshake(ctx)
	if err == nil {
		_, err = shake.Recv()
	}
	wantCode(t, err, codes.Unimplemented)
}
