package flightsrv

import (
	"bytes"
	"errors"
	"io"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// messageReader feeds Arrow's stream reader from the messages of a DoPut stream. It checks each message before it hands
// it on. Its errors are io.EOF at the clean end of the stream, errors of recv, and *refusal.
type messageReader struct {
	// recv reads the next message into d: io.EOF when the client has closed its side.
	recv     func(d *flightData) error
	account  *account
	maxBytes int64 // of a body after decompression

	refs       atomic.Int64
	pending    *flightData  // read already, with the descriptor, and not handed on yet
	descriptor []byte       // of the first message
	current    *ipc.Message // handed on; valid until the next call of Message
	messages   int64        // received so far, those without an IPC message too
	schema     bool         // whether the schema has been handed on
}

func newMessageReader(recv func(*flightData) error, a *account, maxBytes int64) *messageReader {
	r := &messageReader{recv: recv, account: a, maxBytes: maxBytes}
	r.refs.Store(1)
	return r
}

// Descriptor reads the first message and returns the FlightDescriptor that it must carry, as protobuf. It must be
// called before Message.
func (r *messageReader) Descriptor() ([]byte, error) {
	var d flightData
	if err := r.recv(&d); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, invalid("the stream ended before its first message; a put begins with a descriptor and a schema")
		}
		return nil, err
	}
	r.messages++
	if d.descriptor == nil {
		d.free(r.account)
		return nil, invalid("the first message has no descriptor; " +
			"name the dataset there, as PATH [\"sales\",\"orders\"] or as CMD {\"dataset\": \"sales/orders\"}")
	}
	r.descriptor = d.descriptor
	r.pending = &d
	return d.descriptor, nil
}

// Message returns the next IPC message, valid until the next call.
func (r *messageReader) Message() (*ipc.Message, error) {
	r.drop()
	for {
		d, err := r.next()
		if err != nil {
			return nil, err
		}
		if len(d.header) == 0 && d.body == nil {
			continue // app_metadata alone, which the put contract allows and ignores
		}
		if err := r.verify(d); err != nil {
			d.free(r.account)
			return nil, err
		}
		r.current = newMessage(d, r.account)
		return r.current, nil
	}
}

// next returns the pending message or reads one.
func (r *messageReader) next() (*flightData, error) {
	if d := r.pending; d != nil {
		r.pending = nil
		return d, nil
	}
	d := new(flightData)
	if err := r.recv(d); err != nil {
		if errors.Is(err, io.EOF) && !r.schema {
			return nil, invalid("the stream ended before the schema")
		}
		return nil, err
	}
	r.messages++
	if d.descriptor != nil && !bytes.Equal(d.descriptor, r.descriptor) {
		d.free(r.account)
		return nil, invalid("message %d has another descriptor than the first one; "+
			"a stream goes to one dataset", r.messages)
	}
	return d, nil
}

// verify checks a message by itself and its place in the stream.
func (r *messageReader) verify(d *flightData) error {
	if len(d.header) == 0 {
		return invalid("message %d has a data_body without a data_header", r.messages)
	}
	kind, err := verifyMessage(d.header, d.body, r.maxBytes)
	switch {
	case err != nil:
		return invalid("message %d: %v", r.messages, err)
	case kind == ipc.MessageSchema && r.schema:
		return invalid("message %d is a second schema; a stream has one schema, and other data goes into another put", r.messages)
	case kind != ipc.MessageSchema && !r.schema:
		return invalid("message %d is a %v where the schema must come first", r.messages, kind)
	}
	r.schema = true
	return nil
}

// newMessage makes an IPC message that owns the body: it is freed when the message and all arrays in it are released.
func newMessage(d *flightData, a *account) *ipc.Message {
	body := memory.NewBufferBytes(nil)
	if d.body != nil {
		body = memory.NewBufferWithAllocator(d.body, a)
	}
	defer body.Release()
	return ipc.NewMessage(memory.NewBufferBytes(d.header), body)
}

// drop releases the message that was handed on last.
func (r *messageReader) drop() {
	if r.current != nil {
		r.current.Release()
		r.current = nil
	}
}

// Retain adds a reference.
func (r *messageReader) Retain() { r.refs.Add(1) }

// Release takes a reference away, and frees what the reader holds with the last one.
func (r *messageReader) Release() {
	if r.refs.Add(-1) != 0 {
		return
	}
	r.drop()
	if r.pending != nil {
		r.pending.free(r.account)
		r.pending = nil
	}
}
