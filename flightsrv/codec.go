package flightsrv

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
)

// codec is gRPC's protobuf codec, but for the messages of a DoPut stream.
type codec struct {
	protobuf encoding.CodecV2
}

func newCodec() codec { return codec{encoding.GetCodecV2(proto.Name)} }

// putMessage is what DoPut receives into.
type putMessage struct {
	account *account
	data    flightData
	// err says what is wrong with the message. gRPC would turn an error of Unmarshal into INTERNAL, which blames the
	// server for what the client sent.
	err error
}

func (c codec) Marshal(v any) (mem.BufferSlice, error) { return c.protobuf.Marshal(v) }

func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if m, ok := v.(*putMessage); ok {
		m.err = m.data.parse(data, m.account)
		return nil
	}
	return c.protobuf.Unmarshal(data, v)
}

func (c codec) Name() string { return c.protobuf.Name() }
