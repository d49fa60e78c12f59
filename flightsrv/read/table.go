package read

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// maxCell is the width of a column, in characters, from which on a value is shortened.
const maxCell = 32

// WriteTable writes rows as text in aligned columns under their names; numbers stand at the right.
func WriteTable(w io.Writer, rows arrow.RecordBatch) error {
	numColumns, numRows := int(rows.NumCols()), int(rows.NumRows())
	widths := make([]int, numColumns)
	lines := make([][]string, numRows+1)
	for r := range lines {
		lines[r] = make([]string, numColumns)
		for c := range numColumns {
			text := rows.ColumnName(c)
			if r > 0 {
				text = cell(rows.Column(c), r-1)
			}
			lines[r][c] = shorten(text)
			widths[c] = max(widths[c], utf8.RuneCountInString(lines[r][c]))
		}
	}
	var text strings.Builder
	for r, line := range lines {
		writeLine(&text, line, widths, rows)
		if r == 0 {
			for c, width := range widths {
				line[c] = strings.Repeat("-", width)
			}
			writeLine(&text, line, widths, rows)
		}
	}
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("read: write the table: %w", err)
	}
	return nil
}

func writeLine(text *strings.Builder, cells []string, widths []int, rows arrow.RecordBatch) {
	var line strings.Builder
	for c, cell := range cells {
		if c > 0 {
			line.WriteString("  ")
		}
		pad := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell))
		if isNumber(rows.Column(c).DataType()) {
			line.WriteString(pad + cell)
		} else {
			line.WriteString(cell + pad)
		}
	}
	text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

func isNumber(dt arrow.DataType) bool {
	return arrow.IsInteger(dt.ID()) || arrow.IsFloating(dt.ID()) || arrow.IsDecimal(dt.ID())
}

func cell(column arrow.Array, row int) string {
	if column.IsNull(row) {
		return "null"
	}
	switch column := column.(type) {
	case *array.Timestamp:
		clock := column.DataType().(*arrow.TimestampType)
		return column.Value(row).ToTime(clock.Unit).Format("2006-01-02 15:04:05.999999999")
	case *array.Decimal128:
		return column.Value(row).ToString(column.DataType().(*arrow.Decimal128Type).Scale)
	}
	return column.ValueStr(row)
}

// shorten makes a cell one line of at most maxCell characters.
func shorten(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if utf8.RuneCountInString(text) <= maxCell {
		return text
	}
	return string([]rune(text)[:maxCell-1]) + "…"
}
