package cloud

import (
	"io/fs"
	"strings"
	"unicode"
)

// maxKeyBytes is the longest key that every store takes.
const maxKeyBytes = 1024

// checkKey holds keys to what every store can keep under that very name: a relative slash-separated path.
func checkKey(key string) error {
	switch {
	case key == "":
		return invalid("a key must not be empty")
	case len(key) > maxKeyBytes:
		return invalid("the key is %d bytes long; at most %d", len(key), maxKeyBytes)
	case !fs.ValidPath(key) || key == ".":
		return invalid("a key must be UTF-8 names between slashes, none of them empty, %q or %q", ".", "..")
	case strings.ContainsFunc(key, unicode.IsControl):
		return invalid("a key must not have control characters")
	case strings.Contains(key, `\`):
		return invalid("a key must not have backslashes; names are separated by slashes")
	}
	return nil
}

// checkPrefix holds the prefix of a bucket URL to the same, with a slash allowed at its end.
func checkPrefix(prefix string) error {
	return checkKey(strings.TrimSuffix(prefix, "/"))
}
