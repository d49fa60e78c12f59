package stores

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-io/sluice/integration/lint/linttest"
	"github.com/sluice-io/sluice/integration/tools"
)

func startServer(t *testing.T, s store) *tools.Server {
	t.Helper()
	return tools.StartServer(t, s.url, &tools.ServerOptions{Env: s.env})
}

func TestFlights(t *testing.T) {
	for name, start := range startStores {
		t.Run(name, func(t *testing.T) {
			store := start(t)
			client := tools.StartClient(t, startServer(t, store))
			t.Run("in one part", func(t *testing.T) {
				object := putFlights(t, client, store, `{"dataset": "small", "options": {"compression": "zstd"}}`)
				if object.Bytes > 8<<20 {
					t.Errorf("the object has %d bytes, so it was not in one part", object.Bytes)
				}
				if store.parts != nil && store.parts(t, object.Key) != 0 {
					t.Errorf("the store counts %d parts, want a single put", store.parts(t, object.Key))
				}
			})
			t.Run("in several parts", func(t *testing.T) {
				object := putFlights(t, client, store, `{"dataset": "large", "options": {"compression": "none", "use_dictionary": false}}`)
				if object.Bytes < 32<<20 {
					t.Errorf("the object has %d bytes, which need not be several parts", object.Bytes)
				}
				if store.parts != nil && store.parts(t, object.Key) < 2 {
					t.Errorf("the store counts %d parts, want several", store.parts(t, object.Key))
				}
			})
		})
	}
}

// putFlights puts the flights, and compares the object, read from the store by clients of their own, with the source.
func putFlights(t *testing.T, client *tools.Client, store store, command string) tools.Object {
	t.Helper()
	receipt := client.MustPut(t, tools.Put{Command: command, Source: "flights"})
	args := append([]string{store.reading, "1"}, receipt.Keys()...)
	if differences := tools.Python(t).Output(t, "check_flights.py", args...); differences != "" {
		t.Errorf("the store holds something else than was put:\n%s", differences)
	}
	lintObjects(t, store, receipt)
	return receipt.Objects[0]
}

// lintObjects checks what the store holds, through the driver that the server uses.
func lintObjects(t *testing.T, store store, receipt tools.Receipt) {
	t.Helper()
	setEnv(t, store.env)
	bucket := open(t, store.url)
	defer bucket.Close()
	for _, key := range receipt.Keys() {
		if err := linttest.Object(t.Context(), bucket, key); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// TestAbortedPut kills the client when several parts of its object are in the store.
func TestAbortedPut(t *testing.T) {
	for name, start := range startStores {
		t.Run(name, func(t *testing.T) {
			store := start(t)
			server := startServer(t, store)
			client := tools.StartClient(t, server)
			reply := client.Put(t, tools.Put{
				Command: `{"dataset": "flights", "options": {"compression": "none", "use_dictionary": false, "row_group_size": 10000}}`,
				Source:  "flights",
				Hold:    30, // of 34: some 40 MB
			})
			if reply.Held == 0 {
				t.Fatalf("the put did not stop half-way: %+v", reply)
			}
			if store.parts != nil {
				tools.Eventually(t, func() error { return wantContents(store, "an upload under way", func(n int) bool { return n > 0 }) })
			}
			client.Kill()
			if err := server.Await("not stored"); err != nil {
				t.Fatal(err)
			}
			if err := wantContents(store, "nothing", func(n int) bool { return n == 0 }); err != nil {
				t.Error(err)
			}

			// The dataset is as good as new.
			object := putFlights(t, tools.StartClient(t, server), store, `{"dataset": "flights"}`)
			contents, err := store.contents()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{object.Key}, contents); diff != "" {
				t.Errorf("contents of the bucket (-want +got):\n%s", diff)
			}
			server.Stop(t)
		})
	}
}

func wantContents(s store, what string, right func(number int) bool) error {
	contents, err := s.contents()
	if err == nil && !right(len(contents)) {
		err = fmt.Errorf("the bucket holds %q, want %s", contents, what)
	}
	return err
}
