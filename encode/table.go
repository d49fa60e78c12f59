package encode

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// WriteTable writes a whole table, which is the batches one after another, as one Parquet file. It is the file that a
// [Writer] makes of them, in less memory: column after column, of which pages go to w as they end. What a column holds
// back is its dictionary, and the pages before that is complete; of a nested column all leaves but the first. Options.Run
// is not used.
func WriteTable(w io.Writer, schema *arrow.Schema, batches []arrow.RecordBatch, o *Options) (Summary, error) {
	pw, err := NewWriter(w, schema, o)
	if err != nil {
		return Summary{}, err
	}
	for _, b := range batches {
		if err := pw.checkSchema(b.Schema()); err != nil {
			return Summary{}, pw.fail(err)
		}
	}
	for _, group := range groupsOf(batches, pw.options.RowGroupRecords) {
		if err := pw.writeGroup(group); err != nil {
			return Summary{}, pw.fail(err)
		}
	}
	return pw.Close()
}

// part is n records of a batch.
type part struct {
	batch   arrow.RecordBatch
	from, n int
}

// groupsOf cuts batches into row groups of so many records.
func groupsOf(batches []arrow.RecordBatch, records int64) (groups [][]part) {
	room := int64(0)
	for _, b := range batches {
		for from := int64(0); from < b.NumRows(); {
			if room == 0 {
				groups, room = append(groups, nil), records
			}
			n := min(room, b.NumRows()-from)
			last := len(groups) - 1
			groups[last] = append(groups[last], part{b, int(from), int(n)})
			from, room = from+n, room-n
		}
	}
	return groups
}

// writeGroup writes a row group, column after column.
func (w *Writer) writeGroup(parts []part) error {
	w.beginGroup()
	for i, f := range w.fields {
		f.columns[0].out = &w.out
		record := w.records
		for _, p := range parts {
			if err := f.write(p.batch.Column(i).Data(), p.from, p.n, record); err != nil {
				return err
			}
			record += int64(p.n)
		}
		if err := f.finish(); err != nil {
			return err
		}
		if err := w.writeField(f); err != nil {
			return err
		}
	}
	if err := w.checkOrder(w.records); err != nil {
		return err
	}
	for _, p := range parts {
		w.inGroup += int64(p.n)
	}
	w.records += w.inGroup
	return w.endGroup()
}
