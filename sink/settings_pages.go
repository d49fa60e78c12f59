package sink

import (
	"fmt"

	"github.com/sluice-io/sluice/encode"
)

// setContentChunks takes true or false, or an object with the limits.
func setContentChunks(s *Settings, value any) error {
	s.File.ContentChunks = nil
	limits, some := value.(map[string]any)
	if !some {
		use, err := boolean(value)
		if err != nil {
			return fmt.Errorf("%w, nor an object such as {\"min_chunk_size\": 262144, \"max_chunk_size\": 1048576}", err)
		}
		if use {
			s.File.ContentChunks = &encode.ContentChunks{}
		}
		return nil
	}
	var chunks encode.ContentChunks
	err := setMembers(limits, members{
		"min_chunk_size": func(v any) (err error) { chunks.MinBytes, err = number[int](v, 1, maxPageBytes); return err },
		"max_chunk_size": func(v any) (err error) { chunks.MaxBytes, err = number[int](v, 1, maxPageBytes); return err },
		"norm_level":     func(v any) (err error) { chunks.NormLevel, err = number[int](v, -3, 3); return err },
	})
	s.File.ContentChunks = &chunks
	return err
}
