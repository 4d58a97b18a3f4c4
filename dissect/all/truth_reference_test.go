package all_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
)

// captures gives the folder of the Quake III reference captures. Tests that need it are skipped where it
// is absent.
func captures(tb testing.TB) string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("the reference captures are left out of short runs")
	}
	root := os.Getenv("Q3DISSECT_REFERENCE")
	if root == "" {
		root = filepath.FromSlash("../../../shared")
	}
	dir := filepath.Join(root, "captures", "quake3")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no reference captures: %v", err)
	}
	return dir
}

// glob gives the files of the reference folder that match a pattern. There must be some.
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

// packets reads a capture, and gives the number of its packets. Each is valid for one step.
func packets(tb testing.TB, name string, each func(p *dissect.Packet)) (count uint64) {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, capture.Options{})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	for p, err := range r.Packets() {
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		each(p)
	}
	return r.Stats().Packets
}

// A run says how a capture is dissected. Finish and Output are the engine's, and so is what is left out.
type run struct {
	workers int
	state   bool
	finish  func(worker int, dst []byte, rec *dissect.Record) []byte
	output  func(b []byte) error
}

// dissectFile dissects one capture, and gives the number of packets in the file too.
func dissectFile(tb testing.TB, name string, r run) (stats dissect.Stats, count uint64) {
	tb.Helper()
	e := newEngine(tb, r)
	count = packets(tb, name, func(p *dissect.Packet) {
		if err := e.Packet(p); err != nil {
			tb.Errorf("%s: %v", name, err)
		}
	})
	return closeEngine(tb, e), count
}

func newEngine(tb testing.TB, r run) *dissect.Engine {
	tb.Helper()
	e, err := dissect.NewEngine(dissect.Config{
		Protocols: all.Protocols(), Workers: max(r.workers, 1), Options: dissect.Options{State: r.state},
		Finish: infallible(r.finish), Output: r.output,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// infallible makes a Finish of a function that never fails.
func infallible(f finish) func(int, []byte, *dissect.Record) ([]byte, error) {
	if f == nil {
		return nil
	}
	return func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) { return f(worker, dst, rec), nil }
}

func closeEngine(tb testing.TB, e *dissect.Engine) dissect.Stats {
	tb.Helper()
	stats, err := e.Close()
	if err != nil {
		tb.Fatal(err)
	}
	return stats
}

// lines gives an output function that calls each for every line.
func lines(each func(line []byte)) func([]byte) error {
	return func(b []byte) error {
		for len(b) > 0 {
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				return errors.New("output does not end with a line feed")
			}
			each(b[:i])
			b = b[i+1:]
		}
		return nil
	}
}

// object reads a JSON object, numbers as they are written.
func object(line []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	return m, nil
}

// A truthReader reads a truth file line by line.
type truthReader struct {
	file  *os.File
	lines *bufio.Scanner
	line  truthLine
	more  bool
}

func openTruth(tb testing.TB, name string) *truthReader {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	r := &truthReader{file: f, lines: bufio.NewScanner(z)}
	r.lines.Buffer(nil, 1<<20)
	r.next(tb)
	return r
}

// next goes to the next line; more is false behind the last.
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

// base strips folder and everything behind the first dot.
func base(name string) string {
	name, _, _ = strings.Cut(filepath.Base(name), ".")
	return name
}
