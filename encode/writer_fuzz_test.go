package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// corrupter damages the memory of arrays as a hostile client might: whatever is an input of the writer, but for the
// types.
type corrupter struct {
	chance
	done []string
}

// batch damages up to three things in a batch.
func (c *corrupter) batch(b arrow.RecordBatch) {
	for range c.IntN(4) {
		c.data(b.Column(c.IntN(int(b.NumCols()))).Data(), 0)
	}
}

// data damages an array, a child of it or its dictionary.
func (c *corrupter) data(d arrow.ArrayData, depth int) {
	children := d.Children()
	if dict, ok := d.Dictionary().(*array.Data); ok && dict != nil {
		children = append(children[:len(children):len(children)], dict)
	}
	if len(children) > 0 && c.IntN(3) > 0 {
		if child := children[c.IntN(len(children))]; child != nil {
			c.data(child, depth+1)
		}
		return
	}
	what := c.damage(d)
	c.done = append(c.done, fmt.Sprintf("%s at depth %d: %s", d.DataType(), depth, what))
}

func (c *corrupter) damage(d arrow.ArrayData) string {
	buffers := d.Buffers()
	switch c.IntN(8) {
	case 0:
		if n := len(d.Children()); n > 0 {
			i := c.IntN(n)
			d.Children()[i] = nil
			return fmt.Sprint("child ", i, " gone")
		}
	case 1:
		if d.Dictionary() != nil && c.IntN(4) == 0 {
			d.(*array.Data).SetDictionary(nil)
			return "dictionary gone"
		}
		d.(*array.Data).SetNullN(pick(c, 0, 1, d.Len(), array.UnknownNullCount))
		return fmt.Sprint("null count ", d.NullN())
	}
	if len(buffers) == 0 {
		return "nothing"
	}
	i := c.IntN(len(buffers))
	if buffers[i] == nil || buffers[i].Len() == 0 {
		buffers[i] = memory.NewBufferBytes((&layouter{c, nil}).rubbish(c.IntN(20)))
		return fmt.Sprintf("buffer %d of %d bytes where there was none", i, buffers[i].Len())
	}
	old := buffers[i].Bytes()
	switch c.IntN(4) {
	case 0:
		buffers[i] = nil
		return fmt.Sprint("buffer ", i, " gone")
	case 1:
		n := c.IntN(len(old))
		buffers[i] = memory.NewBufferBytes(old[:n:n])
		return fmt.Sprintf("buffer %d cut to %d of %d bytes", i, n, len(old))
	case 2:
		at := c.IntN(len(old))
		old[at] ^= 1 << c.IntN(8)
		return fmt.Sprintf("a bit of byte %d of buffer %d flipped", at, i)
	}
	word := pick(c, 0, 1, -1, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, c.IntN(1000))
	size := pick(c, 4, 8)
	if len(old) < size {
		return "nothing"
	}
	at := c.IntN(len(old)/size) * size
	copy(old[at:at+size], binary.LittleEndian.AppendUint64(nil, uint64(word)))
	return fmt.Sprintf("%d at byte %d of buffer %d", word, at, i)
}

// checkCorrupt writes damaged batches. That must not panic; an error must end the file; and a file without one must be
// sound, whatever it holds.
func checkCorrupt(input []byte) error {
	c := newByteChance(input)
	g := &generator{chance: c}
	rc := newCase(c)
	if g.oneIn(8) {
		rc.options.Run = runParallel
	}
	if g.oneIn(4) {
		rc.options.SortingColumns = someSorting(rc.schema)
	}
	batches := rc.someBatches(&layouter{c, memory.DefaultAllocator})
	corrupt := &corrupter{chance: c}
	for _, b := range batches {
		corrupt.batch(b)
	}
	var buf bytes.Buffer
	w, err := NewWriter(&buf, rc.schema, &rc.options)
	if err != nil {
		return err
	}
	for _, b := range batches {
		if err = w.Write(b); err != nil {
			break
		}
	}
	if err == nil {
		_, err = w.Close()
	}
	what := fmt.Sprintf("%v\n%v\noptions %+v", strings.Join(corrupt.done, "\n"), rc.schema, rc.options)
	if err != nil {
		size := buf.Len()
		if !strings.Contains(err.Error(), "field \"c") {
			return fmt.Errorf("the error names no field: %w\n%s", err, what)
		}
		if again := w.Flush(); again == nil || buf.Len() > size {
			return fmt.Errorf("flush after the error %w\n%s", err, what)
		}
		return nil
	}
	f, err := lintFile(buf.Bytes())
	if err == nil && f.Meta.NumRows != int64(rc.records) {
		err = fmt.Errorf("%d records of %d", f.Meta.NumRows, rc.records)
	}
	if err == nil && len(corrupt.done) == 0 {
		err = checkFile(buf.Bytes(), &rc.options, rc.schema, batches...)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, what)
	}
	return nil
}

func FuzzWriter(f *testing.F) {
	for seed := range byte(50) {
		f.Add([]byte{seed, 40, 3})
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := checkCorrupt(input); err != nil {
			t.Fatal(err)
		}
	})
}

func TestCorruptBatches(t *testing.T) {
	cases := 3000
	if *long {
		cases *= 50
	}
	for seed := range cases {
		if err := checkCorrupt(binary.LittleEndian.AppendUint32(nil, uint32(seed))); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
