package encode

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

func TestLogicalTypeBytes(t *testing.T) {
	annotated := func(name, annotation string, t arrow.DataType) arrow.Field {
		return arrow.Field{Name: name, Type: t, Metadata: arrow.NewMetadata([]string{logicalTypeKey}, []string{annotation})}
	}
	blob := arrow.BinaryTypes.Binary
	s, err := newSchema(arrow.NewSchema([]arrow.Field{
		annotated("e", "ENUM", arrow.BinaryTypes.String),
		annotated("b", "BSON", blob),
		unknownExtension(optional("v", variantOf(nil)), variantName, ""),
		unknownExtension(required("g", blob), wkbName, `{"crs": "EPSG:3857"}`),
		unknownExtension(required("h", blob), wkbName, `{"edges": "karney"}`),
	}, nil))
	if err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "testdata/metadata/logical.txt", func(dst []byte) []byte {
		w := thriftWriter{buf: dst}
		for i := range s.Elements[1:] {
			s.Elements[i+1].write(&w, false)
		}
		return w.buf
	})
}
