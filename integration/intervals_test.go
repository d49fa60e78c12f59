package integration

import (
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/sluice-io/sluice/integration/tools"
)

// TestIntervalsFromGo puts the intervals that pyarrow has no arrays of.
func TestIntervalsFromGo(t *testing.T) {
	lake := t.TempDir()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "months", Type: arrow.FixedWidthTypes.MonthInterval, Nullable: true},
		{Name: "days", Type: arrow.FixedWidthTypes.DayTimeInterval, Nullable: true},
	}, nil)
	batch := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer batch.Release()
	months := batch.Field(0).(*array.MonthIntervalBuilder)
	months.AppendValues([]arrow.MonthInterval{14, -1, 0, 1<<31 - 1}, []bool{true, false, true, true})
	days := batch.Field(1).(*array.DayTimeIntervalBuilder)
	days.AppendValues([]arrow.DayTimeInterval{{Days: 3, Milliseconds: 1500}, {Days: 1 << 30}, {Days: -1}, {}},
		[]bool{true, true, false, true})
	tools.PutFromGo(t, tools.StartServer(t, lake, nil), "intervals", batch.NewRecordBatch())

	objects := filepath.Join(lake, "intervals", "*.parquet")
	rows := tools.Python(t).Output(t, "query.py", "SELECT months::text, days::text FROM '"+objects+"'")
	const want = "1 year 2 months, 3 days 00:00:01.5\n" +
		"None, 1073741824 days\n" +
		"00:00:00, None\n" +
		"178956970 years 7 months, 00:00:00\n"
	if rows != want {
		t.Errorf("DuckDB shows\n%swant\n%s", rows, want)
	}
}
