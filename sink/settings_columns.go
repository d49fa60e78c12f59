package sink

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/encode"
)

// setCompression takes the codec of all columns, or an object with those of some.
func setCompression(s *Settings, value any) error {
	return s.perColumn(value, func(value any, c *encode.ColumnOptions) error {
		name, err := text(value)
		if err != nil {
			return err
		}
		c.Compression = name
		return encode.CheckCompression(name, 0)
	}, func(c *encode.ColumnOptions) { c.Compression = "" }, func(c encode.ColumnOptions) {
		if !strings.EqualFold(c.Compression, s.File.Compression) { // the level is another codec's
			s.File.CompressionLevel = 0
		}
		s.File.Compression = c.Compression
	})
}

// setCompressionLevel takes the level of all columns, or an object with those of some.
func setCompressionLevel(s *Settings, value any) error {
	return s.perColumn(value, func(value any, c *encode.ColumnOptions) (err error) {
		c.CompressionLevel, err = number[int](value, math.MinInt32, math.MaxInt32)
		if c.CompressionLevel == 0 {
			c.CompressionLevel = encode.CompressionLevelZero
		}
		return err
	}, func(c *encode.ColumnOptions) { c.CompressionLevel = 0 }, func(c encode.ColumnOptions) {
		s.File.CompressionLevel = c.CompressionLevel
	})
}

const byteStreamSplit = "byte_stream_split"

// encodings are those of column_encoding.
var encodings = []string{"plain", "rle", "delta_binary_packed", "delta_length_byte_array", "delta_byte_array",
	byteStreamSplit, onlyDictionary, "compatible", "compact"}

// onlyDictionary is the encoding by which values are in a dictionary until it is full, whether that is smaller or not.
const onlyDictionary = "dictionary"

// setColumnEncoding takes the encoding of all columns, or an object with those of some: they have no dictionary, unless
// that is the encoding, or use_dictionary names them.
func setColumnEncoding(s *Settings, value any) error {
	return s.perColumn(value, func(value any, c *encode.ColumnOptions) (err error) {
		c.Encoding, err = oneOf(value, encodings...)
		c.DictionaryBytes = -1
		if c.Encoding == onlyDictionary {
			c.DictionaryBytes = defaultDictionaryBytes
		}
		return err
	}, func(c *encode.ColumnOptions) { c.Encoding = "" }, func(c encode.ColumnOptions) {
		s.File.Encoding, s.File.DictionaryBytes = c.Encoding, c.DictionaryBytes
	})
}

// setByteStreamSplit takes true, by which all columns have this encoding where they have no dictionary, false, or a list
// of the columns that have it and no dictionary.
func setByteStreamSplit(s *Settings, value any) error {
	if all, ok := value.(bool); ok {
		s.clearColumns(func(c *encode.ColumnOptions) {
			if c.Encoding == byteStreamSplit {
				c.Encoding, c.DictionaryBytes = "", 0
			}
		})
		if all {
			s.addColumn(encode.ColumnOptions{Path: "*", Encoding: byteStreamSplit})
		}
		return nil
	}
	paths, err := pathList(value)
	if err != nil {
		return fmt.Errorf("must be true, false or a list of columns: %w", err)
	}
	for _, path := range paths {
		s.addColumn(encode.ColumnOptions{Path: path, Encoding: byteStreamSplit, DictionaryBytes: -1})
	}
	return nil
}

// setUseDictionary takes true or false for all columns, or a list of those that may have dictionaries.
func setUseDictionary(s *Settings, value any) error {
	if use, ok := value.(bool); ok {
		s.clearColumns(func(c *encode.ColumnOptions) { c.DictionaryBytes = 0 })
		if !use {
			s.File.DictionaryBytes = -1
		} else if s.File.DictionaryBytes < 0 {
			s.File.DictionaryBytes = 0
		}
		return nil
	}
	paths, err := pathList(value)
	if err != nil {
		return fmt.Errorf("must be true, false or a list of columns: %w", err)
	}
	s.File.DictionaryBytes = -1
	for _, path := range paths {
		s.addColumn(encode.ColumnOptions{Path: path, DictionaryBytes: defaultDictionaryBytes})
	}
	return nil
}

// setDictionaryLimit takes the size of every dictionary that is not turned off.
func setDictionaryLimit(s *Settings, value any) error {
	n, err := number[int](value, 1, maxPageBytes)
	if err != nil {
		return err
	}
	if s.File.DictionaryBytes >= 0 {
		s.File.DictionaryBytes = n
	}
	for i := range s.File.Columns {
		if c := &s.File.Columns[i]; c.DictionaryBytes > 0 {
			c.DictionaryBytes = n
		}
	}
	return nil
}

// perColumn takes a value for all columns, which clears what single ones have, or an object of values by path.
func (s *Settings) perColumn(value any, parse func(value any, c *encode.ColumnOptions) error,
	clearOne func(c *encode.ColumnOptions), setAll func(c encode.ColumnOptions)) error {
	byPath, some := value.(map[string]any)
	if !some {
		var all encode.ColumnOptions
		if err := parse(value, &all); err != nil {
			return err
		}
		s.clearColumns(clearOne)
		setAll(all)
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		c := encode.ColumnOptions{Path: path}
		if err := parse(byPath[path], &c); err != nil {
			return fmt.Errorf("column %.300q: %w", path, err)
		}
		s.addColumn(c)
	}
	return nil
}

func (s *Settings) addColumn(c encode.ColumnOptions) { s.File.Columns = append(s.File.Columns, c) }

func (s *Settings) clearColumns(clearOne func(c *encode.ColumnOptions)) {
	for i := range s.File.Columns {
		clearOne(&s.File.Columns[i])
	}
}

// pathList returns a list of column paths.
func pathList(value any) ([]string, error) {
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("it is %s", describe(value))
	}
	var paths []string
	for _, v := range list {
		path, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("%s is in the list", describe(v))
		}
		paths = append(paths, path)
	}
	return paths, nil
}
