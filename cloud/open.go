package cloud

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/memblob" // mem:// costs a program nothing

	"github.com/sluice-io/sluice/cloud/file"
)

// Hooks set a driver's own options, before each upload to a bucket and each read from it, as gocloud's
// WriterOptions.BeforeWrite and ReaderOptions.BeforeRead do. Each may be nil.
type Hooks struct {
	BeforeUpload, BeforeRead func(as func(any) bool) error
	// FailedReaderAborts says that an upload whose reader fails ends its requests, publishes nothing and removes what it
	// has stored. Its context is then not cancelled as well, which would cut these requests off.
	FailedReaderAborts bool
}

// HooksFor makes the hooks of one bucket, whose As it is given.
type HooksFor func(bucketAs func(any) bool, o Options) (Hooks, error)

var registered struct {
	sync.Mutex
	byScheme map[string]HooksFor
}

// RegisterHooks sets the hooks for the URLs of one scheme. The packages in cloud/drivers call it when they are
// initialised; a later call for the same scheme replaces them.
func RegisterHooks(scheme string, hooks HooksFor) {
	registered.Lock()
	defer registered.Unlock()
	if registered.byScheme == nil {
		registered.byScheme = map[string]HooksFor{}
	}
	registered.byScheme[scheme] = hooks
}

func hooksFor(scheme string) HooksFor {
	registered.Lock()
	defer registered.Unlock()
	return registered.byScheme[scheme]
}

// Open opens the bucket at url: file:///DIR, a plain path, mem:// (a new bucket each time), or a URL of a driver that
// the program imports; cloud/drivers has s3://, gs:// and azblob://. A directory that is not there yet is made. The
// query parameters are those of the gocloud driver, and "prefix", which is put before every key. Of the remote stores
// none is asked for anything yet, see Check.
func Open(ctx context.Context, url string, o *Options) (*Bucket, error) {
	b, err := open(ctx, url, o)
	if err != nil {
		return nil, fmt.Errorf("cloud: open %q: %w", url, err)
	}
	return b, nil
}

func open(ctx context.Context, rawURL string, o *Options) (*Bucket, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	u, err := parseURL(rawURL)
	if err != nil {
		return nil, err
	}
	b := &Bucket{url: showURL(u), scheme: u.Scheme, options: options, objects: map[*Object]struct{}{}}
	if u.Scheme == "file" {
		b.blob, err = openFile(u)
		return b, err
	}
	return b, b.openDriver(ctx, u)
}

// scheme and the two slashes; a single letter would be a Windows drive.
var schemePattern = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]+):(//)?`)

// parseURL turns a plain path into a file URL and checks what holds for every scheme.
func parseURL(rawURL string) (*url.URL, error) {
	switch m := schemePattern.FindStringSubmatch(rawURL); {
	case rawURL == "":
		return nil, invalid("a bucket is a path or a URL such as file:///data/lake or s3://lake?region=eu-central-1")
	case m == nil:
		return pathURL(rawURL)
	case m[2] == "":
		return nil, invalid("write %s:// for a URL, or ./%s for a path", m[1], rawURL)
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, &coded{Invalid, err}
	}
	u.User = nil
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, invalid("query: %w", err)
	}
	if query.Has("key") {
		return nil, invalid("parameter key: a bucket of a single key is of no use here; use prefix")
	}
	if u.Scheme == "gs" && query.Has("zonal") {
		return nil, invalid("parameter zonal: a zonal bucket shows objects before they are committed")
	}
	if prefix := query.Get("prefix"); prefix != "" {
		if err := checkPrefix(prefix); err != nil {
			return nil, invalid("parameter prefix %q: %w", prefix, err)
		}
	}
	return u, nil
}

// showURL is u.String, but for mem:// with both its slashes.
func showURL(u *url.URL) string {
	if u.Host == "" && u.Path == "" {
		return strings.Replace(u.String(), ":", "://", 1)
	}
	return u.String()
}

func pathURL(path string) (*url.URL, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, &coded{Invalid, err}
	}
	slashed := filepath.ToSlash(absolute)
	if !strings.HasPrefix(slashed, "/") { // C:/lake is file:///C:/lake
		slashed = "/" + slashed
	}
	return &url.URL{Scheme: "file", Path: slashed}, nil
}

// openFile opens file:///DIR, file://localhost/DIR and, relative to the working directory, file://./DIR.
func openFile(u *url.URL) (*blob.Bucket, error) {
	for name := range u.Query() {
		if name != "prefix" {
			return nil, invalid("parameter %s: file:// knows only prefix", name)
		}
	}
	dir := u.Path
	switch u.Host {
	case "", "localhost":
		if filepath.VolumeName(strings.TrimPrefix(dir, "/")) != "" {
			dir = strings.TrimPrefix(dir, "/")
		}
	case ".":
		dir = "." + dir
	default:
		return nil, invalid("host %q: write file:///DIR with three slashes, or file://./DIR for a relative one", u.Host)
	}
	if dir == "" {
		return nil, invalid("no directory: write file:///DIR, or file://./DIR for a relative one")
	}
	opened, err := file.OpenBucket(filepath.FromSlash(dir))
	if err != nil {
		return nil, err
	}
	if prefix := u.Query().Get("prefix"); prefix != "" {
		opened = blob.PrefixedBucket(opened, prefix)
	}
	return opened, nil
}

const driversPath = "github.com/sluice-io/sluice/cloud/drivers"

// openDriver opens a bucket through gocloud's own drivers.
func (b *Bucket) openDriver(ctx context.Context, u *url.URL) error {
	if !blob.DefaultURLMux().ValidBucketScheme(u.Scheme) {
		return invalid("no driver for %s://; import _ %q, or the gocloud.dev/blob driver for it", u.Scheme, driversPath)
	}
	hooks := hooksFor(u.Scheme)
	if u.Scheme == "s3" && hooks == nil {
		return invalid("aborted uploads would stay in the bucket; import _ %q", driversPath+"/s3")
	}
	opened, err := blob.OpenBucket(ctx, u.String())
	if err != nil {
		return err
	}
	b.blob = opened
	if hooks == nil {
		return nil
	}
	if b.hooks, err = hooks(opened.As, b.options); err != nil {
		_ = opened.Close()
		return err
	}
	return nil
}
