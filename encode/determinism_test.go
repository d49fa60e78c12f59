package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/integration/lint"
)

// every returns the ends of batches of n records.
func (rc *randomCase) every(n int) (ends []int) {
	for end := n; end < rc.records; end += n {
		ends = append(ends, end)
	}
	return ends
}

// slicesOf cuts one batch into slices of up to n records.
func slicesOf(b arrow.RecordBatch, n int64) (parts []arrow.RecordBatch) {
	for from := int64(0); from < b.NumRows(); from += n {
		parts = append(parts, b.NewSlice(from, min(from+n, b.NumRows())))
	}
	return parts
}

// variants are the same records in batches of other lengths and other layouts: each batch is laid out anew, with slots
// around it and dictionaries of its own, unless it is a slice of a larger one.
func (rc *randomCase) variants(l *layouter) map[string][]arrow.RecordBatch {
	v := map[string][]arrow.RecordBatch{
		"one batch again":  rc.batches(l),
		"a batch a record": rc.batches(l, rc.every(1)...),
		"seven records":    rc.batches(l, rc.every(7)...),
		"any lengths":      rc.someBatches(l),
		"slices of one":    slicesOf(rc.batches(l)[0], 1),
		"slices of five":   slicesOf(rc.batches(l)[0], 5),
		"thousands":        rc.batches(l, rc.every(1000)...),
	}
	return v
}

// The bytes of a file are a function of its records and options.
func TestDeterministic(t *testing.T) {
	cases := uint64(400)
	if *long {
		cases *= 20
	}
	for seed := range cases {
		c := rand.New(rand.NewPCG(seed, 12))
		rc := newCase(c)
		l := &layouter{c, memory.DefaultAllocator}
		rc.options.Run = nil
		if err := rc.checkDeterministic(l); err != nil {
			t.Fatalf("seed %d: %v\n%v\n%d records, options %+v", seed, err, rc.schema, rc.records, rc.options)
		}
	}
}

func (rc *randomCase) checkDeterministic(l *layouter) error {
	whole := rc.batches(l)[0]
	want, err := write(&rc.options, rc.schema, whole)
	if err != nil {
		return err
	}
	for name, batches := range rc.variants(l) {
		got, err := write(&rc.options, rc.schema, batches...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := sameFile(got, want); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	var table bytes.Buffer
	if _, err := WriteTable(&table, rc.schema, rc.someBatches(l), &rc.options); err != nil {
		return fmt.Errorf("as a table: %w", err)
	}
	if err := sameFile(table.Bytes(), want); err != nil {
		return fmt.Errorf("as a table: %w", err)
	}
	parallel := rc.options
	parallel.Run = runParallel
	got, err := write(&parallel, rc.schema, whole)
	if err != nil {
		return err
	}
	if err := sameFile(got, want); err != nil {
		return fmt.Errorf("in parallel: %w", err)
	}
	return nil
}

// disguised returns the same table under a schema with other types for some of the same columns.
func (rc *randomCase) disguised(c chance) *randomCase {
	g, other := &generator{chance: c}, *rc
	fields := make([]arrow.Field, rc.schema.NumFields())
	for i, f := range rc.schema.Fields() {
		fields[i] = g.disguised(f)
	}
	other.schema = arrow.NewSchema(fields, nil)
	return &other
}

// Run-end-encoded records give the file that dense ones give, but for the Arrow schema in the footer.
func TestSameFileOfRuns(t *testing.T) {
	cases := uint64(500)
	if *long {
		cases *= 20
	}
	for seed := range cases {
		c := rand.New(rand.NewPCG(seed, 13))
		dense := newRandomCase(c)
		dense.options.Encoding = "" // compact leaves encodings out that readers do not know for dictionaries
		for i := range dense.options.Columns {
			if o := &dense.options.Columns[i]; o.Encoding == "compact" {
				o.Encoding = ""
			}
		}
		l := &layouter{c, memory.DefaultAllocator}
		runs := dense.disguised(c)
		want, err := write(&dense.options, dense.schema, dense.batches(l)...)
		if err == nil {
			err = runs.checkSameData(runs.someBatches(l), want)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%v\n%d records, options %+v", seed, err, runs.schema, runs.records, runs.options)
		}
	}
}

// Runs of lists, lists of runs and runs of both give the pages of dense lists, where records that stand in a row fill several
// pages and where several of them are in one.
func TestSameFileOfRunsOfLists(t *testing.T) {
	runs := func(dt arrow.DataType) arrow.DataType { return arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, dt) }
	number, text := arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String
	schemaOf := func(types ...arrow.DataType) *arrow.Schema {
		var fields []arrow.Field
		for i, dt := range types {
			fields = append(fields, arrow.Field{Name: fmt.Sprint("c", i), Type: dt, Nullable: true})
		}
		return arrow.NewSchema(fields, nil)
	}
	dense := schemaOf(arrow.ListOf(number), arrow.ListOf(text), arrow.ListOf(arrow.ListOf(number)))
	forms := []*arrow.Schema{
		schemaOf(runs(arrow.ListOf(number)), runs(arrow.ListOf(text)), runs(arrow.ListOf(arrow.ListOf(number)))),
		schemaOf(arrow.ListOf(runs(number)), arrow.ListOf(runs(text)), arrow.ListOf(runs(arrow.ListOf(number)))),
		schemaOf(runs(arrow.ListOf(runs(number))), runs(arrow.ListOf(runs(text))),
			runs(arrow.ListOf(runs(arrow.ListOf(runs(number)))))),
	}
	for seed, stretch := range []int{4, 60, 9000} {
		c := rand.New(rand.NewPCG(uint64(seed), 14))
		g := &generator{chance: c, slots: 1 << 30, stretch: stretch}
		rc := &randomCase{schema: dense, records: 21_000}
		for _, f := range dense.Fields() {
			rc.columns = append(rc.columns, g.column(f, rc.records))
		}
		l := &layouter{c, memory.DefaultAllocator}
		for _, o := range []Options{{}, {DataPageBytes: 300, DataPageRecords: 700}, {DictionaryBytes: -1, DataPageBytes: 50_000}} {
			rc.options = o
			want := mustWrite(t, &o, dense, rc.batches(l)...)
			for i, form := range forms {
				other := *rc
				other.schema = form
				if err := other.checkSameData(other.batches(l, rc.every(8_001)...), want); err != nil {
					t.Errorf("form %d, records of which about %d are the same, options %+v: %v", i, stretch, o, err)
				}
			}
		}
	}
}

// checkSameData writes batches and checks that the file holds what they do, and is `want` but for the Arrow schema.
func (rc *randomCase) checkSameData(batches []arrow.RecordBatch, want []byte) error {
	got, err := write(&rc.options, rc.schema, batches...)
	if err != nil {
		return err
	}
	if err := checkFile(got, &rc.options, rc.schema, batches...); err != nil {
		return err
	}
	f, err := lintFile(got)
	if err != nil {
		return err
	}
	g, err := lintFile(want)
	if err != nil {
		return err
	}
	if err := sameData(f, g); err != nil {
		return err
	}
	arrowSchema := func(pair lint.KeyValue) bool { return pair.Key == arrowSchemaKey }
	f.Meta.KeyValues = slices.DeleteFunc(f.Meta.KeyValues, arrowSchema)
	g.Meta.KeyValues = slices.DeleteFunc(g.Meta.KeyValues, arrowSchema)
	if diff := cmp.Diff(g.Meta, f.Meta); diff != "" {
		return fmt.Errorf("the footer is another (-want +got):\n%s", diff)
	}
	return nil
}

// sameFile says in which pages two files begin to differ.
func sameFile(got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	f, err := lintFile(got)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	g, err := lintFile(want)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	if err := sameData(f, g); err != nil {
		return err
	}
	return fmt.Errorf("%d bytes, %d wanted, pages and indexes are the same", len(got), len(want))
}

// sameData says in which pages two files begin to differ before the footer.
func sameData(got, want *lintedFile) error {
	f, g := got.beforeFooter(), want.beforeFooter()
	if bytes.Equal(f, g) {
		return nil
	}
	for i := range got.RowGroups {
		for k, c := range got.RowGroups[i] {
			for p := range c.Pages {
				a, b := c.Pages[p], want.RowGroups[i][k].Pages[p]
				if !bytes.Equal(f[a.Offset:a.Offset+a.Size], g[b.Offset:b.Offset+b.Size]) {
					return fmt.Errorf("row group %d, column %q, page %d: %d records and %d values in encoding %d; %d, %d and %d are wanted",
						i, c.Leaf.String(), p, a.Records, len(a.Values), a.Encoding, b.Records, len(b.Values), b.Encoding)
				}
			}
		}
	}
	return fmt.Errorf("%d bytes before the footer, %d wanted, data pages are the same", len(f), len(g))
}

// beforeFooter is what the file has before its footer.
func (f *lintedFile) beforeFooter() []byte {
	end := len(f.data) - 8
	return f.data[:end-int(binary.LittleEndian.Uint32(f.data[end:]))]
}

// Tables that take many spans, blocks and pages at the default limits, and a record that goes over several spans.
func TestDeterministicLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g := &generator{chance: r, slots: 100_000}
	fields := []arrow.Field{
		{Name: "number", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "bool", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "key", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.BinaryTypes.String}},
		{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
		{Name: "deep", Type: arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Float64)), Nullable: true},
	}
	rc := &randomCase{schema: arrow.NewSchema(fields, nil), records: 30_000}
	for _, f := range fields {
		g.long = 10_000
		rc.columns = append(rc.columns, g.column(f, rc.records))
	}
	for _, o := range []Options{
		{BloomFilterFPP: 0.01},
		{NoPageIndex: true, Statistics: "none", Columns: []ColumnOptions{{Path: "text", Statistics: "chunk"}}, StatisticsBytes: 3},
		{DictionaryBytes: 1000, DataPageBytes: 5000, RowGroupRecords: 12_345, BloomFilterFPP: 0.01, DistinctCounts: true},
	} {
		rc.options = o
		l := &layouter{r, memory.DefaultAllocator}
		whole := rc.batches(l)[0]
		want := mustWrite(t, &o, rc.schema, whole)
		if err := checkFile(want, &o, rc.schema, whole); err != nil {
			t.Errorf("options %+v: %v", o, err)
		}
		for name, batches := range map[string][]arrow.RecordBatch{
			"a thousand":    rc.batches(l, rc.every(1000)...),
			"4,097":         rc.batches(l, rc.every(4097)...),
			"slices of 777": slicesOf(whole, 777),
		} {
			if err := sameFile(mustWrite(t, &o, rc.schema, batches...), want); err != nil {
				t.Errorf("options %+v: %s: %v", o, name, err)
			}
		}
	}
}

// The same dictionary with every batch, and one that is used again after another: ids are found again, and files the
// same.
func TestDeterministicDictionaryReuse(t *testing.T) {
	dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: dt}}, nil)
	words := func(w ...string) arrow.Array {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		b.AppendValues(w, nil)
		return b.NewArray()
	}
	batch := func(dict arrow.Array, keys ...int8) arrow.RecordBatch {
		b := array.NewInt8Builder(memory.DefaultAllocator)
		b.AppendValues(keys, nil)
		a := array.NewDictionaryArray(dt, b.NewArray(), dict)
		return array.NewRecordBatch(schema, []arrow.Array{a}, int64(len(keys)))
	}
	abc, cba := words("a", "b", "c"), words("c", "b", "a")
	o := &Options{DataPageRecords: 3, RowGroupRecords: 5}
	want := mustWrite(t, o, schema, batch(abc, 1, 1, 0, 2, 1, 0, 0, 2, 1))
	for name, batches := range map[string][]arrow.RecordBatch{
		"same":        {batch(abc, 1, 1), batch(abc, 0, 2, 1, 0), batch(abc, 0, 2, 1)},
		"and another": {batch(abc, 1, 1), batch(cba, 2, 0), batch(abc, 1, 0), batch(cba, 2, 0, 1)},
	} {
		if err := sameFile(mustWrite(t, o, schema, batches...), want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := checkFile(want, o, schema, batches...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
