package tools

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

const gcsPackage, gcsVersion = "github.com/fsouza/fake-gcs-server", "v1.56.1"

// GCS is a running GCS server (fake-gcs-server) that keeps its buckets in memory.
type GCS struct {
	Address string // HOST:PORT
}

// StartGCS starts a GCS server without buckets.
func StartGCS(t testing.TB) *GCS {
	t.Helper()
	binary := goTool(t, gcsPackage, gcsVersion)
	_, address := startOnFreePort(t, "fake-gcs-server", func(address string) *exec.Cmd {
		host, port, _ := strings.Cut(address, ":")
		return exec.Command(binary, "-scheme", "http", "-host", host, "-port", port, "-public-host", address,
			"-backend", "memory")
	})
	return &GCS{Address: address}
}

// NewBucket makes a bucket and returns its URL.
func (g *GCS) NewBucket(t testing.TB, name string) (bucketURL string) {
	t.Helper()
	body := strings.NewReader(fmt.Sprintf(`{"name": %q}`, name))
	response, err := http.Post("http://"+g.Address+"/storage/v1/b?project=sluice", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		answer, _ := io.ReadAll(response.Body)
		t.Fatalf("make bucket %s: %s: %s", name, response.Status, answer)
	}
	return "gs://" + name
}

// Env returns the variable, as NAME=VALUE, with which GCS clients use the server and no credentials.
func (g *GCS) Env() []string { return []string{"STORAGE_EMULATOR_HOST=" + g.Address} }

// Objects returns the names of the bucket's objects.
func (g *GCS) Objects(bucket string) (names []string, err error) {
	response, err := http.Get("http://" + g.Address + "/storage/v1/b/" + bucket + "/o")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var list struct{ Items []struct{ Name string } }
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		return nil, fmt.Errorf("list bucket %s: %s: %w", bucket, response.Status, err)
	}
	for _, item := range list.Items {
		names = append(names, item.Name)
	}
	return names, nil
}
