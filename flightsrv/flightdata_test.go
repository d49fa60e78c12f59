package flightsrv

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// cut returns data in buffers of random sizes, empty ones among them.
func cut(data []byte, random *rand.Rand) mem.BufferSlice {
	var buffers mem.BufferSlice
	for len(data) > 0 {
		n := random.IntN(min(len(data), 9) + 1)
		buffers = append(buffers, mem.SliceBuffer(data[:n]))
		data = data[n:]
	}
	return buffers
}

func mustMarshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	body := make([]byte, 1000)
	for i := range body {
		body[i] = byte(random.Uint32())
	}
	whole := &flight.FlightData{FlightDescriptor: path("sales", "orders"), DataHeader: []byte("header"),
		AppMetadata: []byte("note"), DataBody: body}
	unknown := protowire.AppendTag(nil, 77, protowire.VarintType)
	unknown = protowire.AppendVarint(unknown, 1<<63)
	unknown = protowire.AppendTag(unknown, 78, protowire.Fixed32Type)
	unknown = protowire.AppendFixed32(unknown, 1)
	unknown = protowire.AppendTag(unknown, 79, protowire.Fixed64Type)
	unknown = protowire.AppendFixed64(unknown, 1)
	unknown = protowire.AppendTag(unknown, 1<<29-1, protowire.BytesType)
	unknown = protowire.AppendBytes(unknown, []byte("later"))
	for _, data := range [][]byte{
		nil,
		mustMarshal(t, whole),
		append(unknown, mustMarshal(t, whole)...),
		mustMarshal(t, &flight.FlightData{DataHeader: []byte("header")}),
		mustMarshal(t, &flight.FlightData{AppMetadata: []byte("note")}),
	} {
		var want flight.FlightData
		if err := proto.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			checkParse(t, data, &want, random)
		}
	}
}

// checkParse parses data and compares with what protobuf made of it.
func checkParse(t *testing.T, data []byte, want *flight.FlightData, random *rand.Rand) {
	t.Helper()
	a := &account{ledger: &ledger{poison: true}}
	var got flightData
	if err := got.parse(cut(data, random), a); err != nil {
		t.Fatal(err)
	}
	var descriptor flight.FlightDescriptor
	if err := proto.Unmarshal(got.descriptor, &descriptor); err != nil {
		t.Fatal(err)
	}
	if (want.FlightDescriptor != nil) != (got.descriptor != nil) ||
		want.FlightDescriptor != nil && !proto.Equal(&descriptor, want.FlightDescriptor) {
		t.Errorf("got descriptor %v, want %v", &descriptor, want.FlightDescriptor)
	}
	if !bytes.Equal(got.header, want.DataHeader) || !bytes.Equal(got.body, want.DataBody) {
		t.Error("header or body differ")
	}
	if n := a.ledger.inUse.Load(); n != int64(len(want.DataBody)) {
		t.Errorf("%d bytes in use for a body of %d", n, len(want.DataBody))
	}
	got.free(a)
	if n := a.ledger.inUse.Load(); n != 0 {
		t.Errorf("%d bytes in use", n)
	}
}

func TestParseErrors(t *testing.T) {
	header := protowire.AppendBytes(protowire.AppendTag(nil, fieldHeader, protowire.BytesType), []byte("header"))
	body := protowire.AppendBytes(protowire.AppendTag(nil, fieldBody, protowire.BytesType), []byte("body"))
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"within a tag", []byte{0x80}, "ends within a number"},
		{"number too long", bytes.Repeat([]byte{0xff}, 11), "longer than 64 bits"},
		{"field 0", []byte{0x02, 0x00}, "not a field number"},
		{"group", protowire.AppendTag(nil, 9, protowire.StartGroupType), "not in use"},
		{"within a fixed number", protowire.AppendTag(nil, 9, protowire.Fixed64Type), "ends within the field"},
		{"within the body", body[:len(body)-1], "announced"},
		{"within unknown bytes", []byte{0x4a, 0x05, 0x01}, "announced"},
		{"huge length", append(protowire.AppendTag(nil, fieldBody, protowire.BytesType),
			0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01), "announced"},
		{"body of another type", protowire.AppendVarint(protowire.AppendTag(nil, fieldBody, protowire.VarintType), 1), "wire type"},
		{"header twice", append(bytes.Clone(header), header...), "occurs twice"},
		{"body twice", append(bytes.Clone(body), body...), "occurs twice"},
		{"body, then nonsense", append(bytes.Clone(body), 0x80), "ends within a number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &account{ledger: &ledger{}}
			var d flightData
			err := d.parse(mem.BufferSlice{mem.SliceBuffer(test.data)}, a)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if n := a.ledger.inUse.Load(); n != 0 {
				t.Errorf("%d bytes in use", n)
			}
		})
	}
}

// FuzzParse compares the parser with protobuf's, but for what it refuses on purpose: fields that occur twice, and
// groups.
func FuzzParse(f *testing.F) {
	f.Add(mustMarshal(f, &flight.FlightData{FlightDescriptor: path("sales"), DataHeader: []byte("header"), DataBody: []byte("body")}))
	f.Add([]byte{0x12, 0x01, 0x61, 0x12, 0x01, 0x62})
	f.Add([]byte{0xc2, 0x3e, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Add([]byte{0x0b, 0x0c})
	f.Fuzz(func(t *testing.T, data []byte) {
		a := &account{ledger: &ledger{}}
		var got flightData
		err := got.parse(cut(data, rand.New(rand.NewPCG(1, uint64(len(data))))), a)
		var want flight.FlightData
		if unmarshalErr := proto.Unmarshal(data, &want); err == nil && unmarshalErr == nil {
			if !bytes.Equal(got.header, want.DataHeader) || !bytes.Equal(got.body, want.DataBody) {
				t.Error("header or body differ from protobuf's")
			}
		}
		got.free(a)
		if n := a.ledger.inUse.Load(); n != 0 {
			t.Errorf("%d bytes in use", n)
		}
	})
}
