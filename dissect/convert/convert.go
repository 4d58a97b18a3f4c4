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
	"encoding/binary"
	"errors"
	"io"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/filter"
	"github.com/q3dissect/q3dissect/dissect/matches"
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

	Workers      int               // goroutines that dissect (-j); 0: only the caller's, best where many calls run at once
	DemoProtocol int               // of recordings that do not contain it (--demo-protocol); 0: not known
	DecodeAs     []engine.DecodeAs // -d
	All          bool              // packets of no known protocol too (--all)
	State        bool              // absolute values and unchanged entities (--state)
	NoRecover    bool              // no keys are recovered (--no-recover)
	Secrets      bool              // passwords in List and Events (--show-secrets); Records have them always

	// Filter selects the records for Records, List and Rows (-Y); nil: all. Events have fields of their own and
	// are not filtered.
	Filter *filter.Filter

	// Parts divides an input among several calls, each of which reads all of it and dissects the streams whose
	// number is Part, modulo Parts. Packets without a stream are in part 0. Together they write every record
	// and event once; but each part numbers its own matches, see matches.Numbers. 0 and 1 mean the whole input.
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
	if errors.As(inputErr, &fault) && outputErr == nil && (begun || !unreadable(fault)) {
		record := render.AppendFileError(nil, o.File, fault.Code, fault.Offset, fault.Message)
		s.write(formRecords, record)
		s.write(formEvents, record)
	}
	return result, cmp.Or(outputErr, s.flush(), inputErr)
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
	return open.Options{Protocols: o.Protocols, DemoProtocol: o.DemoProtocol, All: true}
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
	cfg.Output = s.split
	cfg.Finish = func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
		shown := matchers == nil || matchers[worker].Match(rec)
		if shown && s.wants(formRecords) {
			dst = piece(dst, formRecords, func(dst []byte) []byte { return render.AppendJSON(dst, rec, records) })
		}
		if shown && s.wants(formList) {
			dst = piece(dst, formList, func(dst []byte) []byte { return list.Append(dst, rec) })
		}
		if shown && shredders != nil && !rec.Closing {
			dst = piece(dst, formRows, func(dst []byte) []byte { return shredders[worker].AppendPacket(dst, rec) })
		}
		if len(rec.Events.Nodes) > 0 {
			form := formKept
			if shown && shredders != nil {
				form = formKeptRows
			}
			dst = piece(dst, form, func(dst []byte) []byte { return binary.LittleEndian.AppendUint32(dst, s.queue.Keep(rec)) })
		}
		return dst, nil
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

// A form is one of the Outputs.
type form uint8

const (
	formRecords form = iota
	formList
	formEvents
	forms    // those that are text
	formRows = forms
)

// Tickets of a matches.Queue stand for the events of a record, which are written in the order of the packets.
const (
	formKept     = formRows + 1 + iota // as lines of JSON
	formKeptRows                       // and as rows
)

// The engine has one output. The forms' texts pass through it in pieces: a byte for the form, the size of the
// text in four bytes, the text.
const pieceHead = 1 + 4

// piece appends a piece with the text that write appends.
func piece(dst []byte, f form, write func(dst []byte) []byte) []byte {
	at := len(dst)
	dst = write(append(dst, byte(f), 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(dst[at+1:], uint32(len(dst)-at-pieceHead))
	return dst
}

// A splitter passes pieces to the writers of their forms, and keeps the writers' first error.
type splitter struct {
	out  [forms]*bufio.Writer
	rows rows.Sink

	queue    matches.Queue
	numbers  matches.Numbers
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

func (s *splitter) wants(f form) bool { return s.out[f] != nil }

// split is the engine's Output: b consists of whole pieces.
func (s *splitter) split(b []byte) error {
	for len(b) > 0 {
		end := pieceHead + int(binary.LittleEndian.Uint32(b[1:]))
		var err error
		switch kind, text := form(b[0]), b[pieceHead:end]; kind {
		case formRows:
			err = s.rows.Rows(text)
		case formKept, formKeptRows:
			err = s.writeEvents(binary.LittleEndian.Uint32(text), kind == formKeptRows)
		default:
			_, err = s.out[kind].Write(text)
		}
		if err != nil {
			return err
		}
		b = b[end:]
	}
	return nil
}

// writeEvents writes the events of a ticket, as rows too if they are wanted.
func (s *splitter) writeEvents(ticket uint32, asRows bool) error {
	rec := s.queue.Redeem(ticket)
	defer s.queue.Release(rec)
	s.numbers.Number(rec)
	if s.wants(formEvents) {
		s.text = render.AppendEventsJSON(s.text[:0], rec, s.events)
		if _, err := s.out[formEvents].Write(s.text); err != nil {
			return err
		}
	}
	if !asRows {
		return nil
	}
	s.text = s.shredder.AppendEvents(s.text[:0], rec)
	if len(s.text) == 0 {
		return nil
	}
	return s.rows.Rows(s.text)
}

// write writes text of a form. A bufio.Writer keeps its error.
func (s *splitter) write(f form, text []byte) {
	if s.wants(f) {
		_, _ = s.out[f].Write(text)
	}
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
