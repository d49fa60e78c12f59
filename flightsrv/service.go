package flightsrv

import (
	"context"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// service is the Flight service. What it does not have is refused with a word on what to use instead.
type service struct {
	flight.BaseFlightServer
	server *Server
}

// DoPut stores a stream.
func (s *service) DoPut(stream flight.FlightService_DoPutServer) error {
	return s.server.put(stream)
}

func (s *service) Handshake(flight.FlightService_HandshakeServer) error {
	return unimplemented("this server has no authentication; connect without a handshake")
}

func (s *service) DoGet(*flight.Ticket, flight.FlightService_DoGetServer) error {
	return unimplemented("this server stores streams and does not give them back; query the Parquet objects in the bucket")
}

func (s *service) DoExchange(flight.FlightService_DoExchangeServer) error {
	return unimplemented("this server has no exchange; use DoPut")
}

func (s *service) DoAction(*flight.Action, flight.FlightService_DoActionServer) error {
	return unimplemented("this server has no actions")
}

func (s *service) ListActions(*flight.Empty, flight.FlightService_ListActionsServer) error {
	return nil // there are none
}

func (s *service) ListFlights(*flight.Criteria, flight.FlightService_ListFlightsServer) error {
	return unimplemented("this server does not list datasets; list the bucket")
}

func (s *service) GetFlightInfo(context.Context, *flight.FlightDescriptor) (*flight.FlightInfo, error) {
	return nil, unimplemented("this server does not describe datasets; read the Parquet objects in the bucket")
}

func (s *service) GetSchema(context.Context, *flight.FlightDescriptor) (*flight.SchemaResult, error) {
	return nil, unimplemented("this server does not describe datasets; read the Parquet objects in the bucket")
}

// flightName is what health checks may ask for, beside the empty name of the whole server.
const flightName = "arrow.flight.protocol.FlightService"

// healthService is gRPC's, but that a shutdown ends those who watch: they would hold it up for ever.
type healthService struct {
	*health.Server
	once  sync.Once
	ended chan struct{}
}

func newHealthService() *healthService {
	h := &healthService{Server: health.NewServer(), ended: make(chan struct{})}
	h.SetServingStatus(flightName, grpc_health_v1.HealthCheckResponse_SERVING)
	return h
}

// Watch sends the status at once and whenever it changes.
func (h *healthService) Watch(request *grpc_health_v1.HealthCheckRequest, stream grpc_health_v1.Health_WatchServer) error {
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	go func() {
		defer cancel()
		select {
		case <-h.ended:
		case <-ctx.Done():
		}
	}()
	return h.Server.Watch(request, watchStream{stream, ctx})
}

// shutdown reports that nothing is served any more, and ends all who watch.
func (h *healthService) shutdown() {
	h.Server.Shutdown()
	h.once.Do(func() { close(h.ended) })
}

// watchStream is a stream with a context of its own.
type watchStream struct {
	grpc_health_v1.Health_WatchServer
	ctx context.Context
}

func (s watchStream) Context() context.Context { return s.ctx }
