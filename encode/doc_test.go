package encode

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// The worked example of the package comment.
func TestPackageExample(t *testing.T) {
	words := []any{"de", nil, "fr", "de", "de", "de"}
	a := arrayOf(arrow.BinaryTypes.String, len(words), func(i int) any { return words[i] })
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: a.DataType(), Nullable: true}}, nil)
	data := mustWrite(t, &Options{Compression: "none"}, schema, array.NewRecordBatch(schema, []arrow.Array{a}, 6))
	for _, part := range []string{"02000000" + "033d" + "01" + "0302", "02000000" + "6465" + "02000000" + "6672"} {
		want, err := hex.DecodeString(part)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, want) {
			t.Errorf("%s is not in the file:\n%x", part, data)
		}
	}
}
