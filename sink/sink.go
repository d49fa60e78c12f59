package sink

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/encode"
)

// contentType is Parquet's registered media type.
const contentType = "application/vnd.apache.parquet"

// Options sets how a sink works. The zero value of every field is its default.
type Options struct {
	// Workers is how many columns of all puts together are encoded at once. Default: the number of CPUs that the
	// program may use.
	Workers int
	// Datasets holds the settings of datasets that differ from the defaults, by name.
	Datasets map[string]Settings
	// EncryptionKeys are the master keys that Settings.Encryption may name. They are never written anywhere.
	EncryptionKeys map[string]Key
}

// Sink stores streams of record batches as objects of a bucket. It is safe for concurrent use.
type Sink struct {
	bucket   *cloud.Bucket
	datasets map[string]Settings
	keys     keyring
	workers  *workers
	claims   *claims
	ids      keyIDs
}

// New returns a sink that stores into the bucket, which stays the caller's to close, after all puts have ended. Nil
// options are the defaults.
func New(bucket *cloud.Bucket, o *Options) (*Sink, error) {
	if o == nil {
		o = &Options{}
	}
	numWorkers := o.Workers
	if numWorkers == 0 {
		numWorkers = runtime.GOMAXPROCS(0)
	}
	if numWorkers < 1 || numWorkers > 4096 {
		return nil, inputError("", fmt.Errorf("%d workers: must lie between 1 and 4096", numWorkers))
	}
	keys := keyring{}
	for name, key := range o.EncryptionKeys {
		keys[name] = slices.Clone(key)
	}
	if err := keys.check(); err != nil {
		return nil, inputError("", err)
	}
	for name, settings := range o.Datasets {
		if err := CheckDataset(name); err != nil {
			return nil, err
		}
		err := settings.check()
		if err == nil && settings.Encryption != nil {
			err = withOptionName(keys.checkNames(settings.Encryption))
		}
		if err != nil {
			return nil, inputError(name, err)
		}
	}
	return &Sink{
		bucket:   bucket,
		datasets: maps.Clone(o.Datasets),
		keys:     keys,
		workers:  newWorkers(numWorkers),
		claims:   newClaims(bucket),
	}, nil
}

// Settings returns the settings that Options gives the dataset, the defaults if it gives none.
func (s *Sink) Settings(dataset string) Settings { return s.datasets[dataset] }

// Begin starts a put to the dataset. Whatever can be refused is refused here, naming dataset, option or field: a bad
// name, a dataset inside another one, settings out of range, a type that cannot be written. ctx governs the whole put:
// when it ends, Write and Commit fail. After a nil error the caller must call Commit or Abort.
func (s *Sink) Begin(ctx context.Context, dataset string, schema *arrow.Schema, settings Settings) (*Put, error) {
	if err := CheckDataset(dataset); err != nil {
		return nil, err
	}
	if err := s.claims.claim(ctx, dataset); err != nil {
		return nil, err
	}
	put, err := s.begin(ctx, dataset, schema, settings)
	if err != nil {
		s.claims.release(dataset)
		return nil, err
	}
	return put, nil
}

func (s *Sink) begin(ctx context.Context, dataset string, schema *arrow.Schema, settings Settings) (*Put, error) {
	key := dataset + "/" + s.ids.next(time.Now()) + ".parquet"
	object, err := s.bucket.Create(ctx, key, &cloud.ObjectOptions{ContentType: contentType})
	if err != nil {
		return nil, storageError(dataset, err)
	}
	put := &Put{sink: s, dataset: dataset, out: objectWriter{object: object}, rowGroupBytes: settings.RowGroupBytes}
	if put.rowGroupBytes == 0 {
		put.rowGroupBytes = defaultRowGroupBytes
	}
	file := settings.File
	file.Run = s.workers.run
	put.err = protect(func() (err error) {
		if settings.Encryption != nil {
			if file.Encryption, err = s.keys.seal(settings.Encryption); err != nil {
				return err
			}
		}
		put.writer, err = encode.NewWriter(&put.out, schema, &file)
		return err
	})
	if put.err != nil {
		err := put.classify(withOptionName(put.err))
		object.Abort() // the reason to refuse the put is what the caller needs to know
		return nil, err
	}
	return put, nil
}
