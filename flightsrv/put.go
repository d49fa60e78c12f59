package flightsrv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"google.golang.org/grpc"

	"github.com/sluice-io/sluice/sink"
)

// put handles one DoPut stream: its error is a gRPC status.
func (s *Server) put(stream flight.FlightService_DoPutServer) error {
	p := &put{server: s, account: &account{ledger: &s.ledger}, started: time.Now()}
	ctx := s.enter(stream.Context(), p)
	defer s.leave(p)
	receipt, err := p.receive(ctx, stream)
	if forgotten := p.account.close(); forgotten != 0 && err == nil {
		s.log.Error().Int64("bytes", forgotten).Msg("bug: buffers were not released")
	}
	if err != nil {
		st := shortened(statusOf(ctx, err))
		p.logRefusal(st.Code(), st.Message(), err)
		return st.Err()
	}
	p.logReceipt(receipt)
	answer, err := json.Marshal(receipt)
	if err != nil {
		return statusOf(ctx, err).Err()
	}
	return stream.Send(&flight.PutResult{AppMetadata: answer})
}

// put is one stream on its way into the sink.
type put struct {
	server  *Server
	account *account
	started time.Time
	dataset string // empty until the descriptor has been read
	bytes   int64  // of message bodies received
}

// receive reads the stream into the sink, and commits it at its clean end. A panic is an error: other clients' puts go
// on.
func (p *put) receive(ctx context.Context, stream grpc.ServerStream) (receipt *sink.Receipt, err error) {
	defer func() {
		if value := recover(); value != nil {
			receipt = nil
			err = &sink.Error{Dataset: p.dataset, Fault: sink.FaultInternal,
				Err: fmt.Errorf("a bug in this program: panic: %v\n%s", value, debug.Stack())}
		}
	}()
	messages := newMessageReader(p.receiver(stream), p.account, p.server.maxMessageBytes)
	defer messages.Release()
	descriptor, err := messages.Descriptor()
	if err != nil {
		return nil, err
	}
	target, err := parseDescriptor(descriptor)
	if err != nil {
		return nil, err
	}
	p.dataset = target.dataset
	settings, err := p.server.sink.Settings(target.dataset).With(target.options)
	if err != nil {
		return nil, err
	}
	messages.Retain() // the batches release it
	batches, err := newBatches(messages, p.account)
	if err != nil {
		return nil, err
	}
	defer batches.release()
	return p.store(ctx, batches, settings)
}

// receiver returns a function that reads the stream's next message.
func (p *put) receiver(stream grpc.ServerStream) func(*flightData) error {
	message := putMessage{account: p.account}
	return func(d *flightData) error {
		err := stream.RecvMsg(&message)
		switch {
		case errors.Is(err, io.EOF):
			return io.EOF
		case err != nil:
			return receiveError(err)
		case message.err != nil:
			return invalid("the message is not a valid FlightData: %v", message.err)
		}
		p.bytes += int64(len(message.data.body))
		*d = message.data
		return nil
	}
}

// store writes the batches through the sink.
func (p *put) store(ctx context.Context, batches *batches, settings sink.Settings) (*sink.Receipt, error) {
	if err := checkSchema(batches.schema()); err != nil {
		return nil, err
	}
	into, err := p.server.sink.Begin(ctx, p.dataset, batches.schema(), settings)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := into.Abort(); err != nil { // nothing to do after a commit
			p.server.log.Error().Err(err).Msg("abort")
		}
	}()
	for {
		batch, err := batches.next()
		if errors.Is(err, io.EOF) {
			return into.Commit(ctx)
		}
		if err != nil {
			return nil, err
		}
		if err := into.Write(ctx, batch); err != nil {
			return nil, err
		}
	}
}

// batches reads record batches from messages. All trust in the client's bytes ends here.
type batches struct {
	reader *ipc.Reader
	num    int64
}

// newBatches reads the schema. It takes over a reference to the messages.
func newBatches(messages *messageReader, a *account) (*batches, error) {
	reader, err := ipc.NewReaderFromMessageReader(messages, ipc.WithAllocator(a))
	if err != nil {
		return nil, arrowError("the schema cannot be read", err)
	}
	return &batches{reader: reader}, nil
}

func (b *batches) schema() *arrow.Schema { return b.reader.Schema() }

// next returns the next batch, which is valid until the call after, or io.EOF. Arrow's reader panics over some bytes
// that the checks before it let through; it turns that into errors itself, and so does this for the checks after it.
func (b *batches) next() (batch arrow.RecordBatch, err error) {
	defer func() {
		if value := recover(); value != nil {
			batch, err = nil, invalid("record batch %d cannot be read: %v", b.num, value)
		}
	}()
	if !b.reader.Next() {
		if err := b.reader.Err(); err != nil {
			return nil, arrowError(fmt.Sprintf("record batch %d cannot be read", b.num), err)
		}
		return nil, io.EOF
	}
	batch = b.reader.RecordBatch()
	if err := checkBatch(batch); err != nil {
		return nil, invalid("record batch %d is damaged: %v", b.num, err)
	}
	b.num++
	return batch, nil
}

func (b *batches) release() { b.reader.Release() }
