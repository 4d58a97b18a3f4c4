package truth_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect/internal/reftest"
)

// captures gives the folder of the Quake III reference captures. Tests that need it are skipped where it is absent.
func captures(tb testing.TB) string {
	tb.Helper()
	return reftest.Folder(tb, "captures", "quake3")
}

// glob gives the files there that match a pattern. There must be some.
func glob(tb testing.TB, pattern string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(captures(tb), pattern))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no %s in the reference folder: %v", pattern, err)
	}
	return files
}

// captureOf finds the capture that a base name stands for.
func captureOf(tb testing.TB, base string) string {
	tb.Helper()
	for _, suffix := range []string{".pcap", ".pcapng", ".pcap.gz"} {
		name := filepath.Join(captures(tb), base+suffix)
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	tb.Fatalf("no capture %s", base)
	return ""
}

// A truthReader reads a truth file line by line.
type truthReader struct {
	lines *bufio.Scanner
	line  truthLine
	more  bool
}

func openTruth(tb testing.TB, name string) *truthReader {
	tb.Helper()
	r := &truthReader{lines: openLines(tb, name)}
	r.next(tb)
	return r
}

// openLines opens a file packed with gzip for reading its lines, until the test ends.
func openLines(tb testing.TB, name string) *bufio.Scanner {
	tb.Helper()
	z := reftest.Unpack(tb, name)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	return lines
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

// base strips the folder and everything after the first dot.
func base(name string) string {
	name, _, _ = strings.Cut(filepath.Base(name), ".")
	return name
}
