package flightsrv

import (
	"math"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/sluice-io/sluice/sink"
)

// logReceipt writes the line of a put that was stored.
func (p *put) logReceipt(receipt *sink.Receipt) {
	took := time.Since(p.started)
	var stored int64
	for _, object := range receipt.Objects {
		stored += object.Bytes
	}
	p.server.log.Info().
		Str("dataset", receipt.Dataset).
		Int64("records", receipt.Records).
		Int64("batches", receipt.Batches).
		Int64("received_bytes", p.bytes).
		Int64("stored_bytes", stored).
		Float64("took_ms", milliseconds(took)).
		Float64("mb_per_s", megabytesPerSecond(p.bytes, took)).
		Msg("stored")
}

// logRefusal writes the line of a put that was not stored. The server's own faults come with all that is known.
func (p *put) logRefusal(code codes.Code, text string, err error) {
	line := p.server.log.Warn()
	if code == codes.Internal {
		line = p.server.log.Error().AnErr("cause", err)
	}
	if p.dataset != "" {
		line = line.Str("dataset", p.dataset)
	}
	line.
		Stringer("code", code).
		Int64("received_bytes", p.bytes).
		Float64("took_ms", milliseconds(time.Since(p.started))).
		Str("reason", text).
		Msg("not stored")
}

// milliseconds has one decimal.
func milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/1e5) / 10
}

// megabytesPerSecond has one decimal.
func megabytesPerSecond(bytes int64, took time.Duration) float64 {
	return math.Round(float64(bytes)/1e5/max(took.Seconds(), 1e-9)) / 10
}
