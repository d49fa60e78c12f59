package stores

import (
	"strings"
	"testing"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/cloud/cloudtest"
	_ "github.com/sluice-io/sluice/cloud/drivers"
	"github.com/sluice-io/sluice/integration/tools"
)

func TestConformanceOnS3(t *testing.T) {
	store := tools.StartS3(t)
	url := store.NewBucket(t, "conformance")
	setEnv(t, store.Env())
	cloudtest.Run(t, cloudtest.Store{
		Open: func(t testing.TB) *cloud.Bucket { return open(t, url) },
		Leftovers: func(t testing.TB) []string {
			t.Helper()
			left, err := s3Leftovers(store, "conformance")
			if err != nil {
				t.Fatal(err)
			}
			return left
		},
	})
}

func TestConformanceOnGCS(t *testing.T) {
	store := tools.StartGCS(t)
	url := store.NewBucket(t, "conformance")
	setEnv(t, store.Env())
	// Uploads that are under way cannot be listed on GCS, and cost nothing there.
	cloudtest.Run(t, cloudtest.Store{Open: func(t testing.TB) *cloud.Bucket { return open(t, url) }})
}

func open(t testing.TB, url string) *cloud.Bucket {
	t.Helper()
	bucket, err := cloud.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bucket
}

func setEnv(t *testing.T, variables []string) {
	t.Helper()
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
}
