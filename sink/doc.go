// Package sink turns streams of Arrow record batches into Parquet objects in a bucket.
//
//	Begin(ctx, "sales/orders", schema)        Write(batch)  Write(batch)  Write(batch)        Commit(ctx)
//	  │ name, settings, schema refused here     │                                               │
//	  ▼                                         ▼                                               ▼
//	encode.Writer ◀── columns, in parallel ── batch          row group full: its pages        footer
//	  │                                                       │                                 │
//	  └──────────────────────────▶ cloud.Object ◀─────────────┴─────────────────────────────────┘
//	                                 upload under way, nothing visible           Commit: sales/orders/0199….parquet
//
// One put becomes one object. Its row groups go to the upload as they fill, so a put takes the memory of one encoded
// row group and of the upload's parts, however long the stream is.
//
//	s, err := sink.New(bucket, nil)
//	put, err := s.Begin(ctx, "sales/orders", schema, s.Settings("sales/orders"))
//	defer put.Abort() // does nothing after Commit
//	err = put.Write(ctx, batch)
//	receipt, err := put.Commit(ctx)
//	// {"dataset":"sales/orders","batches":1,"records":1000,"objects":[{"key":"sales/orders/0199….parquet", …}]}
//
// # Datasets and keys
//
// A dataset is a prefix of the bucket. Its objects are named by UUIDs of version 7, so that a listing shows them in the
// order in which their puts began. No dataset may lie inside another one, as a query over sales/**/*.parquet would read
// both; that is checked against the bucket before the first put to a dataset, and against the puts that are open in this
// process. Two processes that begin puts to sales and to sales/orders at the same moment do not see each other.
//
// # Ownership and concurrency
//
// A Sink may be used from several goroutines, a Put from one at a time. The batch given to Write is the caller's again
// when Write returns; of its dictionaries a reference is kept. A put starts goroutines, up to the sink's number of workers, only within Write and Commit, which
// wait for them; the workers of a sink bound how many columns of all its puts are encoded at once.
//
// # Errors
//
// Errors are of type *Error, whose Fault says whether the caller's input, another dataset, the bucket or this program is
// to blame; a context that ended is its own error, wrapped. After an error of Write only Abort is of use.
package sink
