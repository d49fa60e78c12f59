package encode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// frontTable is a table of values that share much with those before them, some of them longer than what is kept of a value
// between blocks.
func frontTable(r *rand.Rand, n int) arrow.RecordBatch {
	long, fixed := byteStrings(r, n, 0), byteStrings(r, n, 100)
	sometimes := func(v any) any {
		if r.IntN(8) == 0 {
			return nil
		}
		return v
	}
	var fields []arrow.Field
	var arrays []arrow.Array
	for _, a := range []arrow.Array{
		arrayOf(arrow.BinaryTypes.String, n, func(i int) any { return sometimes(string(long[i])) }),
		arrayOf(arrow.BinaryTypes.StringView, n, func(i int) any { return string(long[n-1-i]) }),
		arrayOf(&arrow.FixedSizeBinaryType{ByteWidth: 100}, n, func(i int) any { return sometimes(fixed[i]) }),
	} {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("c", len(fields)), Type: a.DataType(), Nullable: true})
		arrays = append(arrays, a)
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, int64(n))
}

// Pages, with their bounds, do not depend on how records were batched, and end where the bytes that they store say.
func TestFrontValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		table := frontTable(r, 1+r.IntN(400))
		o := &Options{Encoding: "delta_byte_array", DictionaryBytes: -1, DataPageBytes: 1 << (4 + r.IntN(12)),
			DataPageRecords: 1 + r.IntN(300), DataPageVersion: 1 + r.IntN(2)}
		want := mustWrite(t, o, table.Schema(), table)
		if err := checkFile(want, o, table.Schema(), table); err != nil {
			t.Fatalf("round %d, options %+v: %v", round, o, err)
		}
		var batches []arrow.RecordBatch
		for at := int64(0); at < table.NumRows(); {
			n := min(table.NumRows()-at, 1+r.Int64N(120))
			batches = append(batches, table.NewSlice(at, at+n))
			at += n
		}
		if got := mustWrite(t, o, table.Schema(), batches...); !bytes.Equal(got, want) {
			t.Fatalf("round %d, options %+v: %d batches give another file", round, o, len(batches))
		}
	}
}

// A page has as many long values as the limit of records allows, if they hardly differ.
func TestFrontValuesLongPages(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 2990)
	a := arrayOf(arrow.BinaryTypes.String, 1000, func(i int) any { return string(long) + fmt.Sprintf("%010d", i) })
	batch := array.NewRecordBatch(arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType()}}, nil), []arrow.Array{a}, 1000)
	data := mustWrite(t, &Options{Encoding: "delta_byte_array", DictionaryBytes: -1, DataPageBytes: 5000}, batch.Schema(), batch)
	f, err := lintFile(data)
	if err != nil {
		t.Fatal(err)
	}
	if pages := len(f.RowGroups[0][0].Pages); pages != 1 || len(data) > 6000 {
		t.Errorf("%d pages in a file of %d bytes, want 1 in at most 6000", pages, len(data))
	}
}
