package flightsrv

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/sink"
)

// refusal is an error of a request, with its gRPC code.
type refusal struct {
	code codes.Code
	text string
}

func (r *refusal) Error() string { return r.text }

// invalid refuses what the client sent.
func invalid(format string, args ...any) error {
	return &refusal{codes.InvalidArgument, fmt.Sprintf(format, args...)}
}

// errShutdown is why puts end that outlive the time that a shutdown gives them.
var errShutdown = &refusal{codes.Unavailable, "the server is shutting down and nothing of this put was stored; put again"}

// statusOf chooses the gRPC status of a put that ended with err; ctx is the put's.
func statusOf(ctx context.Context, err error) *status.Status {
	var refused *refusal
	var failed *sink.Error
	switch {
	case ctx.Err() != nil && errors.As(context.Cause(ctx), &refused), errors.As(err, &refused):
		return status.New(refused.code, refused.text)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return status.New(codes.DeadlineExceeded, "the put took longer than its deadline; nothing of it was stored")
	case ctx.Err() != nil:
		return status.New(codes.Canceled, "the put was cancelled; nothing of it was stored")
	case errors.As(err, &failed):
		return sinkStatus(failed)
	}
	if s, ok := status.FromError(err); ok {
		return s
	}
	return status.New(codes.Internal, err.Error())
}

// maxStatusBytes keeps a status within the 8 KiB of headers that clients take, of which it takes three for each byte that
// is not ASCII. What a client sends may be in it.
const maxStatusBytes = 2500

// shortened cuts a long message in the middle.
func shortened(s *status.Status) *status.Status {
	text := s.Message()
	if len(text) <= maxStatusBytes {
		return s
	}
	const half = maxStatusBytes/2 - len(" … ")
	head, tail := text[:half], text[len(text)-half:]
	return status.New(s.Code(), strings.ToValidUTF8(head, "")+" … "+strings.ToValidUTF8(tail, ""))
}

// unimplemented refuses a call that this server does not have.
func unimplemented(text string) error { return status.Error(codes.Unimplemented, text) }

func sinkStatus(err *sink.Error) *status.Status {
	switch err.Fault {
	case sink.FaultInput:
		return status.New(codes.InvalidArgument, message(err))
	case sink.FaultConflict:
		return status.New(codes.FailedPrecondition, message(err))
	case sink.FaultStorage:
		code, advice := storageCode(err)
		return status.New(code, message(err)+advice)
	}
	return status.New(codes.Internal, firstLine(message(err))+"; the server's log has more")
}

// storageCode chooses the code for an error of the bucket, and says what to do.
func storageCode(err error) (code codes.Code, advice string) {
	switch cloud.CodeOf(err) {
	case cloud.NotFound:
		return codes.FailedPrecondition, "; the bucket that this server stores into must be there"
	case cloud.Exists:
		return codes.Aborted, "; put again"
	case cloud.Permission:
		return codes.PermissionDenied, "; check the server's credentials for the bucket"
	case cloud.Invalid:
		return codes.FailedPrecondition, "; check the server's bucket setting"
	case cloud.Exhausted:
		return codes.ResourceExhausted, "; the store has no room left, or is asked too much"
	case cloud.Canceled:
		return codes.Canceled, ""
	case cloud.Closed:
		return codes.Internal, ""
	case cloud.Uncertain: // a code that clients retry by themselves could store the data twice
		return codes.Unknown, "; look for the object before you put again"
	}
	return codes.Unavailable, "; nothing of this put was stored, put again later"
}

// receiveError explains an error that gRPC gave for the next message of a put. gRPC has then sent the client its own
// words and code already (for a message over the limit: RESOURCE_EXHAUSTED and both sizes), so this is for the log.
func receiveError(err error) error {
	switch s := status.Convert(err); s.Code() {
	case codes.ResourceExhausted:
		return &refusal{codes.ResourceExhausted, s.Message() + " bytes: send smaller batches " +
			"(pyarrow: writer.write_table(table, max_chunksize=100_000)), or start the server with a larger --max-message-bytes"}
	case codes.Internal: // a frame cut off, or a compression flag without a compression
		return invalid("the stream broke off or is damaged: %s", s.Message())
	}
	return err
}

// packageNames takes out of an error's text which packages it came through: that is for the log.
var packageNames = strings.NewReplacer("sink: ", "", ": encode: ", ": ", ": cloud: ", ": ")

// message is an error's text for a client.
func message(err error) string { return packageNames.Replace(err.Error()) }

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// arrowError explains an error of Arrow's reader: one that it passes on from the stream, or else one about the
// client's bytes.
func arrowError(what string, err error) error {
	var refused *refusal
	if errors.As(err, &refused) {
		return refused
	}
	if s, ok := status.FromError(err); ok || errors.Is(err, context.Canceled) {
		return s.Err()
	}
	return invalid("%s: %v", what, err)
}
