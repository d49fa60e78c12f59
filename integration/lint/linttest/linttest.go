// Package linttest has package lint check what tests store.
package linttest

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"testing"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/integration/lint"
)

const suffix = ".parquet"

// Bucket checks the Parquet objects of a bucket and returns how many there are.
func Bucket(t testing.TB, bucket *cloud.Bucket) (objects int) {
	t.Helper()
	ctx := context.Background() // that of the test has ended when its cleanup runs
	for entry, err := range bucket.List(ctx, "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		if path.Ext(entry.Key) != suffix {
			continue
		}
		objects++
		if err := Object(ctx, bucket, entry.Key); err != nil {
			t.Errorf("%s: %v", entry.Key, err)
		}
	}
	return objects
}

// Object checks an object.
func Object(ctx context.Context, bucket *cloud.Bucket, key string) error {
	r, err := bucket.OpenReaderAt(ctx, key)
	if err != nil {
		return err
	}
	defer r.Close()
	return lint.File(r, r.Size(), nil)
}

// Dir checks the Parquet files below a directory and returns how many there are.
func Dir(t testing.TB, dir string) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != suffix {
			return err
		}
		files++
		if err := lint.Path(name, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
