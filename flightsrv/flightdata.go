package flightsrv

import (
	"fmt"

	"google.golang.org/grpc/mem"
)

// Field numbers of arrow.flight.protocol.FlightData in Flight.proto.
const (
	fieldDescriptor  = 1
	fieldHeader      = 2
	fieldAppMetadata = 3
	fieldBody        = 1000
)

// flightData is one message of a DoPut stream, read from the wire without protobuf's copies: the body, which is nearly
// all of it, is copied once, into a counted buffer.
type flightData struct {
	descriptor []byte // the FlightDescriptor as protobuf, nil if there is none
	header     []byte // the IPC message's flatbuffer, nil if there is none
	body       []byte // the account's; nil if there is none
}

// parse reads data into d. After an error d holds nothing that must be freed.
func (d *flightData) parse(data mem.BufferSlice, a *account) error {
	*d = flightData{}
	if err := d.parseFields(&wire{buffers: data, left: data.Len()}, a); err != nil {
		d.free(a)
		return err
	}
	return nil
}

func (d *flightData) parseFields(w *wire, a *account) error {
	for !w.done() {
		field, kind, err := w.tag()
		if err != nil {
			return err
		}
		switch field {
		case fieldDescriptor, fieldHeader, fieldBody:
			if kind != wireBytes {
				return fmt.Errorf("field %d has wire type %d instead of %d", field, kind, wireBytes)
			}
			err = d.parseBytes(w, field, a)
		default: // app_metadata, which the put contract ignores, and whatever later versions of Flight may add
			err = w.skip(kind)
		}
		if err != nil {
			return fmt.Errorf("field %d: %w", field, err)
		}
	}
	return nil
}

// parseBytes reads the value of one of the fields that are kept.
func (d *flightData) parseBytes(w *wire, field uint64, a *account) error {
	size, err := w.length()
	if err != nil {
		return err
	}
	target := &d.header
	switch field {
	case fieldDescriptor:
		target = &d.descriptor
	case fieldBody:
		target = &d.body
	}
	if *target != nil {
		return fmt.Errorf("occurs twice")
	}
	switch {
	case field == fieldBody && size == 0:
		// an empty body is none
	case field == fieldBody:
		d.body = a.body(size)
		w.copy(d.body)
	default:
		*target = make([]byte, size)
		w.copy(*target)
	}
	return nil
}

// free gives the body back.
func (d *flightData) free(a *account) {
	if d.body != nil {
		a.Free(d.body)
		d.body = nil
	}
}

// Wire types of the protobuf encoding.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// wire reads the protobuf encoding from a message that lies in several buffers.
type wire struct {
	buffers mem.BufferSlice // that were not begun yet
	data    []byte          // what is left of the current one
	left    int             // bytes of the message that are left, in data and buffers
}

// done says whether the message ends here.
func (w *wire) done() bool { return w.left == 0 }

// take returns up to n bytes that lie together, at least one. The caller has checked that n are left.
func (w *wire) take(n int) []byte {
	for len(w.data) == 0 {
		w.data = w.buffers[0].ReadOnlyData()
		w.buffers = w.buffers[1:]
	}
	taken := w.data[:min(n, len(w.data))]
	w.data = w.data[len(taken):]
	w.left -= len(taken)
	return taken
}

// copy fills dst. The caller has checked that as much is left.
func (w *wire) copy(dst []byte) {
	for len(dst) > 0 {
		dst = dst[copy(dst, w.take(len(dst))):]
	}
}

func (w *wire) varint() (uint64, error) {
	var value uint64
	for shift := 0; shift < 64; shift += 7 {
		if w.done() {
			return 0, fmt.Errorf("the message ends within a number")
		}
		b := w.take(1)[0]
		if shift == 63 && b > 1 {
			break
		}
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value, nil
		}
	}
	return 0, fmt.Errorf("a number is longer than 64 bits")
}

// tag reads a field's number and wire type.
func (w *wire) tag() (field, kind uint64, err error) {
	tag, err := w.varint()
	if err != nil {
		return 0, 0, err
	}
	if tag>>3 == 0 || tag>>3 > 1<<29-1 {
		return 0, 0, fmt.Errorf("%d is not a field number", tag>>3)
	}
	return tag >> 3, tag & 7, nil
}

// length reads a length that the rest of the message can hold.
func (w *wire) length() (int, error) {
	size, err := w.varint()
	if err != nil {
		return 0, err
	}
	if size > uint64(w.left) {
		return 0, fmt.Errorf("%d bytes are announced where %d are left", size, w.left)
	}
	return int(size), nil
}

func (w *wire) skip(kind uint64) error {
	size := 0
	var err error
	switch kind {
	case wireVarint:
		_, err = w.varint()
	case wireFixed64:
		size = 8
	case wireFixed32:
		size = 4
	case wireBytes:
		size, err = w.length()
	default:
		err = fmt.Errorf("wire type %d is not in use", kind)
	}
	if err != nil {
		return err
	}
	if size > w.left {
		return fmt.Errorf("the message ends within the field")
	}
	for size > 0 {
		size -= len(w.take(size))
	}
	return nil
}
