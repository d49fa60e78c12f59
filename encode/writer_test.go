package encode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"github.com/sluice-io/sluice/levels"
)

var errDisk = errors.New("the disk is full")

// limitedWriter fails for good once it has taken its limit of bytes. It counts the writes after that.
type limitedWriter struct {
	bytes.Buffer
	limit  int
	failed bool
	after  int
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.failed {
		w.after++
	}
	if n := w.limit - w.Len(); n < len(p) {
		w.failed = true
		w.Buffer.Write(p[:n])
		return n, errDisk
	}
	return w.Buffer.Write(p)
}

// twoFields is a table of 20 records in a number and a dictionary-encoded text.
func twoFields() *randomCase {
	text := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	rc := &randomCase{
		schema:  arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int32}, {Name: "t", Type: text, Nullable: true}}, nil),
		columns: make([][]any, 2),
		records: 20,
	}
	for i := range rc.records {
		rc.columns[0] = append(rc.columns[0], plain32(int32(i)))
		rc.columns[1] = append(rc.columns[1], []byte(fmt.Sprint("text ", i%3)))
	}
	rc.columns[1][7] = nil
	return rc
}

// A writer that fails after any number of bytes is reported, and not written to again.
func TestFailingWriter(t *testing.T) {
	rc := twoFields()
	o := &Options{RowGroupRecords: 8, DataPageRecords: 3}
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	batches := rc.batches(&layouter{rand.New(rand.NewPCG(1, 2)), mem}, 6, 12)
	defer releaseAll(batches)
	size := len(mustWrite(t, o, rc.schema, batches...))
	for limit := range size + 1 {
		out := &limitedWriter{limit: limit}
		w, err := NewWriter(out, rc.schema, o)
		for _, b := range batches {
			if err == nil {
				err = w.Write(b)
			}
		}
		if err == nil {
			_, err = w.Close()
		}
		if limit == size {
			if err != nil {
				t.Errorf("%d bytes: %v", limit, err)
			}
			continue
		}
		if !errors.Is(err, errDisk) || !strings.HasPrefix(err.Error(), "encode: ") {
			t.Errorf("%d bytes: error %v", limit, err)
		}
		if w != nil {
			checkGivenUp(t, fmt.Sprint(limit, " bytes"), w, &out.Buffer, batches[0])
		}
		if out.after > 0 {
			t.Errorf("%d bytes: %d writes after the one that failed", limit, out.after)
		}
	}
}

// Nothing of a batch or a dictionary is kept once the file is closed, aborted or given up; before that, only the last
// dictionary is.
func TestNothingKept(t *testing.T) {
	for seed := range uint64(300) {
		c := rand.New(rand.NewPCG(seed, 13))
		rc := newCase(c)
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		batches := rc.someBatches(&layouter{c, mem})
		out := &limitedWriter{limit: math.MaxInt}
		end := c.IntN(3)
		if end == 0 {
			out.limit = 4 + c.IntN(2000)
		}
		w, err := NewWriter(out, rc.schema, &rc.options)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			if err == nil {
				err = w.Write(b)
			}
			b.Release()
		}
		if end == 1 {
			w.Abort()
		} else {
			_, _ = w.Close()
		}
		if n := mem.CurrentAlloc(); n != 0 {
			t.Fatalf("seed %d: %d bytes are kept at end %d\n%v\n%+v", seed, n, end, rc.schema, rc.options)
		}
	}
}

func TestDictionaryKeptBetweenBatches(t *testing.T) {
	rc := twoFields()
	var sizes []int
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	l := &layouter{noMargins{rand.New(rand.NewPCG(1, 2))}, mem}
	w, err := NewWriter(io.Discard, rc.schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		b := rc.batches(l)[0]
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		b.Release()
		sizes = append(sizes, mem.CurrentAlloc())
	}
	if sizes[0] == 0 || sizes[1] != sizes[0] || sizes[2] != sizes[0] {
		t.Errorf("after each batch %d bytes are kept: that is not one dictionary", sizes)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	mem.AssertSize(t, 0)
}

func TestEmptyFile(t *testing.T) {
	rc := twoFields()
	empty := rc.batches(&layouter{rand.New(rand.NewPCG(1, 2)), memory.DefaultAllocator}, 0)[0]
	for name, batches := range map[string][]arrow.RecordBatch{"no batch": nil, "batches without records": {empty, empty}} {
		data := mustWrite(t, nil, rc.schema, batches...)
		if err := checkFile(data, nil, rc.schema, batches...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f, err := lintFile(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.RowGroups) != 0 || f.Meta.NumRows != 0 {
			t.Errorf("%s: %d row groups, %d records", name, len(f.RowGroups), f.Meta.NumRows)
		}
	}
}

// Flush ends a row group, and only one that has records; Buffered is what the open one holds.
func TestFlush(t *testing.T) {
	rc := twoFields()
	batch := rc.batches(&layouter{rand.New(rand.NewPCG(1, 2)), memory.DefaultAllocator})[0]
	var buf bytes.Buffer
	w, err := NewWriter(&buf, rc.schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for range 3 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		before, idle := buf.Len(), w.Buffered()
		for range 2 {
			if err := w.Write(batch); err != nil {
				t.Fatal(err)
			}
		}
		if w.Buffered() <= idle || buf.Len() != before {
			t.Errorf("%d bytes buffered with records, %d without; %d written", w.Buffered(), idle, buf.Len()-before)
		}
	}
	sum, err := w.Close()
	if want := (Summary{Records: 80, Bytes: int64(buf.Len()), RowGroups: 2}); err != nil || sum != want {
		t.Errorf("%+v, error %v, want %+v", sum, err, want)
	}
	f, err := lintFile(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(f.RowGroups) != 2 || f.Meta.RowGroups[0].NumRows != 40 {
		t.Errorf("%d row groups, the first of %d records", len(f.RowGroups), f.Meta.RowGroups[0].NumRows)
	}
	for name, err := range map[string]error{"Write": w.Write(batch), "Flush": w.Flush(), "Close": second(w.Close())} {
		if err == nil || !strings.Contains(err.Error(), "the file is closed") {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
	size := buf.Len()
	if w.Abort(); buf.Len() != size {
		t.Error("Abort wrote after Close")
	}
}

func second(_ Summary, err error) error { return err }

func TestMetadata(t *testing.T) {
	rc := twoFields()
	meta := arrow.NewMetadata([]string{"b", "a"}, []string{"2", "1"})
	schema := arrow.NewSchema(rc.schema.Fields(), &meta)
	o := &Options{Metadata: []KeyValue{{"z", "26"}, {"empty", ""}}}
	data := mustWrite(t, o, schema)
	f, err := lintFile(data)
	if err != nil {
		t.Fatal(err)
	}
	var got []KeyValue
	for _, kv := range f.Meta.KeyValues {
		if kv.Key != arrowSchemaKey {
			got = append(got, KeyValue(kv))
		}
	}
	if diff := cmp.Diff([]KeyValue{{"b", "2"}, {"a", "1"}, {"z", "26"}, {"empty", ""}}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A batch of another schema is refused; other metadata is not.
func TestOtherSchema(t *testing.T) {
	rc := twoFields()
	l := &layouter{rand.New(rand.NewPCG(1, 2)), memory.DefaultAllocator}
	batch := rc.batches(l)[0]
	fields := rc.schema.Fields()
	change := func(i int, f func(*arrow.Field)) *arrow.Schema {
		changed := append([]arrow.Field{}, fields...)
		f(&changed[i])
		return arrow.NewSchema(changed, nil)
	}
	for name, c := range map[string]struct {
		schema *arrow.Schema
		want   string
	}{
		"fewer columns": {arrow.NewSchema(fields[:1], nil), "the batch has 2 columns, the file 1"},
		"another name":  {change(0, func(f *arrow.Field) { f.Name = "m" }), `column 0 of the batch is "n" int32, of the file "m" int32`},
		"another type":  {change(1, func(f *arrow.Field) { f.Type = arrow.BinaryTypes.String }), `column 1 of the batch is "t" dictionary`},
	} {
		var buf bytes.Buffer
		w, err := NewWriter(&buf, c.schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(batch); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
		checkGivenUp(t, name, w, &buf, batch)
	}
	meta := arrow.NewMetadata([]string{"a"}, []string{"1"})
	schema := arrow.NewSchema(fields, &meta)
	if _, err := write(nil, schema, batch, batch); err != nil {
		t.Errorf("other metadata: %v", err)
	}
}

func TestOptionErrors(t *testing.T) {
	rc := twoFields()
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{Compression: "lzo"}, "lzo"},
		{Options{Compression: "zstd", CompressionLevel: 23}, "1 to 22"},
		{Options{DataPageBytes: -1}, "DataPageBytes: -1"},
		{Options{DataPageBytes: 1<<30 + 1}, "DataPageBytes: 1073741825"},
		{Options{DataPageRecords: -1}, "DataPageRecords: -1"},
		{Options{DataPageRecords: math.MaxInt32 + 1}, "DataPageRecords: 2147483648"},
		{Options{DictionaryBytes: 1<<30 + 1}, "DictionaryBytes: 1073741825"},
		{Options{RowGroupRecords: -1}, "RowGroupRecords: -1"},
	} {
		var buf bytes.Buffer
		_, err := NewWriter(&buf, rc.schema, &c.options)
		if err == nil || !strings.HasPrefix(err.Error(), "encode: ") || !strings.Contains(err.Error(), c.want) || buf.Len() > 0 {
			t.Errorf("%+v: error %v, want %q in it; %d bytes written", c.options, err, c.want, buf.Len())
		}
	}
	for _, o := range []Options{
		{DataPageBytes: 1, DataPageRecords: 1, DictionaryBytes: 1, RowGroupRecords: 1},
		{DataPageBytes: 1 << 30, DataPageRecords: math.MaxInt32, DictionaryBytes: 1 << 30, RowGroupRecords: math.MaxInt64},
		{DictionaryBytes: math.MinInt},
	} {
		if _, err := NewWriter(io.Discard, rc.schema, &o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// What a task of Run returns is what Write and Flush return.
func TestRunError(t *testing.T) {
	rc := twoFields()
	batch := rc.batches(&layouter{rand.New(rand.NewPCG(1, 2)), memory.DefaultAllocator})[0]
	for fail := range 2 {
		calls := 0
		o := &Options{Run: func(n int, task func(int) error) error {
			if calls++; calls == fail+1 {
				return errDisk
			}
			return runInOrder(n, task)
		}}
		var buf bytes.Buffer
		w, err := NewWriter(&buf, rc.schema, o)
		if err != nil {
			t.Fatal(err)
		}
		err = w.Write(batch)
		if fail == 1 && err == nil {
			err = w.Flush()
		}
		if !errors.Is(err, errDisk) {
			t.Errorf("error %v", err)
		}
		checkGivenUp(t, fmt.Sprint("call ", fail), w, &buf, batch)
	}
}

// A record of more levels than a page header can count is refused; its nulls take no memory.
func TestTooManyLevels(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.ListOf(arrow.PrimitiveTypes.Int8), Nullable: true}}, nil)
	w, err := NewWriter(io.Discard, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	c := w.fields[0].columns[0]
	null := levels.Levels{Uniform: 2}
	none := levels.Bits{Bytes: noBits}
	first := levels.Span{NumLevels: 3, NumRecords: 3, Def: null, Mask: none, NumSlots: 3}
	if err := c.put(&first); err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		more := levels.Span{NumLevels: 1 << 30, Continues: true, Rep: levels.Levels{Uniform: 1}, Def: null, Mask: none, NumSlots: 1 << 30}
		err := c.put(&more)
		if (err != nil) != (k > 0) {
			t.Fatalf("after %d levels: %v", (k+1)<<30, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), `field "c.list.element": record 2: a page of 2147483651 levels`) {
				t.Error(err)
			}
			break
		}
	}
}
