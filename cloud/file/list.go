package file

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"gocloud.dev/blob/driver"
)

// pageObjects is the size of a page of a listing, unless the caller wants another.
const pageObjects = 1000

// ListPaged implements driver.Bucket. A page token is the last key of the page before.
func (b *bucket) ListPaged(ctx context.Context, o *driver.ListOptions) (*driver.ListPage, error) {
	if o.BeforeList != nil {
		if err := o.BeforeList(func(any) bool { return false }); err != nil {
			return nil, err
		}
	}
	l := &lister{fs: b.fs, prefix: o.Prefix, delimiter: o.Delimiter, after: string(o.PageToken), limit: o.PageSize}
	if l.limit == 0 {
		l.limit = pageObjects
	}
	if folded, ok := l.fold(l.after); ok {
		l.folded = folded
	}
	start := o.Prefix[:strings.LastIndex(o.Prefix, "/")+1]
	if start != "" && checkKey(strings.TrimSuffix(start, "/")) != nil {
		return &driver.ListPage{}, nil // no key can begin like that
	}
	if err := l.walk(ctx, start); err != nil && err != errPageFull {
		return nil, err
	}
	return &l.page, nil
}

// lister gathers one page. It goes through the directories in the byte order of keys, for which a directory counts
// with its slash: a-b/x comes before a/x.
type lister struct {
	fs        fileSystem
	prefix    string
	delimiter string
	after     string // only keys behind this one
	limit     int    // objects
	folded    string // the common prefix yielded last; keys that have it are done with
	page      driver.ListPage
}

var errPageFull = errors.New("page full")

// walk adds what is in a directory, given as the prefix of its keys: "" or "a/b/".
func (l *lister) walk(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name := "."
	if dir != "" {
		name = strings.TrimSuffix(dir, "/")
	}
	entries, err := l.fs.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) || err != nil && isBadName(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, key := range sortedKeys(dir, entries) {
		if l.skips(key) {
			continue
		}
		if strings.HasSuffix(key, "/") {
			err = l.walk(ctx, key)
		} else {
			err = l.add(key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sortedKeys returns the keys of a directory's entries, those of subdirectories with a slash at the end.
func sortedKeys(dir string, entries []fs.DirEntry) []string {
	keys := make([]string, 0, len(entries))
	for _, e := range entries {
		key := dir + e.Name()
		switch {
		case key == tempDir || !utf8.ValidString(key):
		case e.IsDir():
			keys = append(keys, key+"/")
		default:
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// skips says whether a key, or every key in a directory, is not for this page.
func (l *lister) skips(key string) bool {
	isDir := strings.HasSuffix(key, "/")
	if !strings.HasPrefix(key, l.prefix) && !(isDir && strings.HasPrefix(l.prefix, key)) {
		return true
	}
	if l.folded != "" && strings.HasPrefix(key, l.folded) {
		return true
	}
	return key <= l.after && !(isDir && strings.HasPrefix(l.after, key))
}

// fold returns the key up to the first delimiter behind the prefix, if there is one.
func (l *lister) fold(key string) (string, bool) {
	if l.delimiter == "" || !strings.HasPrefix(key, l.prefix) {
		return "", false
	}
	at := strings.Index(key[len(l.prefix):], l.delimiter)
	if at < 0 {
		return "", false
	}
	return key[:len(l.prefix)+at+len(l.delimiter)], true
}

// add adds an object, or the common prefix it is folded into.
func (l *lister) add(key string) error {
	info, err := l.fs.Stat(key)
	if err != nil || !info.Mode().IsRegular() {
		return nil // deleted since, a link that leads out of the bucket, or no object at all
	}
	object := &driver.ListObject{Key: key, ModTime: info.ModTime(), Size: info.Size()}
	if folded, ok := l.fold(key); ok {
		l.folded = folded
		object = &driver.ListObject{Key: folded, IsDir: true}
	}
	if len(l.page.Objects) == l.limit {
		l.page.NextPageToken = []byte(l.page.Objects[l.limit-1].Key)
		return errPageFull
	}
	l.page.Objects = append(l.page.Objects, object)
	return nil
}
