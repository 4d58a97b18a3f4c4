package run

import (
	"cmp"
	"os"
	"runtime/debug"

	"github.com/q3dissect/q3dissect/dissect/engine"
)

// besides is what the program takes beside the memory of streams: waiting records, tables, the present message.
const besides = 96 << 20

// LimitHeap makes the collector keep the heap near what --memory allows, unless the user has chosen a limit. Without it
// there would be as much garbage as there is in use.
func LimitHeap(memory int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(cmp.Or(memory, engine.DefaultMemory)) + besides)
	}
}
