package s3_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/cloud/drivers/s3"
)

// server answers just enough of S3 for one object, and writes down what it was asked.
type server struct {
	mu      sync.Mutex
	asked   []string
	put     http.Header // of the request that made the object
	uploads int         // multipart uploads that are open
	lose    bool        // hang up instead of answering the request that makes the object

	slowParts chan struct{} // of each part that has arrived, if not nil; the answer then takes a while
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if s.slowParts != nil && r.URL.Query().Has("partNumber") {
		s.slowParts <- struct{}{}
		select {
		case <-r.Context().Done():
			panic(http.ErrAbortHandler) // the part is not noted
		case <-time.After(200 * time.Millisecond):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	query := r.URL.Query()
	switch {
	case r.Method == "POST" && query.Has("uploads"):
		s.note("create upload")
		s.uploads++
		s.put = r.Header // the headers of the object come with this one
		fmt.Fprint(w, "<InitiateMultipartUploadResult><UploadId>U1</UploadId></InitiateMultipartUploadResult>")
	case r.Method == "PUT" && query.Has("partNumber"):
		s.note("part")
		w.Header().Set("ETag", `"e"`)
	case r.Method == "POST" && query.Has("uploadId"):
		s.note("complete " + r.Header.Get("If-None-Match"))
		s.uploads--
		s.answer(w, "<CompleteMultipartUploadResult/>")
	case r.Method == "DELETE" && query.Has("uploadId"):
		s.note("abort upload")
		s.uploads--
		w.WriteHeader(http.StatusNoContent)
	case r.Method == "GET" && query.Has("uploads"):
		fmt.Fprint(w, "<ListMultipartUploadsResult>")
		for range s.uploads {
			fmt.Fprint(w, "<Upload><Key>team/key</Key><UploadId>U1</UploadId><Initiated>2026-01-02T03:04:05Z</Initiated></Upload>")
		}
		fmt.Fprint(w, "</ListMultipartUploadsResult>")
	case r.Method == "PUT" && s.put != nil:
		s.note("put again")
		w.WriteHeader(http.StatusPreconditionFailed)
		fmt.Fprint(w, "<Error><Code>PreconditionFailed</Code></Error>")
	case r.Method == "PUT":
		s.note("put " + r.Header.Get("If-None-Match"))
		s.put = r.Header
		s.answer(w, "")
	case r.Method == "HEAD":
		s.note("head")
		w.Header().Set("X-Amz-Meta-Sluiceid", s.put.Get("X-Amz-Meta-Sluiceid"))
	}
}

func (s *server) note(request string) { s.asked = append(s.asked, request) }

func (s *server) answer(w http.ResponseWriter, body string) {
	if s.lose {
		panic(http.ErrAbortHandler)
	}
	fmt.Fprint(w, body)
}

func start(t *testing.T, s *server) *cloud.Bucket {
	t.Helper()
	listener := httptest.NewServer(s)
	t.Cleanup(listener.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "k")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "s")
	url := "s3://lake?region=us-east-1&use_path_style=true&prefix=team/&endpoint=" + listener.URL
	b, err := cloud.Open(t.Context(), url, &cloud.Options{PartBytes: partBytes, PartConcurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const partBytes = 5 << 20

// create starts an object of n bytes.
func create(t *testing.T, ctx context.Context, b *cloud.Bucket, n int) *cloud.Object {
	t.Helper()
	o, err := b.Create(ctx, "key", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Write(make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	return o
}

func (s *server) wantAsked(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestCommit(t *testing.T) {
	for n, want := range map[int][]string{
		0:             {"put *"},
		partBytes - 1: {"put *"},
		partBytes:     {"create upload", "part", "complete *"},
		partBytes + 1: {"create upload", "part", "part", "complete *"},
	} {
		s := &server{}
		b := start(t, s)
		if err := create(t, t.Context(), b, n).Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.wantAsked(t, want...)
	}
}

// An upload that is broken off is removed, although the context it was made with has ended.
func TestAbort(t *testing.T) {
	for n, want := range map[int][]string{
		partBytes - 1: nil,
		partBytes:     {"create upload", "abort upload"},
	} {
		for _, cancelled := range []bool{false, true} {
			s := &server{}
			b := start(t, s)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			o := create(t, ctx, b, n)
			if cancelled {
				cancel()
			}
			if err := o.Abort(); err != nil {
				t.Error(err)
			}
			s.mu.Lock() // whether the first part is still sent is a matter of time
			s.asked = slices.DeleteFunc(s.asked, func(asked string) bool { return asked == "part" })
			s.mu.Unlock()
			s.wantAsked(t, want...)
		}
	}
}

// A part that is under way comes to its end before the upload is aborted: a store may finish it after the client hung
// up, and keep a part that no upload has any more.
func TestAbortWaitsForParts(t *testing.T) {
	s := &server{slowParts: make(chan struct{}, 1)}
	b := start(t, s)
	o := create(t, t.Context(), b, partBytes)
	<-s.slowParts
	if err := o.Abort(); err != nil {
		t.Error(err)
	}
	s.wantAsked(t, "create upload", "part", "abort upload")
}

// The SDK sends a request again whose answer was lost, and is refused because of its own object.
func TestLostAnswer(t *testing.T) {
	s := &server{lose: true}
	b := start(t, s)
	if err := create(t, t.Context(), b, 10).Commit(t.Context()); err != nil {
		t.Error(err)
	}
	s.wantAsked(t, "put *", "put again", "head")
}

func TestUploads(t *testing.T) {
	s := &server{uploads: 1}
	got, err := s3.Uploads(t.Context(), start(t, s))
	if err != nil || len(got) != 1 || got[0].Key != "team/key" || got[0].ID != "U1" || got[0].Start.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	mem, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s3.Uploads(t.Context(), mem); err == nil {
		t.Error("mem:// has multipart uploads")
	}
}
