package levels

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// FuzzWalk makes an array of the input, as TestWalkAgainstOracle does of random numbers. Every other one is damaged
// then: Walk must end with an error, or with spans that keep their contract. The others must be as the oracle says.
func FuzzWalk(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) {
		c := newByteChance(input)
		damages := max(0, c.IntN(8)-3)
		tc := newTestCase(c, c.IntN(6), false)
		tree, err := NewTree(tc.field)
		if err != nil {
			t.Fatal(err)
		}
		if damages == 0 {
			if err := tc.check(tree, 0, tc.data.Len(), c); err != nil {
				t.Fatalf("%v: %v", tc.field, err)
			}
			return
		}
		for range damages {
			tc.data = damaged(c, tc.data)
		}
		sink := newCollector(tree, tc.data, c)
		from := c.IntN(3)
		err = tree.Walk(tc.data, from, tc.data.Len()-from, 0, sink)
		if sink.broken != nil {
			t.Fatalf("%v: %v", tc.field, sink.broken)
		}
	})
}

// damaged returns a copy of an array with one thing in it, or in an array below it, made worse.
func damaged(c chance, d *array.Data) *array.Data {
	buffers := append([]*memory.Buffer{}, d.Buffers()...)
	children := append([]arrow.ArrayData{}, d.Children()...)
	n, nulls, offset := d.Len(), d.NullN(), d.Offset()
	dictionary, _ := d.Dictionary().(*array.Data)
	if len(children) > 0 && c.IntN(3) > 0 {
		k := c.IntN(len(children))
		if child, ok := children[k].(*array.Data); ok && child != nil {
			children[k] = damaged(c, child)
		}
	} else if dictionary != nil && c.IntN(2) > 0 {
		dictionary = damaged(c, dictionary)
	} else {
		switch c.IntN(7) {
		case 0:
			n += c.IntN(9) - 4
		case 1:
			offset += c.IntN(9) - 4
		case 2:
			nulls = c.IntN(4) - 1
		case 3:
			k := c.IntN(len(children) + 1)
			if k < len(children) && c.IntN(2) > 0 {
				children[k] = nil
			} else {
				children = children[:k]
			}
		case 4:
			buffers = buffers[:c.IntN(len(buffers)+1)]
		default:
			damageBuffer(c, buffers)
		}
	}
	out := array.NewData(d.DataType(), n, buffers, children, nulls, offset)
	if dictionary != nil {
		out.SetDictionary(dictionary)
	}
	return out
}

// damageBuffer drops a buffer, cuts it short or changes a byte of it.
func damageBuffer(c chance, buffers []*memory.Buffer) {
	if len(buffers) == 0 {
		return
	}
	k := c.IntN(len(buffers))
	if buffers[k] == nil || buffers[k].Len() == 0 || c.IntN(5) == 0 {
		buffers[k] = nil
		return
	}
	b := append([]byte{}, buffers[k].Bytes()...)
	if c.IntN(3) == 0 {
		b = b[:c.IntN(len(b))]
	} else {
		b[c.IntN(len(b))] ^= 1 << c.IntN(8)
	}
	buffers[k] = memory.NewBufferBytes(b)
}
