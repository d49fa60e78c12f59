// Package stores tests sluice on real object stores, an S3 and a GCS server: package cloud's conformance suite, and puts
// of real tables in one part and in several, finished and aborted.
package stores
