package flightsrv

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/sluice-io/sluice/sink"
)

// collector keeps the messages that a Flight writer sends.
type collector []*flight.FlightData

func (c *collector) Send(d *flight.FlightData) error {
	*c = append(*c, proto.Clone(d).(*flight.FlightData))
	return nil
}

// messagesOf returns the messages of a put: the schema, which carries the descriptor, then dictionaries and batches.
func messagesOf(t testing.TB, descriptor *flight.FlightDescriptor, schema *arrow.Schema,
	batches ...arrow.RecordBatch) []*flight.FlightData {
	t.Helper()
	var messages collector
	writer := flight.NewRecordWriter(&messages, ipc.WithSchema(schema))
	writer.SetFlightDescriptor(descriptor)
	for _, batch := range batches {
		if err := writer.Write(batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return messages
}

// TestMessages puts messages in all kinds of order and disorder.
func TestMessages(t *testing.T) {
	h := start(t, nil, nil)
	m := messagesOf(t, path("sales"), testSchema, testBatch(t, 0, 100))
	schema, batch := m[0], m[1]
	nameless := &flight.FlightData{DataHeader: schema.DataHeader}
	metadata := &flight.FlightData{AppMetadata: []byte("note")}
	describe := &flight.FlightData{FlightDescriptor: path("sales")}
	with := func(d *flight.FlightData, change func(*flight.FlightData)) *flight.FlightData {
		d = proto.Clone(d).(*flight.FlightData)
		change(d)
		return d
	}
	for _, test := range []struct {
		name     string
		messages []*flight.FlightData
		want     string // in the error; empty for none
	}{
		{"in order", []*flight.FlightData{schema, batch, batch}, ""},
		{"metadata between", []*flight.FlightData{schema, metadata, batch, metadata}, ""},
		{"descriptor before schema", []*flight.FlightData{describe, nameless, batch}, ""},
		{"descriptor again", []*flight.FlightData{schema, with(batch, func(d *flight.FlightData) {
			d.FlightDescriptor = path("sales")
		})}, ""},
		{"nothing", nil, "ended before its first message"},
		{"descriptor only", []*flight.FlightData{describe}, "ended before the schema"},
		{"no descriptor", []*flight.FlightData{nameless, batch}, "no descriptor"},
		{"late descriptor", []*flight.FlightData{metadata, schema}, "no descriptor"},
		{"other descriptor", []*flight.FlightData{schema, with(batch, func(d *flight.FlightData) {
			d.FlightDescriptor = path("other")
		})}, "another descriptor"},
		{"data first", []*flight.FlightData{describe, batch}, "schema must come first"},
		{"two schemas", []*flight.FlightData{schema, batch, nameless}, "second schema"},
		{"body alone", []*flight.FlightData{schema, {DataBody: []byte("x")}}, "without a data_header"},
		{"header of zeros", []*flight.FlightData{schema, {DataHeader: make([]byte, 64)}}, "message 2"},
		{"short body", []*flight.FlightData{schema, with(batch, func(d *flight.FlightData) {
			d.DataBody = d.DataBody[:len(d.DataBody)-8]
		})}, "bytes is announced"},
		{"no body", []*flight.FlightData{schema, with(batch, func(d *flight.FlightData) {
			d.DataBody = nil
		})}, "bytes is announced"},
		{"schema cut off", []*flight.FlightData{with(schema, func(d *flight.FlightData) {
			d.DataHeader = d.DataHeader[:len(d.DataHeader)/2]
		})}, "message 1"},
		{"batch of another schema", []*flight.FlightData{
			messagesOf(t, path("sales"), arrow.NewSchema([]arrow.Field{testSchema.Field(2), testSchema.Field(0)}, nil))[0],
			batch}, "record batch 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			stream := h.open(t.Context())
			for _, message := range test.messages {
				if err := stream.Send(message); err != nil {
					break // Recv has the reason
				}
			}
			receipt, err := finish(stream)
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if err := h.bucket.Delete(t.Context(), receipt.Objects[0].Key); err != nil {
					t.Error(err)
				}
				return
			}
			wantCode(t, err, codes.InvalidArgument)
			if text := status.Convert(err).Message(); !strings.Contains(text, test.want) {
				t.Errorf("%q does not say %q", text, test.want)
			}
			h.wantNothing()
		})
	}
}

// TestNotUTF8 sends a descriptor that no correct client can send.
func TestNotUTF8(t *testing.T) {
	h := start(t, nil, nil)
	_, err := h.put(command("{\"dataset\": \"\xff\"}"), testSchema, nil)
	wantCode(t, err, codes.InvalidArgument)
	h.wantNothing()
}

func TestTooLarge(t *testing.T) {
	h := start(t, &Options{MaxMessageBytes: 1 << 20}, nil)
	_, err := h.put(path("sales"), testSchema, []arrow.RecordBatch{testBatch(t, 0, 200_000)})
	wantCode(t, err, codes.ResourceExhausted)
	if text := status.Convert(err).Message(); !regexp.MustCompile(`\(5\d{6} vs\. 1048576\)`).MatchString(text) {
		t.Errorf("%q does not name both sizes", text)
	}
	h.waitIdle()
	if log := h.log.String(); !strings.Contains(log, "--max-message-bytes") {
		t.Errorf("the log does not say what to do: %s", log)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}}, nil)
	zeros := array.NewRecordBatch(schema, []arrow.Array{array.MakeFromData(array.NewData(arrow.PrimitiveTypes.Int64,
		200_000, []*memory.Buffer{nil, memory.NewBufferBytes(make([]byte, 1_600_000))}, nil, 0, 0))}, 200_000)
	_, err = h.put(path("sales"), schema, []arrow.RecordBatch{zeros}, ipc.WithZstd())
	wantCode(t, err, codes.InvalidArgument)
	if text := status.Convert(err).Message(); !strings.Contains(text, "decompresses to more than") {
		t.Error(text)
	}
	h.wantNothing()
}

// TestCancel cancels a put of which a good part has been written.
func TestCancel(t *testing.T) {
	h := start(t, nil, &sink.Options{Datasets: map[string]sink.Settings{"sales": {File: sink.FileOptions{RowGroupRecords: 1000}}}})
	ctx, cancel := context.WithCancel(t.Context())
	stream := h.open(ctx)
	writer := flight.NewRecordWriter(stream, ipc.WithSchema(testSchema))
	writer.SetFlightDescriptor(path("sales"))
	for range 20 {
		if err := writer.Write(testBatch(t, 0, 10_000)); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	_, err := stream.Recv()
	wantCode(t, err, codes.Canceled)
	h.waitIdle()
	h.wantNothing()
	// The dataset is free again: nothing of the put is left in the way.
	if _, err := h.put(path("sales", "orders"), testSchema, nil); err != nil {
		t.Error(err)
	}
}

// TestConnectionLost closes the connection in the middle of a put.
func TestConnectionLost(t *testing.T) {
	h := start(t, nil, nil)
	stream := h.open(t.Context())
	for _, message := range messagesOf(t, path("sales"), testSchema, testBatch(t, 0, 100_000)) {
		if err := stream.Send(message); err != nil {
			t.Fatal(err)
		}
	}
	h.waitPuts(1)
	h.conn.Close()
	h.waitIdle()
	h.wantNothing()
}

func TestConcurrentPuts(t *testing.T) {
	h := start(t, nil, nil)
	const puts = 16
	batch := testBatch(t, 0, 20_000)
	var group errgroup.Group
	for i := range puts {
		group.Go(func() error {
			receipt, err := h.put(path("sales", fmt.Sprint(i%4)), testSchema, []arrow.RecordBatch{batch, batch, batch})
			if err == nil && receipt.Records != 60_000 {
				err = fmt.Errorf("%d records", receipt.Records)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := len(h.keys()); n != puts {
		t.Errorf("%d objects", n)
	}
}

// TestShutdownWaits lets an open put end while the server shuts down.
func TestShutdownWaits(t *testing.T) {
	h := start(t, nil, nil)
	stream := h.open(t.Context())
	m := messagesOf(t, path("sales"), testSchema, testBatch(t, 0, 100))
	if err := stream.Send(m[0]); err != nil {
		t.Fatal(err)
	}
	h.waitPuts(1)
	watch, err := grpc_health_v1.NewHealthClient(h.conn).Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: flightName})
	if err != nil {
		t.Fatal(err)
	}
	wantHealth(t, watch, grpc_health_v1.HealthCheckResponse_SERVING)
	down := make(chan error, 1)
	go func() { down <- h.server.Shutdown(t.Context()) }()
	<-h.server.health.ended
	if err := stream.Send(m[1]); err != nil {
		t.Fatal(err)
	}
	receipt, err := finish(stream)
	if err != nil || receipt.Records != 100 {
		t.Errorf("%+v, %v", receipt, err)
	}
	if err := <-down; err != nil {
		t.Error(err)
	}
	if n := len(h.keys()); n != 1 {
		t.Errorf("%d objects", n)
	}
}

// TestShutdownAborts leaves a put open for longer than the shutdown waits.
func TestShutdownAborts(t *testing.T) {
	h := start(t, nil, nil)
	stream := h.open(t.Context())
	if err := stream.Send(messagesOf(t, path("sales"), testSchema)[0]); err != nil {
		t.Fatal(err)
	}
	h.waitPuts(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.server.Shutdown(ctx); err == nil {
		t.Error("Shutdown does not say that it aborted a put")
	}
	_, err := finish(stream)
	wantCode(t, err, codes.Unavailable)
	h.wantNothing()
}

func TestHealth(t *testing.T) {
	h := start(t, nil, nil)
	client := grpc_health_v1.NewHealthClient(h.conn)
	for _, name := range []string{"", flightName} {
		answer, err := client.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: name})
		if err != nil || answer.Status != grpc_health_v1.HealthCheckResponse_SERVING {
			t.Errorf("%q: %v, %v", name, answer, err)
		}
	}
}

func wantHealth(t *testing.T, watch grpc_health_v1.Health_WatchClient, want grpc_health_v1.HealthCheckResponse_ServingStatus) {
	t.Helper()
	answer, err := watch.Recv()
	if err != nil || answer.Status != want {
		t.Errorf("got %v, %v", answer, err)
	}
}

// waitPuts waits until n puts are open.
func (h *harness) waitPuts(n int) {
	h.t.Helper()
	h.wait(fmt.Sprintf("%d open puts", n), func() bool {
		h.server.mu.Lock()
		defer h.server.mu.Unlock()
		return len(h.server.puts) == n
	})
}

// waitIdle waits until no put is open.
func (h *harness) waitIdle() { h.waitPuts(0) }
