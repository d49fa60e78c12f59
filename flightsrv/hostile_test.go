package flightsrv

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/sink"
)

// hostileLedger is shared, as making one takes longer than reading a small stream.
var hostileLedger = ledger{poison: true}

// readAll reads a whole stream of serialized FlightData messages, as a put does, and returns the number of batches.
func readAll(t *testing.T, messages [][]byte) (batches int, err error) {
	t.Helper()
	return replay(t, messages, drain)
}

// replay hands a stream to use. It fails the test over an error that is not the client's fault, and over a byte that
// stays in use.
func replay(t *testing.T, messages [][]byte, use func(*messageReader, *account) (int, error)) (batches int, err error) {
	t.Helper()
	l := &hostileLedger
	a := &account{ledger: l}
	r := newMessageReader(func(d *flightData) error {
		if len(messages) == 0 {
			return io.EOF
		}
		message := messages[0]
		messages = messages[1:]
		if err := d.parse(mem.BufferSlice{mem.SliceBuffer(message)}, a); err != nil {
			return invalid("%v", err)
		}
		return nil
	}, a, 1<<20)
	batches, err = use(r, a)
	r.Release()
	if code := statusOf(context.Background(), err).Code(); err != nil && code != codes.InvalidArgument {
		t.Errorf("%v: %v is not held for the client's fault", code, err)
	}
	if forgotten := a.close(); forgotten != 0 && err == nil {
		t.Errorf("%d bytes were not released", forgotten)
	}
	if n := l.inUse.Load(); n != 0 {
		t.Errorf("%d bytes in use", n)
	}
	return batches, err
}

func drain(r *messageReader, a *account) (int, error) {
	descriptor, err := r.Descriptor()
	if err != nil {
		return 0, err
	}
	if _, err := parseDescriptor(descriptor); err != nil {
		return 0, invalid("%v", err)
	}
	r.Retain()
	b, err := newBatches(r, a)
	if err != nil {
		return 0, err
	}
	defer b.release()
	for n := 0; ; n++ {
		batch, err := b.next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		touch(batch)
	}
}

// touch reads the values, as whoever trusts the arrays would, but for what checkBatch leaves to others, and decimals,
// which Arrow shows only if their scale makes sense.
func touch(batch arrow.RecordBatch) {
	for _, column := range batch.Columns() {
		if !checked(column.DataType()) {
			continue
		}
		for i := range min(column.Len(), 1000) { // a column of nulls may claim any length
			column.ValueStr(i)
		}
	}
}

func checked(dt arrow.DataType) bool {
	switch dt.ID() {
	case arrow.DICTIONARY, arrow.STRING_VIEW, arrow.BINARY_VIEW, arrow.LIST_VIEW, arrow.LARGE_LIST_VIEW,
		arrow.RUN_END_ENCODED, arrow.SPARSE_UNION, arrow.DENSE_UNION, arrow.DECIMAL128:
		return false
	}
	if nested, ok := dt.(arrow.NestedType); ok {
		for _, field := range nested.Fields() {
			if !checked(field.Type) {
				return false
			}
		}
	}
	return true
}

// serialized returns messages as they go over the wire.
func serialized(t testing.TB, messages []*flight.FlightData) [][]byte {
	var all [][]byte
	for _, m := range messages {
		all = append(all, mustMarshal(t, m))
	}
	return all
}

// join makes one fuzz input of messages: each with its length before it.
func join(messages [][]byte) []byte {
	var joined []byte
	for _, m := range messages {
		joined = protowire.AppendBytes(joined, m)
	}
	return joined
}

func split(joined []byte) [][]byte {
	var messages [][]byte
	for len(joined) > 0 {
		m, n := protowire.ConsumeBytes(joined)
		if n < 0 {
			return append(messages, joined)
		}
		messages, joined = append(messages, m), joined[n:]
	}
	return messages
}

// smallStreams returns valid streams of all kinds of types.
func smallStreams(t testing.TB) [][][]byte {
	types := []arrow.DataType{
		arrow.Null, arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Float64,
		arrow.BinaryTypes.String, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.StringView,
		&arrow.FixedSizeBinaryType{ByteWidth: 3}, &arrow.Decimal128Type{Precision: 10, Scale: 2},
		arrow.FixedWidthTypes.Timestamp_us, arrow.FixedWidthTypes.MonthDayNanoInterval,
		arrow.ListOf(arrow.BinaryTypes.String), arrow.LargeListOf(arrow.PrimitiveTypes.Int8),
		arrow.ListViewOf(arrow.PrimitiveTypes.Int8), arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int32),
		arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64),
		arrow.StructOf(arrow.Field{Name: "a", Type: arrow.BinaryTypes.String, Nullable: true},
			arrow.Field{Name: "b", Type: arrow.PrimitiveTypes.Int64}),
		arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String),
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
		arrow.SparseUnionOf([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int8, Nullable: true}}, []arrow.UnionTypeCode{0}),
	}
	var streams [][][]byte
	for _, dt := range types {
		schema := arrow.NewSchema([]arrow.Field{{Name: "f", Type: dt, Nullable: true}}, nil)
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range 3 {
			b.Field(0).AppendEmptyValue()
			b.Field(0).AppendNull()
		}
		batch := b.NewRecordBatch()
		streams = append(streams, serialized(t, messagesOf(t, path("s"), schema, batch, batch)))
	}
	return streams
}

func TestReadAllTypes(t *testing.T) {
	for i, stream := range smallStreams(t) {
		if n, err := readAll(t, stream); err != nil || n != 2 {
			t.Errorf("stream %d: %d batches, %v", i, n, err)
		}
	}
}

// TestDamagedBytes changes every byte of every message in turn.
func TestDamagedBytes(t *testing.T) {
	for _, stream := range smallStreams(t) {
		for m := range stream {
			original := stream[m]
			for i := range original {
				for _, change := range []byte{0x01, 0x80, 0xff} {
					damaged := append([]byte(nil), original...)
					damaged[i] ^= change
					stream[m] = damaged
					readAll(t, stream)
				}
			}
			stream[m] = original
		}
	}
}

// TestDamagedPuts does the same to every third byte, and stores what can be read: the encoder must not trip over it either.
func TestDamagedPuts(t *testing.T) {
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	into, err := sink.New(bucket, &sink.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, stream := range smallStreams(t) {
		for m := range stream {
			original := stream[m]
			for i := 0; i < len(original); i += 3 {
				damaged := append([]byte(nil), original...)
				damaged[i] ^= byte(1 << (i % 8))
				stream[m] = damaged
				replay(t, stream, func(r *messageReader, a *account) (int, error) { return store(t, into, r, a) })
			}
			stream[m] = original
		}
	}
}

// store writes a stream into the sink, and ends it before the commit. Streams of types that are refused end early.
func store(t *testing.T, into *sink.Sink, r *messageReader, a *account) (int, error) {
	if _, err := r.Descriptor(); err != nil {
		return 0, err
	}
	r.Retain()
	b, err := newBatches(r, a)
	if err != nil {
		return 0, err
	}
	defer b.release()
	put, err := into.Begin(t.Context(), "s", b.schema(), sink.Settings{})
	if err != nil {
		return 0, err
	}
	defer put.Abort()
	for n := 0; ; n++ {
		batch, err := b.next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if batch.NumRows() > 1<<20 {
			return n, nil // a batch of nulls, whose length alone is damaged, is right but takes long
		}
		if err := put.Write(t.Context(), batch); err != nil {
			return n, err
		}
	}
}

// TestCutOff ends every message of a stream early.
func TestCutOff(t *testing.T) {
	for _, stream := range smallStreams(t) {
		for m := range stream {
			original := stream[m]
			for i := range original {
				stream[m] = original[:i]
				readAll(t, stream)
			}
			stream[m] = original
		}
	}
}

// schemaMessage returns a schema message whose only field is built by build.
func schemaMessage(build func(b *flatbuffers.Builder) flatbuffers.UOffsetT) []byte {
	b := flatbuffers.NewBuilder(1024)
	field := build(b)
	b.StartVector(4, 1, 4)
	b.PrependUOffsetT(field)
	fields := b.EndVector(1)
	b.StartObject(4)
	b.PrependUOffsetTSlot(1, fields, 0)
	schema := b.EndObject()
	b.StartObject(5)
	b.PrependInt16Slot(0, 4, 0)
	b.PrependByteSlot(1, byte(ipc.MessageSchema), 0)
	b.PrependUOffsetTSlot(2, schema, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

// structField returns a field of a struct type with the children.
func structField(b *flatbuffers.Builder, children ...flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(children), 4)
	for _, child := range children {
		b.PrependUOffsetT(child)
	}
	vector := b.EndVector(len(children))
	b.StartObject(0)
	content := b.EndObject()
	const typeStruct = 13
	b.StartObject(7)
	b.PrependByteSlot(2, typeStruct, 0)
	b.PrependUOffsetTSlot(3, content, 0)
	b.PrependUOffsetTSlot(5, vector, 0)
	return b.EndObject()
}

// TestHostileSchemas sends schemas that would take Arrow's reader without end.
func TestHostileSchemas(t *testing.T) {
	for _, test := range []struct {
		name  string
		build func(b *flatbuffers.Builder) flatbuffers.UOffsetT
		want  string
	}{
		{"deep", func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			field := structField(b)
			for range 100_000 {
				field = structField(b, field)
			}
			return field
		}, "nested more than 64 levels"},
		{"wide", func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			field := structField(b)
			for range 50 { // 2^50 fields
				field = structField(b, field, field)
			}
			return field
		}, "unfolds to more than"},
		{"vector without end", func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			b.StartVector(4, 0, 4)
			vector := b.EndVector(0)
			binary.LittleEndian.PutUint32(b.Bytes[len(b.Bytes)-int(vector):], 1<<31-1)
			b.StartObject(0)
			content := b.EndObject()
			b.StartObject(7)
			b.PrependByteSlot(2, 13, 0)
			b.PrependUOffsetTSlot(3, content, 0)
			b.PrependUOffsetTSlot(6, vector, 0)
			return b.EndObject()
		}, "reaches beyond"},
		{"no type", func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			b.StartObject(7)
			return b.EndObject()
		}, "no type"},
	} {
		t.Run(test.name, func(t *testing.T) {
			message := &flight.FlightData{FlightDescriptor: path("s"), DataHeader: schemaMessage(test.build)}
			_, err := readAll(t, [][]byte{mustMarshal(t, message)})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// FuzzStream feeds whole streams of messages to the reader.
func FuzzStream(f *testing.F) {
	for _, stream := range smallStreams(f) {
		f.Add(join(stream))
	}
	f.Fuzz(func(t *testing.T, joined []byte) {
		readAll(t, split(joined))
	})
}
