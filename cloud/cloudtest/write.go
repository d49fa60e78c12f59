package cloudtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/cloud"
)

func testCommit(f *fixture) {
	key := f.dir + "a/b.parquet"
	object := f.create(f.Context(), key, nil)
	if object.Key() != key {
		f.Errorf("key %q", object.Key())
	}
	f.write(object, []byte("hello, world"), 5)
	if object.Size() != 12 {
		f.Errorf("size %d", object.Size())
	}
	if there, err := f.bucket.Exists(f.Context(), key); err != nil || there {
		f.Errorf("before the commit: exists = %v, %v", there, err)
	}
	if err := object.Commit(f.Context()); err != nil {
		f.Fatal(err)
	}
	f.holds(key, []byte("hello, world"))
}

func testEmpty(f *fixture) {
	for i, writes := range [][]byte{nil, {}} {
		key := fmt.Sprintf("%s%d", f.dir, i)
		object := f.create(f.Context(), key, nil)
		if writes != nil {
			if _, err := object.Write(writes); err != nil {
				f.Error(err)
			}
		}
		if err := object.Commit(f.Context()); err != nil {
			f.Fatal(err)
		}
		f.holds(key, nil)
	}
}

// sizes are those at which an upload changes its ways, and one of three parts.
func (f *fixture) sizes() []int {
	part := f.store.PartBytes
	return []int{1, part - 1, part, part + 1, 2*part + part/4}
}

func testParts(f *fixture) {
	for _, n := range append(f.sizes(), 18<<20+1) {
		key := fmt.Sprintf("%s%d", f.dir, n)
		p := random(n)
		object := f.create(f.Context(), key, nil)
		f.write(object, p, 256<<10+7)
		if err := object.Commit(f.Context()); err != nil {
			f.Fatal(err)
		}
		f.holds(key, p)
	}
}

func testAttributes(f *fixture) {
	key := f.dir + "a"
	f.put(key, random(10), &cloud.ObjectOptions{ContentType: "application/vnd.apache.parquet"})
	got, err := f.bucket.Attributes(f.Context(), key)
	if err != nil {
		f.Fatal(err)
	}
	if got.Size != 10 || got.ModTime.IsZero() || got.ContentType == "" {
		f.Errorf("attributes %+v", got)
	}
}

func testOverwrite(f *fixture) {
	key := f.dir + "a"
	for i := range 3 {
		p := random(100 + i)
		f.put(key, p, &cloud.ObjectOptions{Overwrite: true})
		f.holds(key, p)
	}
	object := f.create(f.Context(), key, &cloud.ObjectOptions{Overwrite: true})
	f.write(object, random(50), 50)
	if err := object.Abort(); err != nil {
		f.Error(err)
	}
	f.holds(key, random(102))
}

func testExists(f *fixture) {
	for _, n := range []int{10, f.store.PartBytes + 1} {
		key := fmt.Sprintf("%s%d", f.dir, n)
		f.put(key, random(10), nil)
		object := f.create(f.Context(), key, nil)
		p := random(n)
		p[0]++
		f.write(object, p, len(p))
		err := object.Commit(f.Context())
		f.wantCode(err, cloud.Exists)
		if !cloud.IsExists(err) {
			f.Errorf("IsExists(%v) is false", err)
		}
		if err := object.Abort(); err != nil {
			f.Errorf("abort after a failed commit: %v", err)
		}
		f.holds(key, random(10))
		f.clean()
	}
}

func testRacers(f *fixture) {
	const racers = 8
	for _, n := range []int{100, f.store.PartBytes + 100} {
		key := fmt.Sprintf("%s%d", f.dir, n)
		var objects [racers]*cloud.Object
		for i := range objects {
			objects[i] = f.create(f.Context(), key, nil)
			f.write(objects[i], random(n+i), n+i)
		}
		var errs [racers]error
		var all sync.WaitGroup
		for i, object := range objects {
			all.Go(func() { errs[i] = object.Commit(f.Context()) })
		}
		all.Wait()
		winners := 0
		for i, err := range errs {
			if err == nil {
				winners++
				f.holds(key, random(n+i))
				continue
			}
			f.wantCode(err, cloud.Exists)
		}
		if winners != 1 {
			f.Errorf("%d winners: %v", winners, errs)
		}
		f.clean()
	}
}

func testAbort(f *fixture) {
	for _, n := range append([]int{0}, f.sizes()...) {
		key := fmt.Sprintf("%s%d", f.dir, n)
		object := f.create(f.Context(), key, nil)
		f.write(object, random(n), 1<<20)
		for range 2 {
			if err := object.Abort(); err != nil {
				f.Error(err)
			}
		}
		f.absent(key)
	}
}

func testAbortFromElsewhere(f *fixture) {
	for _, n := range []int{0, f.store.PartBytes + 1} {
		key := fmt.Sprintf("%s%d", f.dir, n)
		object := f.create(f.Context(), key, nil)
		f.write(object, random(n), 1<<20)
		failed := make(chan error)
		go func() { failed <- writeOn(object) }()
		if err := object.Abort(); err != nil {
			f.Error(err)
		}
		f.wantCode(<-failed, cloud.Closed)
		f.wantCode(object.Commit(f.Context()), cloud.Closed)
		f.absent(key)
	}
}

// writeOn writes until that fails.
func writeOn(object *cloud.Object) error {
	piece := random(100 << 10)
	for {
		if _, err := object.Write(piece); err != nil {
			return err
		}
	}
}

func testCancel(f *fixture) {
	for _, n := range append([]int{0}, f.sizes()...) {
		for _, finish := range []func(*cloud.Object) error{
			(*cloud.Object).Abort,
			func(object *cloud.Object) error {
				f.wantCanceled(object.Commit(context.Background()))
				return object.Abort()
			},
		} {
			key := fmt.Sprintf("%s%d", f.dir, n)
			ctx, cancel := context.WithCancel(f.Context())
			object := f.create(ctx, key, nil)
			f.write(object, random(n), 1<<20)
			cancel()
			if err := finish(object); err != nil {
				f.Error(err)
			}
			f.absent(key)
		}
	}
}

func testCancelBlockedWrite(f *fixture) {
	key := f.dir + "a"
	ctx, cancel := context.WithCancel(f.Context())
	object := f.create(ctx, key, nil)
	failed := make(chan error)
	go func() { failed <- writeOn(object) }()
	cancel()
	f.wantCanceled(<-failed)
	if err := object.Abort(); err != nil {
		f.Error(err)
	}
	f.absent(key)
}

func testDeadContext(f *fixture) {
	dead, cancel := context.WithCancel(f.Context())
	cancel()
	_, err := f.bucket.Create(dead, f.dir+"a", nil)
	f.wantCanceled(err)
	for _, n := range append([]int{0}, f.sizes()...) {
		key := fmt.Sprintf("%s%d", f.dir, n)
		object := f.create(f.Context(), key, nil)
		f.write(object, random(n), 1<<20)
		f.wantCanceled(object.Commit(dead))
		f.absent(key)
	}
}

func testMisuse(f *fixture) {
	done := f.create(f.Context(), f.dir+"done", nil)
	if err := done.Commit(f.Context()); err != nil {
		f.Fatal(err)
	}
	gone := f.create(f.Context(), f.dir+"gone", nil)
	if err := gone.Abort(); err != nil {
		f.Fatal(err)
	}
	for _, object := range []*cloud.Object{done, gone} {
		f.wantCode(object.Commit(f.Context()), cloud.Closed)
		_, err := object.Write([]byte{1})
		f.wantCode(err, cloud.Closed)
	}
	f.wantCode(done.Abort(), cloud.Closed)
	if err := gone.Abort(); err != nil {
		f.Error(err)
	}
	f.holds(f.dir+"done", nil)
	f.absent(f.dir + "gone")

	_, err := f.bucket.Create(f.Context(), f.dir+"a", &cloud.ObjectOptions{ContentType: "no type"})
	f.wantCode(err, cloud.Invalid)
}

func testCloseAborts(f *fixture) {
	f.closed = true
	object := f.create(f.Context(), f.dir+"a", nil)
	f.write(object, random(f.store.PartBytes+1), 1<<20)
	if err := f.bucket.Close(); err == nil {
		f.Error("close says nothing of an object that is open")
	}
	f.wantCode(object.Commit(f.Context()), cloud.Closed)
	_, err := f.bucket.Create(f.Context(), f.dir+"a", nil)
	f.wantCode(err, cloud.Closed)
	_, err = f.bucket.ReadAll(f.Context(), f.dir+"a")
	f.wantCode(err, cloud.Closed)
	f.wantCode(f.bucket.Close(), cloud.Closed)
}

func testKeys(f *fixture) {
	good := []string{"a=1/b", "a b", "ü/日本", "a.b-c_d+e", ".hidden", "_a", "a%2Fb", "...", "a/..b", "A/a"}
	for _, name := range good {
		f.put(f.dir+name, []byte(name), nil)
	}
	for _, name := range good {
		f.holds(f.dir+name, []byte(name))
	}
	var listed []string
	for e, err := range f.bucket.List(f.Context(), f.dir, nil) {
		if err != nil {
			f.Fatal(err)
		}
		listed = append(listed, e.Key[len(f.dir):])
	}
	slices.Sort(good)
	slices.Sort(listed) // a key may have another order in its store's own spelling
	if diff := cmp.Diff(good, listed); diff != "" {
		f.Errorf("listed (-want +got):\n%s", diff)
	}
	for _, key := range badKeys() {
		f.Run(fmt.Sprintf("%.20q", key), func(t *testing.T) {
			f := &fixture{T: t, bucket: f.bucket}
			_, err := f.bucket.Create(t.Context(), key, nil)
			f.wantCode(err, cloud.Invalid)
			_, err = f.bucket.ReadAll(t.Context(), key)
			f.wantCode(err, cloud.Invalid)
			_, err = f.bucket.OpenReaderAt(t.Context(), key)
			f.wantCode(err, cloud.Invalid)
			_, err = f.bucket.Exists(t.Context(), key)
			f.wantCode(err, cloud.Invalid)
			f.wantCode(f.bucket.Delete(t.Context(), key), cloud.Invalid)
		})
	}
}

func badKeys() []string {
	return []string{
		"", ".", "..", "/", "/a", "a/", "a//b", "./a", "a/.", "a/./b", "../a", "a/../b", "a/..", "a\x00b", "a\nb", "a\x7f",
		`a\b`, `..\a`, "a\xff", string(make([]byte, 2000)), longKey(1025),
	}
}

// longKey returns a key of n bytes whose names are short.
func longKey(n int) string {
	p := make([]byte, n)
	for i := range p {
		p[i] = "abcdefghijklmno/"[i%16]
	}
	p[n-1] = 'z'
	return string(p)
}
