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

// uncompressed returns the same settings without a codec.
func uncompressed(settings string) string {
	if settings == "zstd-v2" {
		return "v2"
	}
	return "default"
}

// aCase is a shape with settings, and what is measured of it.
type aCase struct {
	shape        shape
	settings     string
	time, memory bool
}

func (c aCase) String() string { return c.shape.name + "/" + c.settings }

// memorySettings are those with which the Rust suite measures memory.
var memorySettings = []string{"default", "v2", "cdc"}

// pageCases returns what the page of results has, shape by shape: times of the Rust suite with all settings and of all
// other shapes with their usual ones, and memory of all shapes with the default ones and of the Rust suite's with its
// three.
func pageCases() (cases []aCase) {
	suite := map[string]bool{}
	for _, g := range groups {
		for _, s := range g.shapes {
			suite[s.name] = suite[s.name] || g.name == "suite"
		}
	}
	remembered := shapeNames(groupOf("memory"))
	for _, s := range allShapes() {
		usual := s.settings
		if usual == nil && suite[s.name] {
			usual = suiteSettings
		}
		for _, settings := range allSettings {
			time := slices.Contains(usual, settings) || usual == nil && settings == "default"
			memory := s.settings == nil && (settings == "default" ||
				slices.Contains(memorySettings, settings) && slices.Contains(remembered, s.name))
			if time || memory {
				cases = append(cases, aCase{s, settings, time, memory})
			}
		}
	}
	return cases
}

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
				cases = append(cases, aCase{shape: s, settings: w, time: true})
			}
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("no shape of these is written with settings %s", strings.Join(settings, ", "))
	}
	return cases, nil
}
