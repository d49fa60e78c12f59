package levels

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

var runEndTypes = []arrow.DataType{arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64}

func newRunEnds(g *generator, depth int) arrow.DataType {
	return arrow.RunEndEncodedOf(runEndTypes[g.IntN(3)], g.field("", depth-1).Type)
}

// runEndStorage makes runs that are short, or long now and then, with runs behind the last slot. A run is reached if
// one of its slots is. The run ends lie somewhere in the middle of their storage.
func runEndStorage(g *generator, f arrow.Field, reach []bool) storage {
	t := f.Type.(*arrow.RunEndEncodedType)
	most := []int{1, 4, 60, 6000}[g.IntN(4)]
	var ends []int
	var reached []bool
	for at := 0; at < len(reach); {
		end := min(at+1+g.IntN(most), len(reach))
		ok := false
		for _, r := range reach[at:end] {
			ok = ok || r
		}
		ends, reached = append(ends, end), append(reached, ok)
		at = end
	}
	for range g.IntN(3) {
		last := len(reach)
		if len(ends) > 0 {
			last = max(last, ends[len(ends)-1])
		}
		ends, reached = append(ends, last+1), append(reached, false)
	}
	values := g.array(arrow.Field{Type: t.Encoded(), Nullable: f.Nullable}, reached)
	return storage{children: []arrow.ArrayData{g.runEnds(t.RunEnds(), ends), values}}
}

func (g *generator) runEnds(dt arrow.DataType, ends []int) arrow.ArrayData {
	width, front := dt.(arrow.FixedWidthDataType).Bytes(), g.margin()
	b := make([]byte, (front+len(ends)+g.margin())*width)
	for i, end := range ends {
		for k := range width {
			b[(front+i)*width+k] = byte(uint64(end) >> (8 * k))
		}
	}
	return array.NewData(dt, len(ends), []*memory.Buffer{nil, memory.NewBufferBytes(b)}, nil, 0, front)
}
