package stores

import (
	"encoding/json"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

// store is a running object store with one empty bucket.
type store struct {
	url     string   // of the bucket, for the server
	env     []string // for the server
	reading string   // JSON for check_flights.py, which reads through pyarrow's own file system
	// contents names all that the bucket holds: objects, and unfinished uploads where the store can tell.
	contents func() ([]string, error)
	// parts says in how many parts an object was uploaded; nil where the store cannot tell.
	parts func(t *testing.T, key string) int
}

const bucket = "lake"

// startStores are the stores to test, by name.
var startStores = map[string]func(*testing.T) store{"s3": startS3, "gcs": startGCS}

func startS3(t *testing.T) store {
	t.Helper()
	s3 := tools.StartS3(t)
	return store{
		url: s3.NewBucket(t, bucket),
		env: s3.Env(),
		reading: marshal(t, map[string]any{
			"kind": "s3", "bucket": bucket, "endpoint_override": s3.Address, "scheme": "http", "region": tools.S3Region,
			"access_key": tools.S3User, "secret_key": tools.S3Password,
		}),
		contents: func() ([]string, error) { return s3Contents(s3) },
		parts:    func(t *testing.T, key string) int { return s3Parts(t, s3, key) },
	}
}

func startGCS(t *testing.T) store {
	t.Helper()
	gcs := tools.StartGCS(t)
	return store{
		url: gcs.NewBucket(t, bucket),
		env: gcs.Env(),
		reading: marshal(t, map[string]any{
			"kind": "gcs", "bucket": bucket, "endpoint_override": gcs.Address, "scheme": "http", "anonymous": true,
		}),
		contents: func() ([]string, error) { return gcs.Objects(bucket) },
	}
}

func marshal(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
