package sink

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckDataset(t *testing.T) {
	for _, name := range []string{"a", "sales/orders", "Übersicht/2026", "a-b_c.d", "x/y/z", "a b", "日本",
		strings.Repeat("x", maxSegmentBytes)} {
		if err := CheckDataset(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"":                                      "empty",
		"/a":                                    "empty",
		"a/":                                    "empty",
		"a//b":                                  "empty",
		".":                                     "must not start",
		"a/..":                                  "must not start",
		"_delta_log":                            "must not start",
		"a/_tmp":                                "must not start",
		"a=b":                                   "partition",
		"a\\b":                                  "must not hold",
		"a*":                                    "pattern",
		"a{b,c}":                                "pattern",
		"a\x00":                                 "U+0000",
		"a\u0085":                               "U+0085",
		"a\x7f":                                 "U+007F",
		"a\xff":                                 "UTF-8",
		strings.Repeat("x", maxSegmentBytes+1):  "201 bytes",
		strings.Repeat("xxxxxxx/", 107) + "xxx": "dataset name of 859 bytes",
	} {
		err := CheckDataset(name)
		var refused *Error
		if !errors.As(err, &refused) || refused.Fault != FaultInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", name, err, want)
		}
	}
}

func TestJoinDataset(t *testing.T) {
	if name, err := JoinDataset("sales", "orders"); err != nil || name != "sales/orders" {
		t.Errorf("got %q, %v", name, err)
	}
	for _, segments := range [][]string{nil, {""}, {"a/b"}, {"a", ""}} {
		if name, err := JoinDataset(segments...); err == nil {
			t.Errorf("%q became %q", segments, name)
		}
	}
}
