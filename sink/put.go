package sink

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/encode"
)

// Put is one stream on its way into an object. It is for one goroutine at a time, and ends with one of Commit or
// Abort. Until Commit returns nothing of it is visible in the bucket.
type Put struct {
	sink          *Sink
	dataset       string
	out           objectWriter
	writer        *encode.Writer
	rowGroupBytes int64
	batches       int64
	err           error // of the first call that failed
	ended         bool
}

// Write adds the records of a batch. The batch is the caller's again when Write returns, but for dictionaries, which are
// retained until another one comes or the put ends. After an error, which names
// field and record where the data is at fault, only Abort is of use.
func (p *Put) Write(ctx context.Context, batch arrow.RecordBatch) error {
	if err := p.ready(ctx); err != nil {
		return err
	}
	p.err = protect(func() error {
		if err := p.writer.Write(batch); err != nil {
			return err
		}
		if p.writer.Buffered() >= p.rowGroupBytes {
			return p.writer.Flush()
		}
		return nil
	})
	if p.err != nil {
		p.err = p.classify(fmt.Errorf("batch %d: %w", p.batches, p.err))
		return p.err
	}
	p.batches++
	return nil
}

// Commit ends the put and makes its object visible. It returns the receipt only once the object is durable. After an
// error nothing is visible, and the put has been aborted.
func (p *Put) Commit(ctx context.Context) (*Receipt, error) {
	summary, err := p.finish(ctx)
	if err != nil {
		p.Abort() // what went wrong first is what the caller needs to know
		return nil, err
	}
	p.end()
	return &Receipt{
		Dataset: p.dataset,
		Batches: p.batches,
		Records: summary.Records,
		Objects: []Object{{
			Key:       p.out.object.Key(),
			Records:   summary.Records,
			Bytes:     summary.Bytes,
			RowGroups: summary.RowGroups,
		}},
	}, nil
}

func (p *Put) finish(ctx context.Context) (encode.Summary, error) {
	var summary encode.Summary
	if err := p.ready(ctx); err != nil {
		return summary, err
	}
	err := protect(func() (err error) {
		summary, err = p.writer.Close()
		return err
	})
	if err != nil {
		return summary, p.classify(fmt.Errorf("end the file: %w", err))
	}
	if err := p.out.object.Commit(ctx); err != nil {
		return summary, storageError(p.dataset, err)
	}
	return summary, nil
}

// Abort ends the put without a trace in the bucket, and lets go of all Arrow memory. After Commit or Abort it does
// nothing. An error says what may have stayed behind.
func (p *Put) Abort() error {
	if p.ended {
		return nil
	}
	p.end()
	err := protect(func() error {
		p.writer.Abort()
		return nil
	})
	if err != nil {
		err = p.classify(err)
	}
	if abortErr := p.out.object.Abort(); abortErr != nil {
		err = errors.Join(err, storageError(p.dataset, abortErr))
	}
	return err
}

func (p *Put) end() {
	p.ended = true
	p.sink.claims.release(p.dataset)
}

// ready says why the put cannot go on, if it cannot.
func (p *Put) ready(ctx context.Context) error {
	switch {
	case p.err != nil:
		return p.err
	case p.ended:
		return &Error{Dataset: p.dataset, Fault: FaultInternal, Err: errors.New("the put has already ended")}
	case ctx.Err() != nil:
		return fmt.Errorf("sink: dataset %q: %w", p.dataset, context.Cause(ctx))
	}
	return nil
}

// classify finds out whose fault an error of the encoder is.
func (p *Put) classify(err error) error {
	fault := FaultInput
	var bug *panicError
	switch {
	case errors.As(err, &bug):
		fault = FaultInternal
	case p.out.err != nil:
		fault = FaultStorage
	}
	return &Error{Dataset: p.dataset, Fault: fault, Err: err}
}

// objectWriter remembers the error of an object's Write, to tell it from the encoder's own.
type objectWriter struct {
	object *cloud.Object
	err    error
}

func (w *objectWriter) Write(data []byte) (int, error) {
	n, err := w.object.Write(data)
	if err != nil {
		w.err = err
	}
	return n, err
}
