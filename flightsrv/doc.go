// Package flightsrv is an Arrow Flight server whose DoPut streams become Parquet objects.
//
//	client                       Server                                                        bucket
//	  │ FlightData: descriptor, schema  ─▶ name, options, schema refused here, or sink.Begin      │
//	  │ FlightData: record batch        ─▶ body into a counted buffer ─▶ verify ─▶ sink.Write ───▶│ nothing visible
//	  │ FlightData: record batch        ─▶ …                                                      │
//	  │ end of stream                   ─▶ sink.Commit ──────────────────────────────────────────▶│ object visible
//	  │◀─ PutResult: receipt            ◀─ only after the object is durable                       │
//
//	s, err := sink.New(bucket, nil)
//	server, err := flightsrv.New(s, nil)
//	go server.Serve(listener)
//	…
//	err = server.Shutdown(ctx) // waits for open puts until ctx ends
//
// # The put contract
//
// Descriptor. The first message of a stream carries a descriptor. PATH ["sales","orders"] is dataset sales/orders, and
// takes the settings that the server's configuration has for it. CMD is a JSON object
//
//	{"dataset": "sales/orders", "options": {"compression": "zstd", "row_group_size": 100000}}
//
// whose options, those of sink.Settings, are laid over them. Unknown keys, keys that occur twice, options out of range
// and names that sink.CheckDataset refuses are INVALID_ARGUMENT before any data is read, and so are options that the schema
// does not suit, by the names of option and column. Keys for encryption are the server's, and options name them; a command
// has none. Later messages have no descriptor, or the same one.
//
// Schema. The first IPC message is the schema, and there is only one. Whatever about it can be refused is refused then,
// by the name of the field.
//
// Messages. Dictionaries (new, replaced, or as deltas) and record batches follow. Bodies may be compressed with LZ4 or
// Zstandard. Messages with app_metadata alone are ignored, as is app_metadata beside data. A message has at most
// Options.MaxMessageBytes, as received and after decompression. One that is larger on the wire is RESOURCE_EXHAUSTED,
// with both sizes in gRPC's own words: send smaller batches, or raise the limit.
//
// Commit. When the client has closed its side, the object is completed, and one PutResult carries the receipt in its
// app_metadata, UTF-8 JSON:
//
//	{"dataset":"sales/orders","batches":3,"records":150,"objects":[
//	  {"key":"sales/orders/0199b2f0-5c1d-7a60-8c0e-3f4b7d1d2a90.parquet","records":150,"bytes":2511,"row_groups":1}]}
//
// It is sent only after the object is durable. A put without records stores a file with the schema and no row group. If
// the connection breaks after the commit and before the receipt arrives, the object stays: a client that puts again
// stores the data twice.
//
// Abort. Any error, a cancel, a deadline and a lost connection abort the put: no object becomes visible, and nothing
// else stays in the bucket.
//
// Codes. INVALID_ARGUMENT is for what the client sent, malformed bytes included; FAILED_PRECONDITION for a dataset
// inside another one and for a bucket that is not there; RESOURCE_EXHAUSTED for messages that are too large and stores
// that are full; PERMISSION_DENIED for a bucket that refuses the server; UNAVAILABLE for a store that fails and a server
// that shuts down, where putting again is right; CANCELLED and DEADLINE_EXCEEDED for what the client did; UNKNOWN for
// a commit whose outcome the store did not tell; INTERNAL for our own bugs. All are chosen in codes.go.
//
// # The receive path
//
// gRPC hands a message over as a list of small buffers. Its body is copied once, into a buffer that is aligned to 64
// bytes, counted in a ledger, and kept for reuse when the last array in it is released. Before Arrow's reader sees a
// message, its metadata is verified: that reader trusts offsets and lengths, and some lies (a schema nested without end,
// a vector of four billion strings) would take the whole process down rather than the one stream. After it, the sizes of
// buffers, null counts and offsets are checked against the lengths of the arrays.
//
// # Ownership and concurrency
//
// A Server may be used from several goroutines. Each put runs on the goroutine that gRPC gives it: it receives a batch,
// writes it, and receives the next one, so that HTTP/2's flow control holds a client that sends faster than the bucket
// takes. A put holds the message at hand and the dictionaries of its stream; gRPC may hold another message that is on its
// way. Shutdown returns when all handlers have.
package flightsrv
