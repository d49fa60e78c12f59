package stores

import (
	"os"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

func TestMain(m *testing.M) { os.Exit(tools.Run(m)) }
