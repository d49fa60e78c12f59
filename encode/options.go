package encode

// Options sets how a file is written. The zero value of every field is its default.
type Options struct {
	// Compression names the codec of all pages, in any case: "none" or "uncompressed", "snappy", "gzip", "brotli", "zstd",
	// and "lz4" or "lz4_raw", which are both LZ4_RAW. Default "snappy".
	Compression string
	// CompressionLevel is the codec's own level: 1 to 9 for gzip (default 6), 0 to 11 for brotli (default 8), 1 to 22
	// and -1 to -131072 for zstd (default 1), 1 to 12 for lz4 (default 1). Level 0 is CompressionLevelZero. The library
	// behind zstd has one level below 0 and four above, which start at 1, 3, 6 and 10. Snappy and none have no levels.
	CompressionLevel int
	// DataPageBytes ends a data page once its values, in plain encoding, reach this many bytes; where there is no other
	// than DELTA_BYTE_ARRAY, once those behind the first do as they are stored. Default 1 MiB.
	DataPageBytes int
	// DataPageVersion is that of the data pages' format: 1, or 2, which keeps levels outside of the compressed part and
	// leaves values uncompressed that do not get smaller. Not every old reader knows 2. Default 1.
	DataPageVersion int
	// DataPageRecords ends a data page after this many records. Default 20,000.
	DataPageRecords int
	// DictionaryBytes bounds the plain size of a column chunk's dictionary; a column that needs more goes on without. There
	// is one where it makes the pages that use it smaller, after compression, as far as some pages tell of all. Default
	// 1 MiB; negative writes no dictionaries at all.
	DictionaryBytes int
	// RowGroupRecords ends a row group after this many records. Default 1,048,576.
	RowGroupRecords int64
	// Encoding is that of the pages without dictionary indices; those that a dictionary makes smaller have indices instead
	// (see DictionaryBytes). "compatible" (the default) is PLAIN, which every reader knows; "compact" is whichever encoding
	// makes pages the smallest after compression, of those that readers of our days know for the column's values: some
	// pages of a column chunk are measured, and the others get what was the best for the one before. Any other is the name
	// of one that all columns concerned must be able to have: "plain", "rle" (BOOLEAN), "delta_binary_packed" (INT32,
	// INT64), "delta_length_byte_array" (BYTE_ARRAY), "delta_byte_array" (BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY),
	// "byte_stream_split" (all but BOOLEAN and BYTE_ARRAY) or "dictionary" (all but BOOLEAN), which is a dictionary until
	// it is full, whether that is smaller or not, and then PLAIN.
	Encoding string
	// Columns are options of single columns. Where several are for one, the last has the last word.
	Columns []ColumnOptions
	// ContentChunks ends pages by what they hold, besides the other limits. Nil does not. Dictionaries should be off where
	// pages shall be stable, as an insertion changes the indices of all that follows.
	ContentChunks *ContentChunks
	// BloomFilterFPP gives column chunks a Bloom filter, as small as its rate of false positives lets it be: the share of
	// other values that it takes for one of the chunk's. BOOLEAN columns and those of the null type have none, and
	// ColumnOptions that are for such columns alone are refused. Default 0: no filter.
	BloomFilterFPP float64
	// BloomFilterBytes bounds a Bloom filter, and the memory that it takes until its row group is written: that, or 256
	// KiB for hashes if that is more. It must be a power of two. Default 2 MiB, which at a rate of 0.01 is good for 1.5
	// million different values. A chunk that has more gets a filter with more false positives, and none if it took more
	// than every other value for one of the chunk's.
	BloomFilterBytes int
	// DistinctCounts has the different values of column chunks counted. Without it their number is known of chunks alone
	// that are dictionary-encoded throughout, floats aside. It takes 16 to 32 bytes of memory for a different value of a
	// column that is not. Zeros of both signs are one value, and so are all NaNs, and byte strings whose 64-bit hashes are
	// the same. Default off.
	DistinctCounts bool
	// SortingColumns is the order of the records in each row group, by the first column and where that is the same by the
	// next. The footer tells readers of it. It is checked: the first record that is out of order is refused. Default none.
	SortingColumns []SortingColumn
	// Statistics says how much of the bounds of values is written, and so what readers can skip and those who have no key can
	// learn: "page" (default) those of column chunks and of pages, "chunk" those of chunks alone, without a column index, or
	// "none", which leaves out the types and boxes of geometries too. Null counts, NaN counts and histograms of levels are
	// always there for chunks.
	Statistics string
	// StatisticsBytes is what bounds of BYTE_ARRAY columns are cut to, between code points if they are text, and the upper
	// one rounded up. Default 64; negative: they are not cut.
	StatisticsBytes int
	// NoPageIndex leaves the page index out, which is the column and the offset indexes.
	NoPageIndex bool
	// NoPageChecksum leaves the CRC-32 of each page out.
	NoPageChecksum bool
	// Encryption encrypts the file. Nil: it is not encrypted.
	Encryption *Encryption
	// Run runs n independent tasks, task(0) to task(n-1), and returns their first error once all have ended; it may
	// run them on several goroutines. Nil runs them one after another on the caller's goroutine.
	Run func(n int, task func(i int) error) error
	// Metadata is added to the file's key-value metadata, in this order, and stands in place of what the Arrow schema has
	// under the same keys. It must be UTF-8. The key ARROW:schema is the writer's own.
	Metadata []KeyValue
	// NoArrowSchema leaves the Arrow schema out of the key-value metadata. Readers then see what Parquet itself says: no time
	// zones but UTC, no durations, dictionaries, large or fixed-size types, and no metadata of fields.
	NoArrowSchema bool
	// TimestampUnit is that of all timestamps, "ms" or "us". Those of a finer unit must be whole in it, and those of a coarser
	// one fit it, or they are refused. What is shredded from a VARIANT keeps its own. Default: their own; seconds become
	// milliseconds.
	TimestampUnit string
	// TruncateTimestamps has timestamps cut, towards 1970, that are not whole in TimestampUnit.
	TruncateTimestamps bool
	// TruncateValues has other values cut that Parquet's types cannot keep exactly: date64 to the day that it lies in, and
	// intervals to milliseconds. Without it they are refused.
	TruncateValues bool
	// TimesInUTC says of times of day that they are in UTC, and not in a local time that readers must know of.
	TimesInUTC bool
	// DecimalsAsBytes stores decimals of up to 18 digits as others are, in FIXED_LEN_BYTE_ARRAY, and not in INT32 and INT64.
	// That is larger and slower; some old readers want it.
	DecimalsAsBytes bool
}

// Values of Options.Statistics.
const (
	statisticsPage  = "page"
	statisticsChunk = "chunk"
	statisticsNone  = "none"
)

// KeyValue is one entry of the file's key-value metadata.
type KeyValue struct {
	Key, Value string
}

const (
	defaultCompression     = "snappy"
	defaultPageBytes       = 1 << 20
	defaultPageRecords     = 20_000
	defaultDictionaryBytes = 1 << 20
	defaultRowGroupRecords = 1 << 20
	defaultBloomBytes      = 2 << 20
	defaultBoundBytes      = 64
)

// withDefaults returns a copy of o with every default filled in, or says which field is out of range.
func (o *Options) withDefaults() (Options, error) {
	var r Options
	if o != nil {
		r = *o
	}
	if r.Compression == "" {
		r.Compression = defaultCompression
	}
	setDefault(&r.DataPageBytes, defaultPageBytes)
	setDefault(&r.DataPageVersion, 1)
	setDefault(&r.DataPageRecords, defaultPageRecords)
	setDefault(&r.DictionaryBytes, defaultDictionaryBytes)
	setDefault(&r.RowGroupRecords, defaultRowGroupRecords)
	setDefault(&r.BloomFilterBytes, defaultBloomBytes)
	setDefault(&r.StatisticsBytes, defaultBoundBytes)
	if r.Statistics == "" {
		r.Statistics = statisticsPage
	}
	if r.Encoding == "" {
		r.Encoding = encodingCompatible
	}
	if r.Run == nil {
		r.Run = runInOrder
	}
	if r.RowGroupRecords < 1 {
		return r, optionError("RowGroupRecords", "%d: must be positive", r.RowGroupRecords)
	}
	if err := r.checkRanges(); err != nil {
		return r, err
	}
	if err := r.checkFile(); err != nil {
		return r, err
	}
	if r.ContentChunks != nil {
		if _, err := r.ContentChunks.withDefaults(); err != nil {
			return r, err
		}
	}
	if r.Encryption != nil {
		if err := r.Encryption.check(); err != nil {
			return r, err
		}
	}
	return r, nil
}

func setDefault[T int | int64](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

func runInOrder(n int, task func(i int) error) error {
	for i := range n {
		if err := task(i); err != nil {
			return err
		}
	}
	return nil
}
