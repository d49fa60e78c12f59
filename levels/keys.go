package levels

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// keys are the keys of a dictionary-encoded array.
type keys struct {
	width  int // bytes a key
	signed bool
	bytes  []byte
}

// bind takes the keys of an array.
func (k *keys) bind(data arrow.ArrayData, p path) error {
	k.bytes = bufferBytes(data, 1)
	if have := len(k.bytes) / k.width; have < data.Offset()+data.Len() {
		return p.errorf("%d dictionary keys for %d slots", have, data.Offset()+data.Len())
	}
	return nil
}

// at returns the key at a storage slot; a negative one comes out as a very large number.
func (k *keys) at(slot int) uint64 {
	b := k.bytes[slot*k.width:]
	switch k.width {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// errRange is the error of a key that at returned.
func (k *keys) errRange(key uint64, entries int) error {
	const format = "dictionary key %d is out of range: the dictionary has %d entries"
	if shift := 64 - 8*k.width; k.signed {
		return fmt.Errorf(format, int64(key<<shift)>>shift, entries)
	}
	return fmt.Errorf(format, key, entries)
}
