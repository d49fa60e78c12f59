package sink

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/encode"
)

// defaultBloomFPP is pyarrow's default.
const defaultBloomFPP = 0.05

// setBloomFilters takes true or false for all columns, or an object: by column true, false or its parameters.
func setBloomFilters(s *Settings, value any) error {
	if value == nil {
		value = false
	}
	return s.perColumn(value, func(value any, c *encode.ColumnOptions) error {
		c.BloomFilterFPP = defaultBloomFPP
		parameters, some := value.(map[string]any)
		if !some {
			on, err := boolean(value)
			if err != nil {
				return fmt.Errorf("%w, nor an object such as {\"ndv\": 1000000, \"fpp\": 0.05}", err)
			}
			if !on {
				c.BloomFilterFPP = -1
			}
			return nil
		}
		values := int64(0)
		err := setMembers(parameters, members{
			"ndv": func(v any) (err error) { values, err = number[int64](v, 1, math.MaxInt64); return err },
			"fpp": func(v any) (err error) { c.BloomFilterFPP, err = share(v); return err },
		})
		if err == nil && values > 0 {
			c.BloomFilterBytes = encode.BloomFilterSize(values, c.BloomFilterFPP)
		}
		return err
	}, func(c *encode.ColumnOptions) { c.BloomFilterFPP, c.BloomFilterBytes = 0, 0 }, func(c encode.ColumnOptions) {
		s.File.BloomFilterFPP, s.File.BloomFilterBytes = c.BloomFilterFPP, c.BloomFilterBytes
	})
}

// setDistinctCounts takes true or false for all columns, or a list of those whose values are counted.
func setDistinctCounts(s *Settings, value any) error {
	s.clearColumns(func(c *encode.ColumnOptions) { c.DistinctCounts = false })
	if all, ok := value.(bool); ok {
		s.File.DistinctCounts = all
		return nil
	}
	paths, err := pathList(value)
	if err != nil {
		return fmt.Errorf("must be true, false or a list of columns: %w", err)
	}
	s.File.DistinctCounts = false
	for _, path := range paths {
		s.addColumn(encode.ColumnOptions{Path: path, DistinctCounts: true})
	}
	return nil
}

// setSortingColumns takes a list of columns, each by its name, as a pair of name and order, or as an object.
func setSortingColumns(s *Settings, value any) error {
	s.File.SortingColumns = nil
	if value == nil {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		return fmt.Errorf("must be a list of columns, not %s", describe(value))
	}
	for _, v := range list {
		column, err := sortingColumn(v)
		if err != nil {
			return err
		}
		s.File.SortingColumns = append(s.File.SortingColumns, column)
	}
	return nil
}

func sortingColumn(value any) (c encode.SortingColumn, err error) {
	switch v := value.(type) {
	case string:
		c.Column = v
	case []any:
		return sortingPair(v)
	case map[string]any:
		err = setMembers(v, members{
			"column":      func(v any) (err error) { c.Column, err = text(v); return err },
			"descending":  func(v any) (err error) { c.Descending, err = boolean(v); return err },
			"nulls_first": func(v any) (err error) { c.NullsFirst, err = boolean(v); return err },
		})
		if err == nil && c.Column == "" {
			err = errors.New(`an object in the list has no "column"`)
		}
	default:
		const format = "%s is in the list; a column is a name, or an object such as {\"column\": \"a\", \"descending\": true}"
		err = fmt.Errorf(format, describe(value))
	}
	return c, err
}

// sortingPair takes a sort key as pyarrow's SortingColumn.from_ordering does.
func sortingPair(pair []any) (c encode.SortingColumn, err error) {
	if len(pair) != 2 {
		const format = "a list of %d is in the list; a pair is a name and an order, such as [\"a\", \"descending\"]"
		return c, fmt.Errorf(format, len(pair))
	}
	if c.Column, err = text(pair[0]); err != nil {
		return c, err
	}
	order, err := oneOf(pair[1], "ascending", "descending")
	c.Descending = order == "descending"
	return c, err
}

// setMetadata takes an object of texts, which are laid over those that are there by their keys.
func setMetadata(s *Settings, value any) error {
	pairs, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("must be an object of strings, not %s", describe(value))
	}
	all := map[string]string{}
	for _, pair := range s.File.Metadata {
		all[pair.Key] = pair.Value
	}
	for key, v := range pairs {
		var err error
		if all[key], err = text(v); err != nil {
			return fmt.Errorf("%.40q: %w", key, err)
		}
	}
	s.File.Metadata = nil
	for _, key := range slices.SortedFunc(maps.Keys(all), strings.Compare) {
		s.File.Metadata = append(s.File.Metadata, encode.KeyValue{Key: key, Value: all[key]})
	}
	return nil
}
