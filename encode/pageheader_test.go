package encode

import (
	"testing"

	"github.com/sluice-io/sluice/integration/lint"
)

func TestPageHeaderBytes(t *testing.T) {
	checkGolden(t, "testdata/pageheader/v1.txt", func(dst []byte) []byte {
		return appendDataPageHeaderV1(dst, &dataPageHeader{
			NumValues: 300, Uncompressed: 1000, Compressed: 250, Encoding: encodingRLEDictionary,
			CRC: 0xffffffff, HasCRC: true,
			NumNulls: 7, NumRows: 8, DefBytes: 9, RepBytes: 10, IsCompressed: true, // version 2 alone
		})
	})
	checkGolden(t, "testdata/pageheader/v1_statistics.txt", func(dst []byte) []byte {
		return appendDataPageHeaderV1(dst, &dataPageHeader{
			NumValues: 2, Uncompressed: 10, Compressed: 10, Encoding: encodingPlain, CRC: 1, // not HasCRC
			Statistics: &statistics{
				HasMinMax: true, Min: []byte("a"), Max: []byte("bc"), MinExact: true, DistinctCount: 2,
			},
		})
	})
	checkGolden(t, "testdata/pageheader/v2.txt", func(dst []byte) []byte {
		return appendDataPageHeaderV2(dst, &dataPageHeader{
			NumValues: 5, NumNulls: 1, NumRows: 3, Uncompressed: 30, Compressed: 30,
			Encoding: encodingDeltaBinaryPacked, DefBytes: 2, RepBytes: 4, CRC: 1 << 30, HasCRC: true,
		})
	})
	checkGolden(t, "testdata/pageheader/dictionary.txt", func(dst []byte) []byte {
		return appendDictionaryPageHeader(dst, &dictionaryPageHeader{NumValues: 20, Uncompressed: 80, Compressed: 79})
	})
}

func TestPageHeaderStructs(t *testing.T) {
	h := &dataPageHeader{
		HasCRC: true, IsCompressed: true,
		Statistics: &statistics{HasMinMax: true, DistinctCount: -1, HasNaNCount: true, NaNCount: 3},
	}
	v1 := parseThrift(t, "PageHeader", appendDataPageHeaderV1(nil, h))
	if _, ok := v1.Field(5); !ok {
		t.Error("version 1 has no data_page_header")
	}
	v2 := parseThrift(t, "PageHeader", appendDataPageHeaderV2(nil, h))
	page, ok := v2.Field(8)
	if !ok {
		t.Fatal("version 2 has no data_page_header_v2")
	}
	if compressed, _ := page.Field(7); compressed.Type != lint.ThriftTrue {
		t.Error("a compressed page of version 2 is not said to be one")
	}
	stats, _ := page.Field(8)
	if _, ok := stats.Field(4); ok {
		t.Error("an unknown distinct count is written")
	}
	if nan, _ := stats.Field(9); nan.Num != 3 {
		t.Errorf("nan_count = %d, want 3", nan.Num)
	}
}

func BenchmarkPageHeader(b *testing.B) {
	h := &dataPageHeader{
		NumValues: 20000, NumNulls: 100, NumRows: 20000, Uncompressed: 160000, Compressed: 90000, DefBytes: 300,
		CRC: 0xdeadbeef, HasCRC: true, IsCompressed: true,
	}
	bench := func(name string, appendTo func(dst []byte) []byte) {
		b.Run(name, func(b *testing.B) {
			dst := make([]byte, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				dst = appendTo(dst[:0])
			}
		})
	}
	bench("page=v1", func(dst []byte) []byte { return appendDataPageHeaderV1(dst, h) })
	bench("page=v2", func(dst []byte) []byte { return appendDataPageHeaderV2(dst, h) })
	s := *h
	s.Statistics = &statistics{HasMinMax: true, Min: make([]byte, 8), Max: make([]byte, 8), DistinctCount: -1}
	bench("page=v1/statistics", func(dst []byte) []byte { return appendDataPageHeaderV1(dst, &s) })
	d := &dictionaryPageHeader{NumValues: 5000, Uncompressed: 40000, Compressed: 30000, CRC: 0xdeadbeef, HasCRC: true}
	bench("page=dictionary", func(dst []byte) []byte { return appendDictionaryPageHeader(dst, d) })
}
