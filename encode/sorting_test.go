package encode

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/sluice-io/sluice/integration/lint"
)

// sortedCase is a random table, and the keys to sort it by.
type sortedCase struct {
	*randomCase
	keys []lint.SortKey
}

// newSortedCase makes a table that has columns to sort by, of any layout.
func newSortedCase(c chance) (*sortedCase, error) {
	rc := newRandomCase(c)
	if (&generator{chance: c}).oneIn(2) {
		rc = rc.disguised(c)
	}
	data, err := write(&rc.options, rc.schema, rc.batches(&layouter{c, memory.DefaultAllocator})...)
	if err != nil {
		return nil, err
	}
	f, err := lintFile(data)
	if err != nil {
		return nil, err
	}
	sc := &sortedCase{randomCase: rc}
	for i := range f.Leaves {
		l := &f.Leaves[i]
		if l.MaxRep > 0 || l.Logical.Kind == lint.Interval || l.Logical.Kind == lint.Unknown || l.IsShape() || l.IsVariantPart() {
			continue
		}
		s := lint.SortingColumn{Leaf: int32(i), Descending: c.IntN(2) == 0, NullsFirst: c.IntN(2) == 0}
		at := c.IntN(len(sc.keys) + 1)
		sc.keys = slices.Insert(sc.keys, at, lint.SortKey{SortingColumn: s, Column: l, Values: f.Stream(i).ByRecord(l)})
	}
	sc.keys = sc.keys[:min(len(sc.keys), 1+c.IntN(3))]
	for _, k := range sc.keys {
		sc.options.SortingColumns = append(sc.options.SortingColumns,
			SortingColumn{k.Column.String(), k.Descending, k.NullsFirst})
	}
	return sc, nil
}

// someSorting names the first column that records can be sorted by, if there is one.
func someSorting(schema *arrow.Schema) []SortingColumn {
	s, err := newSchema(schema)
	if err != nil {
		return nil
	}
	for _, l := range s.Leaves {
		o := &Options{SortingColumns: []SortingColumn{{Column: strings.Join(l.Path, ".")}}}
		if _, err := newSortKeys(o, s.Leaves); err == nil {
			return o.SortingColumns
		}
	}
	return nil
}

// rearrange sorts the records, and then moves some of them now and then.
func (sc *sortedCase) rearrange(c chance) {
	order := make([]int, sc.records)
	for i := range order {
		order[i] = i
	}
	if c.IntN(8) > 0 {
		slices.SortStableFunc(order, func(a, b int) int { c, _ := lint.CompareRecords(sc.keys, a, b); return c })
	}
	for range pick(c, 0, 0, 1, 2) {
		if sc.records > 0 {
			i, j := c.IntN(sc.records), c.IntN(sc.records)
			order[i], order[j] = order[j], order[i]
		}
	}
	for i := range sc.columns {
		sc.columns[i] = inOrder(sc.columns[i], order)
	}
	for i := range sc.keys {
		sc.keys[i].Values = inOrder(sc.keys[i].Values, order)
	}
}

func inOrder[T any](from []T, order []int) (to []T) {
	for _, i := range order {
		to = append(to, from[i])
	}
	return to
}

// disorder says what the error about the first record that is out of order in its row group must say, "" if none is.
func (sc *sortedCase) disorder() string {
	o, _ := sc.options.withDefaults()
	for i := 1; i < sc.records; i++ {
		if int64(i)%o.RowGroupRecords == 0 {
			continue
		}
		if c, k := lint.CompareRecords(sc.keys, i-1, i); c > 0 {
			return fmt.Sprintf("encode: field %q: record %d sorts before record %d by the sorting columns", k.Column.String(), i, i-1)
		}
	}
	return ""
}

// Sorted records are written, and the first that is not in order is refused, whatever the types, layouts and batches.
func TestSortedFiles(t *testing.T) {
	cases := uint64(1000)
	if *long {
		cases *= 20
	}
	sorted, refused := 0, 0
	for seed := range cases {
		c := rand.New(rand.NewPCG(seed, 21))
		sc, err := newSortedCase(c)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(sc.keys) == 0 {
			continue
		}
		sc.rearrange(c)
		batches := sc.someBatches(&layouter{c, memory.DefaultAllocator})
		want := sc.disorder()
		data, err := write(&sc.options, sc.schema, batches...)
		if tableErr := sc.checkTable(data, err, batches); tableErr != nil {
			t.Fatalf("seed %d: %v", seed, tableErr)
		}
		switch {
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			err = fmt.Errorf("error %w, want %s", err, want)
		case want != "":
			err = nil
			refused++
		case err == nil:
			err = checkFile(data, &sc.options, sc.schema, batches...)
			sorted++
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%v\n%d records, options %+v", seed, err, sc.schema, sc.records, sc.options)
		}
	}
	if sorted < int(cases)/10 || refused < int(cases)/10 {
		t.Errorf("%d files were sorted, %d refused", sorted, refused)
	}
}

// checkTable writes the batches as a table, which must give the same file or the same error.
func (sc *sortedCase) checkTable(data []byte, err error, batches []arrow.RecordBatch) error {
	var table bytes.Buffer
	_, tableErr := WriteTable(&table, sc.schema, batches, &sc.options)
	if fmt.Sprint(tableErr) != fmt.Sprint(err) || err == nil && !bytes.Equal(table.Bytes(), data) {
		return fmt.Errorf("a table: %d bytes, error %w; in batches: %d bytes, error %w", table.Len(), tableErr, len(data), err)
	}
	return nil
}

// Records are compared across spans, batches and row groups of any length, with runs and nulls in them.
func TestSortedLong(t *testing.T) {
	const records, length = 150_000, 50
	value := func(i int) any { // nulls, then ascending in steps
		if i < 20_000 {
			return nil
		}
		return int64(i / 7)
	}
	dense := arrayOf(arrow.PrimitiveTypes.Int64, records, value)
	runs := arrayOf(arrow.PrimitiveTypes.Int64, records/length, func(i int) any { return value(i * length) })
	two := arrayOf(arrow.PrimitiveTypes.Int64, 2, func(i int) any { return []any{nil, int64(5)}[i] })
	for name, a := range map[string]arrow.Array{
		"dense": dense, "runs": runEndsOf(runs, always(length)), "two runs": runEndsOf(two, always(records/2)),
	} {
		batch := oneColumn(a)
		o := &Options{SortingColumns: []SortingColumn{{Column: "c", NullsFirst: true}}, RowGroupRecords: 70_000}
		for _, n := range []int64{1000, 4097, 64_000, records} {
			data := mustWrite(t, o, batch.Schema(), slicesOf(batch, n)...)
			if n == records {
				if err := checkFile(data, o, batch.Schema(), batch); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		// One record more, which belongs to the front.
		w, err := NewWriter(&bytes.Buffer{}, batch.Schema(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(batch); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := fmt.Sprintf(`encode: field "c": record %d sorts before record %d by the sorting columns "c" nulls first`,
			records, records-1)
		if err := w.Write(batch.NewSlice(0, 1)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
}

// A row group may begin with any record.
func TestSortedRowGroups(t *testing.T) {
	batch := oneColumn(int64Column(10, func(i int) int64 { return int64(i % 5) }))
	o := &Options{SortingColumns: []SortingColumn{{Column: "c"}}}
	var buf bytes.Buffer
	w, err := NewWriter(&buf, batch.Schema(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range slicesOf(batch, 5) {
		if err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := lintFile(buf.Bytes()); err != nil {
		t.Error(err)
	}
	_, err = write(o, batch.Schema(), batch)
	if err == nil || !strings.Contains(err.Error(), "record 5 sorts before record 4") {
		t.Errorf("error %v", err)
	}
}

func TestSortingOptions(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "s", Type: arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int32}), Nullable: true},
		{Name: "i", Type: arrow.FixedWidthTypes.MonthInterval},
		{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32)},
		{Name: "n", Type: arrow.Null, Nullable: true},
		unknownExtension(required("g", arrow.BinaryTypes.Binary), wkbName, ""),
		unknownExtension(required("v", variantOf(nil)), variantName, ""),
	}, nil)
	for _, c := range []struct {
		columns []string
		want    string
	}{
		{[]string{"s.x"}, ""},
		{[]string{"s"}, `SortingColumns: column "s": there is none`},
		{[]string{"s.x", "*"}, `column "*": there is none`},
		{[]string{"s.x", "s.x"}, `column "s.x": it is there twice`},
		{[]string{"l.list.element"}, `column "l.list.element": it is below a list`},
		{[]string{"i"}, `column "i": values of type month_interval have no order`},
		{[]string{"n"}, `column "n": values of type null have no order`},
		{[]string{"g"}, `column "g": values of type GEOMETRY have no order`},
		{[]string{"v.value"}, `column "v.value": values of type VARIANT have no order`},
	} {
		o := &Options{}
		for _, name := range c.columns {
			o.SortingColumns = append(o.SortingColumns, SortingColumn{Column: name})
		}
		_, err := NewWriter(&bytes.Buffer{}, schema, o)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: error %v, want %q", c.columns, err, c.want)
		}
	}
}

// A record that is out of order is found wherever it stands, by the second key where the first has nulls and is the
// same: in the words of one span, and in spans that are no whole words.
func TestSortedEveryPlace(t *testing.T) {
	checkDisorder(t, []int{37, 1, 50, 100, 112}, 0, 300)
	checkDisorder(t, []int{4100, 5003, 1000}, 9090, 9300)
}

// checkDisorder makes a first key of nulls and then ones, in runs of the given lengths, and a second one with a record
// that is out of order, at each place in turn.
func checkDisorder(t *testing.T, lengths []int, from, to int) {
	t.Helper()
	nulls, records := lengths[0], 0
	for _, n := range lengths {
		records += n
	}
	value := func(i int) any { return []any{nil, int32(1)}[min(i, 1)] }
	first := arrayOf(arrow.PrimitiveTypes.Int32, records, func(i int) any { return value(i / nulls) })
	runs := arrayOf(arrow.PrimitiveTypes.Int32, len(lengths), value)
	runs = runEndsOf(runs, func(run int) int { return lengths[run] })
	for at := from; at < to; at++ {
		second := arrayOf(arrow.PrimitiveTypes.Int64, records, func(i int) any {
			switch {
			case i == at:
				return int64(-1)
			case i >= nulls-5 && i < nulls || i >= records-nulls/2:
				return nil
			}
			return int64(i)
		})
		checkDisorderAt(t, first, first, second, at)
		checkDisorderAt(t, first, runs, second, at)
	}
}

// checkDisorderAt writes two columns, the first of them in another layout.
func checkDisorderAt(t *testing.T, first, laidOut, second arrow.Array, at int) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "a", Type: laidOut.DataType(), Nullable: true}, {Name: "b", Type: second.DataType(), Nullable: true},
	}, nil)
	o := &Options{SortingColumns: []SortingColumn{{Column: "a", NullsFirst: true}, {Column: "b"}}}
	batch := array.NewRecordBatch(schema, []arrow.Array{laidOut, second}, int64(first.Len()))
	want := ""
	for i := 1; i < first.Len() && want == ""; i++ {
		if first.IsNull(i-1) != first.IsNull(i) {
			continue
		}
		a, b := second.(*array.Int64).Value(i-1), second.(*array.Int64).Value(i)
		if second.IsNull(i-1) && second.IsValid(i) || second.IsValid(i-1) && second.IsValid(i) && a > b {
			want = fmt.Sprintf(`encode: field "b": record %d sorts before record %d by`, i, i-1)
		}
	}
	for _, n := range []int64{63, 100, 20_000} {
		_, err := write(o, schema, slicesOf(batch, n)...)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("place %d, batches of %d: error %v, want %s", at, n, err, want)
		}
	}
}

// The numbers that floats are compared by put NaN last and know one zero.
func TestNumbersOfFloats(t *testing.T) {
	inf := math.Inf(1)
	nans := []float64{math.NaN(), math.Float64frombits(^uint64(0)), math.Float64frombits(0x7ff0000000000001)}
	least := math.SmallestNonzeroFloat64
	order := []float64{-inf, -math.MaxFloat64, -1, -least, 0, least, 1, math.MaxFloat64, inf, nans[0]}
	for i, v := range order[1:] {
		if a, b := numberOfFloat(order[i]), numberOfFloat(v); a >= b {
			t.Errorf("%g is %x, %g is %x", order[i], a, v, b)
		}
	}
	for _, v := range nans {
		if numberOfFloat(v) != numberOfFloat(nans[0]) {
			t.Errorf("NaN %x is another number", math.Float64bits(v))
		}
	}
	if numberOfFloat(math.Copysign(0, -1)) != numberOfFloat(0) {
		t.Error("zeros are two numbers")
	}
	for a := range 1 << 16 {
		b := a*31337&(1<<16-1) ^ 0x8000
		x, y := binary.LittleEndian.AppendUint16(nil, uint16(a)), binary.LittleEndian.AppendUint16(nil, uint16(b))
		want := cmp.Compare(numberOfFloat(half(x)), numberOfFloat(half(y)))
		if got := cmp.Compare(numberOfFloat16(x), numberOfFloat16(y)); got != want {
			t.Errorf("%04x and %04x compare as %d, want %d", a, b, got, want)
		}
	}
}

func half(v []byte) float64 {
	return (&lint.Leaf{SchemaElement: lint.SchemaElement{Type: lint.FixedLenByteArray}}).Number(v)
}

// Behind long runs, which are spans of their own, records are compared as elsewhere.
func TestSortedBehindLongRuns(t *testing.T) {
	for at := 2; at < 150; at++ {
		runs := arrayOf(arrow.PrimitiveTypes.Int64, 200, func(i int) any {
			switch i {
			case 0:
				return nil
			case at:
				return int64(-1)
			}
			return int64(i)
		})
		batch := oneColumn(runEndsOf(runs, func(run int) int { return max(1, 4100-run*4000) }))
		o := &Options{SortingColumns: []SortingColumn{{Column: "c", NullsFirst: true}}}
		want := fmt.Sprintf(`encode: field "c": record %d sorts before record %d by`, 4200+at-2, 4200+at-3)
		if _, err := write(o, batch.Schema(), batch); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("run %d: error %v, want %s", at, err, want)
		}
	}
}
