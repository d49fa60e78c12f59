package cloud_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sluice-io/sluice/cloud"
	"github.com/sluice-io/sluice/cloud/cloudtest"
)

// partBytes keeps the suite quick: mem and file have no parts, it only sets the sizes that are tried.
const partBytes = 1 << 20

func open(t testing.TB, url string) *cloud.Bucket {
	t.Helper()
	b, err := cloud.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	for _, url := range []string{"mem://", "mem://?prefix=team/a-"} {
		t.Run(url, func(t *testing.T) {
			t.Parallel()
			cloudtest.Run(t, cloudtest.Store{
				Open:      func(t testing.TB) *cloud.Bucket { return open(t, url) },
				PartBytes: partBytes,
			})
		})
	}
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		cloudtest.Run(t, cloudtest.Store{
			Open:      func(t testing.TB) *cloud.Bucket { return open(t, dir) },
			Leftovers: func(t testing.TB) []string { return tempFiles(t, dir) },
			PartBytes: partBytes,
		})
	})
}

// tempFiles returns the unfinished objects in a directory.
func tempFiles(t testing.TB, dir string) []string {
	found, err := filepath.Glob(filepath.Join(dir, ".sluice-tmp", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".sluice-tmp")); err != nil {
		t.Errorf("the directory for unfinished objects is not where this test looks: %v", err)
	}
	return found
}
