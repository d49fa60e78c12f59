package encode

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// randomEncryption encrypts some of the columns.
func randomEncryption(c chance, paths [][]string) *Encryption {
	g := &generator{chance: c}
	e := &Encryption{
		FooterKey:       testKey(0, pick(g, 16, 24, 32)),
		PlaintextFooter: g.oneIn(2),
		Algorithm:       pick(g, "", algorithmGCM, algorithmGCMCTR),
	}
	if g.oneIn(2) {
		e.FooterKeyMetadata = []byte("footer")
	}
	if g.oneIn(2) {
		e.AADPrefix, e.OmitAADPrefix = []byte("a table of ours"), g.oneIn(2)
	}
	for i := range paths {
		if !g.oneIn(2) {
			continue
		}
		path := slices.Clone(paths[g.IntN(len(paths))])
		path = path[:1+g.IntN(len(path))]
		if g.oneIn(4) {
			path[g.IntN(len(path))] = "*"
		}
		entry := EncryptedColumn{Path: strings.Join(path, ".")}
		if !g.oneIn(3) {
			entry.Key = testKey(1+i, pick(g, 16, 24, 32))
			if g.oneIn(2) {
				entry.KeyMetadata = fmt.Append(nil, "column ", i)
			}
		}
		e.Columns = append(e.Columns, entry)
	}
	e.dropUnused(paths)
	return e
}

// dropUnused leaves out the entries that encrypt nothing.
func (e *Encryption) dropUnused(paths [][]string) {
	used := map[*EncryptedColumn]bool{}
	for _, path := range paths {
		used[entryOf(e, path)] = true
	}
	var columns []EncryptedColumn
	for i := range e.Columns {
		if used[&e.Columns[i]] {
			columns = append(columns, e.Columns[i])
		}
	}
	e.Columns = columns
}

func TestRandomEncryptedFiles(t *testing.T) {
	cases := uint64(500)
	if *long {
		cases *= 20
	}
	for seed := range cases {
		c := rand.New(rand.NewPCG(seed, 21))
		rc := newRandomCase(c)
		l := &layouter{c, memory.DefaultAllocator}
		rc.options.Encryption = randomEncryption(c, leafPaths(t, rc.schema))
		batches := rc.someBatches(l)
		data, err := write(&rc.options, rc.schema, batches...)
		if err == nil {
			err = checkEncrypted(t, data, &rc.options, rc.schema, batches...)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%v\n%d records, options %+v", seed, err, rc.schema, rc.records, rc.options)
		}
	}
}
