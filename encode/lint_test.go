package encode

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// lint reads a file by its footer, down to every level and value, and checks on the way all that the format promises
// about it. It shares nothing with the writer but the structs of the footer; what it does not understand, it refuses.
//
//	lint_test.go         the file: magic, footer, schema, row groups; every byte belongs to one thing
//	lint_chunk_test.go   column chunks: where pages lie, what the footer says about them
//	lint_page_test.go    pages: header, checksum, codec, levels, values
//	lint_index_test.go   column index, offset index, statistics
//	lint_bloom_test.go   Bloom filters
//	lint_sorting_test.go the order of records
//	lint_encrypt_test.go what an encrypted file has instead of all these
func lint(data []byte) (*lintedFile, error) { return lintEncrypted(data, nil) }

// lintEncrypted is lint for a file that is encrypted, unless there are no keys.
func lintEncrypted(data []byte, keys *lintKeys) (*lintedFile, error) {
	f := &lintedFile{data: data, keys: keys}
	if err := f.lint(); err != nil {
		return nil, err
	}
	return f, nil
}

// lintedFile is what a file holds.
type lintedFile struct {
	data    []byte
	meta    fileMetaData
	leaves  []lintedLeaf
	groups  [][]*lintedChunk // by row group and leaf
	extents []extent
	keys    *lintKeys
	crypto  *lintCrypto // nil: not encrypted
}

// lintedLeaf is a leaf column of the schema.
type lintedLeaf struct {
	schemaElement
	path    []string
	ordinal int
	maxDef  int
	maxRep  int
}

func (l *lintedLeaf) String() string { return strings.Join(l.path, ".") }

// extent is a stretch of the file that one thing takes.
type extent struct {
	from, to int64
	what     string
}

// take claims size bytes of the file and returns them.
func (f *lintedFile) take(from, size int64, format string, a ...any) ([]byte, error) {
	what := fmt.Sprintf(format, a...)
	if from < 0 || size < 0 || from+size > int64(len(f.data)) {
		return nil, fmt.Errorf("%s: %d bytes at %d of a file of %d", what, size, from, len(f.data))
	}
	f.extents = append(f.extents, extent{from, from + size, what})
	return f.data[from : from+size], nil
}

// takeThrift claims a struct that takes all of size bytes, and checks its fields against the specification.
func (f *lintedFile) takeThrift(name string, from, size int64, format string, a ...any) (thriftValue, error) {
	b, err := f.take(from, size, format, a...)
	if err != nil {
		return thriftValue{}, err
	}
	v, rest, err := readChecked(name, b)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow the %s", len(rest), name)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", fmt.Sprintf(format, a...), err)
	}
	return v, nil
}

// readChecked reads a struct, checks its fields against the specification, and returns what follows it.
func readChecked(name string, b []byte) (v thriftValue, rest []byte, err error) {
	specs, err := thriftSpecs()
	if err != nil {
		return v, b, err
	}
	if v, rest, err = readThrift(b); err != nil {
		return v, rest, err
	}
	return v, rest, checkThrift(specs, name, v)
}

func (f *lintedFile) lint() error {
	if err := f.readFooter(); err != nil {
		return err
	}
	records := int64(0)
	for i := range f.meta.RowGroups {
		g := &f.meta.RowGroups[i]
		if err := f.lintRowGroup(i, g); err != nil {
			return fmt.Errorf("row group %d: %w", i, err)
		}
		records += g.NumRows
	}
	if records != f.meta.NumRows {
		return fmt.Errorf("the footer counts %d records, the row groups %d", f.meta.NumRows, records)
	}
	return f.lintExtents()
}

// readFooter reads the footer and what frames the file.
func (f *lintedFile) readFooter() error {
	size := int64(len(f.data))
	if size < 12 {
		return fmt.Errorf("a file of %d bytes", size)
	}
	magic, err := f.readMagic()
	if err != nil {
		return err
	}
	for _, at := range []int64{0, size - 4} {
		if b, err := f.take(at, 4, "magic"); err != nil || string(b) != magic {
			return fmt.Errorf("magic %q at %d", b, at)
		}
	}
	b, err := f.take(size-8, 4, "footer length")
	if err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(b))
	v, err := f.takeFooter(magic, size-8-length, length)
	if err != nil {
		return err
	}
	f.meta = fileMetaDataOf(v)
	if err := lintRaw(v); err != nil {
		return err
	}
	return f.lintMetaData()
}

// lintRaw checks what the structs of the footer do not keep.
func lintRaw(v thriftValue) error {
	if version := v.int(1); version != 1 && version != 2 {
		return fmt.Errorf("format version %d", version)
	}
	schema, _ := v.field(2)
	if len(schema.list) == 0 || schema.list[0].has(3) {
		return errors.New("the schema's root is missing, or has a repetition")
	}
	for i, e := range schema.list {
		element := schemaElementOf(e)
		want, ok := element.Logical.converted()
		if e.has(6) != ok || ok && e.int(6) != int64(want) {
			return fmt.Errorf("%q: converted type %d, the logical type wants %d (%v)", element.Name, e.int(6), want, ok)
		}
		if i > 0 && !e.has(3) {
			return fmt.Errorf("%q has no repetition", element.Name)
		}
	}
	groups, _ := v.field(4)
	for i, g := range groups.list {
		columns, _ := g.field(1)
		for k, c := range columns.list {
			if at := c.int(2); at != 0 {
				return fmt.Errorf("row group %d, column %d: the offset that must be 0 is %d", i, k, at)
			}
		}
	}
	return nil
}

func (f *lintedFile) lintMetaData() error {
	if f.meta.CreatedBy == "" {
		return errors.New("the footer does not say what created the file")
	}
	rest, err := f.readSchema(f.meta.Schema[1:], int(f.meta.Schema[0].NumChildren), lintedLeaf{})
	if err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	if len(rest) > 0 || len(f.leaves) == 0 {
		return fmt.Errorf("schema: %d leaves, %d elements too many", len(f.leaves), len(rest))
	}
	if n := len(f.meta.ColumnOrders); n != len(f.leaves) {
		return fmt.Errorf("%d column orders for %d leaves", n, len(f.leaves))
	}
	for _, kv := range f.meta.KeyValues {
		if kv.Key == "ARROW:schema" {
			return checkArrowSchema(kv.Value)
		}
	}
	return errors.New("there is no ARROW:schema")
}

// checkArrowSchema checks that the value can be read as a schema.
func checkArrowSchema(value string) error {
	message, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return fmt.Errorf("ARROW:schema: %w", err)
	}
	r, err := ipc.NewReader(bytes.NewReader(message))
	if err != nil {
		return fmt.Errorf("ARROW:schema: %w", err)
	}
	r.Release()
	return nil
}

// readSchema reads n nodes and what is below them, and returns the elements that follow.
func (f *lintedFile) readSchema(elements []schemaElement, n int, parent lintedLeaf) (rest []schemaElement, err error) {
	for range n {
		if len(elements) == 0 {
			return nil, fmt.Errorf("a child of %q is missing", parent.String())
		}
		node := parent
		node.schemaElement = elements[0]
		node.path = append(slices.Clip(parent.path), node.Name)
		switch node.Repetition {
		case repetitionOptional:
			node.maxDef++
		case repetitionRepeated:
			node.maxDef, node.maxRep = node.maxDef+1, node.maxRep+1
		}
		children := elements[1:]
		if err := lintShape(node.schemaElement, children); err != nil {
			return nil, fmt.Errorf("%q: %w", node.String(), err)
		}
		if node.NumChildren == 0 {
			node.ordinal = len(f.leaves)
			f.leaves = append(f.leaves, node)
			elements = children
			continue
		}
		if elements, err = f.readSchema(children, int(node.NumChildren), node); err != nil {
			return nil, err
		}
	}
	return elements, nil
}

// lintShape checks the three levels of lists and maps (LogicalTypes.md). below begins with the node's first child.
func lintShape(node schemaElement, below []schemaElement) error {
	if node.Logical.Kind != logicalList && node.Logical.Kind != logicalMap {
		return nil
	}
	if node.Repetition == repetitionRepeated || node.NumChildren != 1 || len(below) < 2 {
		return fmt.Errorf("repetition %d and %d children of a list or map", node.Repetition, node.NumChildren)
	}
	group, child := below[0], below[1]
	name, children, childName := "list", int32(1), "element"
	if node.Logical.Kind == logicalMap {
		name, children, childName = "key_value", 2, "key"
	}
	if group.Name != name || group.Repetition != repetitionRepeated || group.NumChildren != children {
		return fmt.Errorf("below it, %q with repetition %d and %d children", group.Name, group.Repetition, group.NumChildren)
	}
	if child.Name != childName || child.Repetition == repetitionRepeated {
		return fmt.Errorf("%q with repetition %d below its group", child.Name, child.Repetition)
	}
	if node.Logical.Kind == logicalMap && child.Repetition != repetitionRequired {
		return errors.New("the key is not required")
	}
	return nil
}

func (f *lintedFile) lintRowGroup(ordinal int, g *rowGroup) error {
	if g.NumRows == 0 {
		return errors.New("it has no records")
	}
	if len(g.Columns) != len(f.leaves) {
		return fmt.Errorf("%d columns for %d leaves", len(g.Columns), len(f.leaves))
	}
	if int(g.Ordinal) != ordinal && (ordinal < 1<<15 || g.Ordinal >= 0) {
		return fmt.Errorf("ordinal %d", g.Ordinal)
	}
	var chunks []*lintedChunk
	var total, compressed int64
	for i := range g.Columns {
		c := &lintedChunk{file: f, leaf: &f.leaves[i], meta: g.Columns[i], group: ordinal}
		err := c.openMetaData()
		if err == nil {
			err = c.lint(g.NumRows)
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", c.leaf.String(), err)
		}
		chunks = append(chunks, c)
		total, compressed = total+c.meta.UncompressedBytes, compressed+c.meta.CompressedBytes
	}
	if g.TotalBytes != total || g.CompressedBytes != compressed {
		return fmt.Errorf("%d bytes, %d compressed: its columns have %d and %d", g.TotalBytes, g.CompressedBytes, total, compressed)
	}
	if first, _ := chunks[0].start(); g.FileOffset != first {
		return fmt.Errorf("it begins at %d, its first page at %d", g.FileOffset, first)
	}
	f.groups = append(f.groups, chunks)
	if err := f.lintSorting(g, chunks); err != nil {
		return err
	}
	return lintBloomOffsets(chunks)
}

// lintBloomOffsets checks that the Bloom filters of a row group follow its last page in the order of its columns.
func lintBloomOffsets(chunks []*lintedChunk) error {
	last := chunks[len(chunks)-1]
	end, _ := last.start()
	end += last.meta.CompressedBytes
	for _, c := range chunks {
		if c.meta.BloomOffset == 0 {
			continue
		}
		if c.meta.BloomOffset != end {
			return fmt.Errorf("the Bloom filter of %q is at %d, not at %d", c.leaf.String(), c.meta.BloomOffset, end)
		}
		end += int64(c.meta.BloomBytes)
	}
	return nil
}

// lintExtents checks that everything found lies side by side and nothing between: no byte is read twice or never.
func (f *lintedFile) lintExtents() error {
	slices.SortFunc(f.extents, func(a, b extent) int { return int(a.from - b.from) })
	at := int64(0)
	for _, e := range f.extents {
		if e.from != at {
			return fmt.Errorf("%s begins at %d, what lies before it ends at %d", e.what, e.from, at)
		}
		at = e.to
	}
	if at != int64(len(f.data)) {
		return fmt.Errorf("%d bytes follow the last thing in the file", int64(len(f.data))-at)
	}
	return nil
}
