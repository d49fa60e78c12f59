package peer

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ours is the version of the module that this package is in.
const ours = "this module's"

// cpuTime returns the processor time of all threads so far, in user and system mode.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // only for bad arguments
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// status returns a line of /proc/self/status, which has KiB, in bytes.
func status(key string) (int64, error) {
	const name = "/proc/self/status"
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, key); found {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			if err != nil {
				return 0, fmt.Errorf("%s: %w", name, err)
			}
			return kib << 10, nil
		}
	}
	return 0, fmt.Errorf("%s: no %s", name, key)
}

// moduleVersion returns the version of a module that this program was built with.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return "unknown"
}
