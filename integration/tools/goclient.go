package tools

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// PutFromGo puts a batch with arrow-go's Flight client.
func PutFromGo(t testing.TB, server *Server, dataset string, batch arrow.RecordBatch) {
	t.Helper()
	defer batch.Release()
	address := strings.TrimPrefix(server.URL, "grpc://")
	client, err := flight.NewClientWithMiddleware(address, nil, nil, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	stream, err := client.DoPut(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	writer := flight.NewRecordWriter(stream, ipc.WithSchema(batch.Schema()))
	writer.SetFlightDescriptor(&flight.FlightDescriptor{Type: flight.DescriptorPATH, Path: []string{dataset}})
	for _, step := range []func() error{func() error { return writer.Write(batch) }, writer.Close, stream.CloseSend} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := stream.Recv(); err != nil { // the receipt
		t.Fatal(err)
	}
}
