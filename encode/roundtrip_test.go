package encode

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/sluice-io/sluice/integration/lint"
)

var long = flag.Bool("long", false, "write twenty times as many random files")

// randomCase is a table in columns of slots, and options to write it with.
type randomCase struct {
	schema  *arrow.Schema
	columns [][]any
	records int
	options Options
}

// newRandomCase makes a table in the plainest form that it has; see disguised.
func newRandomCase(c chance) *randomCase {
	g := &generator{chance: c, slots: 300}
	rc := &randomCase{records: g.IntN(60), options: randomOptions(g)}
	switch g.IntN(100) {
	case 0:
		rc.records, g.slots = 3000+g.IntN(4000), 20_000
	case 1:
		g.long = 5000
	}
	var fields []arrow.Field
	for i := range 1 + g.IntN(3) {
		g.stretch = pick(g, 1, 1, 4, 40)
		fields = append(fields, g.field("c"+strconv.Itoa(i), g.IntN(4)))
		rc.columns = append(rc.columns, g.column(fields[i], rc.records))
	}
	rc.schema = arrow.NewSchema(fields, nil)
	rc.options.Columns = randomColumns(g, rc.schema)
	return rc
}

// newCase makes a table in any form.
func newCase(c chance) *randomCase {
	rc := newRandomCase(c)
	if c.IntN(2) == 0 {
		return rc
	}
	return rc.disguised(c)
}

// randomColumns makes options for some of the leaves, each of which may have any encoding of its values.
func randomColumns(g *generator, schema *arrow.Schema) (columns []ColumnOptions) {
	s, err := newSchema(schema)
	if err != nil {
		panic(err)
	}
	for i := range s.Leaves {
		if g.oneIn(2) {
			continue
		}
		encodings := encodingsOf(&s.Leaves[i])
		columns = append(columns, ColumnOptions{
			Path:            strings.Join(s.Leaves[i].Path, "."),
			Encoding:        pick(g, "", "compact", encodings[g.IntN(len(encodings))].name),
			DictionaryBytes: pick(g, 0, -1, 30, 300),
			Compression:     pick(g, "", "none", "zstd"),
			BloomFilterFPP:  pick(g, 0, 0, -1, 0.01, 0.2),
			DistinctCounts:  g.oneIn(4),
		})
		if leaf := &s.Leaves[i]; g.oneIn(4) && leaf.Physical != typeBoolean && leaf.Logical.Kind != logicalUnknown {
			last := &columns[len(columns)-1]
			last.Encoding, last.DictionaryBytes = "dictionary", pick(g, 30, 300)
		}
		if last := &columns[len(columns)-1]; !s.Leaves[i].hasBloomFilter() {
			last.BloomFilterFPP = min(last.BloomFilterFPP, 0)
		}
	}
	return columns
}

// randomOptions makes options under which even a small table takes many pages and row groups, and dictionaries end
// early.
func randomOptions(g *generator) Options {
	o := Options{
		Compression:     pick(g, "none", "snappy", "gzip", "brotli", "zstd", "lz4"),
		DataPageBytes:   pick(g, 0, 1, 7, 8, 16, 64, 100, 1000),
		DataPageRecords: pick(g, 0, 1, 2, 7, 30),
		DictionaryBytes: pick(g, 0, -1, 1, 8, 50, 200),
		RowGroupRecords: pick[int64](g, 0, 0, 0, 1, 7, 20, 40, 40),
		Encoding:        pick(g, "", "", "compact", "compatible"),
		DataPageVersion: pick(g, 0, 1, 2, 2),
		NoPageChecksum:  g.oneIn(4),
	}
	if g.oneIn(8) {
		smallest := pick(g, 1, 20, 100)
		o.ContentChunks = &ContentChunks{MinBytes: smallest, MaxBytes: smallest * 4, NormLevel: pick(g, -3, 0, 3)}
	}
	if g.oneIn(2) {
		o.BloomFilterFPP = pick(g, 0.01, 0.5, 0.1, 0.001, 1e-6, 0.9)
		o.BloomFilterBytes = pick(g, 0, 0, 32, 64, 1024)
	}
	o.DistinctCounts = g.oneIn(3)
	if o.Compression == "zstd" && g.oneIn(4) {
		o.CompressionLevel = 1 + g.IntN(3)
	}
	if g.oneIn(3) {
		o.Run = runParallel
	}
	if g.oneIn(4) {
		o.Metadata = []KeyValue{{"who", "wrote"}, {"this", ""}}
	}
	return o
}

// runParallel is an Options.Run that has a goroutine for each task.
func runParallel(n int, task func(i int) error) error {
	var wait sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wait.Go(func() { errs[i] = task(i) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// batches lays the table out in batches that end at the given records; the last is added.
func (rc *randomCase) batches(l *layouter, ends ...int) (batches []arrow.RecordBatch) {
	from := 0
	for _, to := range append(ends, rc.records) {
		batches = append(batches, l.batch(rc.schema, rc.columns, from, to))
		from = to
	}
	return batches
}

// someBatches lays the table out in batches of any length, none too.
func (rc *randomCase) someBatches(l *layouter) []arrow.RecordBatch {
	var ends []int
	for to := 0; to < rc.records && !l.oneIn(3); {
		to += l.IntN(rc.records - to + 1)
		ends = append(ends, to)
	}
	return rc.batches(l, ends...)
}

// write writes batches to a file in memory.
func write(o *Options, schema *arrow.Schema, batches ...arrow.RecordBatch) ([]byte, error) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, schema, o)
	if err != nil {
		return nil, err
	}
	var records int64
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			return nil, err
		}
		records += b.NumRows()
	}
	sum, err := w.Close()
	if err == nil && (sum.Bytes != int64(buf.Len()) || sum.Records != records) {
		err = fmt.Errorf("the summary counts %d bytes and %d records, there are %d and %d", sum.Bytes, sum.Records, buf.Len(), records)
	}
	return buf.Bytes(), err
}

// mustWrite is write for what has to succeed.
func mustWrite(t testing.TB, o *Options, schema *arrow.Schema, batches ...arrow.RecordBatch) []byte {
	t.Helper()
	data, err := write(o, schema, batches...)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checkFile checks a file of the given batches: by the linter, against the records themselves, and through arrow-go.
func checkFile(data []byte, o *Options, schema *arrow.Schema, batches ...arrow.RecordBatch) error {
	contents, err := lint.Read(bytes.NewReader(data), int64(len(data)), lintOptions(o))
	f := &lintedFile{contents, data}
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	want := shred(schema, batches...)
	for i, l := range f.Leaves {
		if err := diffStreams(f.Stream(i), want[i]); err != nil {
			return fmt.Errorf("leaf %q: %w", l.String(), err)
		}
	}
	if err := checkLimits(f, o); err != nil {
		return err
	}
	if err := checkArrowGo(f, schema, want); err != nil {
		return fmt.Errorf("arrow-go: %w", err)
	}
	return nil
}

// lintOptions tells the linter what the options leave out.
func lintOptions(o *Options) *lint.Options {
	l := &lint.Options{}
	if o == nil {
		return l
	}
	if o.NoPageIndex {
		l.Omitted = append(l.Omitted, lint.OffsetIndexes, lint.ColumnIndexes)
	}
	if o.Statistics != "" || slices.ContainsFunc(o.Columns, func(c ColumnOptions) bool { return c.Statistics != "" }) {
		l.Omitted = append(l.Omitted, lint.ColumnIndexes, lint.Bounds)
	}
	if l.BoundBytes = o.StatisticsBytes; l.BoundBytes < 0 {
		l.BoundBytes = math.MaxInt
	}
	return l
}

// leaveOut has some of the bounds and indexes left out.
func (o *Options) leaveOut(c chance) {
	o.NoPageIndex = c.IntN(8) == 0
	o.Statistics = []string{"", "", "", "page", "chunk", "none"}[c.IntN(6)]
	o.StatisticsBytes = []int{0, 0, -1}[c.IntN(3)]
	for i := range o.Columns {
		o.Columns[i].Statistics = []string{"", "", "", "page", "chunk", "none"}[c.IntN(6)]
	}
}

// checkArrowGo reads the columns that arrow-go can read with it, and compares their leaves with the streams wanted.
func checkArrowGo(f *lintedFile, schema *arrow.Schema, want []stream) error {
	return checkArrowGoWith(parquet.NewReaderProperties(memory.DefaultAllocator), f, schema, want)
}

func checkArrowGoWith(props *parquet.ReaderProperties, f *lintedFile, schema *arrow.Schema, want []stream) error {
	r, err := file.NewParquetReader(bytes.NewReader(f.data), file.WithReadProps(props))
	if err != nil {
		return err
	}
	defer r.Close()
	fr, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	var leaves, groups []int
	leaf := 0
	for _, field := range schema.Fields() {
		first := leaf
		leaf += countLeaves([]arrow.Field{field})
		if arrowGoReads(field.Type) && !f.hasFixedDeltaStrings(first, leaf) {
			for l := range leaf - first {
				leaves = append(leaves, first+l)
			}
		}
	}
	for i := range r.NumRowGroups() {
		groups = append(groups, i)
	}
	if len(leaves) == 0 || len(groups) == 0 {
		return nil
	}
	table, err := fr.ReadRowGroups(context.Background(), leaves, groups)
	if err != nil {
		return err
	}
	defer table.Release()
	var batches []arrow.RecordBatch
	tr := array.NewTableReader(table, 0)
	defer tr.Release()
	for tr.Next() {
		b := tr.RecordBatch()
		b.Retain()
		defer b.Release()
		batches = append(batches, b)
	}
	for i, got := range shred(table.Schema(), batches...) {
		if err := diffStreams(got, want[leaves[i]]); err != nil {
			return fmt.Errorf("leaf %d: %w", leaves[i], err)
		}
	}
	return tr.Err()
}

// hasFixedDeltaStrings reports whether one of the leaves has FIXED_LEN_BYTE_ARRAY values in DELTA_BYTE_ARRAY, which
// arrow-go does not read.
func (f *lintedFile) hasFixedDeltaStrings(from, to int) bool {
	for _, g := range f.RowGroups {
		for _, c := range g[from:to] {
			if c.Leaf.Type == lint.FixedLenByteArray && slices.Contains(c.Meta.Encodings, lint.DeltaByteArray) {
				return true
			}
		}
	}
	return false
}

// arrowGoReads tells the types that arrow-go's reader gives back.
func arrowGoReads(dt arrow.DataType) bool {
	switch dt := dt.(type) {
	case arrow.ExtensionType:
		return arrowGoReads(dt.StorageType())
	case *arrow.DictionaryType:
		return arrowGoReads(dt.ValueType)
	case *arrow.FixedSizeListType: // not below a null
		return false
	case arrow.NestedType:
		for _, f := range dt.Fields() {
			if !arrowGoReads(f.Type) {
				return false
			}
		}
		return true
	}
	return dt.ID() != arrow.DURATION
}

func TestRandomFiles(t *testing.T) {
	cases := uint64(2400)
	if *long {
		cases *= 20
	}
	for seed := range cases {
		c := rand.New(rand.NewPCG(seed, 11))
		rc := newCase(c)
		if c.IntN(4) == 0 {
			rc.options.leaveOut(c)
		}
		l := &layouter{c, memory.DefaultAllocator}
		batches := rc.someBatches(l)
		data, err := write(&rc.options, rc.schema, batches...)
		if err == nil {
			err = checkFile(data, &rc.options, rc.schema, batches...)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%v\n%d records, options %+v", seed, err, rc.schema, rc.records, rc.options)
		}
	}
}
