package cloud

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"
)

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	slashed := filepath.ToSlash(dir)
	for _, test := range []struct{ url, want, dir string }{
		{dir + "/a b", "file://" + slashed + "/a%20b", "a b"},
		{"./b", "file://" + slashed + "/b", "b"},
		{"c/d", "file://" + slashed + "/c/d", "c/d"},
		{"file://" + slashed + "/e", "file://" + slashed + "/e", "e"},
		{"file://localhost" + slashed + "/f", "file://localhost" + slashed + "/f", "f"},
		{"file://./g/h", "file://./g/h", "g/h"},
		{"file://" + slashed + "/i%20j?prefix=team/", "file://" + slashed + "/i%20j?prefix=team/", "i j/team"},
	} {
		b, err := Open(t.Context(), test.url, nil)
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		if b.URL() != test.want {
			t.Errorf("%s: URL %s; want %s", test.url, b.URL(), test.want)
		}
		if err := create(t, b, "data").Commit(t.Context()); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, test.dir, "key")); err != nil || string(got) != "data" {
			t.Errorf("%s: %q, %v", test.url, got, err)
		}
		if err := b.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenMem(t *testing.T) {
	a, err := Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.URL() != "mem://" {
		t.Errorf("URL %q", a.URL())
	}
	if err := create(t, a, "data").Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if there, err := b.Exists(t.Context(), "key"); err != nil || there {
		t.Errorf("in the other bucket: %v, %v", there, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		url     string
		options *Options
		want    string // in the error
		code    Code
	}{
		{"", nil, "a bucket is a path or a URL", Invalid},
		{"s3:lake", nil, "write s3:// for a URL, or ./s3:lake for a path", Invalid},
		{"ftp://lake", nil, `no driver for ftp://; import _ "github.com/sluice-io/sluice/cloud/drivers"`, Invalid},
		{"file://", nil, "no directory", Invalid},
		{"file://lake/a", nil, `host "lake"`, Invalid},
		{"file:///tmp/x?metadata=skip", nil, "parameter metadata", Invalid},
		{"file:///tmp/x?prefix=../y/", nil, `parameter prefix "../y/"`, Invalid},
		{"file:///tmp/x?key=a", nil, "parameter key", Invalid},
		{"mem://?prefix=/a", nil, `parameter prefix "/a"`, Invalid},
		{"mem://?a=%zz", nil, "query", Invalid},
		{"mem://?bogus=1", nil, "bogus", Unknown},
		{"gs://lake?zonal=true", nil, "parameter zonal", Invalid},
		{"mem://%zz", nil, "invalid URL escape", Invalid},
		{plain, nil, "is not a directory", Unknown},
		{"mem://", &Options{PartBytes: 1}, "option PartBytes 1", Invalid},
		{"mem://", &Options{PartBytes: 2 << 30}, "option PartBytes", Invalid},
		{"mem://", &Options{PartConcurrency: -1}, "option PartConcurrency -1", Invalid},
		{"mem://", &Options{PartConcurrency: 65}, "option PartConcurrency 65", Invalid},
		{"mem://", &Options{AbortTimeout: -time.Second}, "option AbortTimeout -1s", Invalid},
	} {
		b, err := Open(t.Context(), test.url, test.options)
		if err == nil {
			t.Errorf("%s: opened %s", test.url, b.URL())
			continue
		}
		if !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "cloud: open ") || CodeOf(err) != test.code {
			t.Errorf("%s: code %v, error %v", test.url, CodeOf(err), err)
		}
	}
}

// memOpener opens a bucket in memory for any URL.
type memOpener struct{}

func (memOpener) OpenBucketURL(context.Context, *url.URL) (*blob.Bucket, error) {
	return memblob.OpenBucket(nil), nil
}

func TestHooks(t *testing.T) {
	if !blob.DefaultURLMux().ValidBucketScheme("s3") {
		blob.DefaultURLMux().RegisterBucket("s3", memOpener{})
	}
	const url = "s3://lake?region=x"
	_, err := Open(t.Context(), url, nil)
	wantCode(t, err, Invalid)
	if err == nil || !strings.Contains(err.Error(), `import _ "github.com/sluice-io/sluice/cloud/drivers/s3"`) {
		t.Errorf("error %v", err)
	}

	t.Cleanup(func() { delete(registered.byScheme, "s3") })
	RegisterHooks("s3", func(func(any) bool, Options) (Hooks, error) { return Hooks{}, errDenied })
	if _, err := Open(t.Context(), url, nil); !errors.Is(err, errDenied) {
		t.Errorf("error %v", err)
	}

	var uploads, reads int
	RegisterHooks("s3", func(bucketAs func(any) bool, o Options) (Hooks, error) {
		if bucketAs(new(string)) || o.PartBytes != defaultPartBytes {
			t.Errorf("options %+v", o)
		}
		count := func(n *int) func(func(any) bool) error {
			return func(func(any) bool) error { *n++; return nil }
		}
		return Hooks{BeforeUpload: count(&uploads), BeforeRead: count(&reads)}, nil
	})
	b, err := Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := create(t, b, "data").Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ReadAll(t.Context(), "key"); err != nil {
		t.Fatal(err)
	}
	if uploads != 1 || reads != 1 {
		t.Errorf("%d uploads, %d reads", uploads, reads)
	}
}

func TestURLHidesUser(t *testing.T) {
	u, err := parseURL("s3://me:secret@lake?region=x")
	if err != nil || showURL(u) != "s3://lake?region=x" {
		t.Errorf("%v, %v", u, err)
	}
}

func TestObjectBytes(t *testing.T) {
	options, err := (&Options{PartBytes: 10 << 20, PartConcurrency: 3}).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	for scheme, want := range map[string]int64{"file": 64 << 10, "mem": 0, "s3": 51 << 20, "gs": 11 << 20, "azblob": 31 << 20} {
		if got := (&Bucket{scheme: scheme, options: options}).ObjectBytes(); got != want {
			t.Errorf("%s: %d bytes, want %d", scheme, got, want)
		}
	}
}

// status is an error of the kind that the AWS SDK makes.
type status int

func (s status) Error() string       { return fmt.Sprint("status ", int(s)) }
func (s status) HTTPStatusCode() int { return int(s) }

func TestCodeOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Code
	}{
		{nil, Unknown},
		{errors.New("any"), Unknown},
		{context.Canceled, Canceled},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), Canceled},
		{&stopped{errors.New("a cause of the caller's own")}, Canceled},
		{&stopped{errAborted}, Closed},
		{&fs.PathError{Op: "mkdir", Path: "x", Err: fs.ErrPermission}, Permission},
		{status(403), Permission},
		{fmt.Errorf("x: %w", status(401)), Permission},
		{status(404), NotFound},
		{status(412), Exists},
		{status(429), Exhausted},
		{status(507), Exhausted},
		{status(500), Unknown},
	} {
		if got := CodeOf(test.err); got != test.want {
			t.Errorf("%v: code %v, want %v", test.err, got, test.want)
		}
	}
}
