package integration

import (
	"fmt"
	"path"
	"slices"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

// halfPut is a put of the flights that stops in the middle, long after its first row groups went to the store.
func halfPut(dataset string) tools.Put {
	return tools.Put{
		Command: fmt.Sprintf(`{"dataset": %q, "options": {"compression": "none", "row_group_size": 10000}}`, dataset),
		Source:  "flights",
		Hold:    17, // of 34
	}
}

// holdHalfWay starts a client whose put stops in the middle, and waits until the server has stored some of it.
func holdHalfWay(t *testing.T, server *tools.Server, lake, dataset string) *tools.Client {
	t.Helper()
	client := tools.StartClient(t, server)
	if reply := client.Put(t, halfPut(dataset)); reply.Held == 0 {
		t.Fatalf("the put did not stop half-way: %+v", reply)
	}
	tools.Eventually(t, func() error {
		files, err := tools.Files(lake)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("no file below the lake holds what was put so far")
		}
		return err
	})
	return client
}

// objects returns the paths of the files that a query of every Parquet file below the lake would read.
func objects(t *testing.T, lake string) []string {
	t.Helper()
	files, err := tools.Files(lake)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(file string) bool { return path.Ext(file) != ".parquet" })
}

func wantNoObjects(t *testing.T, lake string) {
	t.Helper()
	if found := objects(t, lake); len(found) != 0 {
		t.Errorf("objects of a put that did not end are visible: %v", found)
	}
}

// wantPut puts the whole table into the dataset, and nothing else may be visible there.
func wantPut(t *testing.T, server *tools.Server, lake, dataset string) {
	t.Helper()
	receipt := tools.StartClient(t, server).MustPut(t, tools.Put{Path: []string{dataset}, Source: "flights"})
	args := append([]string{lake, "1"}, objects(t, lake)...)
	if differences := tools.Python(t).Output(t, "check_flights.py", args...); differences != "" {
		t.Errorf("a put of %v after the crash:\n%s", receipt.Keys(), differences)
	}
}

func TestClientKilledHalfWay(t *testing.T) {
	lake := t.TempDir()
	server := tools.StartServer(t, lake, nil)
	client := holdHalfWay(t, server, lake, "flights")
	wantNoObjects(t, lake)

	client.Kill()
	tools.Eventually(t, func() error {
		files, err := tools.Files(lake)
		if err == nil && len(files) != 0 {
			err = fmt.Errorf("files of the put stay: %v", files)
		}
		return err
	})
	wantPut(t, server, lake, "flights")
	server.Stop(t)
}

func TestServerKilledHalfWay(t *testing.T) {
	lake := t.TempDir()
	server := tools.StartServer(t, lake, nil)
	client := holdHalfWay(t, server, lake, "flights")
	server.Kill()
	client.Kill()
	wantNoObjects(t, lake)

	wantPut(t, tools.StartServer(t, lake, nil), lake, "flights")
}
