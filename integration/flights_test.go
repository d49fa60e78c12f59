package integration

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

const flightsRecords = 336_776

// TestFlights puts a real table with each codec; queries of the objects have to answer as queries of the source do.
func TestFlights(t *testing.T) {
	lake := t.TempDir()
	client := tools.StartClient(t, tools.StartServer(t, lake, nil))
	python := tools.Python(t)
	for _, codec := range []string{"none", "snappy", "gzip", "brotli", "zstd", "lz4"} {
		t.Run(codec, func(t *testing.T) {
			receipt := client.MustPut(t, tools.Put{
				Command: fmt.Sprintf(`{"dataset": "flights/%s", "options": {"compression": %q}}`, codec, codec),
				Source:  "flights",
				Lake:    lake,
			})
			if receipt.Records != flightsRecords {
				t.Errorf("receipt counts %d records, not %d", receipt.Records, flightsRecords)
			}
			args := append([]string{lake, "1"}, receipt.Keys()...)
			if differences := python.Output(t, "check_flights.py", args...); differences != "" {
				t.Errorf("the objects hold something else than was put:\n%s", differences)
			}
		})
	}
}

// TestFlightsOfManyClients puts the table from several clients into one dataset at the same time.
func TestFlightsOfManyClients(t *testing.T) {
	lake := t.TempDir()
	server := tools.StartServer(t, lake, nil)
	const clients = 3
	receipts := make(chan tools.Receipt, clients)
	t.Run("puts", func(t *testing.T) {
		for i := range clients {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				receipts <- tools.StartClient(t, server).MustPut(t, tools.Put{Path: []string{"flights"}, Source: "flights"})
			})
		}
	})
	close(receipts)
	args := []string{lake, strconv.Itoa(clients)}
	for receipt := range receipts {
		args = append(args, receipt.Keys()...)
	}
	if differences := tools.Python(t).Output(t, "check_flights.py", args...); differences != "" {
		t.Errorf("the objects hold something else than was put:\n%s", differences)
	}
}
