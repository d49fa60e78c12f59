package sink

import (
	"errors"
	"fmt"
	"math"

	"github.com/sluice-io/sluice/encode"
)

// setTimestampUnit takes "ms", "us", or null for the units that timestamps have.
func setTimestampUnit(s *Settings, value any) (err error) {
	s.File.TimestampUnit = ""
	if value != nil {
		s.File.TimestampUnit, err = oneOf(value, "ms", "us")
	}
	return err
}

// setStatistics takes true or false for all columns, a list of those that have statistics, one of the writer's own words
// for all columns, or an object of true, false and such words.
func setStatistics(s *Settings, value any) error {
	clearOne := func(c *encode.ColumnOptions) { c.Statistics = "" }
	if _, ok := value.([]any); ok {
		paths, err := pathList(value)
		if err != nil {
			return err
		}
		s.clearColumns(clearOne)
		s.File.Statistics = "none"
		for _, path := range paths {
			s.addColumn(encode.ColumnOptions{Path: path, Statistics: "page"})
		}
		return nil
	}
	return s.perColumn(value, func(value any, c *encode.ColumnOptions) (err error) {
		if on, ok := value.(bool); ok {
			c.Statistics = map[bool]string{true: "page", false: "none"}[on]
			return nil
		}
		if _, ok := value.(string); !ok {
			const format = "must be true, false, a list of columns, or \"page\", \"chunk\" or \"none\", not %s"
			return fmt.Errorf(format, describe(value))
		}
		c.Statistics, err = oneOf(value, "page", "chunk", "none")
		return err
	}, clearOne, func(c encode.ColumnOptions) { s.File.Statistics = c.Statistics })
}

// setStatisticsLength takes a number of bytes, or null for bounds that are not cut.
func setStatisticsLength(s *Settings, value any) (err error) {
	s.File.StatisticsBytes = -1
	if value != nil {
		s.File.StatisticsBytes, err = number[int](value, 1, maxPageBytes)
	}
	return err
}

// The options below are pyarrow's, for things of which the writer has one way. They are here so that a client that sends
// all of its options is answered by what matters.

// checkInt96 refuses INT96.
func checkInt96(_ *Settings, value any) error {
	if value != nil && value != false {
		return errors.New("INT96 is deprecated, and has no statistics: leave the option out, and timestamps are INT64")
	}
	return nil
}

// checkVersion takes the version of which the logical types are.
func checkVersion(_ *Settings, value any) error {
	if value != "2.6" {
		const format = "must be \"2.6\", not %s: for readers that know no nanoseconds use \"coerce_timestamps\""
		return fmt.Errorf(format, describe(value))
	}
	return nil
}

// checkFlavor refuses what pyarrow does for Spark 1.
func checkFlavor(_ *Settings, value any) error {
	if value != nil {
		return errors.New("must be null: files are the same for all readers; Spark reads them")
	}
	return nil
}

// checkNestedType takes lists as the specification has them.
func checkNestedType(_ *Settings, value any) error {
	if value != true {
		return errors.New("must be true: lists are as the Parquet specification has them")
	}
	return nil
}

// checkBatchSize takes any number: pages end at exactly the record that their limits say, so batches within the writer, of
// which pyarrow's pages are made, do not show in the file.
func checkBatchSize(_ *Settings, value any) error {
	_, err := number[int64](value, 1, math.MaxInt64)
	return err
}
