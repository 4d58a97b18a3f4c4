package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/itchyny/gojq"

	"github.com/q3dissect/q3dissect/dissect"
)

// A jqProgram is --jq: what it gives for each record or event is printed, a text as it is and everything else as
// JSON, one result a line. It serves several goroutines.
type jqProgram struct {
	code    *gojq.Code
	visible bool // texts go to a terminal

	mu    sync.Mutex
	fault string // that of the earliest frame, while it ran
	frame uint64 //
	count int    // of faults
}

// compileJQ checks --jq before any file is opened.
func (pl *plan) compileJQ() error {
	if pl.bench.jq == "" {
		return nil
	}
	query, err := gojq.Parse(pl.bench.jq)
	if err != nil {
		return jqError(pl.bench.jq, err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return usageError("--jq: %v", err)
	}
	pl.query = &jqProgram{code: code, visible: isTerminal(pl.stdout)}
	return nil
}

// jqError shows where a program is wrong, as filterError does for filters.
func jqError(program string, err error) error {
	var fault *gojq.ParseError
	if !errors.As(err, &fault) {
		return usageError("--jq: %v", err)
	}
	to := min(fault.Offset, len(program)) // behind the token
	from := max(0, to-max(1, len(fault.Token)))
	return pointAt("--jq", program, from, to, fault.Error())
}

// over makes a renderer of one that appends lines of JSON.
func (j *jqProgram) over(lines func([]byte, *dissect.Record) []byte) func([]byte, *dissect.Record) []byte {
	return func(dst []byte, rec *dissect.Record) []byte {
		from := len(dst)
		dst = lines(dst, rec)
		records := bytes.Clone(dst[from:])
		dst = dst[:from]
		for line := range bytes.Lines(records) {
			dst = j.run(dst, line, rec.Frame)
		}
		return dst
	}
}

// run appends the results for one line of JSON.
func (j *jqProgram) run(dst, line []byte, frame uint64) []byte {
	var input any
	if err := json.Unmarshal(line, &input); err != nil {
		panic(err) // it was made here
	}
	for results := j.code.Run(input); ; {
		v, ok := results.Next()
		if !ok {
			return dst
		}
		if err, failed := v.(error); failed {
			var halt *gojq.HaltError
			if !errors.As(err, &halt) || halt.Value() != nil {
				j.failed(frame, err)
			}
			return dst
		}
		dst = append(j.appendResult(dst, v), '\n')
	}
}

func (j *jqProgram) appendResult(dst []byte, v any) []byte {
	if s, ok := v.(string); ok {
		if j.visible {
			s = visible(s)
		}
		return append(dst, s...)
	}
	b, err := gojq.Marshal(v)
	if err != nil {
		panic(err) // gojq can write what it made
	}
	return append(dst, b...)
}

func (j *jqProgram) failed(frame uint64, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.count++; j.fault == "" || frame < j.frame {
		j.frame, j.fault = frame, fmt.Sprintf("--jq, frame %d: %v", frame, err)
	}
}

// report tells about faults while the program ran.
func (j *jqProgram) report(p *program) (failed bool) {
	switch {
	case j == nil || j.count == 0:
		return false
	case j.count > 1:
		p.complain(fmt.Sprintf("%s (and %d more)", j.fault, j.count-1))
	default:
		p.complain(j.fault)
	}
	return true
}
