package peer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Write writes the whole input as one Parquet file.
type Write func(w io.Writer) error

// Writer is a Parquet writer of this package.
type Writer struct {
	Name    string // as the comparison calls it
	Version string // of the module it is in
	// prepare makes the writer's options for an input and its settings. It reads the schema, never the batches.
	prepare func(in *Input) (Write, error)
}

// Writers are those that Main knows.
func Writers() []Writer {
	return []Writer{
		{"sluice", ours, writeBatches(nil)},
		{"sluice-table", ours, writeTable},
		{"sluice-crc", ours, writeBatches(withChecksum)},
		{"arrow-go", moduleVersion("github.com/apache/arrow-go/v18"), arrowGoBatches},
		{"arrow-go-table", moduleVersion("github.com/apache/arrow-go/v18"), arrowGoTable},
		{"parquet-go", moduleVersion("github.com/parquet-go/parquet-go"), parquetGo},
	}
}

// Main is the peer of a name, with the rest of the contract's arguments, as a process of its own.
func Main(args []string, stdin io.Reader, stdout io.Writer) (exitCode int) {
	c := contract{stdin: stdin, stdout: stdout}
	if err := c.run(args); err != nil {
		c.emit(map[string]any{"event": "error", "error": err.Error()})
		return 1
	}
	return 0
}

type contract struct {
	stdin  io.Reader
	stdout io.Writer
}

func (c *contract) emit(event map[string]any) {
	line, err := json.Marshal(event)
	if err != nil {
		panic(err) // strings and numbers alone
	}
	_, _ = c.stdout.Write(append(line, '\n')) // who reads them is gone if not
}

func (c *contract) run(args []string) error {
	if len(args) < 4 {
		return fmt.Errorf("a peer's arguments are NAME SETTINGS STREAM TASK, got %q", args)
	}
	name, settings, stream, task, rest := args[0], args[1], args[2], args[3], args[4:]
	writer, err := find(name)
	if err != nil {
		return err
	}
	mem := memory.Allocator(memory.NewGoAllocator())
	if task == "memory" {
		mem = &offHeap{}
	}
	in, err := load(stream, settings, mem)
	if err != nil {
		return err
	}
	ready := map[string]any{"event": "ready", "version": writer.Version, "records": in.records()}
	if task == "time" && len(rest) == 0 {
		c.emit(ready)
		return c.rounds(writer, in)
	}
	write, err := writer.prepare(in)
	if err != nil {
		return err
	}
	write = guarded(write)
	c.emit(ready)
	switch {
	case task == "memory" && len(rest) == 0:
		return c.memory(write)
	case task == "file" && len(rest) == 1:
		return writeFile(rest[0], write)
	case task == "profile" && len(rest) == 1:
		return profile(rest[0], write)
	}
	return fmt.Errorf("task %q %q: must be time, memory, file FILE or profile FILE", task, rest)
}

func find(name string) (Writer, error) {
	var names []string
	for _, w := range Writers() {
		if w.Name == name {
			return w, nil
		}
		names = append(names, w.Name)
	}
	return Writer{}, fmt.Errorf("no peer %q: must be one of %s", name, strings.Join(names, ", "))
}

// guarded makes an error of a writer's panic.
func guarded(write Write) Write {
	return func(w io.Writer) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
		}()
		return write(w)
	}
}

// nothing counts what is written and drops it.
type nothing int64

func (n *nothing) Write(p []byte) (int, error) {
	*n += nothing(len(p))
	return len(p), nil
}

// rounds answers each line of standard input. A round that fails is answered by an error, and ends nothing: other
// settings may be asked for next.
func (c *contract) rounds(writer Writer, in *Input) error {
	var write Write
	prepared := ""
	lines := bufio.NewScanner(c.stdin)
	for lines.Scan() {
		writes, settings, err := parseRound(lines.Text(), in.Settings)
		if err != nil {
			return err
		}
		if prepared != settings {
			if write, err = writer.prepare(&Input{in.Schema, in.Batches, settings}); err != nil {
				c.emit(map[string]any{"event": "error", "error": err.Error()})
				continue
			}
			prepared, write = settings, guarded(write)
		}
		c.round(write, writes)
	}
	return lines.Err()
}

// parseRound reads a line "WRITES [SETTINGS]".
func parseRound(line, usual string) (writes int, settings string, err error) {
	words := strings.Fields(line)
	if len(words) == 1 {
		words = append(words, usual)
	}
	if len(words) == 2 {
		writes, err = strconv.Atoi(words[0])
	}
	if len(words) != 2 || err != nil {
		return 0, "", fmt.Errorf("a round is WRITES [SETTINGS], got %q", line)
	}
	return writes, words[1], nil
}

func (c *contract) round(write Write, writes int) {
	var out nothing
	start := cpuTime()
	for range writes {
		out = 0
		if err := write(&out); err != nil {
			c.emit(map[string]any{"event": "error", "error": err.Error()})
			return
		}
	}
	took := cpuTime() - start
	c.emit(map[string]any{"event": "round", "cpu_ns": took.Nanoseconds(), "writes": writes, "bytes": int64(out)})
}

func (c *contract) memory(write Write) error {
	before, err := resetPeak()
	if err != nil {
		return err
	}
	var out nothing
	if err := write(&out); err != nil {
		return err
	}
	peak, err := peakBytes()
	if err != nil {
		return err
	}
	c.emit(map[string]any{"event": "memory", "peak_bytes": peak - before, "bytes": int64(out)})
	return nil
}

func writeFile(name string, write Write) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	// Some writers close what they write to.
	if err := write(struct{ io.Writer }{file}); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// profileTime is long enough for a thousand samples of a hundred a second and more.
const profileTime = 10 * time.Second

func profile(name string, write Write) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var out nothing
	if err := write(&out); err != nil { // warm
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	for start := time.Now(); time.Since(start) < profileTime; {
		if err := write(&out); err != nil {
			return err
		}
	}
	return nil
}
