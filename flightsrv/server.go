package flightsrv

import (
	"context"
	"fmt"
	"math"
	"net"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/rs/zerolog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"github.com/sluice-io/sluice/sink"
)

const (
	defaultMaxMessageBytes = 256 << 20
	minMaxMessageBytes     = 64 << 10

	// maxStreams bounds the puts of one connection; a client's further ones wait.
	maxStreams = 128
	// A client that has been silent for aliveAfter is asked whether it is still there, and its connection ends, with
	// the puts on it, if it does not answer within aliveTimeout.
	aliveAfter   = 60 * time.Second
	aliveTimeout = 20 * time.Second
	// minClientPing is the shortest time between two pings of a client that is not held for an attack.
	minClientPing = 10 * time.Second
)

// Options sets how a server works. The zero value of every field is its default.
type Options struct {
	// MaxMessageBytes bounds one message of a stream, which is one record batch or dictionary, as received and after
	// decompression. 64 KiB to 2 GiB - 1; default 256 MiB.
	MaxMessageBytes int64
	// Log takes a line for each put. Default: none.
	Log zerolog.Logger
	// GRPC are further options of the gRPC server, such as TLS credentials and interceptors.
	GRPC []grpc.ServerOption
}

// Server is a Flight server that stores puts through a sink. It is safe for concurrent use.
type Server struct {
	sink            *sink.Sink
	maxMessageBytes int64
	log             zerolog.Logger
	ledger          ledger
	grpc            *grpc.Server
	health          *healthService

	mu   sync.Mutex
	puts map[*put]context.CancelCauseFunc // the open ones, with what aborts them
}

// New returns a server that stores into the sink. Nil options are the defaults.
func New(s *sink.Sink, o *Options) (*Server, error) {
	if o == nil {
		o = &Options{}
	}
	maxBytes := o.MaxMessageBytes
	if maxBytes == 0 {
		maxBytes = defaultMaxMessageBytes
	}
	if maxBytes < minMaxMessageBytes || maxBytes > math.MaxInt32 {
		return nil, fmt.Errorf("flightsrv: MaxMessageBytes %d: must lie between %d and %d",
			maxBytes, minMaxMessageBytes, math.MaxInt32)
	}
	server := &Server{
		sink:            s,
		maxMessageBytes: maxBytes,
		log:             o.Log,
		health:          newHealthService(),
		puts:            map[*put]context.CancelCauseFunc{},
	}
	server.grpc = grpc.NewServer(append(server.grpcOptions(), o.GRPC...)...)
	flight.RegisterFlightServiceServer(server.grpc, &service{server: server})
	grpc_health_v1.RegisterHealthServer(server.grpc, server.health)
	return server, nil
}

func (s *Server) grpcOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.ForceServerCodecV2(newCodec()),
		grpc.MaxRecvMsgSize(int(s.maxMessageBytes)),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: aliveAfter, Timeout: aliveTimeout}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minClientPing, PermitWithoutStream: true}),
		grpc.WaitForHandlers(true),
	}
}

// Serve accepts connections on l until Shutdown, and closes l. It returns nil after a Shutdown.
func (s *Server) Serve(l net.Listener) error {
	if err := s.grpc.Serve(l); err != nil {
		return fmt.Errorf("flightsrv: serve on %s: %w", l.Addr(), err)
	}
	return nil
}

// Shutdown refuses new puts and waits for the open ones. Those that are still open when ctx ends are aborted, and
// nothing of them is stored. When it returns, all handlers have ended. It returns ctx's error if it aborted puts.
func (s *Server) Shutdown(ctx context.Context) error {
	s.health.shutdown()
	drained := make(chan struct{})
	go func() {
		s.grpc.GracefulStop()
		close(drained)
	}()
	select {
	case <-drained:
		return nil
	case <-ctx.Done():
	}
	s.abortAll()
	s.grpc.Stop() // GracefulStop returns too
	<-drained
	return fmt.Errorf("flightsrv: puts were aborted by the shutdown: %w", ctx.Err())
}

// BytesInUse returns the bytes of message bodies that are held at the moment.
func (s *Server) BytesInUse() int64 { return s.ledger.inUse.Load() }

// enter registers a put, so that a shutdown can abort it, and returns its context.
func (s *Server) enter(ctx context.Context, p *put) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts[p] = cancel
	return ctx
}

// leave ends what enter began.
func (s *Server) leave(p *put) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts[p](nil)
	delete(s.puts, p)
}

func (s *Server) abortAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.puts {
		cancel(errShutdown)
	}
}
