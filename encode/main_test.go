package encode

import (
	"runtime/debug"
	"testing"
)

// The random files make a great deal of garbage and keep next to nothing: the collector took half of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	m.Run()
}
