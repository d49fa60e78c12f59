package sink

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxSegmentBytes keeps a segment within the file names that common file systems take (255 bytes).
	maxSegmentBytes = 200
	// maxDatasetBytes leaves room for the object's own name within the 1,024 bytes of an S3 key.
	maxDatasetBytes = 1024 - len("/00000000-0000-0000-0000-000000000000.parquet") - maxPrefixBytes
	// maxPrefixBytes is the room left for a prefix that the bucket URL puts before every key.
	maxPrefixBytes = 128
)

// reserved are the characters that a name may not hold, each with the reason.
var reserved = map[rune]string{
	'/':  "it separates segments",
	'\\': "some stores and file systems take it for a separator",
	'=':  "query engines take name=value for a partition",
	'*':  "query engines take it for a pattern",
	'?':  "query engines take it for a pattern",
	'[':  "query engines take it for a pattern",
	']':  "query engines take it for a pattern",
	'{':  "query engines take it for a pattern",
	'}':  "query engines take it for a pattern",
}

// JoinDataset joins the segments of a name, such as those of a PATH descriptor, to a dataset name after checking each
// of them. Its error is an *Error of FaultInput.
func JoinDataset(segments ...string) (string, error) {
	if len(segments) == 0 {
		return "", inputError("", fmt.Errorf("the dataset name is empty; give at least one segment, such as \"orders\""))
	}
	for _, segment := range segments {
		if err := checkSegment(segment); err != nil {
			return "", inputError("", fmt.Errorf("dataset name segment %q: %w", segment, err))
		}
	}
	name := strings.Join(segments, "/")
	if len(name) > maxDatasetBytes {
		return "", inputError("", fmt.Errorf("dataset name of %d bytes: must be at most %d", len(name), maxDatasetBytes))
	}
	return name, nil
}

// CheckDataset says whether name can be a dataset's: segments joined by "/", such as "sales/orders". A segment is valid
// UTF-8 of 1 to 200 bytes that does not start with "_" or "." (query engines skip such names) and holds no control
// character and none of / \ = * ? [ ] { }. Its error is an *Error of FaultInput.
func CheckDataset(name string) error {
	_, err := JoinDataset(strings.Split(name, "/")...)
	return err
}

func checkSegment(segment string) error {
	switch {
	case segment == "":
		return fmt.Errorf("a segment must not be empty")
	case !utf8.ValidString(segment):
		return fmt.Errorf("must be valid UTF-8")
	case len(segment) > maxSegmentBytes:
		return fmt.Errorf("is %d bytes long; at most %d are allowed", len(segment), maxSegmentBytes)
	case segment[0] == '.' || segment[0] == '_':
		return fmt.Errorf("must not start with %q", segment[:1])
	}
	for _, r := range segment {
		if unicode.IsControl(r) {
			return fmt.Errorf("must not hold the control character %U", r)
		}
		if why, found := reserved[r]; found {
			return fmt.Errorf("must not hold %q: %s", r, why)
		}
	}
	return nil
}
