package sink

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// plainOptions has the forms of options that are for all columns, where allOptions has those for single ones.
const plainOptions = `{"column_encoding": "plain", "bloom_filter_options": true, "write_distinct_counts": true,
	"compression": {"a": "zstd"}, "compression_level": {"a": 3}}`

// TestEveryFieldIsSet sees that each field of the settings can be set by an option: a writer that learns something new
// must not forget those who put.
func TestEveryFieldIsSet(t *testing.T) {
	set := map[string]bool{
		"File.Run":              true, // the sink's
		"File.Encryption":       true, // made of Settings.Encryption
		"File.BloomFilterBytes": true, // made of "ndv", of single columns
	}
	fields := map[string]bool{}
	for _, options := range []string{allOptions, plainOptions} {
		var values map[string]any
		if err := json.Unmarshal([]byte(options), &values); err != nil {
			t.Fatal(err)
		}
		s, err := Settings{}.With(values)
		if err != nil {
			t.Fatal(err)
		}
		see := func(prefix string, v any) {
			value := reflect.ValueOf(v)
			for i := range value.NumField() {
				name := prefix + value.Type().Field(i).Name
				fields[name] = true
				set[name] = set[name] || !value.Field(i).IsZero()
			}
		}
		see("", s)
		see("File.", s.File)
		for _, c := range s.File.Columns {
			see("Columns.", c)
		}
		if s.Encryption != nil {
			see("Encryption.", *s.Encryption)
		}
	}
	for name := range fields {
		if !set[name] {
			t.Errorf("no option sets %s", name)
		}
	}
	if len(fields) < 35 {
		t.Errorf("only %d fields were seen", len(fields))
	}
}

// TestOptionFields sees that the table of options names fields that there are.
func TestOptionFields(t *testing.T) {
	for _, o := range options {
		if _, ok := reflect.TypeFor[FileOptions]().FieldByName(o.field); o.field != "" && !ok {
			t.Errorf("option %s is for the field %s, which there is not", o.name, o.field)
		}
	}
}

// TestReadmeHasOptions looks for every option in the table that users read.
func TestReadmeHasOptions(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range options {
		if !strings.Contains(string(readme), "`"+o.name+"`") {
			t.Errorf("README.md does not tell of %s", o.name)
		}
	}
}
