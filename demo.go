package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/flightsrv"
	"github.com/sluice-io/sluice/flightsrv/read"
	"github.com/sluice-io/sluice/sink"
)

const (
	demoBatchRows = 64 << 10
	demoHeadRows  = 5
	// demoStopTimeout bounds the end of a server that has nothing left to do.
	demoStopTimeout = 5 * time.Second
)

type demoCommand struct {
	Bucket string `default:"./lake" help:"Where to store: a directory, or file://, mem://, s3://, gs:// or azblob://."`
	Rows   int64  `default:"2000000" help:"Rows of the generated table."`
}

// Run puts a table through a server of its own.
func (c *demoCommand) Run(ctx context.Context) error {
	if c.Rows < 1 || c.Rows > 1e9 {
		return fmt.Errorf("--rows %d: must lie between 1 and 1000000000", c.Rows)
	}
	bucket, err := cloud.Open(ctx, c.Bucket, nil)
	if err != nil {
		return err
	}
	defer bucket.Close()
	if err := bucket.Check(ctx); err != nil {
		return err
	}
	address, stop, err := startServer(bucket)
	if err != nil {
		return err
	}
	d := demo{w: os.Stdout, bucket: bucket}
	fmt.Fprintf(d.w, "1. a server listens on grpc://%s and stores into %s\n", address, bucket.URL())
	return errors.Join(d.run(ctx, address, c.Rows), stop())
}

// startServer serves the bucket on a free port until stop is called.
func startServer(bucket *cloud.Bucket) (address string, stop func() error, err error) {
	into, err := sink.New(bucket, nil)
	if err != nil {
		return "", nil, err
	}
	server, err := flightsrv.New(into, nil)
	if err != nil {
		return "", nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	return listener.Addr().String(), func() error {
		limit, cancel := context.WithTimeout(context.Background(), demoStopTimeout)
		defer cancel()
		return errors.Join(server.Shutdown(limit), <-served)
	}, nil
}

// demo is one run of the demo.
type demo struct {
	w      io.Writer
	bucket *cloud.Bucket
}

func (d *demo) run(ctx context.Context, address string, rows int64) error {
	batches, size := d.generate(rows)
	defer func() {
		for _, batch := range batches {
			batch.Release()
		}
	}()
	fmt.Fprintf(d.w, "3. a Flight client puts it, as PATH [\"demo\",\"taxi\"]\n")
	answer, err := d.put(ctx, address, batches, rows, size)
	if err != nil {
		return err
	}
	fmt.Fprintln(d.w, "4. the receipt: what it names is stored, whole and durable")
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, answer, "   ", "  "); err != nil {
		return err
	}
	fmt.Fprintf(d.w, "   %s\n", pretty.String())
	var receipt sink.Receipt
	if err := json.Unmarshal(answer, &receipt); err != nil {
		return err
	}
	return d.show(ctx, &receipt, size)
}

// generate makes the table, and returns the bytes of its Arrow buffers.
func (d *demo) generate(rows int64) (batches []arrow.RecordBatch, size int64) {
	started := time.Now()
	rides := newTaxiRides()
	for done := int64(0); done < rows; done += demoBatchRows {
		batch := rides.batch(int(min(demoBatchRows, rows-done)))
		for _, column := range batch.Columns() {
			size += int64(column.Data().SizeInBytes())
		}
		batches = append(batches, batch)
	}
	fmt.Fprintf(d.w, "2. a table of taxi rides is made: %s rows, %d columns, %s, in %.1f s\n",
		formatCount(rows), len(taxiSchema.Fields()), formatBytes(size), time.Since(started).Seconds())
	return batches, size
}

// put sends the batches and returns the receipt as it came.
func (d *demo) put(ctx context.Context, address string, batches []arrow.RecordBatch, rows, size int64) ([]byte, error) {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	stream, err := flight.NewClientFromConn(conn, nil).DoPut(ctx)
	if err != nil {
		return nil, err
	}
	writer := flight.NewRecordWriter(stream, ipc.WithSchema(taxiSchema))
	writer.SetFlightDescriptor(&flight.FlightDescriptor{Type: flight.DescriptorPATH, Path: []string{"demo", "taxi"}})
	bar := newProgress(d.w, rows)
	var done int64
	for _, batch := range batches {
		if err := writer.Write(batch); err != nil {
			bar.end()
			_, err := stream.Recv() // which has the reason
			return nil, err
		}
		done += batch.NumRows()
		bar.show(done, size*done/rows)
	}
	bar.end()
	if err := errors.Join(writer.Close(), stream.CloseSend()); err != nil {
		return nil, err
	}
	result, err := stream.Recv()
	if err != nil {
		return nil, err
	}
	return result.AppMetadata, nil
}

// show lists the objects and reads the first rows back.
func (d *demo) show(ctx context.Context, receipt *sink.Receipt, size int64) error {
	fmt.Fprintln(d.w, "5. the objects in the bucket")
	for _, object := range receipt.Objects {
		fmt.Fprintf(d.w, "   %s  %s rows  %s (%.0f %% of the Arrow bytes)  %d row groups\n", object.Key,
			formatCount(object.Records), formatBytes(object.Bytes), 100*float64(object.Bytes)/float64(size), object.RowGroups)
	}
	fmt.Fprintf(d.w, "6. its first rows, read back from Parquet\n\n")
	file, err := read.Open(ctx, d.bucket, receipt.Objects[0].Key)
	if err != nil {
		return err
	}
	defer file.Close()
	head, err := file.Head(ctx, demoHeadRows)
	if err != nil {
		return err
	}
	defer head.Release()
	return read.WriteTable(d.w, head)
}
