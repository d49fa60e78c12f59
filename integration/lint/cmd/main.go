// Command cmd checks Parquet files with package lint:
//
//	go run ./integration/lint/cmd FILE...
//
// It prints a line for each file, and fails if one of them breaks a rule.
package main

import (
	"fmt"
	"os"

	"github.com/sluice-io/sluice/integration/lint"
)

func main() {
	failed := false
	for _, name := range os.Args[1:] {
		if err := lint.Path(name, nil); err != nil {
			failed = true
			fmt.Printf("%s: %v\n", name, err)
			continue
		}
		fmt.Printf("%s: ok\n", name)
	}
	if failed {
		os.Exit(1)
	}
}
