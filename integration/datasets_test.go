package integration

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	physical "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/sluice-io/sluice/encode"
	"github.com/sluice-io/sluice/integration/tools"
)

// A column chunk whose encoding is chosen is hardly larger than in any encoding that could have been.
const (
	choiceMost  = 1.02 // times the smallest
	choiceBytes = 128  // and so many more, for headers of pages
)

// TestChoices writes tables of real data with each encoding of a profile for all columns, and with its choice.
func TestChoices(t *testing.T) {
	scale := "0.01"
	if *long {
		scale = "0.2" // 1.2 million records, more than a row group has
	}
	dir := t.TempDir()
	for name := range strings.FieldsSeq(tools.Python(t).Output(t, "datasets.py", scale, dir)) {
		t.Run(name, func(t *testing.T) {
			table := readStream(t, filepath.Join(dir, name))
			for _, codec := range []string{"none", "snappy", "zstd"} {
				for _, profile := range []string{"compatible", "compact"} {
					table.checkChoice(t, profile, codec)
				}
			}
		})
	}
}

// dataset is a table in memory.
type dataset struct {
	schema  *arrow.Schema
	batches []arrow.RecordBatch
}

func readStream(t *testing.T, path string) *dataset {
	stream, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	r, err := ipc.NewReader(stream)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	d := &dataset{schema: r.Schema()}
	for r.Next() {
		b := r.RecordBatch()
		b.Retain()
		d.batches = append(d.batches, b)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return d
}

// chunk is what there is of a column.
type chunk struct {
	path     string
	physical physical.Type
	bytes    int64
}

// write returns the columns of the table as a Parquet file.
func (d *dataset) write(t *testing.T, o *encode.Options) (columns []chunk) {
	var out bytes.Buffer
	if _, err := encode.WriteTable(&out, d.schema, d.batches, o); err != nil {
		t.Fatal(err)
	}
	r, err := file.NewParquetReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range r.MetaData().Schema.NumColumns() {
		c := r.MetaData().Schema.Column(i)
		columns = append(columns, chunk{path: c.Path(), physical: c.PhysicalType()})
		for g := range r.NumRowGroups() {
			meta, err := r.MetaData().RowGroup(g).ColumnChunk(i)
			if err != nil {
				t.Fatal(err)
			}
			columns[i].bytes += meta.TotalCompressedSize()
		}
	}
	return columns
}

// candidates are the encodings of a profile for a column that is not typed as a dictionary, "dictionary" among them.
func (c *chunk) candidates(profile string) []string {
	if profile == "compatible" {
		return []string{"plain", "dictionary"}
	}
	switch c.physical {
	case physical.Types.Boolean:
		return []string{"plain", "rle"}
	case physical.Types.Int32, physical.Types.Int64:
		return []string{"plain", "dictionary", "delta_binary_packed", "byte_stream_split"}
	case physical.Types.Float, physical.Types.Double:
		return []string{"plain", "dictionary", "byte_stream_split"}
	case physical.Types.ByteArray:
		return []string{"plain", "dictionary", "delta_length_byte_array", "delta_byte_array"}
	}
	return []string{"plain", "dictionary"}
}

// fixedOptions gives each column its k-th candidate, or its last.
func fixedOptions(columns []chunk, profile, codec string, k int) *encode.Options {
	o := &encode.Options{Compression: codec}
	for i := range columns {
		candidates := columns[i].candidates(profile)
		column := encode.ColumnOptions{Path: columns[i].path, Encoding: candidates[min(k, len(candidates)-1)]}
		if column.Encoding == "dictionary" && columns[i].physical == physical.Types.Boolean {
			column.Encoding = "plain"
		}
		if column.Encoding != "dictionary" {
			column.DictionaryBytes = -1
		}
		o.Columns = append(o.Columns, column)
	}
	return o
}

// checkChoice complains about columns that are larger than they could be, and shows how large all of them are.
func (d *dataset) checkChoice(t *testing.T, profile, codec string) {
	chosen := d.write(t, &encode.Options{Compression: codec, Encoding: profile})
	least := make([]int64, len(chosen))
	names := make([]string, len(chosen))
	for k := range 4 {
		o := fixedOptions(chosen, profile, codec, k)
		for i, c := range d.write(t, o) {
			if k == 0 || c.bytes < least[i] {
				least[i], names[i] = c.bytes, o.Columns[i].Encoding
			}
		}
	}
	var total, best int64
	for i, c := range chosen {
		total, best = total+c.bytes, best+least[i]
		more := fmt.Sprintf("%s, %s: column %s takes %d bytes, %+.1f %% of %d in %s", profile, codec, c.path, c.bytes,
			100*float64(c.bytes-least[i])/float64(least[i]), least[i], names[i])
		if float64(c.bytes) > choiceMost*float64(least[i])+choiceBytes {
			t.Error(more)
		}
	}
	t.Logf("%s, %s: %d bytes, %+.2f %% of the best of each column", profile, codec, total, 100*float64(total-best)/float64(best))
}
