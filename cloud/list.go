package cloud

import (
	"context"
	"io"
	"iter"
	"time"

	"gocloud.dev/blob"
)

// ListOptions sets what List yields. The zero value of every field is its default.
type ListOptions struct {
	// Delimiter, usually "/", folds all keys that have it after the prefix into one entry with IsDir, whose key ends
	// with the delimiter. Default: every key is yielded.
	Delimiter string
}

// Entry is one result of List.
type Entry struct {
	Key     string
	Size    int64 // bytes; 0 for a directory
	ModTime time.Time
	IsDir   bool // a common prefix of keys, that is, not an object
}

// List yields the objects whose keys start with prefix, in the byte order of their keys, a page of about a thousand
// at a time. An error is the last thing that it yields.
func (b *Bucket) List(ctx context.Context, prefix string, o *ListOptions) iter.Seq2[Entry, error] {
	options := &blob.ListOptions{Prefix: prefix}
	if o != nil {
		options.Delimiter = o.Delimiter
	}
	return func(yield func(Entry, error) bool) {
		pages := b.blob.List(options)
		for {
			item, err := pages.Next(ctx)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Entry{}, b.wrap("list", prefix, err))
				return
			}
			if !yield(Entry{item.Key, item.Size, item.ModTime, item.IsDir}, nil) {
				return
			}
		}
	}
}
