package sink

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/encode"
	"github.com/sluice-io/sluice/integration/lint/linttest"
)

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "name", Type: arrow.BinaryTypes.String},
}, nil)

// numbers returns a batch of n records.
func numbers(t *testing.T, n int) arrow.RecordBatch {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range n {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		b.Field(1).(*array.StringBuilder).Append("name")
	}
	batch := b.NewRecordBatch()
	t.Cleanup(batch.Release)
	return batch
}

// open returns a sink over a bucket in memory.
func open(t *testing.T, o *Options) (*Sink, *cloud.Bucket) {
	t.Helper()
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		linttest.Bucket(t, bucket)
		if err := bucket.Close(); err != nil { // which knows of objects left open
			t.Error(err)
		}
	})
	s, err := New(bucket, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, bucket
}

func keys(t *testing.T, bucket *cloud.Bucket) []string {
	t.Helper()
	var all []string
	for entry, err := range bucket.List(context.Background(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, entry.Key)
	}
	return all
}

func begin(t *testing.T, s *Sink, dataset string) *Put {
	t.Helper()
	put, err := s.Begin(t.Context(), dataset, schema, s.Settings(dataset))
	if err != nil {
		t.Fatal(err)
	}
	return put
}

func wantFault(t *testing.T, err error, fault Fault, text string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Fault != fault || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want fault %d and %q", err, fault, text)
	}
}

func TestCommit(t *testing.T) {
	s, bucket := open(t, &Options{Datasets: map[string]Settings{"sales": {File: encode.Options{RowGroupRecords: 150}}}})
	put := begin(t, s, "sales")
	for range 4 {
		if err := put.Write(t.Context(), numbers(t, 100)); err != nil {
			t.Fatal(err)
		}
	}
	if all := keys(t, bucket); len(all) != 0 {
		t.Errorf("%v is visible before the commit", all)
	}
	receipt, err := put.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := keys(t, bucket)
	if len(all) != 1 {
		t.Fatalf("got %v", all)
	}
	attributes, err := bucket.Attributes(t.Context(), all[0])
	if err != nil {
		t.Fatal(err)
	}
	want := &Receipt{Dataset: "sales", Batches: 4, Records: 400,
		Objects: []Object{{Key: all[0], Records: 400, Bytes: attributes.Size, RowGroups: 3}}}
	if diff := cmp.Diff(want, receipt); diff != "" {
		t.Error(diff)
	}
	if attributes.ContentType != contentType {
		t.Errorf("content type %q", attributes.ContentType)
	}
	if err := put.Abort(); err != nil {
		t.Error(err)
	}
	if len(keys(t, bucket)) != 1 {
		t.Error("Abort after Commit removed the object")
	}
	wantFault(t, put.Write(t.Context(), numbers(t, 1)), FaultInternal, "ended")
	_, err = put.Commit(t.Context())
	wantFault(t, err, FaultInternal, "ended")
}

// TestRowGroupBytes sees that row groups end by size too.
func TestRowGroupBytes(t *testing.T) {
	s, _ := open(t, &Options{Datasets: map[string]Settings{"sales": {RowGroupBytes: 1}}})
	put := begin(t, s, "sales")
	for range 3 {
		if err := put.Write(t.Context(), numbers(t, 100)); err != nil {
			t.Fatal(err)
		}
	}
	receipt, err := put.Commit(t.Context())
	if err != nil || receipt.Objects[0].RowGroups != 3 {
		t.Errorf("got %+v, %v", receipt, err)
	}
}

func TestAbort(t *testing.T) {
	s, bucket := open(t, nil)
	put := begin(t, s, "sales")
	if err := put.Write(t.Context(), numbers(t, 100)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := put.Abort(); err != nil {
			t.Error(err)
		}
	}
	if all := keys(t, bucket); len(all) != 0 {
		t.Errorf("%v stayed", all)
	}
	begin(t, s, "sales/orders").Abort() // sales is free again
}

func TestContextEnds(t *testing.T) {
	s, bucket := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	put, err := s.Begin(ctx, "sales", schema, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := put.Write(ctx, numbers(t, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("Write: got %v", err)
	}
	if _, err := put.Commit(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit: got %v", err)
	}
	if all := keys(t, bucket); len(all) != 0 {
		t.Errorf("%v is there", all)
	}
	begin(t, s, "sales/orders").Abort()
}

// TestOtherSchema writes a batch that does not fit; the put must not go on as if nothing had happened.
func TestOtherSchema(t *testing.T) {
	s, bucket := open(t, nil)
	put := begin(t, s, "sales")
	defer put.Abort()
	other := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, other)
	b.Field(0).(*array.StringBuilder).Append("x")
	batch := b.NewRecordBatch()
	wantFault(t, put.Write(t.Context(), batch), FaultInput, "batch 0")
	wantFault(t, put.Write(t.Context(), numbers(t, 1)), FaultInput, "batch 0")
	_, err := put.Commit(t.Context())
	wantFault(t, err, FaultInput, "batch 0")
	if all := keys(t, bucket); len(all) != 0 {
		t.Errorf("%v is there", all)
	}
}

func TestBeginRefused(t *testing.T) {
	s, bucket := open(t, nil)
	_, err := s.Begin(t.Context(), "_sales", schema, Settings{})
	wantFault(t, err, FaultInput, "must not start")
	_, err = s.Begin(t.Context(), "sales", schema, Settings{File: encode.Options{Compression: "lzo"}})
	wantFault(t, err, FaultInput, "lzo")
	union := arrow.NewSchema([]arrow.Field{{Name: "either", Type: arrow.SparseUnionOf(
		[]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int8}}, []arrow.UnionTypeCode{0})}}, nil)
	_, err = s.Begin(t.Context(), "sales", union, Settings{})
	wantFault(t, err, FaultInput, "either")
	if all := keys(t, bucket); len(all) != 0 {
		t.Errorf("%v is there", all)
	}
	begin(t, s, "sales/orders").Abort() // nothing holds sales
}

func TestNewRefused(t *testing.T) {
	for _, o := range []*Options{
		{Workers: -1},
		{Datasets: map[string]Settings{"a//b": {}}},
		{Datasets: map[string]Settings{"a": {File: encode.Options{Compression: "none", CompressionLevel: 1}}}},
	} {
		if _, err := New(nil, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// TestBucketFails begins a put to a bucket that is closed.
func TestBucketFails(t *testing.T) {
	bucket, err := cloud.Open(t.Context(), "mem://", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(bucket, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := bucket.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = s.Begin(t.Context(), "sales", schema, Settings{})
	wantFault(t, err, FaultStorage, "look for datasets inside it")
	if len(s.claims.open) != 0 {
		t.Errorf("%v is held after the failure", s.claims.open)
	}
}

// TestCommitFails commits when another object has taken the key.
func TestCommitFails(t *testing.T) {
	s, bucket := open(t, nil)
	put := begin(t, s, "sales")
	plant(t, bucket, put.out.object.Key())
	_, err := put.Commit(t.Context())
	wantFault(t, err, FaultStorage, put.out.object.Key())
	if !cloud.IsExists(err) {
		t.Errorf("got %v", err)
	}
	attributes, err := bucket.Attributes(t.Context(), put.out.object.Key())
	if err != nil || attributes.Size != 0 {
		t.Errorf("the other object became %+v, %v", attributes, err)
	}
	begin(t, s, "sales").Abort()
	if len(s.claims.open) != 0 {
		t.Errorf("%v is held", s.claims.open)
	}
}

// TestWriteFails ends the upload under a put that is being written.
func TestWriteFails(t *testing.T) {
	s, bucket := open(t, &Options{Datasets: map[string]Settings{"sales": {RowGroupBytes: 1}}})
	put := begin(t, s, "sales")
	if err := put.out.object.Abort(); err != nil {
		t.Fatal(err)
	}
	wantFault(t, put.Write(t.Context(), numbers(t, 100)), FaultStorage, "batch 0")
	if err := put.Abort(); err != nil {
		t.Error(err)
	}
	if all := keys(t, bucket); len(all) != 0 {
		t.Errorf("%v is there", all)
	}
}
