package integration

import (
	"flag"
	"os"
	"testing"

	"github.com/sluice-io/sluice/integration/tools"
)

// Reading with parquet-java needs Java and Maven.
var long = flag.Bool("long", false, "parquet-java reads too, many more random files, larger tables of real data")

func TestMain(m *testing.M) { os.Exit(tools.Run(m)) }
