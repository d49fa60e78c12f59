package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// recorder is a fileSystem that writes down each operation, and makes one of them fail.
type recorder struct {
	fileSystem
	trace  []string
	failAt int   // index in trace of the operation that fails; -1 for none
	err    error // what it fails with
	after  bool  // the operation succeeds and its answer gets lost
}

func newRecorder(t *testing.T, dir string) *recorder {
	fsys, err := newRootFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &recorder{fileSystem: fsys, failAt: -1}
}

var tempPattern = regexp.MustCompile(`\d{8}T\d{6}Z-[A-Z2-7]{26}\.part`)

// note writes an operation down, does it unless it is to fail, and returns its error.
func (r *recorder) note(do func() error, format string, args ...any) error {
	r.trace = append(r.trace, tempPattern.ReplaceAllString(fmt.Sprintf(format, args...), "TEMP"))
	if len(r.trace)-1 != r.failAt {
		return do()
	}
	if r.after {
		if err := do(); err != nil {
			return err
		}
	}
	return r.err
}

func (r *recorder) Create(name string) (f openFile, err error) {
	err = r.note(func() error {
		f, err = r.fileSystem.Create(name)
		return err
	}, "create %s", name)
	if err != nil {
		return nil, err
	}
	return &recordedFile{f, r}, nil
}

func (r *recorder) Stat(name string) (info fs.FileInfo, err error) {
	err = r.note(func() error {
		info, err = r.fileSystem.Stat(name)
		return err
	}, "stat %s", name)
	return info, err
}

func (r *recorder) Mkdir(name string) error {
	return r.note(func() error { return r.fileSystem.Mkdir(name) }, "mkdir %s", name)
}

func (r *recorder) SyncDir(name string) error {
	return r.note(func() error { return r.fileSystem.SyncDir(name) }, "sync %s/", name)
}

func (r *recorder) Link(from, to string) error {
	return r.note(func() error { return r.fileSystem.Link(from, to) }, "link %s %s", from, to)
}

func (r *recorder) Rename(from, to string) error {
	return r.note(func() error { return r.fileSystem.Rename(from, to) }, "rename %s %s", from, to)
}

func (r *recorder) Remove(name string) error {
	return r.note(func() error { return r.fileSystem.Remove(name) }, "remove %s", name)
}

// recordedFile is a file that is being written.
type recordedFile struct {
	openFile
	r *recorder
}

func (f *recordedFile) Write(p []byte) (n int, err error) {
	err = f.r.note(func() error {
		n, err = f.openFile.Write(p)
		return err
	}, "write %d", len(p))
	return n, err
}

func (f *recordedFile) Sync() error { return f.r.note(f.openFile.Sync, "sync file") }

func (f *recordedFile) Stat() (info fs.FileInfo, err error) {
	err = f.r.note(func() error {
		info, err = f.openFile.Stat()
		return err
	}, "stat file")
	return info, err
}

func (f *recordedFile) Close() error {
	return f.r.note(func() error { return f.openFile.Close() }, "close file")
}

const (
	testKey  = "a/b/c"
	testData = "some bytes"
)

// put writes testData under testKey.
func put(r *recorder, overwrite bool) error {
	b := blob.NewBucket(newBucket(r))
	return b.Upload(context.Background(), testKey, strings.NewReader(testData),
		&blob.WriterOptions{ContentType: "text/plain", IfNotExist: !overwrite})
}

// state returns the files below a directory with what is in them.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		p, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[tempPattern.ReplaceAllString(filepath.ToSlash(name), "TEMP")] = string(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var created = []string{
	"mkdir .sluice-tmp",
	"create .sluice-tmp/TEMP",
	"write 10",
	"sync file",
	"stat file",
	"close file",
	"mkdir a",
	"sync ./",
	"mkdir a/b",
	"sync a/",
	"link .sluice-tmp/TEMP a/b/c",
	"sync a/b/",
	"remove .sluice-tmp/TEMP",
}

func TestOrder(t *testing.T) {
	r := newRecorder(t, t.TempDir())
	if err := put(r, false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(created, r.trace); diff != "" {
		t.Errorf("create (-want +got):\n%s", diff)
	}

	r.trace = nil
	if err := put(r, true); err != nil {
		t.Fatal(err)
	}
	replaced := slices.Concat(created[:6], []string{
		"mkdir a", "sync ./", "mkdir a/b", "sync a/", // another bucket value: who knows whether they were synced
		"rename .sluice-tmp/TEMP a/b/c",
		"sync a/b/",
	})
	if diff := cmp.Diff(replaced, r.trace); diff != "" {
		t.Errorf("overwrite (-want +got):\n%s", diff)
	}

	r.trace = nil
	b := blob.NewBucket(newBucket(r))
	if err := b.Delete(t.Context(), testKey); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"stat a/b/c", "remove a/b/c", "sync a/b/"}, r.trace); diff != "" {
		t.Errorf("delete (-want +got):\n%s", diff)
	}
}

func TestSyncsDirectoriesOnce(t *testing.T) {
	r := newRecorder(t, t.TempDir())
	b := blob.NewBucket(newBucket(r))
	write := func(key string) {
		t.Helper()
		r.trace = nil
		if err := b.Upload(t.Context(), key, strings.NewReader(""), &blob.WriterOptions{ContentType: "text/plain", IfNotExist: true}); err != nil {
			t.Fatal(err)
		}
	}
	dirs := func() (got []string) {
		for _, step := range r.trace {
			if strings.HasPrefix(step, "sync ") && step != "sync file" {
				got = append(got, step)
			}
		}
		return got
	}
	write("a/b/1")
	write("a/b/2")
	if diff := cmp.Diff([]string{"sync a/b/"}, dirs()); diff != "" {
		t.Errorf("known directory (-want +got):\n%s", diff)
	}
	write("a/x/1")
	if diff := cmp.Diff([]string{"sync a/", "sync a/x/"}, dirs()); diff != "" {
		t.Errorf("new directory (-want +got):\n%s", diff)
	}
	if err := r.Remove("a/x/1"); err != nil {
		t.Fatal(err)
	}
	if err := r.Remove("a/x"); err != nil {
		t.Fatal(err)
	}
	write("a/x/2") // it has to find out that the directory is gone
	if diff := cmp.Diff([]string{"sync ./", "sync a/", "sync a/x/"}, dirs()); diff != "" {
		t.Errorf("removed directory (-want +got):\n%s", diff)
	}
}

var errInjected = fmt.Errorf("injected: %w", syscall.EIO)

// Every operation fails in turn, with and without having been done. Whatever happens, an error means that nothing is
// visible, and no error that everything is.
func TestFaults(t *testing.T) {
	for _, after := range []bool{false, true} {
		for i, step := range created {
			t.Run(fmt.Sprintf("%s after=%v", step, after), func(t *testing.T) {
				dir := t.TempDir()
				r := newRecorder(t, dir)
				r.failAt, r.err, r.after = i, errInjected, after
				err := put(r, false)
				if got := r.trace[min(i, len(r.trace)-1)]; got != step {
					t.Fatalf("the operation that failed was %q", got)
				}
				want := map[string]string{}
				switch {
				case strings.HasPrefix(step, "link") && after: // found out by looking
					want[testKey] = testData
				case strings.HasPrefix(step, "remove"): // the object is safe before that
					want[testKey] = testData
					if !after {
						want[".sluice-tmp/TEMP"] = testData
					}
				case strings.HasPrefix(step, "create") && after: // a file that nobody said was there
					want[".sluice-tmp/TEMP"] = ""
				}
				if done := want[testKey] != ""; done != (err == nil) || !done && !errors.Is(err, syscall.EIO) {
					t.Errorf("error %v", err)
				}
				if diff := cmp.Diff(want, state(t, dir)); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
				r.failAt = -1
				if err := put(r, false); err != nil && want[testKey] == "" {
					t.Errorf("trying again: %v", err)
				}
			})
		}
	}
}

func TestFaultsOfOverwrite(t *testing.T) {
	for i, step := range slices.Concat(created[:10], []string{"rename .sluice-tmp/TEMP a/b/c", "sync a/b/"}) {
		t.Run(step, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "a/b"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, testKey), []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			r := newRecorder(t, dir)
			r.failAt, r.err = i, errInjected
			if err := put(r, true); !errors.Is(err, syscall.EIO) {
				t.Errorf("error %v", err)
			}
			want := map[string]string{testKey: "old"}
			if step == "sync a/b/" {
				want[testKey] = testData
			}
			if diff := cmp.Diff(want, state(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// Two operations fail: the one that breaks the upload off, and the one that cleans up after it. That has to be said.
func TestFaultsOfCleanup(t *testing.T) {
	dir := t.TempDir()
	r := &brokenRemove{newRecorder(t, dir)}
	r.failAt, r.err = slices.Index(created, "sync file"), errInjected
	b := blob.NewBucket(newBucket(r))
	err := b.Upload(t.Context(), testKey, strings.NewReader(testData), &blob.WriterOptions{ContentType: "text/plain"})
	if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), "left over") || !strings.Contains(err.Error(), "injected") {
		t.Errorf("error %v", err)
	}
}

type brokenRemove struct{ *recorder }

func (b *brokenRemove) Remove(string) error { return syscall.EROFS }

func TestErrorCodes(t *testing.T) {
	for _, test := range []struct {
		step string
		err  error
		want gcerrors.ErrorCode
	}{
		{"write 10", syscall.ENOSPC, gcerrors.ResourceExhausted},
		{"sync file", syscall.EDQUOT, gcerrors.ResourceExhausted},
		{"sync ./", syscall.ENOSPC, gcerrors.ResourceExhausted},
		{"create .sluice-tmp/TEMP", syscall.EACCES, gcerrors.PermissionDenied},
		{"mkdir .sluice-tmp", syscall.EROFS, gcerrors.PermissionDenied},
		{"mkdir a/b", syscall.EACCES, gcerrors.PermissionDenied},
		{"mkdir a/b", syscall.ENOTDIR, gcerrors.InvalidArgument},
		{"mkdir a/b", syscall.ENAMETOOLONG, gcerrors.InvalidArgument},
		{"link .sluice-tmp/TEMP a/b/c", syscall.EPERM, gcerrors.Unimplemented},
		{"link .sluice-tmp/TEMP a/b/c", syscall.EIO, gcerrors.Unknown},
	} {
		r := newRecorder(t, t.TempDir())
		r.failAt, r.err = slices.Index(created, test.step), fmt.Errorf("injected: %w", test.err)
		if err := put(r, false); gcerrors.Code(err) != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s, %v: code %v of %v; want %v", test.step, test.err, gcerrors.Code(err), err, test.want)
		}
	}
}
