// Command embedded is a program with a Sluice server in it: it serves Flight on a free port, puts a small table into it
// as any client would, and prints the receipt.
//
//	go run ./examples/embedded [DIRECTORY OR BUCKET URL]
//
// A program picks the stores that it can use. This one imports no driver, so it knows directories and mem://; with
//
//	import _ "github.com/sluice-io/sluice/cloud/drivers"
//
// it would know s3://, gs:// and azblob:// too.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/flightsrv"
	"github.com/sluice-io/sluice/sink"
)

func main() {
	bucketURL := "./lake"
	if len(os.Args) > 1 {
		bucketURL = os.Args[1]
	}
	if err := run(context.Background(), bucketURL); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, bucketURL string) (err error) {
	bucket, err := cloud.Open(ctx, bucketURL, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()

	into, err := sink.New(bucket, &sink.Options{
		Datasets: map[string]sink.Settings{"sales/orders": {File: sink.FileOptions{Compression: "zstd"}}},
	})
	if err != nil {
		return err
	}
	server, err := flightsrv.New(into, nil)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		limit, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		err = errors.Join(err, server.Shutdown(limit), <-served)
	}()

	receipt, err := put(ctx, listener.Addr().String())
	if err != nil {
		return err
	}
	fmt.Printf("%s\n", receipt)
	return nil
}

// put puts a table of three orders and returns the receipt.
func put(ctx context.Context, address string) (receipt []byte, err error) {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	// A put that is not finished when its context ends is aborted.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := flight.NewClientFromConn(conn, nil).DoPut(ctx)
	if err != nil {
		return nil, err
	}

	orders := newOrders()
	defer orders.Release()
	writer := flight.NewRecordWriter(stream, ipc.WithSchema(orders.Schema()))
	writer.SetFlightDescriptor(&flight.FlightDescriptor{Type: flight.DescriptorPATH, Path: []string{"sales", "orders"}})
	// When the server refuses the put, it is the answer that says why, and no write.
	written := errors.Join(writer.Write(orders), writer.Close(), stream.CloseSend())
	result, err := stream.Recv()
	if err != nil {
		return nil, err
	}
	return result.AppMetadata, written
}

func newOrders() arrow.RecordBatch {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "item", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	builder.Field(0).(*array.Int64Builder).AppendValues([]int64{1, 2, 3}, nil)
	builder.Field(1).(*array.StringBuilder).AppendValues([]string{"tea", "milk", ""}, []bool{true, true, false})
	return builder.NewRecordBatch()
}
