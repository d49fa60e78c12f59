package tools

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// emptyCache lets the test have a user cache directory of its own.
func emptyCache(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir)
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "sluice")
}

func TestCachedBuildsOnce(t *testing.T) {
	emptyCache(t)
	var builds atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			dir, err := Cached("thing", func(dir string) error {
				builds.Add(1)
				return os.WriteFile(filepath.Join(dir, "file"), []byte("made"), 0o644)
			})
			if err != nil {
				t.Error(err)
				return
			}
			if content, err := os.ReadFile(filepath.Join(dir, "file")); err != nil || string(content) != "made" {
				t.Errorf("file holds %q, %v", content, err)
			}
		})
	}
	all.Wait()
	if n := builds.Load(); n != 1 {
		t.Errorf("built %d times, not once", n)
	}
}

func TestCachedForgetsAFailure(t *testing.T) {
	base := emptyCache(t)
	failure := errors.New("no network")
	_, err := Cached("thing", func(string) error { return failure })
	if !errors.Is(err, failure) || !strings.Contains(err.Error(), "make thing") {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(base, "thing")); !os.IsNotExist(err) {
		t.Errorf("a failed build left its directory: %v", err)
	}
	if _, err := Cached("thing", func(string) error { return nil }); err != nil {
		t.Errorf("the build after a failure: %v", err)
	}
}

func TestCachedRemakesWhatADeadProcessLeft(t *testing.T) {
	base := emptyCache(t)
	partial := filepath.Join(base, "thing.partial")
	if err := os.MkdirAll(filepath.Join(partial, "rubbish"), 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := Cached("thing", func(string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("the directory holds %v, %v; want it empty", entries, err)
	}
}
