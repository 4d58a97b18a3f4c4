package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A Task is an input, or one part of its streams.
type Task struct {
	Input       string
	Part, Parts int
}

// A DeadLetter is an input that could not be dissected, or not to its end.
type DeadLetter struct {
	Input   string `json:"input"`
	Code    string `json:"code"`
	Reason  string `json:"reason"`
	Partial bool   `json:"partial,omitempty"` // what comes before the fault is among the results
}

func deadLine(d DeadLetter, emit func(string)) error { return emitJSON(d, emit) }

func emitJSON(v any, emit func(string)) error {
	b, err := json.Marshal(v)
	if err == nil {
		emit(string(b))
	}
	return err
}

// expandFn finds the files of a glob.
type expandFn struct{}

// ProcessElement emits the names of files. A glob without a matching file is an error: it is probably misspelt.
func (expandFn) ProcessElement(ctx context.Context, glob string, emit func(string)) error {
	fs, err := filesystem.New(ctx, glob)
	if err != nil {
		return err
	}
	defer fs.Close()
	names, err := fs.List(ctx, glob)
	if err != nil {
		return fmt.Errorf("%s: %w", glob, err)
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: no such file", glob)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		emit(name)
	}
	return nil
}

// maxParts is the most parts of an input: each reads all of it.
const maxParts = 64

// planFn makes tasks from files.
type planFn struct{ Split int64 }

// ProcessElement divides large inputs.
func (f *planFn) ProcessElement(ctx context.Context, name string, emit func(Task), dead func(DeadLetter)) {
	parts := 1
	if f.Split > 0 {
		size, err := sizeOf(ctx, name)
		if err != nil {
			dead(DeadLetter{Input: name, Code: "unreadable", Reason: err.Error()})
			count(ctx, "dead_letters", 1)
			return
		}
		parts = int(min(maxParts, max(1, (size+f.Split-1)/f.Split)))
	}
	for part := range parts {
		emit(Task{name, part, parts})
	}
}

func sizeOf(ctx context.Context, name string) (int64, error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return 0, err
	}
	defer fs.Close()
	return fs.Size(ctx, name)
}
