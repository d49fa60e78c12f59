package flightsrv

import (
	"context"
	"net"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/sink"
)

// BenchmarkPut puts 32 batches of 64 Ki records over loopback into memory, client and server on the same CPUs.
func BenchmarkPut(b *testing.B) {
	bucket, err := cloud.Open(b.Context(), "mem://", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer bucket.Close()
	into, err := sink.New(bucket, nil)
	if err != nil {
		b.Fatal(err)
	}
	server, err := New(into, nil)
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Shutdown(context.Background())
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	client := flight.NewClientFromConn(conn, nil)
	batch := benchBatch()
	defer batch.Release()
	const batches = 32
	b.SetBytes(batches * batchBytes(batch))
	for b.Loop() {
		stream, err := client.DoPut(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		writer := flight.NewRecordWriter(stream, ipc.WithSchema(batch.Schema()))
		writer.SetFlightDescriptor(path("bench"))
		for range batches {
			if err := writer.Write(batch); err != nil {
				b.Fatal(err)
			}
		}
		if err := writer.Close(); err != nil {
			b.Fatal(err)
		}
		receipt, err := finish(stream)
		if err != nil {
			b.Fatal(err)
		}
		if err := bucket.Delete(b.Context(), receipt.Objects[0].Key); err != nil {
			b.Fatal(err)
		}
	}
}

func batchBytes(batch arrow.RecordBatch) int64 {
	var n int64
	for _, column := range batch.Columns() {
		n += int64(column.Data().SizeInBytes())
	}
	return n
}

func benchBatch() arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int64}, {Name: "b", Type: arrow.PrimitiveTypes.Float64},
		{Name: "c", Type: arrow.PrimitiveTypes.Int32}, {Name: "d", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	words := []string{"spring", "summer", "autumn", "winter"}
	for i := range 64 << 10 {
		b.Field(0).(*array.Int64Builder).Append(int64(i) * 7919)
		b.Field(1).(*array.Float64Builder).Append(float64(i*i) / 7)
		b.Field(2).(*array.Int32Builder).Append(int32(i % 1000))
		if i%10 == 0 {
			b.Field(3).AppendNull()
		} else {
			b.Field(3).(*array.StringBuilder).Append(words[i%len(words)])
		}
	}
	return b.NewRecordBatch()
}
