package cloudtest

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/sluice-io/sluice/cloud"
)

func testRead(f *fixture) {
	key := f.dir + "a"
	p := random(100_000)
	f.put(key, p, nil)
	for _, r := range []struct{ offset, length, end int64 }{
		{0, -1, 100_000}, {0, 10, 10}, {1, 1, 2}, {99_990, 10, 100_000}, {99_990, 1000, 100_000}, {50_000, -1, 100_000}, {5, 0, 5},
	} {
		body, err := f.bucket.NewRangeReader(f.Context(), key, r.offset, r.length)
		if err != nil {
			f.Fatal(err)
		}
		got, err := io.ReadAll(body)
		if err != nil || !bytes.Equal(got, p[r.offset:r.end]) {
			f.Errorf("range %v: %d bytes, %v", r, len(got), err)
		}
		if err := body.Close(); err != nil {
			f.Error(err)
		}
	}
	f.readAt(key, p)
	for _, n := range []int{0, 1, 100} {
		key := fmt.Sprint(f.dir, n)
		f.put(key, random(n), nil)
		f.readAt(key, random(n))
	}
}

// readAt reads an object through OpenReaderAt, from several goroutines.
func (f *fixture) readAt(key string, p []byte) {
	r, err := f.bucket.OpenReaderAt(f.Context(), key)
	if err != nil {
		f.Fatal(err)
	}
	defer r.Close()
	if r.Size() != int64(len(p)) {
		f.Errorf("size %d", r.Size())
	}
	_, err = r.ReadAt(make([]byte, 1), -1)
	f.wantCode(err, cloud.Invalid)
	if len(p) < 1000 { // it reads byte by byte
		if err := iotest.TestReader(io.NewSectionReader(r, 0, r.Size()), p); err != nil {
			f.Error(err)
		}
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			from := min(i*10_000, len(p))
			got := make([]byte, 30_001)
			n, err := r.ReadAt(got, int64(from))
			want := p[from:min(from+len(got), len(p))]
			if !bytes.Equal(got[:n], want) || (n < len(got)) != (err == io.EOF) || n == len(got) && err != nil {
				f.Errorf("read at %d: %d bytes, %v", from, n, err)
			}
		})
	}
	all.Wait()
}

func testNotFound(f *fixture) {
	f.put(f.dir+"a/b", []byte("b"), nil)
	for _, name := range []string{"x", "x/y", "a", "a/b/c", "a/"} {
		if name == "a/" {
			continue // not a key
		}
		key := f.dir + name
		_, err := f.bucket.ReadAll(f.Context(), key)
		f.wantCode(err, cloud.NotFound)
		_, err = f.bucket.NewReader(f.Context(), key)
		f.wantCode(err, cloud.NotFound)
		_, err = f.bucket.OpenReaderAt(f.Context(), key)
		f.wantCode(err, cloud.NotFound)
		_, err = f.bucket.Attributes(f.Context(), key)
		f.wantCode(err, cloud.NotFound)
		f.wantCode(f.bucket.Delete(f.Context(), key), cloud.NotFound)
		if there, err := f.bucket.Exists(f.Context(), key); err != nil || there {
			f.Errorf("%s: exists = %v, %v", name, there, err)
		}
	}
}

func testDelete(f *fixture) {
	key := f.dir + "a/b"
	f.put(key, []byte("b"), nil)
	if there, err := f.bucket.Exists(f.Context(), key); err != nil || !there {
		f.Errorf("exists = %v, %v", there, err)
	}
	if err := f.bucket.Delete(f.Context(), key); err != nil {
		f.Fatal(err)
	}
	f.absent(key)
	f.put(key, []byte("c"), nil)
	f.holds(key, []byte("c"))
}

// list returns the entries with the test's directory taken off, "name size" or "name/" each.
func (f *fixture) list(prefix, delimiter string) []string {
	f.Helper()
	var got []string
	for e, err := range f.bucket.List(f.Context(), f.dir+prefix, &cloud.ListOptions{Delimiter: delimiter}) {
		if err != nil {
			f.Fatal(err)
		}
		if e.IsDir {
			got = append(got, e.Key[len(f.dir):])
			continue
		}
		if e.ModTime.IsZero() {
			f.Errorf("%s has no time", e.Key)
		}
		got = append(got, fmt.Sprint(e.Key[len(f.dir):], " ", e.Size))
	}
	return got
}

func testList(f *fixture) {
	for _, name := range []string{"a/1", "a/2", "a/b/3", "b/c/d/4", "ab", "z"} {
		f.put(f.dir+name, []byte(name), nil)
	}
	for _, test := range []struct {
		prefix, delimiter string
		want              []string
	}{
		{"", "", []string{"a/1 3", "a/2 3", "a/b/3 5", "ab 2", "b/c/d/4 7", "z 1"}},
		{"", "/", []string{"a/", "ab 2", "b/", "z 1"}},
		{"a", "", []string{"a/1 3", "a/2 3", "a/b/3 5", "ab 2"}},
		{"a", "/", []string{"a/", "ab 2"}},
		{"a/", "/", []string{"a/1 3", "a/2 3", "a/b/"}},
		{"a/b", "/", []string{"a/b/"}},
		{"b/c/", "/", []string{"b/c/d/"}},
		{"b/c/d/4", "/", []string{"b/c/d/4 7"}},
		{"a/1/", "", nil},
		{"x", "", nil},
		{"x/y/", "/", nil},
		{"a/../", "", nil},
		{"/", "", nil},
	} {
		if diff := cmp.Diff(test.want, f.list(test.prefix, test.delimiter)); diff != "" {
			f.Errorf("prefix %q, delimiter %q (-want +got):\n%s", test.prefix, test.delimiter, diff)
		}
	}
	for e := range f.bucket.List(f.Context(), f.dir, nil) {
		if e.Key != f.dir+"a/1" {
			f.Errorf("first is %q", e.Key)
		}
		break
	}
}

func testListOrder(f *fixture) {
	names := []string{"a/x", "a-b/x", "a.b", "a0", "a!/x", "b/-/x", "b/x", "b/x-y/z", "c/é/x", "c/z/x"}
	var want []string
	for _, name := range names {
		f.put(f.dir+name, nil, nil)
		want = append(want, name+" 0")
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, f.list("", "")); diff != "" {
		f.Errorf("(-want +got):\n%s", diff)
	}
}

func testListMany(f *fixture) {
	const files, dirs = 1030, 20
	var group errgroup.Group
	group.SetLimit(16)
	var want []string
	for i := range files {
		name := fmt.Sprintf("%02d/%04d", i%dirs, i)
		want = append(want, name+" 0")
		group.Go(func() error {
			object, err := f.bucket.Create(f.Context(), f.dir+name, nil)
			if err != nil {
				return err
			}
			return object.Commit(f.Context())
		})
	}
	if err := group.Wait(); err != nil {
		f.Fatal(err)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, f.list("", "")); diff != "" {
		f.Errorf("flat (-want +got):\n%s", diff)
	}
	if got := f.list("", "/"); len(got) != dirs || got[0] != "00/" || got[dirs-1] != "19/" {
		f.Errorf("folded: %q", got)
	}
}
