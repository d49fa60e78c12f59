package encode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sluice-io/sluice/integration/lint"
)

// checkFooter checks that a footer says what m says, and to arrow-go too.
func checkFooter(t *testing.T, m *fileMetaData) {
	t.Helper()
	b := m.append(nil)
	if again := m.append(make([]byte, 3))[3:]; !bytes.Equal(b, again) {
		t.Error("the same metadata gives other bytes the second time")
	}
	got := fileMetaDataOf(parseThrift(t, "FileMetaData", b))
	if diff := cmp.Diff(*m, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	theirs, err := metadata.NewFileMetaData(b, nil)
	if err != nil {
		t.Fatalf("arrow-go: %v", err)
	}
	if theirs.NumRows != m.NumRows || theirs.NumRowGroups() != len(m.RowGroups) || theirs.GetCreatedBy() != m.CreatedBy {
		t.Errorf("arrow-go reads %d rows in %d groups, created by %q", theirs.NumRows, theirs.NumRowGroups(), theirs.GetCreatedBy())
	}
}

func TestFooterBytes(t *testing.T) {
	s, err := newSchema(arrow.NewSchema([]arrow.Field{
		{Name: "d", Type: &arrow.Decimal128Type{Precision: 7, Scale: 2}},
		{Name: "l", Nullable: true, Type: arrow.ListOfField(arrow.Field{Type: arrow.FixedWidthTypes.Date32, Metadata: fieldID("9")})},
	}, nil))
	if err != nil {
		t.Fatal(err)
	}
	m := fileMetaData{
		Schema: s.Elements, KeyValues: []KeyValue{{Key: "k"}}, CreatedBy: "sluice", ColumnOrders: s.columnOrders(),
	}
	checkGolden(t, "testdata/metadata/footer.txt", m.append)
	checkFooter(t, &m)
}

// Every field of every struct, alone in its optional parts or together with others.
func FuzzFooter(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := randomFooter(rand.New(rand.NewPCG(seed, 0)))
		checkFooter(t, &m)
	})
}

// randomFooter makes up metadata that is sound in its structure; its numbers are anything.
func randomFooter(r *rand.Rand) fileMetaData {
	leaves := 1 + r.IntN(20)
	m := fileMetaData{
		Schema:    []schemaElement{{Name: "schema", NumChildren: int32(leaves)}},
		NumRows:   r.Int64() >> r.IntN(63),
		CreatedBy: randomString(r),
		KeyValues: randomList(r, func() KeyValue { return KeyValue{Key: randomString(r), Value: randomString(r)} }),
	}
	for i := range leaves {
		m.Schema = append(m.Schema, randomLeaf(r, i))
		m.ColumnOrders = append(m.ColumnOrders, columnOrderType+columnOrder(r.IntN(2)))
	}
	for range r.IntN(3) {
		g := rowGroup{
			NumRows: r.Int64(), TotalBytes: r.Int64(), CompressedBytes: r.Int64(), FileOffset: r.Int64(),
			Ordinal: int16(max(-1, r.IntN(1<<16)-1<<15)),
			SortingColumns: randomList(r, func() sortingColumn {
				return sortingColumn{Leaf: int32(r.IntN(leaves)), Descending: r.IntN(2) == 0, NullsFirst: r.IntN(2) == 0}
			}),
		}
		for _, e := range m.Schema[1:] {
			g.Columns = append(g.Columns, encryptRandomly(r, randomChunk(r, e)))
		}
		m.RowGroups = append(m.RowGroups, g)
	}
	m.Encryption, m.SigningKeyMetadata = randomAlgorithm(r), []byte(randomString(r))
	return m
}

// randomLeaf makes up a leaf whose logical type fits its physical one, as arrow-go insists.
func randomLeaf(r *rand.Rand, i int) schemaElement {
	leaves := []schemaElement{
		{Type: typeBoolean},
		{Type: typeInt32, Logical: logicalType{Kind: logicalInteger, BitWidth: 8 << r.IntN(3), Signed: r.IntN(2) == 0}},
		{Type: typeInt64, Logical: logicalType{Kind: logicalInteger, BitWidth: 64, Signed: r.IntN(2) == 0}},
		{Type: typeInt32, Logical: logicalType{Kind: logicalDate}},
		{Type: typeInt32, Logical: logicalType{Kind: logicalTime, Unit: unitMillis, UTC: r.IntN(2) == 0}},
		{Type: typeInt64, Logical: logicalType{Kind: logicalTime, Unit: unitMicros + timeUnit(r.IntN(2)), UTC: r.IntN(2) == 0}},
		{Type: typeInt64, Logical: logicalType{Kind: logicalTimestamp, Unit: unitMillis + timeUnit(r.IntN(3)), UTC: r.IntN(2) == 0}},
		{Type: typeInt64, Logical: logicalType{Kind: logicalDecimal, Precision: 18, Scale: int32(r.IntN(19))}},
		{Type: typeFixedLenByteArray, TypeLength: 12, Logical: logicalType{Kind: logicalInterval}},
		{Type: typeFixedLenByteArray, TypeLength: 16, Logical: logicalType{Kind: logicalUUID}},
		{Type: typeFixedLenByteArray, TypeLength: 2, Logical: logicalType{Kind: logicalFloat16}},
		{Type: typeByteArray, Logical: logicalType{Kind: logicalString}},
		{Type: typeByteArray, Logical: logicalType{Kind: logicalEnum}},
		{Type: typeByteArray, Logical: logicalType{Kind: logicalJSON}},
		{Type: typeByteArray, Logical: logicalType{Kind: logicalBSON}},
		{Type: typeDouble},
	}
	e := leaves[r.IntN(len(leaves))]
	e.Name = fmt.Sprint("c", i)
	e.Repetition = repetition(r.IntN(2))
	if e.HasFieldID = r.IntN(2) == 0; e.HasFieldID {
		e.FieldID = r.Int32()
	}
	return e
}

func randomChunk(r *rand.Rand, e schemaElement) columnChunk {
	c := columnChunk{
		Type: e.Type, Path: []string{e.Name}, Codec: codecID(r.IntN(3)),
		Encodings: randomList(r, func() encodingID { return encodingID(r.IntN(10)) }),
		EncodingStats: randomList(r, func() pageEncodingStats {
			return pageEncodingStats{Page: pageType(r.IntN(4)), Encoding: encodingID(r.IntN(10)), Count: r.Int32()}
		}),
		NumValues: r.Int64(), UncompressedBytes: r.Int64(), CompressedBytes: r.Int64(), DataPageOffset: r.Int64(),
		DictionaryPageOffset: r.Int64N(2) * r.Int64(),
		KeyValues:            randomList(r, func() KeyValue { return KeyValue{Key: randomString(r), Value: randomString(r)} }),
	}
	if r.IntN(2) == 0 {
		c.Statistics = &statistics{
			NullCount: r.Int64(), DistinctCount: r.Int64N(3) - 1, HasNaNCount: r.IntN(2) == 0, HasMinMax: r.IntN(2) == 0,
		}
		if s := c.Statistics; s.HasMinMax {
			s.Min, s.Max = []byte(randomString(r)), []byte(randomString(r))
			s.MinExact, s.MaxExact = r.IntN(2) == 0, r.IntN(2) == 0
		}
		if c.Statistics.HasNaNCount {
			c.Statistics.NaNCount = r.Int64()
		}
	}
	if r.IntN(2) == 0 {
		c.SizeStatistics = &sizeStatistics{UnencodedBytes: r.Int64N(3) - 1, Repetition: randomList(r, r.Int64), Definition: randomList(r, r.Int64)}
	}
	if r.IntN(2) == 0 {
		c.BloomOffset, c.BloomBytes = 1+r.Int64N(1<<40), r.Int32()
	}
	if r.IntN(2) == 0 {
		c.OffsetIndexOffset, c.OffsetIndexBytes = 1+r.Int64N(1<<40), r.Int32()
	}
	if r.IntN(2) == 0 {
		c.ColumnIndexOffset, c.ColumnIndexBytes = 1+r.Int64N(1<<40), r.Int32()
	}
	return c
}

// randomList makes up to 20 of something: past 14, a list's header is a longer one.
func randomList[T any](r *rand.Rand, make func() T) []T {
	var list []T
	for range r.IntN(3) * r.IntN(11) {
		list = append(list, make())
	}
	return list
}

func randomString(r *rand.Rand) string {
	return string(bytes.Repeat([]byte("é"), r.IntN(3)*r.IntN(100)))
}

// Every logical type with its converted type, by the spec's numbers.
func TestLogicalTypes(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		logical   logicalType
		converted int64
	}{
		{logicalType{Kind: logicalNone}, none},
		{logicalType{Kind: logicalString}, 0},
		{logicalType{Kind: logicalMap}, 1},
		{logicalType{Kind: logicalList}, 3},
		{logicalType{Kind: logicalEnum}, 4},
		{logicalType{Kind: logicalDecimal, Precision: 30, Scale: 4}, 5},
		{logicalType{Kind: logicalDate}, 6},
		{logicalType{Kind: logicalTime, Unit: unitMillis, UTC: true}, 7},
		{logicalType{Kind: logicalTime, Unit: unitMicros}, 8},
		{logicalType{Kind: logicalTime, Unit: unitNanos}, none},
		{logicalType{Kind: logicalTimestamp, Unit: unitMillis}, 9},
		{logicalType{Kind: logicalTimestamp, Unit: unitMicros, UTC: true}, 10},
		{logicalType{Kind: logicalTimestamp, Unit: unitNanos}, none},
		{logicalType{Kind: logicalInterval}, 21},
		{logicalType{Kind: logicalInteger, BitWidth: 8}, 11},
		{logicalType{Kind: logicalInteger, BitWidth: 16}, 12},
		{logicalType{Kind: logicalInteger, BitWidth: 32}, 13},
		{logicalType{Kind: logicalInteger, BitWidth: 64}, 14},
		{logicalType{Kind: logicalInteger, BitWidth: 8, Signed: true}, 15},
		{logicalType{Kind: logicalInteger, BitWidth: 16, Signed: true}, 16},
		{logicalType{Kind: logicalInteger, BitWidth: 32, Signed: true}, 17},
		{logicalType{Kind: logicalInteger, BitWidth: 64, Signed: true}, 18},
		{logicalType{Kind: logicalUnknown}, none},
		{logicalType{Kind: logicalJSON}, 19},
		{logicalType{Kind: logicalBSON}, 20},
		{logicalType{Kind: logicalUUID}, none},
		{logicalType{Kind: logicalFloat16}, none},
		{logicalType{Kind: logicalVariant, Version: 1}, none},
		{logicalType{Kind: logicalGeometry}, none},
		{logicalType{Kind: logicalGeometry, CRS: "EPSG:4326"}, none},
		{logicalType{Kind: logicalGeography, CRS: "EPSG:4326", Edges: 4}, none},
	} {
		w := thriftWriter{}
		(&schemaElement{Name: "a", Type: typeByteArray, Logical: c.logical}).write(&w, false)
		v := parseThrift(t, "SchemaElement", w.buf)
		if got := like[logicalType](lint.SchemaElementOf(v).Logical); got != c.logical {
			t.Errorf("read back %+v, want %+v", got, c.logical)
		}
		if got := v.IntOr(6, none); got != c.converted {
			t.Errorf("%+v: converted type %d, want %d", c.logical, got, c.converted)
		}
	}
}

func BenchmarkFooter(b *testing.B) {
	m := randomFooter(rand.New(rand.NewPCG(3, 0)))
	m.RowGroups = nil
	e := m.Schema[1]
	columns := make([]columnChunk, 1000)
	for i := range columns {
		columns[i] = randomChunk(rand.New(rand.NewPCG(1, 0)), e)
	}
	m.RowGroups = []rowGroup{{Columns: columns}}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = m.append(dst[:0])
	}
	b.SetBytes(int64(len(dst)))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(columns)), "ns/chunk")
}
