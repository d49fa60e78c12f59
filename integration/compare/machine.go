package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// describeRun says what measures, where, and since when, in one line.
func describeRun() string {
	return fmt.Sprintf("%s, %d cores, %s; commit %s, %s; %s",
		processor(), runtime.NumCPU(), runtime.GOOS, commit(), runtime.Version(), time.Now().UTC().Format("2006-01-02 15:04 UTC"))
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // without it, what follows says so
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor (" + runtime.GOARCH + ")"
}

// commit names the commit that is checked out; with a + if files differ from it.
func commit() string {
	hash, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(hash))
	if exec.Command("git", "diff", "--quiet", "HEAD").Run() != nil {
		name += "+"
	}
	return name
}

// loadAverage returns how many processes wanted to run, in the mean of the last minute; 0 if the system does not say.
func loadAverage() float64 {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	load, _ := strconv.ParseFloat(first, 64)
	return load
}
