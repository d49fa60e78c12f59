// Command compare says how sluice does against the other writers of Parquet, on the same Arrow batches: processor time,
// bytes, and peak of memory.
//
//	go run ./integration/compare                                          some minutes
//	go run ./integration/compare --help                                   shapes, settings, peers
//	go run ./integration/compare --page --json all.json                   most of an hour: all that RESULTS.md has
//	go run ./integration/compare --report all.json                        prints RESULTS.md
//	go run ./integration/compare --shapes suite,strings,ndv --settings all
//	go run ./integration/compare --shapes memory --settings default,v2,cdc --rounds 0 --memory
//	go run ./integration/compare --shapes suite --settings all --verify
//
// What happens:
//
//	rust/generator, python/flights.py, unlisted.py ──▶ SHAPE.arrows, Arrow IPC streams
//	                                           │ loaded by each
//	            ┌──────────────┬───────────────┼───────────────┬─────────────────┐
//	       arrow-rs        arrow-cpp       arrow-go        parquet-go         sluice        processes: package peer says
//	       rust/writer     python/         this program: compare peer NAME …                how they are spoken to
//	            │ round 1      │ round 1       │ round 1       │ round 1         │ round 1
//	            │ round 2      │ …             │               │                 │
//	            └──────────────┴───────────────┼───────────────┴─────────────────┘
//	                                           ▼
//	                      results ──▶ Markdown on standard output, --json FILE ──▶ --report
//
// With --settings all, suite, strings and ndv are all that the benchmarks of the crate parquet 60.1.0 time (arrow_writer,
// 483 cases), and the line with memory is all that they measure the memory of (arrow_writer_peak_memory, 96); both from
// its own generators, so the data are the same to the byte. The other groups are ours.
//
// The file of --json is complete after each case, and cases that it has are not measured again: after an interruption the
// same command goes on. To measure anew, remove it. It is a list of one object a peer and case:
//
//	{"shape":"bool","settings":"v2","peer":"sluice","cpu_ns":267841,"bytes":133862,"peak_bytes":0,"error":"",
//	 "rounds":7,"version":"this module's","load":1.02,"run":"AMD EPYC, 2 cores, linux; commit 57cca0dd4a57, go1.26.8; 2026-…"}
//
// # What is fair
//
// Every writer has one thread and gets the batches in memory; all have a page index and dictionaries of up to 1 MiB,
// and none writes checksums but the peers sluice-crc, whose point they are, and parquet-go, which cannot be without.
// There are two modes. Batch by batch a writer must keep a row group's pages, as columns grow side by side: the Rust
// writer, arrow-go's WriteBuffered, parquet-go, ours. With the whole table at once it can write column after column:
// Arrow C++, arrow-go's WriteTable, and ours. A ratio is always within a mode, to the best of the others there. A
// writer that cannot write a shape has its error in the report, and one that does not have the settings is left out. Ours
// get columns of date64 as timestamps in milliseconds, over the same values: random ones are no whole days, which it
// refuses. The Rust writer and parquet-go keep them too, as INT64; Arrow C++ and arrow-go cut them to days, in INT32, so
// there their bytes are no measure.
//
// Times are warm: all peers of a shape stay in memory and write each case in turn, one round after another, and the least
// mean of a round counts. A round is one write, or as many as take 20 ms. They are of the processor, all threads, user
// and system: a machine that does something else besides changes them little, though not nothing, so ratios of one run
// mean more than times of two. A peer that falls far behind the fastest of its mode takes no more rounds of a case
// (--help says when); ours and the Rust writer take all. Memory is cold: one write in a new process, as growth of resident
// memory, so that what an allocator keeps and a garbage collector leaves is in it; Go's peers have their input outside
// of the heap then.
//
// # What is made, and where
//
// The other writers and the data are made on first use, at pinned versions, and kept in the user's cache directory
// under names that hold what they depend on:
//
//	~/.cache/sluice/compare-writer-4f…         the program of rust/writer: release, LTO, mimalloc
//	~/.cache/sluice/compare-generator-0b…      that of rust/generator
//	~/.cache/sluice/compare-cargo-writer       what cargo keeps of the crates
//	~/.cache/sluice/compare-data-c1…           the streams: 6 GB, if all are asked for
//	~/.cache/sluice/python-3.11.7-1f0c…        the integration tests' environment
//
// It needs Rust 1.88 or newer, Python 3.11 or newer, and Linux for memory. Without Rust it can still compare what needs
// none, on streams of yours: --data DIRECTORY --peers sluice,arrow-go,arrow-cpp.
//
// To see where the time of one of Go's peers goes:
//
//	go build -o compare ./integration/compare
//	./compare peer sluice default ~/.cache/sluice/compare-data-c1…/taxi.arrows profile cpu.out
//	go tool pprof -top compare cpu.out
package main
