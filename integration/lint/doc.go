// Package lint checks a Parquet file down to every byte, level and value: not whether one reader opens it today, but
// whether what it says about itself is true, which readers only notice months later, by wrong results.
//
//	err := lint.File(file, size, nil)
//
//	lint: row group 0, column "a.list.element", data page 3 at byte 4711: column index: …
//
// It shares no code with the writer. A byte that no rule accounts for, and a field that the specification does not have,
// is an error, so that nothing is overlooked because it is new. What a [Rule] is about, with the place in the
// specification ([parquet-format] unless it says otherwise), and what sluice promises beyond it (+):
//
//	frame            magic bytes at both ends, length of the footer (README.md, "File format")
//	layout           every offset lands on what it says; things lie side by side, no byte belongs to two or to
//	                 none; the first data page is where the metadata says; sizes include headers (parquet.thrift,
//	                 ColumnMetaData)
//	footer           Thrift with every required field, no unknown ones, numbers in their shortest form (Thrift
//	                 compact protocol); records of the row groups; deprecated offsets 0; + who created the file
//	schema           a tree; a root without a repetition type, any other element with one (parquet.thrift,
//	                 SchemaElement); three levels "list", "element" of lists and "key_value", "key" of maps, keys
//	                 required; fields of a VARIANT (LogicalTypes.md)
//	logical types    the converted type beside each, and a physical type that it may have (LogicalTypes.md)
//	Arrow schema     + there is one, and it can be read
//	row groups       no empty one; a chunk for every leaf; their sizes, offset and ordinal (parquet.thrift,
//	                 RowGroup)
//	column metadata  path and type of the leaf; values count with nulls and empty lists; records; uncompressed
//	                 bytes
//	page headers     Thrift as above; of the page's own type; no empty page; counts of version 2 (parquet.thrift,
//	                 PageHeader)
//	checksums        the CRC-32 of a page (README.md, "Checksumming"); + all pages have one, or none
//	compression      one frame, member or block for a page, of just the bytes that the header says
//	                 (Compression.md); + version 2 keeps nothing compressed that got no smaller
//	levels           none above its highest; a page begins with a record; no empty run, nothing but zeros as
//	                 padding (Encodings.md, "Run Length Encoding / Bit-Packing Hybrid")
//	values           as many as the levels say, in an encoding for their type (Encodings.md) and in the range of
//	                 it: integers of 8 and 16 bits, digits of decimals (LogicalTypes.md); + in the shortest form
//	encodings        the two lists of them are those of the pages; + sorted
//	dictionaries     first page of a chunk; + every entry is referred to, none stands twice, they are in the
//	                 order of first reference, and none is there that no page refers to
//	offset index     offset, size with header and first record of every page; bytes of byte arrays (PageIndex.md)
//	column index     null pages, null counts, NaN counts, histograms of levels, boundary order, and bounds of
//	                 every page: as under statistics (PageIndex.md); + none for parts of a VARIANT
//	statistics       counts of nulls, NaNs and distinct values; bounds that bound the values by the column's
//	                 order, no NaN, zeros of either sign; exact flags that are true; + cut only above 64 bytes
//	                 (parquet.thrift, Statistics and ColumnOrder)
//	size statistics  histograms of levels; bytes of byte arrays (parquet.thrift, SizeStatistics)
//	geospatial statistics
//	                 types and box of just the values, which are ISO WKB (Geospatial.md); + a GEOGRAPHY with edges
//	                 has no box
//	Bloom filter     header; just the bits of the chunk's values; finds values that are not there as often as its
//	                 bits say; + behind the pages of its row group (BloomFilter.md)
//	sorting columns  records are in the order that the row group claims, nulls and NaN too (parquet.thrift,
//	                 SortingColumn)
//	encryption       modules with the AAD of their place, the signature of a plaintext footer, which columns have
//	                 which key, and nothing readable that should not be (Encryption.md)
//
// What is checked needs all of a column chunk at once, in memory: some 50 bytes a value.
//
// [parquet-format]: https://github.com/apache/parquet-format
package lint
