package integration

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/sluice-io/sluice/encode"
	"github.com/sluice-io/sluice/integration/lint"
	"github.com/sluice-io/sluice/integration/tools"
)

// choices are what a random file is made by: numbers from bytes, and zeros behind them.
type choices struct{ left []byte }

// below returns a number from 0 to n-1.
func (c *choices) below(n int) int {
	var word [4]byte
	c.left = c.left[copy(word[:], c.left):]
	return int(uint64(binary.LittleEndian.Uint32(word[:])) % uint64(n))
}

func (c *choices) oneIn(n int) bool { return c.below(n) == n-1 }

func choose[T any](c *choices, from ...T) T { return from[c.below(len(from))] }

// randomFiles makes files of random tables, with random options, and has them read.
type randomFiles struct {
	*tools.Worker
	dir     string
	columns [][2]string // family and name
}

func startRandomFiles(t testing.TB) *randomFiles {
	t.Helper()
	r := &randomFiles{Worker: tools.StartWorker(t, "reader of random files", "random_files.py"), dir: t.TempDir()}
	r.ask(t, map[string]any{"columns": true}, &r.columns)
	return r
}

func (r *randomFiles) ask(t testing.TB, request map[string]any, reply any) {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(r.Ask(t, string(text))), reply); err != nil {
		t.Fatal(err)
	}
}

// check makes a file of the choices, lints it, and compares what pyarrow and DuckDB read with what was written. What
// DuckDB does not read is pyarrow's alone.
func (r *randomFiles) check(t testing.TB, c *choices) error {
	t.Helper()
	stream, parquet := filepath.Join(r.dir, "table.arrows"), filepath.Join(r.dir, "table.parquet")
	request := r.table(c)
	request["make"] = stream
	var done []string
	r.ask(t, request, &done)
	schema, batches := readBatches(t, stream)
	o, data, err := writeRandom(c, schema, batches)
	what := fmt.Sprintf("%v\noptions %+v", request, o)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, what)
	}
	contents, err := lint.Read(bytes.NewReader(data), int64(len(data)), &lint.Options{Keys: keysOf(o.Encryption)})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, what)
	}
	if err := os.WriteFile(parquet, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var differences []string
	r.ask(t, map[string]any{
		"check": parquet, "encrypted": o.Encryption != nil, "duckdb": o.Encryption == nil && duckdbReads(contents),
	}, &differences)
	if len(differences) > 0 {
		return fmt.Errorf("%s\n%s", strings.Join(differences, "\n"), what)
	}
	return nil
}

// duckdbReads says whether no column is in an encoding that DuckDB does not have for it: see testdata/features.csv.
func duckdbReads(f *lint.Contents) bool {
	for _, chunks := range f.RowGroups {
		for _, c := range chunks {
			if c.Leaf.Type == lint.FixedLenByteArray && slices.Contains(c.Meta.Encodings, lint.ByteStreamSplit) {
				return false
			}
		}
	}
	return true
}

// table chooses a table of one to four columns.
func (r *randomFiles) table(c *choices) map[string]any {
	fields, chosen := [][2]string{}, map[string]bool{}
	for range 1 + c.below(4) {
		if column := choose(c, r.columns...); !chosen[column[1]] {
			chosen[column[1]] = true
			fields = append(fields, column)
		}
	}
	batches := []int{}
	for range c.below(5) {
		batches = append(batches, choose(c, 0, 1, 7, 63, 64, 65, 200, c.below(600)))
	}
	return map[string]any{"fields": fields, "batches": batches, "seed": c.below(1 << 30)}
}

func readBatches(t testing.TB, stream string) (*arrow.Schema, []arrow.RecordBatch) {
	t.Helper()
	data, err := os.ReadFile(stream)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	var batches []arrow.RecordBatch
	for r.Next() {
		batch := r.RecordBatch()
		batch.Retain()
		batches = append(batches, batch)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return r.Schema(), batches
}

// writeRandom writes batches with random options, batch by batch or as a table.
func writeRandom(c *choices, schema *arrow.Schema, batches []arrow.RecordBatch) (*encode.Options, []byte, error) {
	o := randomOptions(c, schema)
	var out bytes.Buffer
	if c.oneIn(2) {
		_, err := encode.WriteTable(&out, schema, batches, o)
		return o, out.Bytes(), err
	}
	w, err := encode.NewWriter(&out, schema, o)
	if err != nil {
		return o, nil, err
	}
	for _, batch := range batches {
		if err := w.Write(batch); err != nil {
			return o, nil, err
		}
		if c.oneIn(4) {
			if err := w.Flush(); err != nil {
				return o, nil, err
			}
		}
	}
	_, err = w.Close()
	return o, out.Bytes(), err
}

// randomOptions makes options under which small tables take several pages and row groups.
func randomOptions(c *choices, schema *arrow.Schema) *encode.Options {
	o := &encode.Options{
		Compression:     choose(c, "none", "snappy", "gzip", "brotli", "zstd", "lz4"),
		DataPageBytes:   choose(c, 0, 1, 16, 100, 1000),
		DataPageRecords: choose(c, 0, 1, 7, 50, 300),
		DataPageVersion: choose(c, 0, 1, 2),
		DictionaryBytes: choose(c, 0, -1, 8, 200),
		RowGroupRecords: choose[int64](c, 0, 0, 1, 20, 100),
		Encoding:        choose(c, "", "compact"),
		NoPageChecksum:  c.oneIn(3),
		BloomFilterFPP:  choose(c, 0, 0, 0.01, 0.5),
		DistinctCounts:  c.oneIn(3),
	}
	if o.RowGroupRecords == 1 { // else some 1000 of them
		o.DataPageRecords, o.DataPageBytes = 0, 0
		o.RowGroupRecords = 5
	}
	if c.oneIn(6) {
		o.ContentChunks = &encode.ContentChunks{MinBytes: 64, MaxBytes: 512, NormLevel: choose(c, -2, 0, 2)}
	}
	for _, field := range schema.Fields() {
		column := encode.ColumnOptions{Path: field.Name, Compression: choose(c, "", "", "none", "zstd")}
		// pyarrow makes dictionaries of plain pages alone, so that others are shown as values.
		if !strings.Contains(field.Name, "dictionary") && c.oneIn(2) {
			column.Encoding = choose(c, "delta_binary_packed", "delta_length_byte_array", "delta_byte_array", "byte_stream_split", "rle")
		}
		o.Columns = append(o.Columns, column)
		if err := encodes(schema, o); err != nil { // an encoding that is not one for the column's values
			o.Columns[len(o.Columns)-1].Encoding = ""
		}
	}
	if c.oneIn(5) {
		o.Encryption = randomEncryption(c, schema)
	}
	return o
}

func encodes(schema *arrow.Schema, o *encode.Options) error {
	w, err := encode.NewWriter(&bytes.Buffer{}, schema, o)
	if err == nil {
		w.Abort()
	}
	return err
}

// randomEncryption encrypts all columns, or some: those with the footer key.
func randomEncryption(c *choices, schema *arrow.Schema) *encode.Encryption {
	e := &encode.Encryption{
		FooterKey: featureKey("kf"), FooterKeyMetadata: keyMaterial("kf", true),
		Algorithm: choose(c, "AES_GCM_V1", "AES_GCM_CTR_V1"), PlaintextFooter: c.oneIn(2),
	}
	if c.oneIn(2) {
		field := schema.Field(c.below(schema.NumFields()))
		e.Columns = []encode.EncryptedColumn{{Path: field.Name}}
	}
	return e
}

// FuzzFiles looks for a file that breaks a rule, or that a reader shows as something else than was written.
func FuzzFiles(f *testing.F) {
	r := startRandomFiles(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := r.check(t, &choices{input}); err != nil {
			t.Fatal(err)
		}
	})
}

// TestRandomFiles does it for files that are the same every time.
func TestRandomFiles(t *testing.T) {
	cases := uint64(200)
	if *long {
		cases *= 10
	}
	r := startRandomFiles(t)
	for seed := range cases {
		input := make([]byte, 400)
		source := rand.NewChaCha8([32]byte(binary.LittleEndian.AppendUint64(make([]byte, 24), seed)))
		_, _ = source.Read(input)
		if err := r.check(t, &choices{input}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestRandomFilesSeeOthers shows that the comparison is one: a file of another table of the same schema differs.
func TestRandomFilesSeeOthers(t *testing.T) {
	r := startRandomFiles(t)
	stream, parquet := filepath.Join(r.dir, "table.arrows"), filepath.Join(r.dir, "table.parquet")
	fields := [][2]string{{"integers", "optional:int32"}, {"bytes", "list:string"}}
	for _, duckdb := range []bool{false, true} {
		for seed := range 2 {
			var done, differences []string
			r.ask(t, map[string]any{"make": stream, "fields": fields, "seed": 7 * seed, "batches": []int{50, 60}}, &done)
			schema, batches := readBatches(t, stream)
			if seed == 0 {
				var out bytes.Buffer
				if _, err := encode.WriteTable(&out, schema, batches, nil); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(parquet, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			r.ask(t, map[string]any{"check": parquet, "encrypted": false, "duckdb": duckdb}, &differences)
			if want := map[bool]int{false: 2, true: 4}[duckdb] * seed; len(differences) != want {
				t.Errorf("seed %d, DuckDB %v: %d differences, want %d: %q", seed, duckdb, len(differences), want, differences)
			}
		}
	}
}
