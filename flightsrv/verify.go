package flightsrv

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// What Arrow's reader takes on trust is checked before it sees a message: a schema that is nested without end would
// overflow its stack, which no recover catches, and lengths that nothing backs would have it allocate them. Field
// numbers are those of format/Message.fbs and format/Schema.fbs of the Arrow project.

// maxDepth is how deep fields may be nested; Arrow's reader has the same limit for arrays.
const maxDepth = 64

// oldestVersion is MetadataVersion V4, of Arrow 0.8.
const oldestVersion = 3

// verifyMessage checks an IPC message of at most maxBytes of body after decompression, and returns its type.
func verifyMessage(header, body []byte, maxBytes int64) (ipc.MessageType, error) {
	f := newFlatbuffer(header)
	message := f.root()
	if version := message.int16Field(0); version < oldestVersion && f.err == nil {
		return 0, fmt.Errorf("metadata version V%d is too old; V4 and V5 can be read", version+1)
	}
	kind := ipc.MessageType(message.byteField(1))
	if bodyLength := message.int64Field(3); bodyLength < 0 || bodyLength > int64(len(body)) {
		f.fail("a body of %d bytes is announced and %d are there", bodyLength, len(body))
	}
	message.verifyMetadata(4)
	content, there := message.tableField(2)
	if !there {
		f.fail("the message has no header")
	}
	if f.err != nil {
		return kind, f.err
	}
	switch kind {
	case ipc.MessageSchema:
		content.verifySchema()
	case ipc.MessageRecordBatch:
		content.verifyBatch(body, maxBytes)
	case ipc.MessageDictionaryBatch:
		batch, there := content.tableField(1)
		if !there {
			f.fail("the dictionary has no data")
			break
		}
		batch.verifyBatch(body, maxBytes)
	default:
		f.fail("a message of type %v has no place in a stream of record batches", kind)
	}
	return kind, f.err
}

func (t table) verifySchema() {
	if t.err != nil {
		return
	}
	t.verifyMetadata(2)
	pos, n := t.vectorField(1, 4)
	for i := range n {
		t.table(t.target(pos+4*i)).verifyField("", 1)
	}
}

// Members of the Type union whose tables hold a number to check.
const (
	typeFixedSizeBinary = 15
	typeFixedSizeList   = 16
	typeUnion           = 14
)

// verifyField checks a field and its children. Errors name it by its path.
func (t table) verifyField(parent string, depth int) {
	if t.err != nil {
		return
	}
	path := parent + t.stringField(0)
	if depth > maxDepth {
		t.fail("field %.200q is nested more than %d levels deep", path, maxDepth)
		return
	}
	kind := t.byteField(2)
	content, there := t.tableField(3)
	if !there {
		t.fail("field %.200q has no type", path)
		return
	}
	switch kind {
	case typeFixedSizeBinary, typeFixedSizeList:
		if size := content.int32Field(0); size < 0 {
			t.fail("field %.200q has the negative size %d", path, size)
		}
	case typeUnion:
		content.vectorField(1, 4)
	}
	t.tableField(4)
	t.verifyMetadata(6)
	pos, n := t.vectorField(5, 4)
	for i := range n {
		t.table(t.target(pos+4*i)).verifyField(path+".", depth+1)
	}
}

// verifyMetadata checks a vector of key-value pairs.
func (t table) verifyMetadata(i int) {
	pos, n := t.vectorField(i, 4)
	for i := range n {
		if t.err != nil {
			return
		}
		pair := t.table(t.target(pos + 4*i))
		pair.vectorField(0, 1)
		pair.vectorField(1, 1)
	}
}

// verifyBatch checks the numbers of a record batch, and that its buffers lie within the body.
func (t table) verifyBatch(body []byte, maxBytes int64) {
	if records := t.int64Field(0); records < 0 || records > math.MaxInt32 {
		t.fail("a batch of %d records; at most %d are allowed", records, math.MaxInt32)
	}
	nodes, numNodes := t.vectorField(1, 16)
	for i := range numNodes {
		slots, nulls := t.int64(nodes+16*i), t.int64(nodes+16*i+8)
		if slots < 0 || slots > math.MaxInt32*64 || nulls < 0 || nulls > slots {
			t.fail("array %d has %d slots of which %d are null", i, slots, nulls)
			return
		}
	}
	buffers, numBuffers := t.vectorField(2, 16)
	variadic, n := t.vectorField(4, 8)
	for i := range n {
		if count := t.int64(variadic + 8*i); count < 0 || count > int64(numBuffers) {
			t.fail("array of views %d has %d buffers", i, count)
			return
		}
	}
	_, compressed := t.tableField(3)
	var total int64
	for i := range numBuffers {
		size := t.verifyBuffer(body, t.int64(buffers+16*i), t.int64(buffers+16*i+8), compressed)
		total += size
		if compressed && (size > maxBytes || total > maxBytes) {
			t.fail("the batch decompresses to more than the %d bytes allowed; send smaller batches", maxBytes)
		}
		if t.err != nil {
			t.err = fmt.Errorf("buffer %d: %w", i, t.err)
			return
		}
	}
}

// verifyBuffer checks one buffer and returns its size, after decompression if the body is compressed.
func (t table) verifyBuffer(body []byte, offset, length int64, compressed bool) int64 {
	switch bodyLength := int64(len(body)); {
	case offset < 0 || length < 0 || offset > bodyLength || length > bodyLength-offset:
		t.fail("%d bytes at %d reach beyond the %d bytes of the body", length, offset, bodyLength)
	case offset%8 != 0 && length > 0:
		t.fail("it begins at %d of the body, which is not a multiple of 8", offset)
	case !compressed || length == 0:
		return length
	case length < 8:
		t.fail("%d bytes are too few for a compressed buffer", length)
	default:
		size := int64(binary.LittleEndian.Uint64(body[offset:]))
		if size == -1 { // stored as it is
			return length - 8
		}
		if size < 0 {
			t.fail("it has the negative size %d", size)
		}
		return size
	}
	return 0
}
