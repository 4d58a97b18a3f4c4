// Package jq runs the program of --jq over records and events.
package jq

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/itchyny/gojq"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
)

// A Program is --jq: its results for each record or event are printed, a text as it is and everything else as
// JSON, one result a line. It is safe for concurrent use.
type Program struct {
	code    *gojq.Code
	visible bool // texts go to a terminal
	until   context.Context
	runs    *runs

	mu    sync.Mutex
	fault string // that of the earliest frame, while it ran
	frame uint64 //
	count int    // of faults
}

// Compile compiles a program. visible means that its results go to a terminal.
func Compile(program string, visible bool) (*Program, error) {
	query, err := gojq.Parse(program)
	if err != nil {
		return nil, jqError(program, err)
	}
	p := &Program{visible: visible, until: context.Background(), runs: new(runs)}
	if err = bounded(query); err == nil {
		p.code, err = gojq.Compile(query, p.runs.options()...)
	}
	if err != nil {
		return nil, exit.Usagef("--jq: %v", err)
	}
	return p, nil
}

// Until makes the program stop when a context ends. It is called before the first record.
func (j *Program) Until(ctx context.Context) {
	if j != nil {
		j.until = ctx
	}
}

// jqError shows where a program is wrong, as filterError does for filters.
func jqError(program string, err error) error {
	var fault *gojq.ParseError
	if !errors.As(err, &fault) {
		return exit.Usagef("--jq: %v", err)
	}
	to := min(fault.Offset, len(program)) // after the token
	from := max(0, to-max(1, len(fault.Token)))
	return exit.PointAt("--jq", program, from, to, fault.Error())
}

// Over wraps a renderer that appends lines of JSON.
func (j *Program) Over(lines func([]byte, *dissect.Record) []byte) func([]byte, *dissect.Record) []byte {
	return func(dst []byte, rec *dissect.Record) []byte {
		from := len(dst)
		dst = lines(dst, rec)
		records := bytes.Clone(dst[from:])
		dst = dst[:from]
		r := j.runs.take(j.until)
		defer j.runs.give(r)
		for line := range bytes.Lines(records) {
			dst = j.run(r, dst, line, rec.Frame)
		}
		return dst
	}
}

// run appends the results for one line of JSON.
func (j *Program) run(r *run, dst, line []byte, frame uint64) []byte {
	var input any
	if err := json.Unmarshal(line, &input); err != nil {
		panic(err) // it was made here
	}
	r.begin()
	for results := j.code.RunWithContext(r, input, r.slot); ; {
		v, ok := results.Next()
		if !ok {
			return dst
		}
		err, failed := v.(error)
		if !failed {
			_, err = measure(v)
		}
		if err != nil {
			var halt *gojq.HaltError
			if j.until.Err() == nil && (!errors.As(err, &halt) || halt.Value() != nil) {
				j.failed(frame, err)
			}
			return dst
		}
		dst = append(j.appendResult(dst, v), '\n')
	}
}

func (j *Program) appendResult(dst []byte, v any) []byte {
	if s, ok := v.(string); ok {
		if j.visible {
			s = terminal.Visible(s)
		}
		return append(dst, s...)
	}
	b, err := gojq.Marshal(v)
	if err != nil {
		panic(err) // gojq can write what it made
	}
	return append(dst, b...)
}

func (j *Program) failed(frame uint64, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.count++; j.fault == "" || frame < j.frame {
		j.frame, j.fault = frame, fmt.Sprintf("--jq, frame %d: %v", frame, err)
	}
}

// Faults returns the fault of the earliest frame, and the number of others; "" if there was none.
func (j *Program) Faults() string {
	switch {
	case j == nil || j.count == 0:
		return ""
	case j.count > 1:
		return fmt.Sprintf("%s (and %d more)", j.fault, j.count-1)
	}
	return j.fault
}
