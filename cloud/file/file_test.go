package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

func openDir(t *testing.T, dir string) *blob.Bucket {
	t.Helper()
	b, err := OpenBucket(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func upload(b *blob.Bucket, key, data string) error {
	return b.Upload(context.Background(), key, strings.NewReader(data),
		&blob.WriterOptions{ContentType: "text/plain", IfNotExist: true})
}

func list(t *testing.T, b *blob.Bucket) (keys []string) {
	t.Helper()
	for it := b.List(nil); ; {
		o, err := it.Next(t.Context())
		if err == io.EOF {
			return keys
		}
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key)
	}
}

// Two bucket values know as little of one another as two processes do: all they share is the file system.
func TestOneWinner(t *testing.T) {
	dir := t.TempDir()
	for round := range 20 {
		var errs [8]error
		var all sync.WaitGroup
		for i := range errs {
			b := openDir(t, dir)
			all.Go(func() { errs[i] = upload(b, fmt.Sprint("a/", round), fmt.Sprint(i)) })
		}
		all.Wait()
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil && winner < 0:
				winner = i
			case gcerrors.Code(err) != gcerrors.FailedPrecondition:
				t.Errorf("racer %d: %v", i, err)
			}
		}
		got, err := openDir(t, dir).ReadAll(t.Context(), fmt.Sprint("a/", round))
		if err != nil || string(got) != fmt.Sprint(winner) {
			t.Errorf("the winner is %d, the object is %q, %v", winner, got, err)
		}
	}
}

func TestMakesRoot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "c")
	if err := upload(openDir(t, dir), "x", "1"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"x": "1"}, state(t, dir)); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{filepath.Join(dir, "x"), filepath.Join(dir, "x", "y")} {
		if _, err := OpenBucket(bad); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "x")) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// makeRoot works like a commit does; the same code is given the deepest directory that is there.
func TestMakesDirectoriesDurably(t *testing.T) {
	r := newRecorder(t, t.TempDir())
	if err := newDirs(r).make("a/b/c"); err != nil {
		t.Fatal(err)
	}
	want := []string{"mkdir a", "sync ./", "mkdir a/b", "sync a/", "mkdir a/b/c", "sync a/b/"}
	if diff := cmp.Diff(want, r.trace); diff != "" {
		t.Error(diff)
	}
}

// errReader fails after some bytes.
type errReader struct{ left int }

func (r *errReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, errors.New("broken reader")
	}
	n := min(len(p), r.left)
	r.left -= n
	return n, nil
}

// Unlike gocloud's own drivers, this one does not publish what it has when the reader fails, even uncancelled.
func TestBrokenReader(t *testing.T) {
	for _, n := range []int{0, 10, 1 << 20} {
		dir := t.TempDir()
		b := openDir(t, dir)
		err := b.Upload(t.Context(), "a", &errReader{n}, &blob.WriterOptions{ContentType: "text/plain"})
		if err == nil || !strings.Contains(err.Error(), "broken reader") {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(map[string]string{}, state(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOwnDirectoryIsHidden(t *testing.T) {
	dir := t.TempDir()
	b := openDir(t, dir)
	w, err := b.NewWriter(t.Context(), "a", &blob.WriterOptions{ContentType: "text/plain"})
	if err != nil {
		t.Fatal(err)
	}
	unfinished, err := filepath.Glob(filepath.Join(dir, tempDir, "*.part"))
	if err != nil || len(unfinished) != 1 || !tempPattern.MatchString(unfinished[0]) {
		t.Errorf("unfinished: %q, %v", unfinished, err)
	}
	for _, key := range []string{tempDir, tempDir + "/" + filepath.Base(unfinished[0])} {
		if _, err := b.ReadAll(t.Context(), key); gcerrors.Code(err) != gcerrors.InvalidArgument {
			t.Errorf("reading %s: %v", key, err)
		}
		if err := upload(b, key, ""); gcerrors.Code(err) != gcerrors.InvalidArgument {
			t.Errorf("writing %s: %v", key, err)
		}
	}
	if got := list(t, b); got != nil {
		t.Errorf("listed %q", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := upload(b, "d/"+tempDir+"/x", ""); err != nil { // only the one at the root is special
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"a", "d/" + tempDir + "/x"}, list(t, b)); diff != "" {
		t.Error(diff)
	}
}

func TestLinksStayInside(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, target := range map[string]string{
		"out": outside, "file": filepath.Join(outside, "secret"), "up": "..", "loop": ".", "inside": "a",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	b := openDir(t, dir)
	for _, key := range []string{"out/secret", "file", "up/x"} {
		if got, err := b.ReadAll(t.Context(), key); err == nil {
			t.Errorf("%s reads %q", key, got)
		}
	}
	for _, key := range []string{"out/new", "up/new"} {
		if err := upload(b, key, ""); err == nil {
			t.Errorf("%s can be written", key)
		}
	}
	if err := upload(b, "a", "1"); err != nil {
		t.Fatal(err)
	}
	if got, err := b.ReadAll(t.Context(), "inside"); err != nil || string(got) != "1" {
		t.Errorf("inside reads %q, %v", got, err)
	}
	if diff := cmp.Diff([]string{"a", "inside"}, list(t, b)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"secret": "secret"}, state(t, outside)); diff != "" {
		t.Error(diff)
	}
}

// A key cannot be an object and a directory of objects.
func TestFileOrDirectory(t *testing.T) {
	b := openDir(t, t.TempDir())
	if err := upload(b, "a/b", "1"); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "a/b/c"} {
		if err := upload(b, key, "2"); gcerrors.Code(err) != gcerrors.InvalidArgument {
			t.Errorf("writing %s: %v", key, err)
		}
		if _, err := b.ReadAll(t.Context(), key); gcerrors.Code(err) != gcerrors.NotFound {
			t.Errorf("reading %s: %v", key, err)
		}
	}
	if err := b.Delete(t.Context(), "a"); gcerrors.Code(err) != gcerrors.NotFound {
		t.Errorf("deleting a directory: %v", err)
	}
	if err := upload(b, strings.Repeat("x", 300), ""); gcerrors.Code(err) != gcerrors.InvalidArgument {
		t.Errorf("long name: %v", err)
	}
}

// Empty directories are nothing to a listing, whether folded or not.
func TestEmptyDirectories(t *testing.T) {
	dir := t.TempDir()
	b := openDir(t, dir)
	if err := os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, delimiter := range []string{"", "/"} {
		if o, err := b.List(&blob.ListOptions{Delimiter: delimiter}).Next(t.Context()); err != io.EOF {
			t.Errorf("delimiter %q: %v, %v", delimiter, o, err)
		}
	}
}

// Pages of every size give the same listing.
func TestPages(t *testing.T) {
	b := openDir(t, t.TempDir())
	for _, key := range []string{"a/1", "a/2", "a/b/3", "a-b", "b/c/d/4", "b-c", "c"} {
		if err := upload(b, key, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		delimiter string
		want      []string
	}{
		{"", []string{"a-b", "a/1", "a/2", "a/b/3", "b-c", "b/c/d/4", "c"}},
		{"/", []string{"a-b", "a/", "b-c", "b/", "c"}},
		{"-", []string{"a-", "a/1", "a/2", "a/b/3", "b-", "b/c/d/4", "c"}},
	} {
		for size := 1; size < 9; size++ {
			var got []string
			for token := blob.FirstPageToken; len(token) > 0; {
				page, next, err := b.ListPage(t.Context(), token, size, &blob.ListOptions{Delimiter: test.delimiter})
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range page {
					got = append(got, o.Key)
				}
				token = next
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("delimiter %q, pages of %d (-want +got):\n%s", test.delimiter, size, diff)
			}
		}
	}
}

func TestMetadataIsRefused(t *testing.T) {
	b := openDir(t, t.TempDir())
	err := b.Upload(t.Context(), "a", strings.NewReader(""),
		&blob.WriterOptions{ContentType: "text/plain", Metadata: map[string]string{"a": "b"}})
	if gcerrors.Code(err) != gcerrors.InvalidArgument {
		t.Errorf("error %v", err)
	}
}
