// Package reftest is for tests that dissect whole files and compare the output with what others say of them: the
// files of the reference folder, which is no part of the repository, and samples.
package reftest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
)

// Packets calls each for every packet of a capture, and returns how many packets the file has. A packet is valid until
// each returns.
func Packets(tb testing.TB, name string, each func(p *dissect.Packet)) (count uint64) {
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

// PacketsOf returns the packets of a capture or recording that was opened.
func PacketsOf(tb testing.TB, f io.Reader, name string, link bool) iter.Seq2[*dissect.Packet, error] {
	tb.Helper()
	in, err := open.New(f, name, open.Options{Protocols: all.Protocols(), Link: link, All: link})
	if err != nil {
		tb.Fatal(err)
	}
	return in.Packets()
}

// A Run is how a file is dissected. Finish and Output are the engine's, and may be nil like those.
type Run struct {
	Workers int  // 0 means one
	Most    int  // packets that are read; 0 means all
	State   bool // dissect.Options.State
	Recover bool // dissect.Options.Recover
	Quotes  bool // engine.Config.Quotes
	Keys    func(keys.Key) *keys.Key
	// KeyFound makes the engine look for keys alone: dissect.Options.KeysOnly
	KeyFound func(keys.Key)
	Finish   Finish
	Output   func(b []byte) error
}

// A Finish writes a record, and cannot fail.
type Finish = func(worker int, dst []byte, rec *dissect.Record) []byte

// Infallible makes an engine's Finish of one that cannot fail.
func Infallible(f Finish) func(int, []byte, *dissect.Record) ([]byte, error) {
	if f == nil {
		return nil
	}
	return func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) { return f(worker, dst, rec), nil }
}

// JSON returns a Finish that writes records as lines of JSON.
func JSON(opts render.JSON) Finish {
	return func(_ int, dst []byte, rec *dissect.Record) []byte { return render.AppendJSON(dst, rec, opts) }
}

// Ways are what benchmarks do with records.
var Ways = []struct {
	Name   string
	Finish Finish
}{
	{"state", nil}, // decoded without a tree
	{"tree", func(_ int, dst []byte, _ *dissect.Record) []byte { return dst }},
	{"json", JSON(render.JSON{})},
	{"list", func(_ int, dst []byte, rec *dissect.Record) []byte { return new(render.List).Append(dst, rec) }},
}

// Discard is an Output that drops what is written.
func Discard([]byte) error { return nil }

// Dissect dissects a capture with all protocols. count is how many packets the file has.
func Dissect(tb testing.TB, name string, r Run) (stats engine.Stats, count uint64) {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	in, err := capture.NewReader(f, capture.Options{})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	e := NewEngine(tb, r, all.Protocols()...)
	n := 0
	if err := open.Feed(e, in, func(*dissect.Packet) bool { n++; return n != r.Most }); err != nil {
		tb.Errorf("%s: %v", name, err)
	}
	return Close(tb, e), in.Stats().Packets
}

// NewEngine makes an engine with these protocols; all of them if none is given.
func NewEngine(tb testing.TB, r Run, protocols ...*dissect.Protocol) *engine.Engine {
	tb.Helper()
	if len(protocols) == 0 {
		protocols = all.Protocols()
	}
	e, err := engine.New(engine.Config{
		Protocols: protocols, Workers: max(r.Workers, 1), Options: dissect.Options{
			State: r.State, Recover: r.Recover,
			Keys: r.Keys, KeysOnly: r.KeyFound != nil, KeyFound: r.KeyFound,
		},
		Quotes: r.Quotes, Finish: Infallible(r.Finish), Output: r.Output,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// NewEventEngine makes an engine that calls each for every event; with all protocols if none is given.
func NewEventEngine(tb testing.TB, each func(e Event), protocols ...*dissect.Protocol) *engine.Engine {
	tb.Helper()
	if len(protocols) == 0 {
		protocols = all.Protocols()
	}
	e, err := engine.New(engine.Config{
		Protocols: protocols, Workers: 1, NoTree: true, Options: dissect.Options{Events: true},
		Finish: func(_ int, dst []byte, rec *dissect.Record) ([]byte, error) {
			return render.AppendEventsJSON(dst, rec, render.JSON{}), nil
		},
		Output: Lines(func(line []byte) {
			o, err := Object(line)
			if err != nil {
				tb.Errorf("%v in %s", err, line)
			}
			each(o)
		}),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// Close closes an engine that must not have failed.
func Close(tb testing.TB, e *engine.Engine) engine.Stats {
	tb.Helper()
	stats, err := e.Close()
	if err != nil {
		tb.Fatal(err)
	}
	return stats
}

// Lines returns an Output that calls each for every line.
func Lines(each func(line []byte)) func([]byte) error {
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

// Object reads one JSON object. Its numbers are json.Number.
func Object(line []byte) (map[string]any, error) {
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
