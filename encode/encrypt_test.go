package encode

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sluice-io/sluice/integration/lint"
)

// testKey makes a key of the given length that differs from those of other numbers.
func testKey(n, length int) Key {
	key := make(Key, length)
	for i := range key {
		key[i] = byte(31*n + 7*i + length)
	}
	return key
}

// entryOf returns the entry that encrypts a leaf column; nil if none does.
func entryOf(e *Encryption, path []string) *EncryptedColumn {
	name := strings.Join(path, ".")
	if len(e.Columns) == 0 {
		return &EncryptedColumn{Path: name}
	}
	var entry *EncryptedColumn
	for i, c := range e.Columns {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(c.Path), `\*`, `[^.]*`)
		if regexp.MustCompile(`^` + pattern + `(\.|$)`).MatchString(name) {
			entry = &e.Columns[i]
		}
	}
	return entry
}

func leafPaths(t testing.TB, schema *arrow.Schema) (paths [][]string) {
	t.Helper()
	s, err := newSchema(schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range s.Leaves {
		paths = append(paths, l.Path)
	}
	return paths
}

// keysOf returns what the linter must know to read a file.
func keysOf(e *Encryption, paths [][]string) *lint.Keys {
	keys := &lint.Keys{Footer: e.FooterKey, Columns: map[string][]byte{}}
	if e.OmitAADPrefix {
		keys.AADPrefix = e.AADPrefix
	}
	for _, path := range paths {
		if c := entryOf(e, path); c != nil && c.Key != nil {
			keys.Columns[strings.Join(path, ".")] = c.Key
		}
	}
	return keys
}

// propsOf returns what arrow-go must know to read a file. It finds keys in the map by their metadata, if there is one.
func propsOf(keys *lint.Keys, byMetadata keyMap) *parquet.ReaderProperties {
	props := parquet.NewReaderProperties(memory.DefaultAllocator)
	opts := []parquet.FileDecryptionOption{parquet.WithDecryptAadPrefix(string(keys.AADPrefix))}
	if byMetadata != nil {
		opts = append(opts, parquet.WithKeyRetriever(byMetadata))
	} else {
		columns := parquet.ColumnPathToDecryptionPropsMap{}
		for path, key := range keys.Columns {
			columns[path] = parquet.NewColumnDecryptionProperties(path, parquet.WithDecryptKey(string(key)))
		}
		opts = append(opts, parquet.WithFooterKey(string(keys.Footer)), parquet.WithColumnKeys(columns))
	}
	props.FileDecryptProps = parquet.NewFileDecryptionProperties(opts...)
	return props
}

// keyMap finds keys by their metadata.
type keyMap map[string]Key

func (m keyMap) GetKey(metadata []byte) string { return string(m[string(metadata)]) }

// checkEncrypted checks an encrypted file of the given batches: by the linter, against the records and against the file
// that is not encrypted, and through arrow-go.
func checkEncrypted(t testing.TB, data []byte, o *Options, schema *arrow.Schema, batches ...arrow.RecordBatch) error {
	t.Helper()
	paths := leafPaths(t, schema)
	keys := keysOf(o.Encryption, paths)
	f, err := lintEncrypted(data, keys)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	want := shred(schema, batches...)
	for i, l := range f.Leaves {
		if err := diffStreams(f.Stream(i), want[i]); err != nil {
			return fmt.Errorf("leaf %q: %w", l.String(), err)
		}
	}
	if err := checkCrypto(f, o.Encryption); err != nil {
		return err
	}
	if err := checkModules(f); err != nil {
		return err
	}
	plain := *o
	plain.Encryption = nil
	g, err := lintFile(mustWrite(t, &plain, schema, batches...))
	if err != nil {
		return fmt.Errorf("lint of the plain file: %w", err)
	}
	if err := sameContents(f, g); err != nil {
		return err
	}
	return checkEncryptedArrowGo(f, propsOf(keys, nil), schema, want)
}

// checkCrypto checks what an encrypted file says about its encryption.
func checkCrypto(f *lintedFile, e *Encryption) error {
	c, plaintextFooter := f.Crypto, string(f.data[:4]) == "PAR1"
	if plaintextFooter != e.PlaintextFooter || c.Algorithm.CTR != (e.Algorithm == algorithmGCMCTR) {
		return fmt.Errorf("plaintext footer %v, algorithm %+v", plaintextFooter, c.Algorithm)
	}
	if !bytes.Equal(c.KeyMetadata, e.FooterKeyMetadata) {
		return fmt.Errorf("footer key metadata %q", c.KeyMetadata)
	}
	if stored := len(e.AADPrefix) > 0 && !e.OmitAADPrefix; stored && !bytes.Equal(c.Algorithm.AADPrefix, e.AADPrefix) ||
		!stored && c.Algorithm.AADPrefix != nil || c.Algorithm.SupplyAADPrefix != e.OmitAADPrefix {
		return fmt.Errorf("AAD prefix %q, to be supplied: %v", c.Algorithm.AADPrefix, c.Algorithm.SupplyAADPrefix)
	}
	for g, chunks := range f.RowGroups {
		for _, c := range chunks {
			var want *lint.ColumnCrypto
			if entry := entryOf(e, c.Leaf.Path); entry != nil {
				want = &lint.ColumnCrypto{}
				if entry.Key != nil {
					want = &lint.ColumnCrypto{Path: c.Leaf.Path, KeyMetadata: entry.KeyMetadata}
				}
			}
			if diff := cmp.Diff(want, c.Meta.Crypto, cmpopts.EquateEmpty()); diff != "" {
				return fmt.Errorf("row group %d, column %q (-want +got):\n%s", g, c.Leaf.String(), diff)
			}
		}
	}
	return nil
}

// checkModules checks that no module and no nonce is there twice, and none that should be there is missing.
func checkModules(f *lintedFile) error {
	seen, nonces, kinds := map[lint.ModuleID]bool{}, map[string]bool{}, map[moduleType]int{}
	for _, m := range f.Crypto.Modules {
		if seen[m.ID] || nonces[m.Nonce] {
			return fmt.Errorf("module %+v, nonce %x: one of them is there twice", m.ID, m.Nonce)
		}
		seen[m.ID], nonces[m.Nonce] = true, true
		kinds[moduleType(m.ID.Kind)]++
	}
	want := map[moduleType]int{moduleFooter: 1}
	count := func(kind moduleType, n int) {
		if n > 0 {
			want[kind] += n
		}
	}
	for _, chunks := range f.RowGroups {
		for _, c := range chunks {
			if c.Meta.Crypto == nil {
				continue
			}
			if c.Meta.EncryptedMetaData != nil {
				count(moduleColumnMetaData, 1)
			}
			if c.HasDictionary {
				count(moduleDictionaryPage, 1)
				count(moduleDictionaryPageHeader, 1)
			}
			if c.Meta.ColumnIndexOffset != 0 {
				count(moduleColumnIndex, 1)
			}
			count(moduleDataPage, len(c.Pages))
			count(moduleDataPageHeader, len(c.Pages))
			count(moduleOffsetIndex, 1)
			if c.Bloom != nil {
				count(moduleBloomFilterHeader, 1)
				count(moduleBloomFilterBitset, 1)
			}
		}
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		return fmt.Errorf("modules by type (-want +got):\n%s", diff)
	}
	return nil
}

// sameContents checks that encryption changed nothing but sizes and offsets.
func sameContents(f, plain *lintedFile) error {
	if len(f.RowGroups) != len(plain.RowGroups) {
		return fmt.Errorf("%d row groups, %d in the plain file", len(f.RowGroups), len(plain.RowGroups))
	}
	places := cmpopts.IgnoreFields(lint.ColumnChunk{}, "UncompressedBytes", "CompressedBytes", "DataPageOffset",
		"DictionaryPageOffset", "OffsetIndexOffset", "OffsetIndexBytes", "ColumnIndexOffset", "ColumnIndexBytes",
		"BloomOffset", "BloomBytes", "Crypto", "EncryptedMetaData", "HideMetaData")
	for g := range f.RowGroups {
		for i, c := range f.RowGroups[g] {
			d, what := plain.RowGroups[g][i], fmt.Sprintf("row group %d, column %q", g, c.Leaf.String())
			if diff := cmp.Diff(d.Meta, c.Meta, places); diff != "" {
				return fmt.Errorf("%s: metadata (-plain +encrypted):\n%s", what, diff)
			}
			same := func(p, q *lint.Page) bool { return p.Kind == q.Kind && bytes.Equal(p.Stored, q.Stored) }
			if !slices.EqualFunc(c.Pages, d.Pages, same) || !cmp.Equal(c.Dictionary, d.Dictionary) {
				return fmt.Errorf("%s: its pages are not those of the plain file", what)
			}
			if !bytes.Equal(c.Bloom, d.Bloom) {
				return fmt.Errorf("%s: its Bloom filter is not that of the plain file", what)
			}
			if c.Meta.Crypto == nil && c.Meta.CompressedBytes != d.Meta.CompressedBytes {
				return fmt.Errorf("%s: not encrypted, and of another size", what)
			}
		}
	}
	return nil
}

// checkEncryptedArrowGo reads everything with arrow-go: records and page indexes. arrow-go panics in some errors.
func checkEncryptedArrowGo(
	f *lintedFile, props *parquet.ReaderProperties, schema *arrow.Schema, want []stream,
) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("arrow-go: %v", r)
		}
	}()
	if err := checkArrowGoWith(props, f, schema, want); err != nil {
		return fmt.Errorf("arrow-go: %w", err)
	}
	r, err := file.NewParquetReader(bytes.NewReader(f.data), file.WithReadProps(props))
	if err != nil {
		return fmt.Errorf("arrow-go: %w", err)
	}
	defer r.Close()
	for g := range r.NumRowGroups() {
		for i := range want {
			err := checkPageIndexArrowGo(r, g, i)
			if err == nil {
				err = checkBloomArrowGo(r, g, i)
			}
			if err != nil {
				return fmt.Errorf("arrow-go: row group %d, column %d: %w", g, i, err)
			}
		}
	}
	return nil
}

func checkPageIndexArrowGo(r *file.Reader, group, column int) error {
	meta, err := r.MetaData().RowGroup(group).ColumnChunk(column)
	if err != nil {
		return err
	}
	index, err := r.GetPageIndexReader().RowGroup(group)
	if err != nil {
		return err
	}
	offsets, err := index.GetOffsetIndex(column)
	if err != nil {
		return fmt.Errorf("offset index: %w", err)
	}
	pages := offsets.GetPageLocations()
	end := pages[0].Offset + meta.TotalCompressedSize()
	if meta.HasDictionaryPage() {
		end = meta.DictionaryPageOffset() + meta.TotalCompressedSize()
	}
	last := pages[len(pages)-1]
	if pages[0].Offset != meta.DataPageOffset() || last.Offset+int64(last.CompressedPageSize) != end {
		return fmt.Errorf("pages from %d to %d", pages[0].Offset, end)
	}
	bounds, err := index.GetColumnIndex(column)
	if err != nil {
		return fmt.Errorf("column index: %w", err)
	}
	if bounds != nil && len(bounds.GetNullPages()) != len(pages) {
		return fmt.Errorf("column index of %d pages, there are %d", len(bounds.GetNullPages()), len(pages))
	}
	return nil
}

// checkBloomArrowGo looks the chunk's smallest value up in its Bloom filter. The linter looks at every bit.
func checkBloomArrowGo(r *file.Reader, group, column int) error {
	meta, err := r.MetaData().RowGroup(group).ColumnChunk(column)
	if err != nil {
		return err
	}
	g, err := r.GetBloomFilterReader().RowGroup(group)
	if err != nil {
		return err
	}
	filter, err := g.GetColumnBloomFilter(column)
	if err != nil || filter == nil {
		return err
	}
	s, err := meta.Statistics()
	if err != nil || s == nil || !s.HasMinMax() || len(s.EncodeMin()) > 32 { // it may be cut
		return err
	}
	if !filter.CheckHash(filter.Hasher().Sum64(s.EncodeMin())) {
		return fmt.Errorf("the Bloom filter does not have the smallest value, %x", s.EncodeMin())
	}
	return nil
}
