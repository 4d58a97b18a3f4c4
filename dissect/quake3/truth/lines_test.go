package truth_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reference"
)

// A truthReader reads a truth file line by line.
type truthReader struct {
	lines *bufio.Scanner
	line  truthLine
	more  bool
}

func openTruth(tb testing.TB, name string) *truthReader {
	tb.Helper()
	r := &truthReader{lines: reference.Lines(tb, name)}
	r.next(tb)
	return r
}

// next goes to the next line; more is false after the last.
func (r *truthReader) next(tb testing.TB) {
	tb.Helper()
	r.line = truthLine{}
	if r.more = r.lines.Scan(); !r.more {
		if err := r.lines.Err(); err != nil {
			tb.Error(err)
		}
		return
	}
	d := json.NewDecoder(bytes.NewReader(r.lines.Bytes()))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&r.line); err != nil {
		tb.Errorf("truth: %v in %.200s", err, r.lines.Bytes())
	}
}
