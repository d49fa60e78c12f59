package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/rs/zerolog"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/flightsrv"
	"github.com/sluice-io/sluice/sink"
)

type serveCommand struct {
	Config          configPath    `placeholder:"FILE" help:"YAML file with values for these flags, and with settings for datasets."`
	Listen          string        `default:"127.0.0.1:8815" help:"Address to listen on; port 0 is a free one."`
	Bucket          string        `default:"./lake" help:"Where to store: a directory, or file://, mem://, s3://, gs:// or azblob://."`
	MaxMessageBytes byteSize      `default:"256MiB" help:"Largest message, which is one record batch, as received and decompressed."`
	Workers         int           `default:"0" help:"How many columns to encode at once; 0 is the number of CPUs."`
	ShutdownTimeout time.Duration `default:"30s" help:"How long open puts may go on after a SIGINT or SIGTERM before they are aborted."`
	LogLevel        string        `default:"info" enum:"debug,info,warn,error" help:"Least level to log: ${enum}."`
	LogFormat       string        `default:"console" enum:"console,json" help:"Format of the log on standard error: ${enum}."`
}

// Run serves until ctx ends.
func (c *serveCommand) Run(ctx context.Context, file *configFile) error {
	log, err := newLog(os.Stderr, c.LogLevel, c.LogFormat)
	if err != nil {
		return err
	}
	bucket, err := cloud.Open(ctx, c.Bucket, nil)
	if err != nil {
		return err
	}
	defer bucket.Close()
	if err := bucket.Check(ctx); err != nil {
		return err
	}
	into, err := sink.New(bucket, &sink.Options{Workers: c.Workers, Datasets: file.datasets, EncryptionKeys: file.keys})
	if err != nil {
		return err
	}
	server, err := flightsrv.New(into, &flightsrv.Options{MaxMessageBytes: int64(c.MaxMessageBytes), Log: log})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("%w; choose another address with --listen", err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	greet(os.Stdout, listener.Addr(), bucket.URL())
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	log.Info().Stringer("timeout", c.ShutdownTimeout).Msg("shutting down: open puts may go on until the timeout")
	limit, cancel := context.WithTimeout(context.Background(), c.ShutdownTimeout)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		log.Warn().Err(err).Msg("shut down")
	}
	return <-served
}

// fieldsOrder is the order of a line's fields on the console; others follow.
var fieldsOrder = []string{"dataset", "code", "reason", "records", "batches", "received_bytes", "stored_bytes", "took_ms", "mb_per_s"}

func newLog(w io.Writer, level, format string) (zerolog.Logger, error) {
	parsed, err := zerolog.ParseLevel(level)
	if err != nil {
		return zerolog.Nop(), err
	}
	if format == "console" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.DateTime, NoColor: !isTerminal(w), FieldsOrder: fieldsOrder}
	}
	return zerolog.New(w).Level(parsed).With().Timestamp().Logger(), nil
}

// greet says where the server listens, and how to put a first table. The first line is for programs to read.
func greet(w io.Writer, address net.Addr, bucketURL string) {
	fmt.Fprintf(w, `listening on grpc://%[1]s
storing into %[2]s

Put a table from Python (pip install pyarrow):

    import pyarrow as pa, pyarrow.flight as flight
    table = pa.table({"id": [1, 2, 3], "item": ["tea", "milk", None]})
    client = flight.connect("grpc://%[3]s")
    writer, reader = client.do_put(flight.FlightDescriptor.for_path("sales", "orders"), table.schema)
    writer.write_table(table)
    writer.done_writing()
    print(reader.read().to_pybytes().decode())  # the receipt: the table is stored
    writer.close()

`, address, bucketURL, reachable(address))
}

// reachable is the address for a client on this machine.
func reachable(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return address.String()
}

// isTerminal says whether w is a terminal, or at least a device.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
