// Package peer is a Parquet writer as a process that is timed: the contract of all of them, and those in Go.
//
//	argv    SETTINGS STREAM TASK [FILE]
//	stdin   a line for each round: WRITES [SETTINGS], how often to write, and with others than argv's settings
//	stdout  a line of JSON for each event
//
// A peer loads the Arrow IPC stream before anything else, whole, and writes its batches as one Parquet file of one row
// group, on one thread. The task says how:
//
//	time          {"event":"ready","version":"v18.8.0","records":1048576}
//	         ◀ 1  {"event":"round","cpu_ns":91022331,"writes":1,"bytes":38435642}
//	         ◀ 3  {"event":"round","cpu_ns":233100870,"writes":3,"bytes":38435642}
//	    ◀ 1 zstd  {"event":"round","cpu_ns":151002113,"writes":1,"bytes":36274982}
//	memory        {"event":"ready",…}
//	              {"event":"memory","peak_bytes":43210752,"bytes":38435642}
//	file FILE     {"event":"ready",…}
//
// Time goes into nothing, as often as asked, and says what processor time all threads of the process took: what a
// garbage collector takes is in it. It ends with the end of standard input. Memory writes once into nothing, in a
// process that never wrote before, and says how far resident memory grew above what it was with the stream loaded and
// all free memory given back. File writes to FILE, to be looked at.
//
// A writer that cannot write the stream, or not with these settings, says so; but for a round, it ends then:
//
//	{"event":"error","error":"unhandled type run_end_encoded<run_ends: int32, values: utf8>"}
//
// The peers in Go are in this package, and do one task more: profile FILE writes for some seconds and leaves a profile
// of the processor in FILE. Those in other languages are in the directories beside it.
//
// # Settings
//
// All are without compression and checksums, unless they say so, with dictionaries of up to 1 MiB, pages of up to 1 MiB
// and 20,000 records, statistics, and a page index.
//
//	default   data pages of version 1
//	v2        data pages of version 2, and encodings of today: the Rust writer's DELTA_*, ours what "compact" says, and
//	          DELTA_BYTE_ARRAY of long decimals
//	zstd      zstd of level 1
//	zstd-v2   both
//	bloom     Bloom filters with a false positive rate of 0.05
//	cdc       pages that end by what they hold, of 256 KiB to 1 MiB
//	distinct  distinct counts
//	plain     no dictionaries, PLAIN
//	delta     no dictionaries, DELTA_BYTE_ARRAY
package peer
