package encode

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/google/go-cmp/cmp"
)

// handFile puts a file together by hand: three records of an int32 (plain, version 1), an optional string (dictionary,
// version 1, snappy) and an optional list of int64 (plain, version 2, zstd), with everything that metadata can say.
//
//	a  s     l
//	1  "x"   [10, 20]
//	2  null  null
//	3  "y"   []
type handFile struct {
	t        *testing.T
	buf      []byte
	columns  []columnChunk
	indexes  []columnIndex
	offsets  []offsetIndex
	starting int // of the column being written
}

func (f *handFile) begin(l leafColumn) {
	f.starting = len(f.buf)
	f.columns = append(f.columns, columnChunk{Type: l.Physical, Path: l.Path})
}

// page adds a header and a page to the column, and returns where the header is.
func (f *handFile) page(header, body []byte, uncompressed int) (offset int64) {
	offset = int64(len(f.buf))
	f.buf = append(append(f.buf, header...), body...)
	c := &f.columns[len(f.columns)-1]
	c.CompressedBytes = int64(len(f.buf) - f.starting)
	c.UncompressedBytes += int64(len(header) + uncompressed)
	return offset
}

// end gives the column its only data page.
func (f *handFile) end(c columnChunk, i columnIndex, o offsetIndex) {
	last := &f.columns[len(f.columns)-1]
	c.Type, c.Path, c.UncompressedBytes, c.CompressedBytes = last.Type, last.Path, last.UncompressedBytes, last.CompressedBytes
	*last = c
	o.Pages = []pageLocation{{Offset: c.DataPageOffset, CompressedBytes: int32(int64(len(f.buf)) - c.DataPageOffset)}}
	f.indexes, f.offsets = append(f.indexes, i), append(f.offsets, o)
}

func int64s(values ...int64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

func int32s(values ...int32) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

func (f *handFile) codec(name string) codec {
	c, err := newCodec(name, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *handFile) int32Column(l leafColumn) {
	f.begin(l)
	body := int32s(1, 2, 3)
	s := &statistics{HasMinMax: true, Min: int32s(1), Max: int32s(3), MinExact: true, MaxExact: true, DistinctCount: 3}
	at := f.page(appendDataPageHeaderV1(nil, &dataPageHeader{
		NumValues: 3, Uncompressed: 12, Compressed: 12, Encoding: encodingPlain,
		CRC: crc32.ChecksumIEEE(body), HasCRC: true, Statistics: s,
	}), body, 12)
	f.end(columnChunk{
		Encodings:     []encodingID{encodingPlain, encodingRLE},
		EncodingStats: []pageEncodingStats{{pageData, encodingPlain, 1}},
		NumValues:     3, DataPageOffset: at, Statistics: s,
	}, columnIndex{
		NullPages: []bool{false}, Min: [][]byte{s.Min}, Max: [][]byte{s.Max}, Boundary: boundaryAscending, NullCounts: []int64{0},
	}, offsetIndex{})
}

func (f *handFile) stringColumn(l leafColumn) {
	f.begin(l)
	snappy := f.codec("snappy")
	words := []byte("\x01\x00\x00\x00x\x01\x00\x00\x00y")
	body := snappy.compress(nil, words)
	dictionary := f.page(appendDictionaryPageHeader(nil, &dictionaryPageHeader{
		NumValues: 2, Uncompressed: int32(len(words)), Compressed: int32(len(body)), CRC: crc32.ChecksumIEEE(body), HasCRC: true,
	}), body, len(words))
	// Two bytes of levels, one group of them in bits 1, 0, 1; then width 1, and one group of indices 0, 1.
	plain := []byte{2, 0, 0, 0, 3, 0b101, 1, 3, 0b10}
	body = snappy.compress(nil, plain)
	at := f.page(appendDataPageHeaderV1(nil, &dataPageHeader{
		NumValues: 3, Uncompressed: int32(len(plain)), Compressed: int32(len(body)), Encoding: encodingRLEDictionary,
		CRC: crc32.ChecksumIEEE(body), HasCRC: true,
	}), body, len(plain))
	s := &statistics{HasMinMax: true, Min: []byte("x"), Max: []byte("z"), MinExact: true, NullCount: 1, DistinctCount: 2}
	f.end(columnChunk{
		Codec: codecSnappy, Encodings: []encodingID{encodingPlain, encodingRLE, encodingRLEDictionary},
		EncodingStats: []pageEncodingStats{{pageDictionary, encodingPlain, 1}, {pageData, encodingRLEDictionary, 1}},
		NumValues:     3, DataPageOffset: at, DictionaryPageOffset: dictionary, Statistics: s,
		SizeStatistics: &sizeStatistics{UnencodedBytes: 2, Definition: []int64{1, 2}},
		KeyValues:      []KeyValue{{"column", "s"}},
	}, columnIndex{
		NullPages: []bool{false}, Min: [][]byte{s.Min}, Max: [][]byte{s.Max}, NullCounts: []int64{1}, Definition: []int64{1, 2},
	}, offsetIndex{UnencodedBytes: []int64{2}})
}

func (f *handFile) listColumn(l leafColumn) {
	f.begin(l)
	// One group of repetition levels 0, 1, 0, 0 and one of definition levels 3, 3, 0, 1.
	levels := []byte{3, 0b0010, 3, 0b01_00_11_11, 0}
	values := int64s(10, 20)
	body := f.codec("zstd").compress(levels, values)
	h := &dataPageHeader{
		NumValues: 4, NumNulls: 2, NumRows: 3, Uncompressed: int32(len(levels) + len(values)), Compressed: int32(len(body)),
		Encoding: encodingPlain, DefBytes: 3, RepBytes: 2, IsCompressed: true, CRC: crc32.ChecksumIEEE(body), HasCRC: true,
	}
	at := f.page(appendDataPageHeaderV2(nil, h), body, int(h.Uncompressed))
	rep, def := []int64{3, 1}, []int64{1, 1, 0, 2}
	s := &statistics{HasMinMax: true, Min: int64s(10), Max: int64s(20), MinExact: true, MaxExact: true, NullCount: 2, DistinctCount: -1}
	f.end(columnChunk{
		Codec: codecZstd, Encodings: []encodingID{encodingPlain, encodingRLE},
		EncodingStats: []pageEncodingStats{{pageDataV2, encodingPlain, 1}},
		NumValues:     4, DataPageOffset: at, Statistics: s,
		SizeStatistics: &sizeStatistics{UnencodedBytes: -1, Repetition: rep, Definition: def},
	}, columnIndex{
		NullPages: []bool{false}, Min: [][]byte{s.Min}, Max: [][]byte{s.Max}, Boundary: boundaryAscending,
		NullCounts: []int64{2}, Repetition: rep, Definition: def,
	}, offsetIndex{})
}

// bytes adds the page index and the footer.
func (f *handFile) bytes(s *fileSchema) []byte {
	g := rowGroup{
		Columns: f.columns, NumRows: 3, FileOffset: 4,
		SortingColumns: []sortingColumn{{Leaf: 0}},
	}
	for i := range g.Columns {
		c := &g.Columns[i]
		g.TotalBytes += c.UncompressedBytes
		g.CompressedBytes += c.CompressedBytes
		c.ColumnIndexOffset = int64(len(f.buf))
		f.buf = f.indexes[i].append(f.buf)
		c.ColumnIndexBytes = int32(int64(len(f.buf)) - c.ColumnIndexOffset)
	}
	for i := range g.Columns {
		c := &g.Columns[i]
		c.OffsetIndexOffset = int64(len(f.buf))
		f.buf = f.offsets[i].append(f.buf)
		c.OffsetIndexBytes = int32(int64(len(f.buf)) - c.OffsetIndexOffset)
	}
	m := fileMetaData{
		Schema: s.Elements, NumRows: 3, RowGroups: []rowGroup{g}, KeyValues: s.keyValues(&Options{}), CreatedBy: "sluice",
		ColumnOrders: s.columnOrders(),
	}
	start := len(f.buf)
	f.buf = m.append(f.buf)
	f.buf = binary.LittleEndian.AppendUint32(f.buf, uint32(len(f.buf)-start))
	return append(f.buf, "PAR1"...)
}

func writeHandFile(t *testing.T) []byte {
	t.Helper()
	s, err := newSchema(arrow.NewSchema([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int32, Metadata: fieldID("1")},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
	}, nil))
	if err != nil {
		t.Fatal(err)
	}
	f := &handFile{t: t, buf: []byte("PAR1")}
	f.int32Column(s.Leaves[0])
	f.stringColumn(s.Leaves[1])
	f.listColumn(s.Leaves[2])
	return f.bytes(s)
}

func TestHandFileInArrowGo(t *testing.T) {
	r, err := file.NewParquetReader(bytes.NewReader(writeHandFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	g := r.RowGroup(0)
	if r.NumRows() != 3 || g.NumRows() != 3 || g.NumColumns() != 3 {
		t.Fatalf("%d rows, %d in the row group of %d columns", r.NumRows(), g.NumRows(), g.NumColumns())
	}

	a := make([]int32, 3)
	readChunk(t, g, 0, func(c file.ColumnChunkReader) (int64, int, error) {
		return c.(*file.Int32ColumnChunkReader).ReadBatch(4, a, nil, nil)
	}, 3, 3)
	if diff := cmp.Diff([]int32{1, 2, 3}, a); diff != "" {
		t.Errorf("a (-want +got):\n%s", diff)
	}

	s, def, rep := make([]parquet.ByteArray, 3), make([]int16, 4), make([]int16, 4)
	readChunk(t, g, 1, func(c file.ColumnChunkReader) (int64, int, error) {
		return c.(*file.ByteArrayColumnChunkReader).ReadBatch(4, s, def, nil)
	}, 3, 2)
	if string(s[0]) != "x" || string(s[1]) != "y" || !cmp.Equal(def[:3], []int16{1, 0, 1}) {
		t.Errorf("s: values %q, levels %v", s, def)
	}

	l := make([]int64, 4)
	readChunk(t, g, 2, func(c file.ColumnChunkReader) (int64, int, error) {
		return c.(*file.Int64ColumnChunkReader).ReadBatch(4, l, def, rep)
	}, 4, 2)
	if !cmp.Equal(l[:2], []int64{10, 20}) || !cmp.Equal(def, []int16{3, 3, 0, 1}) || !cmp.Equal(rep, []int16{0, 1, 0, 0}) {
		t.Errorf("l: values %v, levels %v and %v", l, def, rep)
	}
}

// readChunk reads a column chunk at one go, and checks how many levels and values there were.
func readChunk(t *testing.T, g *file.RowGroupReader, i int, read func(file.ColumnChunkReader) (int64, int, error), numLevels int64, numValues int) {
	t.Helper()
	c, err := g.Column(i)
	if err != nil {
		t.Fatal(err)
	}
	levels, values, err := read(c)
	if err != nil || levels != numLevels || values != numValues {
		t.Fatalf("column %d: %d levels, %d values, error %v, want %d and %d", i, levels, values, err, numLevels, numValues)
	}
}

func TestHandFileMetaDataInArrowGo(t *testing.T) {
	r, err := file.NewParquetReader(bytes.NewReader(writeHandFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, want := range []struct {
		min, max  []byte
		nulls     int64
		exact     bool
		histogram []int64
		unencoded []int64
	}{
		{int32s(1), int32s(3), 0, true, nil, nil},
		{[]byte("x"), []byte("z"), 1, false, []int64{1, 2}, []int64{2}},
		{int64s(10), int64s(20), 2, true, []int64{1, 1, 0, 2}, nil},
	} {
		c, err := r.MetaData().RowGroup(0).ColumnChunk(i)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Statistics()
		if err != nil || s == nil {
			t.Fatalf("column %d: statistics %v, error %v", i, s, err)
		}
		if !bytes.Equal(s.EncodeMin(), want.min) || !bytes.Equal(s.EncodeMax(), want.max) || s.NullCount() != want.nulls {
			t.Errorf("column %d: min %q, max %q, %d nulls", i, s.EncodeMin(), s.EncodeMax(), s.NullCount())
		}
		index, offsets := pageIndexOf(t, r, i)
		if !cmp.Equal(index.GetMinValues(), [][]byte{want.min}) || !cmp.Equal(index.GetMaxValues(), [][]byte{want.max}) ||
			!cmp.Equal(index.GetNullCounts(), []int64{want.nulls}) || !cmp.Equal(index.GetDefinitionLevelHistograms(), want.histogram) {
			t.Errorf("column %d: column index %v", i, index)
		}
		p := offsets.GetPageLocations()
		if len(p) != 1 || p[0].Offset != c.DataPageOffset() || !cmp.Equal(offsets.GetUnencodedByteArrayDataBytes(), want.unencoded) {
			t.Errorf("column %d: offset index %v", i, offsets)
		}
	}
}

func pageIndexOf(t *testing.T, r *file.Reader, column int) (metadata.ColumnIndex, metadata.OffsetIndex) {
	t.Helper()
	g, err := r.GetPageIndexReader().RowGroup(0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.GetColumnIndex(column)
	if err != nil {
		t.Fatal(err)
	}
	o, err := g.GetOffsetIndex(column)
	if err != nil {
		t.Fatal(err)
	}
	return c, o
}
