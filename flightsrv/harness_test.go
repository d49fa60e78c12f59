package flightsrv

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/rs/zerolog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/integration/lint/linttest"
	"github.com/sluice-io/sluice/sink"
)

// testTimeout bounds what must not wait for ever; no test takes it to succeed.
const testTimeout = 60 * time.Second

// harness is a server on a loopback port over a bucket in memory, and a client of it.
type harness struct {
	t      *testing.T
	bucket *cloud.Bucket
	server *Server
	client flight.Client
	conn   *grpc.ClientConn
	served chan error
	log    lockedBuffer
}

func start(t *testing.T, o *Options, so *sink.Options) *harness {
	t.Helper()
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sink.New(bucket, so)
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{t: t, bucket: bucket, served: make(chan error, 1)}
	if o == nil {
		o = &Options{}
	}
	o.Log = zerolog.New(&h.log)
	h.server, err = New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	h.server.ledger.poison = true
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { h.served <- h.server.Serve(listener) }()
	h.conn, err = grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	h.client = flight.NewClientFromConn(h.conn, nil)
	t.Cleanup(h.stop)
	return h
}

// stop ends the server and says whether it still holds a buffer.
func (h *harness) stop() {
	h.conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	if err := h.server.Shutdown(ctx); err != nil {
		h.t.Error(err)
	}
	if err := <-h.served; err != nil {
		h.t.Error(err)
	}
	if n := h.server.BytesInUse(); n != 0 {
		h.t.Errorf("%d bytes are still in use after the last put", n)
	}
	if log := h.log.String(); strings.Contains(log, `"level":"error"`) {
		h.t.Errorf("the server logged errors of its own:\n%s", log)
	}
	linttest.Bucket(h.t, h.bucket)
	if err := h.bucket.Close(); err != nil {
		h.t.Error(err)
	}
}

// lockedBuffer is a buffer for a log that is written and read by several goroutines.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// keys lists the bucket.
func (h *harness) keys() []string {
	h.t.Helper()
	var keys []string
	for entry, err := range h.bucket.List(context.Background(), "", nil) {
		if err != nil {
			h.t.Fatal(err)
		}
		keys = append(keys, entry.Key)
	}
	return keys
}

// wantNothing says whether the bucket is empty.
func (h *harness) wantNothing() {
	h.t.Helper()
	if keys := h.keys(); len(keys) != 0 {
		h.t.Errorf("the bucket holds %v", keys)
	}
}

// open begins a put.
func (h *harness) open(ctx context.Context) flight.FlightService_DoPutClient {
	h.t.Helper()
	stream, err := h.client.DoPut(ctx)
	if err != nil {
		h.t.Fatal(err)
	}
	return stream
}

// put sends batches and returns the receipt.
func (h *harness) put(descriptor *flight.FlightDescriptor, schema *arrow.Schema, batches []arrow.RecordBatch,
	options ...ipc.Option) (*sink.Receipt, error) {
	h.t.Helper()
	stream := h.open(h.t.Context())
	writer := flight.NewRecordWriter(stream, append(options, ipc.WithSchema(schema))...)
	writer.SetFlightDescriptor(descriptor)
	for _, batch := range batches {
		if err := writer.Write(batch); err != nil {
			return finish(stream) // which has the reason
		}
	}
	if err := writer.Close(); err != nil {
		return finish(stream)
	}
	return finish(stream)
}

// finish closes the client's side and reads the answer to its end.
func finish(stream flight.FlightService_DoPutClient) (*sink.Receipt, error) {
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	result, err := stream.Recv()
	if err != nil {
		return nil, err
	}
	receipt := new(sink.Receipt)
	if err := json.Unmarshal(result.AppMetadata, receipt); err != nil {
		return nil, err
	}
	if _, err := stream.Recv(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the stream goes on after the receipt")
	}
	return receipt, nil
}

func path(segments ...string) *flight.FlightDescriptor {
	return &flight.FlightDescriptor{Type: flight.DescriptorPATH, Path: segments}
}

func command(json string) *flight.FlightDescriptor {
	return &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: []byte(json)}
}

// wantCode says whether err has the code.
func wantCode(t *testing.T, err error, code codes.Code) {
	t.Helper()
	if got := status.Code(err); got != code {
		t.Errorf("got code %v, want %v: %v", got, code, err)
	}
}

var testSchema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
}, nil)

// testBatch returns records with ids from first on. It lives until the test ends.
func testBatch(t *testing.T, first, records int) arrow.RecordBatch {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, testSchema)
	defer b.Release()
	tags := b.Field(2).(*array.ListBuilder)
	for i := first; i < first+records; i++ {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		if i%3 == 0 {
			b.Field(1).AppendNull()
			tags.AppendNull()
			continue
		}
		b.Field(1).(*array.StringBuilder).Append("name of it")
		tags.Append(true)
		tags.ValueBuilder().(*array.StringBuilder).Append("tag")
	}
	batch := b.NewRecordBatch()
	t.Cleanup(batch.Release)
	return batch
}

// wait yields until the condition holds, which some other goroutine is about to bring about.
func (h *harness) wait(what string, condition func() bool) {
	h.t.Helper()
	deadline := time.Now().Add(testTimeout)
	for !condition() {
		if time.Now().After(deadline) {
			h.t.Fatalf("gave up waiting for %s", what)
		}
		runtime.Gosched()
	}
}
