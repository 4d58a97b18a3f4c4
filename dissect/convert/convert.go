// Package convert turns one input into the program's output, in one call:
//
//	result, err := convert.Run(file, convert.Outputs{Records: records, Events: events}, convert.Options{
//		Protocols: all.Protocols(), Name: "game.pcap",
//	})
//
// It is made for workers that convert one file after the other. The
// output depends on the bytes and the options alone: not on a clock, the time zone, the environment, the working
// directory or what was converted before. It is the same for every number of Workers, and it is what the command
// prints for the file: Records that of --json, List that without flags, Events that of q3dissect events --json.
// Keys of sessions that began before the capture are recovered as there: a reader that is an io.ReaderAt and an
// io.Seeker, as files are, is read once more for them; any other is taken for a pipe.
//
// Any number of calls may run at the same time, also with the same Protocols.
//
// Memory does not depend on the size of the input. docs/performance.md has figures for a call.
package convert

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/matchid"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// Options are how an input is read and shown. The zero value with Protocols has the effect of the command
// without flags, on the caller's goroutine.
type Options struct {
	Protocols []*dissect.Protocol // to look for: all.Protocols(), or fewer

	// Name is the file's name, if there is one. Its suffix may identify the protocol of a recording. The file
	// is not opened.
	Name string
	File string // written to every record under "file"; "": not written, as for one file of the command

	// Context, if not nil, ends the reading: what was read until then is written, and its error is that of Run.
	Context context.Context

	Workers      int               // goroutines that dissect (-j); 0: only the caller's, best where many calls run at once
	DemoProtocol int               // of recordings that do not contain it (--demo-protocol); 0: not known
	DecodeAs     []engine.DecodeAs // -d
	All          bool              // packets of no known protocol too (--all)
	State        bool              // absolute values and unchanged entities (--state)
	NoRecover    bool              // no keys are recovered (--no-recover)
	Secrets      bool              // passwords in List, Events and Rows (--show-secrets); Records have them always

	// Filter selects the records for Records, List and Rows (-Y); nil: all. Events have fields of their own and
	// are not filtered.
	Filter *filter.Filter

	// Parts divides an input among several calls: each reads all of it and dissects the streams whose
	// number is Part, modulo Parts. Packets without a stream are in part 0. Together they write every record
	// and event once; but each part numbers its own matches, see matchid.Numbers, and says where the input breaks off.
	// 0 and 1 mean the whole input.
	Part, Parts int

	// JSON is for Records (--no-names, --bits, --link); NoNames also for Events.
	JSON render.JSON
}

// Outputs receive the results, each form in a writer of its own; a nil writer's form is not made. The writers
// are the caller's and stay open. They are called by one goroutine at a time, with up to 64 KiB at once.
type Outputs struct {
	Records io.Writer // a line of JSON for every record
	List    io.Writer // a line of text for every record
	Events  io.Writer // a line of JSON for every event
	Rows    rows.Sink // rows of typed tables, for formats with columns
}

// A Result describes what was read.
type Result struct {
	Stats     engine.Stats
	Capture   capture.Stats // empty for a recording
	Recording bool          // it is a recording of a game (a demo)
	Messages  uint64        // of the recording
}

// Run reads r to its end and writes what is in it.
//
// Where the input breaks off, everything before that point is written, then the record "file_error" into Records and
// Events, and the error is a *dissect.FileError. It is one too, and nothing is written, if the input is of no known
// kind or not a byte of it can be read. Other errors are those of the writers, after which part of the output is
// missing, and of DecodeAs, before anything is read.
//
// Each form ends with what the input did not give, in the words of dissect/incomplete, unless it shows that itself. The
// input is called Options.File there, or Options.Name.
func Run(r io.Reader, out Outputs, o Options) (Result, error) {
	s := newSplitter(out)
	s.numbers.Part, s.numbers.Parts = o.Part, o.Parts
	cfg := o.config(s)
	o.recovering(&cfg, r)
	e, err := engine.New(cfg)
	if err != nil {
		return Result{}, err
	}
	var result Result
	begun, inputErr := result.read(r, e, &o)
	var outputErr error
	result.Stats, outputErr = e.Close()
	var fault *dissect.FileError
	faulty := errors.As(inputErr, &fault)
	switch {
	case outputErr != nil, faulty && !begun && unreadable(fault):
	case faulty:
		record := render.AppendFileError(nil, o.File, fault.Code, fault.Offset, fault.Message)
		s.write(formRecords, record)
		s.write(formEvents, record)
		fallthrough
	default:
		s.writeLacks(result.lacks(inputErr, &o))
	}
	return result, cmp.Or(outputErr, s.flush(), inputErr)
}

// lacks returns what the input did not give.
func (result *Result) lacks(inputErr error, o *Options) incomplete.List {
	a := incomplete.Account{File: cmp.Or(o.File, o.Name, "-")}
	if ctx := o.Context; ctx != nil && inputErr == ctx.Err() && inputErr != nil {
		a.Interrupt(1, 0)
	} else {
		a.Fault(inputErr)
	}
	a.Capture(&result.Capture)
	a.Engine(&result.Stats)
	return a.List()
}

// unreadable reports whether a fault at the beginning of an input means that nothing could be read.
func unreadable(fault *dissect.FileError) bool {
	return fault.Code == dissect.UnknownFormat || fault.Code == dissect.ReadFailed
}

// read passes the packets of the input to the engine. begun means that the input is of a known kind. The error
// is the input's: the engine keeps that of the output.
func (result *Result) read(r io.Reader, e *engine.Engine, o *Options) (begun bool, err error) {
	reading := o.reading()
	reading.Link = o.JSON.Link
	in, err := open.New(r, o.Name, reading)
	if err != nil {
		return false, err
	}
	defer in.Close() // nothing was opened that could fail
	err = open.Feed(e, in, nil)
	result.Capture = in.Stats()
	result.Messages, result.Recording = in.Recording()
	return true, err
}

// reading is how the input is read.
func (o *Options) reading() open.Options {
	return open.Options{
		Protocols: o.Protocols, DemoProtocol: o.DemoProtocol, All: true, Partial: o.All, Context: o.Context,
	}
}

func (o *Options) config(s *splitter) engine.Config {
	events := s.wants(formEvents) || s.rows != nil && s.rows.Schema().Options().Events
	cfg := engine.Config{
		Protocols: o.Protocols,
		File:      o.File,
		Workers:   o.Workers,
		Options:   dissect.Options{State: o.State, Events: events, Secrets: o.Secrets},
		NoTree:    !s.wants(formRecords) && !s.wants(formList) && s.rows == nil, // and then there is nothing to filter
		All:       o.All,
		Quotes:    true,
		DecodeAs:  o.DecodeAs,
		Before:    o.before(),
	}
	if s.out == ([forms]*bufio.Writer{}) && s.rows == nil {
		return cfg // only counts
	}
	var list render.List
	records := o.JSON
	s.events = render.JSON{NoNames: o.JSON.NoNames}
	shredders, matchers := s.shredders(o.Workers), o.matchers()
	cfg.Lanes, cfg.InOrder = s.lanes(), s.writeEvents
	cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
		shown := matchers == nil || matchers[out.Worker].Match(rec)
		if shown && s.wants(formRecords) {
			out.Bytes = render.AppendJSON(out.Bytes, rec, records)
			out.Lane(formRecords)
		}
		if shown && s.wants(formList) {
			out.Bytes = list.Append(out.Bytes, rec)
			out.Lane(formList)
		}
		if shown && shredders != nil && !rec.Closing {
			rec.MaskSecrets() // after the other forms: JSON has them
			out.Bytes = shredders[out.Worker].AppendPacket(out.Bytes, rec)
			out.Lane(formRows)
		}
		if len(rec.Events.Nodes) > 0 {
			if k := out.Keep(rec); shown && shredders != nil {
				k.Tag = asRows
			}
		}
		return nil
	}
	return cfg
}

// before leaves out the streams of other parts.
func (o *Options) before() func(*engine.Routed) engine.Fate {
	if o.Parts <= 1 {
		return nil
	}
	return func(p *engine.Routed) engine.Fate {
		if max(p.Stream, 0)%o.Parts == o.Part {
			return engine.Shown
		}
		return engine.LeftOut
	}
}

// matchers returns one for each worker; nil if there is no filter.
func (o *Options) matchers() []*filter.Matcher {
	if o.Filter == nil {
		return nil
	}
	list := make([]*filter.Matcher, max(o.Workers, 1))
	for i := range list {
		list[i] = o.Filter.Matcher()
	}
	return list
}

// The forms of output, each a lane of the engine. The lane for Events has nothing: they are rendered in order.
const (
	formRecords = 1 + iota
	formList
	formEvents
	formRows
	forms = formRows // those before it are text
)

// asRows is the tag of kept records whose events are wanted as rows too.
const asRows = 1

// A splitter passes pieces to the writers of their forms, and keeps the writers' first error.
type splitter struct {
	out  [forms]*bufio.Writer
	rows rows.Sink

	numbers  matchid.Numbers
	shredder *rows.Shredder
	events   render.JSON
	text     []byte
}

// writeSize is the size of a write, in bytes.
const writeSize = 64 << 10

func newSplitter(out Outputs) *splitter {
	s := &splitter{rows: out.Rows}
	if s.rows != nil {
		s.shredder = s.rows.Schema().NewShredder()
	}
	for f, w := range [forms]io.Writer{formRecords: out.Records, formList: out.List, formEvents: out.Events} {
		if w != nil {
			s.out[f] = bufio.NewWriterSize(w, writeSize)
		}
	}
	return s
}

// shredders returns one for each worker; nil if no rows are wanted.
func (s *splitter) shredders(workers int) []*rows.Shredder {
	if s.rows == nil {
		return nil
	}
	list := make([]*rows.Shredder, max(workers, 1))
	for i := range list {
		list[i] = s.rows.Schema().NewShredder()
	}
	return list
}

func (s *splitter) wants(f int) bool { return s.out[f] != nil }

// lanes returns what writes the forms.
func (s *splitter) lanes() []func(b []byte) error {
	list := make([]func(b []byte) error, formRows)
	for f, w := range s.out {
		if w != nil {
			list[f-1] = func(b []byte) error { _, err := w.Write(b); return err }
		}
	}
	if s.rows != nil {
		list[formRows-1] = s.rows.Rows
	}
	return list
}

// writeEvents is the engine's InOrder: it writes the events of a record, as rows too if they are wanted.
func (s *splitter) writeEvents(dst []byte, k *engine.Kept) ([]byte, error) {
	s.numbers.Number(&k.Record)
	if s.wants(formEvents) {
		s.text = render.AppendEventsJSON(s.text[:0], &k.Record, s.events)
		if _, err := s.out[formEvents].Write(s.text); err != nil {
			return dst, err
		}
	}
	if k.Tag != asRows {
		return dst, nil
	}
	if s.text = s.shredder.AppendEvents(s.text[:0], &k.Record); len(s.text) == 0 {
		return dst, nil
	}
	return dst, s.rows.Rows(s.text)
}

// write writes text of a form. A bufio.Writer keeps its error.
func (s *splitter) write(f int, text []byte) {
	if s.wants(f) {
		_, _ = s.out[f].Write(text)
	}
}

// writeLacks writes what the input did not give: records show some of it themselves.
func (s *splitter) writeLacks(lacks incomplete.List) {
	s.write(formRecords, lacks.Whole().AppendLine(nil))
	s.write(formList, lacks.Whole().AppendText(nil))
	s.write(formEvents, lacks.Missing().AppendLine(nil))
}

// flush writes the rest and returns the first error.
func (s *splitter) flush() error {
	var errs [forms]error
	for f, w := range s.out {
		if w != nil {
			errs[f] = w.Flush()
		}
	}
	return cmp.Or(errs[:]...)
}
