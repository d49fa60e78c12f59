package encode

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A linter is worth what it finds. Whatever bit of a file is flipped, it must be noticed: by the linter, or because the
// file holds something else then. Only text that nobody compares may change: the Arrow schema and the writer's name.
func TestLintNoticesEveryBit(t *testing.T) {
	rc := twoFields()
	fields := append(rc.schema.Fields(), arrow.Field{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64), Nullable: true})
	rc.schema = arrow.NewSchema(fields, nil)
	g := &generator{chance: rand.New(rand.NewPCG(8, 8)), slots: 50}
	rc.columns = append(rc.columns, g.column(fields[2], rc.records))
	batch := rc.batches(&layouter{g, memory.DefaultAllocator})[0]
	for _, o := range []*Options{
		{Compression: "none", NoPageChecksum: true, DataPageRecords: 9},
		{Compression: "snappy", RowGroupRecords: 12, BloomFilterFPP: 0.1, DistinctCounts: true},
	} {
		data := mustWrite(t, o, rc.schema, batch)
		whole, err := lintFile(data)
		if err != nil {
			t.Fatal(err)
		}
		unread := unreadText(data)
		for i := range data {
			for bit := range 8 {
				flipped := bytes.Clone(data)
				flipped[i] ^= 1 << bit
				if !unread[i] && !noticed(flipped, whole, rc.schema, batch) {
					t.Errorf("%s: bit %d of byte %d of %d: not noticed", o.Compression, bit, i, len(data))
				}
			}
		}
	}
}

// unreadText marks the text that may be anything.
func unreadText(data []byte) []bool {
	unread := make([]bool, len(data))
	f, _ := lintFile(data)
	for _, text := range []string{f.Meta.CreatedBy, f.Meta.KeyValues[0].Value} {
		at := bytes.LastIndex(data, []byte(text))
		for i := range text {
			unread[at+i] = true
		}
	}
	return unread
}

// noticed tells whether a file is unsound, or says something else than the one that it was made of.
func noticed(data []byte, whole *lintedFile, schema *arrow.Schema, batch arrow.RecordBatch) bool {
	f, err := lintFile(data)
	if err != nil || len(f.Leaves) != len(whole.Leaves) || len(f.Meta.KeyValues) != 1 {
		return true
	}
	want := shred(schema, batch)
	for i := range f.Leaves {
		if diffStreams(f.Stream(i), want[i]) != nil {
			return true
		}
	}
	for i, e := range f.Meta.Schema {
		if e != whole.Meta.Schema[i] {
			return true
		}
	}
	return false
}
