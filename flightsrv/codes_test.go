package flightsrv

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/sink"
)

// httpError is an error as the S3 driver's client returns it.
type httpError int

// A message that has much of what a client sent is cut, and says its begin and its end.
func TestShortened(t *testing.T) {
	text := "begin " + strings.Repeat("é", 5000) + " end"
	s := shortened(status.New(codes.InvalidArgument, text))
	cut := s.Message()
	if s.Code() != codes.InvalidArgument || len(cut) > maxStatusBytes || !utf8.ValidString(cut) ||
		!strings.HasPrefix(cut, "begin éé") || !strings.HasSuffix(cut, "éé end") || !strings.Contains(cut, " … ") {
		t.Errorf("%d bytes: %q", len(cut), cut)
	}
	if s := shortened(status.New(codes.Internal, text[:2000])); s.Message() != text[:2000] {
		t.Error("a short message was cut")
	}
}

func (e httpError) Error() string       { return fmt.Sprintf("HTTP status %d", int(e)) }
func (e httpError) HTTPStatusCode() int { return int(e) }

func TestStatusOf(t *testing.T) {
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, notFound := bucket.Attributes(t.Context(), "none")
	if err := bucket.Close(); err != nil {
		t.Fatal(err)
	}
	_, closed := bucket.Attributes(t.Context(), "none")
	failed := func(fault sink.Fault, err error) error { return &sink.Error{Dataset: "sales", Fault: fault, Err: err} }
	broken := errors.New("encode: broken")
	for _, test := range []struct {
		name string
		err  error
		code codes.Code
		want string
	}{
		{"ours", invalid("no %s", "descriptor"), codes.InvalidArgument, "no descriptor"},
		{"ours, wrapped", fmt.Errorf("arrow/ipc: %w", invalid("no descriptor")), codes.InvalidArgument, "no descriptor"},
		{"input", failed(sink.FaultInput, broken), codes.InvalidArgument, `dataset "sales": broken`},
		{"conflict", failed(sink.FaultConflict, broken), codes.FailedPrecondition, "broken"},
		{"no bucket", failed(sink.FaultStorage, notFound), codes.FailedPrecondition, "must be there"},
		{"closed", failed(sink.FaultStorage, closed), codes.Internal, "closed"},
		{"refused", failed(sink.FaultStorage, httpError(403)), codes.PermissionDenied, "credentials"},
		{"full", failed(sink.FaultStorage, httpError(507)), codes.ResourceExhausted, "room"},
		{"taken", failed(sink.FaultStorage, httpError(412)), codes.Aborted, "put again"},
		{"broken store", failed(sink.FaultStorage, httpError(503)), codes.Unavailable, "put again later"},
		{"cancelled within", failed(sink.FaultStorage, context.Canceled), codes.Canceled, ""},
		{"bug", failed(sink.FaultInternal, errors.New("panic: no\nstack")), codes.Internal, "panic: no; the server's log has more"},
		{"gRPC's own", status.Error(codes.ResourceExhausted, "too large"), codes.ResourceExhausted, "too large"},
		{"unknown", broken, codes.Internal, "broken"},
	} {
		s := statusOf(t.Context(), test.err)
		if s.Code() != test.code || !strings.Contains(s.Message(), test.want) {
			t.Errorf("%s: got %v %q, want %v %q", test.name, s.Code(), s.Message(), test.code, test.want)
		}
		if strings.Contains(s.Message(), "stack") || strings.Contains(s.Message(), "sink:") {
			t.Errorf("%s: %q is too much for a client", test.name, s.Message())
		}
	}
}

// TestStatusOfEndedContext sees that what ended a put goes before what broke because of it.
func TestStatusOfEndedContext(t *testing.T) {
	err := &sink.Error{Fault: sink.FaultStorage, Err: context.Canceled}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	down, shutdown := context.WithCancelCause(t.Context())
	shutdown(errShutdown)
	for _, test := range []struct {
		ctx  context.Context
		code codes.Code
	}{{cancelled, codes.Canceled}, {late, codes.DeadlineExceeded}, {down, codes.Unavailable}} {
		if s := statusOf(test.ctx, err); s.Code() != test.code {
			t.Errorf("got %v %q, want %v", s.Code(), s.Message(), test.code)
		}
	}
}
