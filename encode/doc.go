// Package encode writes Parquet files from Arrow record batches. It takes every Arrow type but unions, and writes what
// lies in Arrow's buffers without a copy a value or a level a record: package levels says which slots of which buffers
// are the values of a page, in runs.
//
//	w, err := encode.NewWriter(out, schema, &encode.Options{Compression: "zstd"})
//	err = w.Write(batch)        // as often as there are batches
//	summary, err := w.Close()   // or w.Abort()
//
// or, with all of it at hand, [WriteTable], which writes column after column and holds less.
//
// # From batch to file
//
//	batch ─▶ field ── levels.Tree ──▶ span ─▶ column ──▶ page ─▶ chunk ──▶ io.Writer
//	         one a top-level          levels,  one a     levels,  one a      when a row group is full: its chunks,
//	         column                   runs of  leaf:     values   leaf and   at the end: page index, footer
//	                                  slots    cuts      or ids   row group
//
// A column cuts spans into pages, at records, where the limits of [Options] are reached (columnfill.go, pagecut.go).
// Levels stay bit planes until a page ends (pagelevels.go). Values go into the page in plain encoding, or as indices of
// the dictionary that the column builds (numbers.go, bytes.go, bools.go, indices.go); what ends the page turns them
// into its encoding (indexwriter.go, hybrid.go, delta.go, deltabytes.go, frontvalues.go, streamsplit.go), compresses it
// (codec.go), encrypts it (encrypt.go) and puts it behind the chunk's other pages (chunk.go, slabs.go). Statistics and
// both page indexes come of the bounds that values keep of a page (bounds.go). The footer is written by hand-made
// Thrift (thrift.go, metadata.go).
//
// A nullable string column of six records "de", null, "fr", "de", "de", "de", compression "none":
//
//	span        6 levels, definition plane 1 0 1 1 1 1 = the validity bitmap, values: slots 0, 2, 3, 4, 5
//	dictionary  "de" is id 0, "fr" id 1
//	page        02 00 00 00  03 3d       definition levels: 2 bytes, one bit-packed group of 8, bits 1 0 1 1 1 1 (0 0)
//	            01                       bit width of the ids
//	            03 02                    one bit-packed group of 8: ids 0 1 0 0 0 (0 0 0)
//	in front    02 00 00 00 64 65  02 00 00 00 66 72   the dictionary page: "de", "fr" in plain encoding
//	index       nulls 1, min "de", max "fr", first row 0
//
// With 20,000 records of "de" in a run-end-encoded column, the span has one run of one slot 20,000 times; the
// dictionary is asked once, and levels and ids are an RLE run each. Of runs of lists, a span has each record once, with
// the times that it stands; its ids are packed once a page, and its levels are patterns of bits.
//
// # Dictionary or not
//
// What a column chunk has is decided by what makes it small, and of its records alone:
//
//	page        1       2       3       4       5       6       7
//	screen      wait    wait    values come again: start a dictionary
//	ledger                      wait    keep 1-4  keep  wait    wait    full in page 8, which ends: keep 6-8
//
// The screen (screen.go) counts a sample of the values, a sixty-fourth by hash, until they are seen to come again or a
// dictionary of them would be full. So distinct values cost a hash each, of a mebibyte of them, and no look in a table.
// Columns of lists, and those cut by content, have a dictionary at once.
//
// The ledger (ledger.go) compares pages of indices, and the entries that they refer to, with the encoding that would
// take their place, both compressed: on pages 1, 2, 4, 8 and every sixteenth, on all as long as they nearly weigh the
// same. Pages are kept as far as the dictionary pays most; the others wait as ids, and are written again without it in
// the end. The page in which the dictionary is full ends in front of the value that has no room, unless there are lists
// or content ends pages. Encoding "compact" measures pages without a dictionary likewise, more seldom where one encoding
// takes three quarters of any other, and when one comes out otherwise than those before.
//
// # Bloom filters and distinct counts
//
// A column chunk with a rate for it (Options.BloomFilterFPP) gets a split-block Bloom filter, behind the pages of its
// row group:
//
//	row group 0   pages of a, pages of b, pages of c, filter of a, filter of c
//	row group 1   …
//
// How large it must be is known when the chunk ends. Until then the XXH64 hashes of the values are in a set, which
// drops those that come again; behind 16,384 hashes a filter of the largest size takes its place. A hash goes to the
// block that its upper half is scaled to, so in half as many blocks every one is the or of two neighbours:
//
//	hash c4…   8 blocks: block 6   4 blocks: block 3   2 blocks: block 1   1 block
//
// and the filter is folded as long as its rate of false positives, counted from the bits that are set, is no higher
// than asked. So it is the smallest that will do, and a function of the values, of which those in a dictionary are
// hashed once a chunk, those of a long run once, and all others as they come. At a rate of 0.01 a hundred different
// values take 256 bytes, a million 2 MiB. A number's hash takes 2.5 ns, its bits 5 in a filter that is in the core's
// cache and 8 to 12 in one of 2 MiB.
//
// A float may equal one of other bits: both zeros go in with either, and with any NaN the usual one.
// Options.DistinctCounts keeps the set instead, of 16 to 32 bytes a hash, and counts it (hashes.go, bloom.go).
//
// # Order
//
// Records that are said to be sorted (Options.SortingColumns) are compared, each with the one before it in the row
// group. A key is a column, and columns are written side by side or one after another, so a key hands over two bits a
// record, and the keys meet 64 records at a time (sorting.go, sortedvalues.go):
//
//	               record   0 1 2 3 4
//	a  1 1 2 2 1   after    0 0 0 0 1   it belongs before the record before it
//	               same     1 1 0 1 0   it is as the record before it
//	b  5 7 0 9 3   after    0 0 1 0 1
//	out of order = after(a) | same(a) & after(b) = record 4; a tells record 2 from record 1
//
// Values compare as Parquet's types order them. NaN is the largest float, as in most databases (but not in Arrow's own
// sort, which puts it last in either direction), and both zeros are the same.
//
// # Logical types
//
// A leaf's logical type follows from its Arrow type, and an extension type or the field's metadata can say more:
//
//	Arrow                                              in Parquet
//	extension arrow.json, arrow.uuid                   JSON, UUID
//	extension arrow.parquet.variant                    VARIANT, shredded as its struct is
//	extension geoarrow.wkb                             GEOMETRY; GEOGRAPHY if its edges are not planar
//	string, binary with PARQUET:logical_type in the    ENUM, BSON
//	metadata of the field: "ENUM", "BSON"
//
// An extension counts whether this process has registered it or it is in the field's metadata; the outermost does, and
// those that are not named here are stored as what is below them. Where the type says what a value's bytes are, each
// value is looked at (content.go): one of a run or of a dictionary once, and one that a reader would choke on is
// refused. Of geometries, this look is also what the statistics of a column chunk are made of: their types, and the box
// around their vertices. A GEOGRAPHY has the box only if it is all points, as its edges leave the box of their ends.
//
// # Promises
//
// The bytes of a file are a function of its records, the schema and the options: not of how they were cut into batches,
// nor of their Arrow form. Run-end-encoded, dictionary-encoded and dense columns of the same records give the same
// pages, and list views the same as lists. Encryption adds random nonces and changes nothing below them.
//
// What Parquet cannot keep exactly is an error that names field and record, before a page has it: a null in a field
// that is not nullable, seconds that overflow milliseconds, a date64 within a day, a decimal of more digits than its
// type says, an interval below zero or of a part of a millisecond, bytes that are no ISO WKB, BSON or part of a
// VARIANT. What can be cut is cut where the options ask for it: Options.TruncateTimestamps for those that a coarser
// Options.TimestampUnit does not keep, Options.TruncateValues for days and intervals. Nothing that a batch holds can
// make the writer read outside of its buffers. After an error the file must be thrown away.
//
// # Memory, ownership, concurrency
//
// A Writer holds one row group of encoded pages, and for each leaf column a page in progress, a dictionary and the
// pages that wait for it, which take a few times Options.DictionaryBytes at most; [Writer.Buffered] counts it. It keeps
// nothing of a batch after Write, but for the Arrow dictionaries of dictionary-encoded columns, whose ids it remembers.
// With a few columns whose dictionaries are large, all that and the garbage peak at 1.15 times the row group and 4 MiB:
// what a dictionary finds ids with goes back when no more values come, its page is the entries themselves if it is not
// compressed, and pages that wait have no more room than they need.
// A Writer is for one goroutine at a time and starts none; [Options.Run] lends it some, on which the columns of a batch
// are encoded side by side.
package encode
