package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sluice-io/sluice/integration/compare/peer"
)

// mode is how a writer gets its records. Those of one mode are compared with one another.
type mode string

const (
	batches mode = "batch" // batch by batch, so that it must keep pages until the row group ends
	table   mode = "table" // all at once, so that it can write column after column
)

// aPeer is a writer that is compared.
type aPeer struct {
	name string
	mode mode
	ours bool
	what string
	// memory says that its memory is measured: ours, and those that a limit of ours is set by.
	memory bool
	// refuses says why settings are not written.
	refuses map[string]string
	// command returns the arguments of its process before those of the contract, and builds it when it is not there.
	command func(log *progress) ([]string, error)
}

const (
	rustPeer    = "arrow-rs"
	arrowGoPeer = "arrow-go"
	cppPeer     = "arrow-cpp"
	ourPeer     = "sluice"
	ourChecksum = "sluice-crc"
	ourTable    = "sluice-table"
)

// allPeers are those that --peers knows, in the order of columns.
var allPeers = []aPeer{
	{rustPeer, batches, false, "crate parquet 60.1.0, mimalloc", true, nil, rustWriter},
	{arrowGoPeer, batches, false, "pqarrow, WriteBuffered", true, arrowGoRefuses, goPeer("arrow-go")},
	{"parquet-go", batches, false, "ColumnWriter, flat columns", false, parquetGoRefuses, goPeer("parquet-go")},
	{ourPeer, batches, true, "encode.Writer", true, nil, goPeer("sluice")},
	{ourChecksum, batches, true, "encode.Writer with checksums", false, checksumRefuses, goPeer("sluice-crc")},
	{cppPeer, table, false, "pyarrow, write_table", true, arrowCPPRefuses, pythonWriter},
	{"arrow-go-table", table, false, "pqarrow, WriteTable", false, arrowGoRefuses, goPeer("arrow-go-table")},
	{ourTable, table, true, "encode.WriteTable", true, nil, goPeer("sluice-table")},
}

var (
	arrowGoRefuses = map[string]string{
		"cdc":      "arrow-go cannot end pages by their content",
		"distinct": "arrow-go counts no distinct values",
	}
	parquetGoRefuses = map[string]string{
		"cdc":      "parquet-go cannot end pages by their content",
		"distinct": "parquet-go counts no distinct values",
	}
	arrowCPPRefuses = map[string]string{"distinct": "Arrow C++ counts no distinct values"}
	// A checksum costs the same of each byte, whatever the settings are.
	checksumRefuses = func() map[string]string {
		m := map[string]string{}
		for _, s := range allSettings {
			if s != "default" {
				m[s] = "what checksums cost is measured with the default settings alone"
			}
		}
		return m
	}()
)

// selectPeers returns peers by name, in the order of columns.
func selectPeers(names []string) (peers []aPeer, err error) {
	known := func(name string) bool {
		return slices.ContainsFunc(allPeers, func(p aPeer) bool { return p.name == name })
	}
	for _, name := range names {
		if !known(name) {
			return nil, fmt.Errorf("no peer %q: must be of %s", name, strings.Join(peerNames(allPeers), ", "))
		}
	}
	for _, p := range allPeers {
		if slices.Contains(names, p.name) {
			peers = append(peers, p)
		}
	}
	return peers, nil
}

func peerNames(peers []aPeer) (names []string) {
	for _, p := range peers {
		names = append(names, p.name)
	}
	return names
}

// goPeer is this program as one of package peer's writers.
func goPeer(name string) func(*progress) ([]string, error) {
	return func(*progress) ([]string, error) {
		self, err := os.Executable()
		return []string{self, peerCommand, name}, err
	}
}

// peerCommand is the first argument that makes this program a peer.
const peerCommand = "peer"

// runPeer is this program as a peer.
func runPeer(args []string) (exitCode int) { return peer.Main(args, os.Stdin, os.Stdout) }
