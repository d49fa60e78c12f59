package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/integration/lint/linttest"
)

func TestDemo(t *testing.T) {
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	address, stop, err := startServer(bucket)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := demo{w: &out, bucket: bucket}
	if err := d.run(t.Context(), address, 150_000); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if objects := linttest.Bucket(t, bucket); objects != 1 {
		t.Errorf("the demo stored %d objects", objects)
	}
	for _, want := range []string{
		`150,000 rows, 11 columns`,
		`(?m)^100 %  150,000 rows`,
		`"records": 150000`,
		`demo/taxi/[0-9a-f-]{36}\.parquet  150,000 rows`,
		`(?m)^pickup_at +dropoff_at +vendor +passengers`,
		`(?m)^2026-03-01 00:00:00  2026-03-01 00:05:55 `,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%q is not in the output:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "\r") {
		t.Error("there is a moving bar where there is no terminal")
	}
}

// TestTaxiRides sees that the table is the same every time, in order of time, and has nulls.
func TestTaxiRides(t *testing.T) {
	one, other := newTaxiRides(), newTaxiRides()
	for range 2 {
		a, b := one.batch(1000), other.batch(1000)
		if !array.RecordEqual(a, b) {
			t.Error("two runs made different rides")
		}
		times := a.Column(0).(*array.Timestamp).Values()
		for i := 1; i < len(times); i++ {
			if times[i] < times[i-1] {
				t.Fatalf("ride %d begins before the one before it", i)
			}
		}
		for _, i := range []int{3, 5, 6, 9} {
			if a.Column(i).NullN() == 0 {
				t.Errorf("column %q has no nulls", a.ColumnName(i))
			}
		}
	}
}

func TestProgressBar(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, 200)
	p.moving = true
	p.show(100, 1e6)
	p.show(200, 2e6)
	p.end()
	lines := strings.Split(out.String(), "\r")
	last := lines[len(lines)-1]
	if !strings.HasPrefix(last, "["+strings.Repeat("#", barWidth)+"] 100 %") || !strings.HasSuffix(last, "\n") {
		t.Errorf("got %q", out.String())
	}
}
