package main

import (
	"fmt"
	"slices"
	"strings"
)

// suiteSettings are those with which the Rust suite writes each of its 65 shapes; package peer says what they are.
var suiteSettings = []string{"default", "v2", "zstd", "zstd-v2", "bloom", "cdc", "distinct"}

// allSettings has those of the long strings too.
var allSettings = append(slices.Clip(suiteSettings), "plain", "delta")

// compressed says whether the settings have a codec.
func compressed(settings string) bool { return strings.HasPrefix(settings, "zstd") }

// aCase is a shape with settings.
type aCase struct {
	shape    shape
	settings string
}

func (c aCase) String() string { return c.shape.name + "/" + c.settings }

// selectCases returns the cases of the shapes, shape by shape: with those of the settings that a shape is written with;
// "all" are all of them. Without settings that is "default", and for shapes that have their own, these.
func selectCases(shapes []shape, settings []string) (cases []aCase, err error) {
	for _, s := range settings {
		if s != "all" && !slices.Contains(allSettings, s) {
			return nil, fmt.Errorf("no settings %q: must be all or of %s", s, strings.Join(allSettings, ", "))
		}
	}
	for _, s := range shapes {
		own := s.settings
		if own == nil {
			own = suiteSettings
		}
		wanted := settings
		switch {
		case len(settings) == 0 && s.settings == nil:
			wanted = []string{"default"}
		case len(settings) == 0 || slices.Contains(settings, "all"):
			wanted = own
		}
		for _, w := range wanted {
			if slices.Contains(own, w) {
				cases = append(cases, aCase{s, w})
			}
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("no shape of these is written with settings %s", strings.Join(settings, ", "))
	}
	return cases, nil
}
