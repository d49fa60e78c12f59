// Sluice is an Arrow Flight server that turns DoPut streams into Parquet objects in a bucket.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	_ "github.com/sluice-io/sluice/cloud/drivers"
)

// commandLine is what kong parses; the verbs lie in files of their names.
type commandLine struct {
	Serve   serveCommand   `cmd:"" help:"Receive Arrow Flight streams and store them as Parquet."`
	Demo    demoCommand    `cmd:"" help:"Put a generated table through a server of its own, and show what is stored."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

func main() {
	var cli commandLine
	var file configFile
	parser := newParser(&cli, &file)
	parsed, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	ctx, stop := signals()
	defer stop()
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "sluice:", err)
		os.Exit(1)
	}
}

// newParser returns the parser of the command line; each flag is also a variable of the environment, such as
// SLUICE_MAX_MESSAGE_BYTES.
func newParser(cli *commandLine, file *configFile) *kong.Kong {
	return kong.Must(cli,
		kong.Name("sluice"),
		kong.Description("Arrow Flight streams in, Parquet objects in a bucket out."),
		kong.DefaultEnvars("SLUICE"),
		kong.Bind(file),
		kong.ShortUsageOnError(),
	)
}

// signals returns a context that ends with the first SIGINT or SIGTERM; the second one ends the program.
func signals() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	caught := make(chan os.Signal, 2)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-caught
		cancel()
		<-caught
		fmt.Fprintln(os.Stderr, "sluice: interrupted again, ending at once")
		os.Exit(130)
	}()
	return ctx, cancel
}

type versionCommand struct{}

// Run prints the version that the module was built at.
func (versionCommand) Run() error {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	fmt.Println("sluice", version)
	return nil
}
