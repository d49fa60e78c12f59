package encode

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrow-go reads files with extensions over any storage but timestamps: what it is told of them does not make it refuse the
// file.
func TestExtensionsInArrowGo(t *testing.T) {
	second, text := plain64(5), []byte("a")
	seconds, of := arrow.FixedWidthTypes.Timestamp_s, arrow.BinaryTypes
	for i, c := range []struct {
		storage arrow.DataType
		slot    any
	}{
		{of.LargeString, text},
		{of.LargeBinary, text},
		{of.StringView, text},
		{dictionaryOf(of.LargeString), text},
		{arrow.FixedWidthTypes.MonthInterval, plain32(4)},
		{arrow.StructOf(optional("x", seconds)), []any{second}},
		{arrow.StructOf(optional("x", of.LargeString), required("y", arrow.FixedWidthTypes.Date64)), []any{text, plain64(0)}},
		{arrow.StructOf(optional("x", of.StringView), required("y", arrow.ListOf(seconds))), []any{text, []any{second, nil}}},
		{arrow.StructOf(optional("x", dictionaryOf(of.String))), []any{text}},
		{arrow.ListOf(of.LargeString), []any{text, nil}},
		{arrow.LargeListOf(of.LargeString), []any{text, nil}},
		{arrow.LargeListOf(arrow.StructOf(optional("x", seconds))), []any{[]any{second}, nil}},
		{arrow.MapOf(of.LargeString, seconds), []any{[]any{text, second}}},
	} {
		for _, f := range []arrow.Field{
			optional("c", extensions.NewOpaqueType(c.storage, "any", "sluice")),
			unknownExtension(optional("c", c.storage), "x.y", "any"),
		} {
			schema := arrow.NewSchema([]arrow.Field{f}, nil)
			rc := &randomCase{schema: schema, columns: [][]any{{c.slot, nil, c.slot}}, records: 3}
			l := &layouter{rand.New(rand.NewPCG(uint64(i), 1)), memory.DefaultAllocator}
			batch := rc.batches(l)[0]
			o := &Options{}
			if err := checkFile(mustWrite(t, o, schema, batch), o, schema, batch); err != nil {
				t.Error(fmt.Errorf("%v: %w", f, err))
			}
		}
	}
}
