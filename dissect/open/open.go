// Package open opens whatever a file is: a capture or a recording of a game (a demo), packed with gzip, zstd
// or xz or not, recognised by content.
//
// One call gives the records of a file. This counts who killed how many, in any game that has events:
//
//	kills := map[string]int{}
//	for e, err := range open.Events("game.pcap", all.Protocols(), dissect.Options{}) {
//		if err != nil {
//			return err // the file cannot be read, or is truncated here; the events before it are valid
//		}
//		if kill, ok := e.Kill(); ok {
//			kills[kill.Killer.Name]++
//		}
//	}
//
// Records gives all packets, not only what happened in the game. What a record holds is in dissect.Record; fields are
// found by path with Record.Lookup and Record.All, and docs/fields.md lists them. An Input is for those who want the
// packets themselves, and for files that are no files.
//
// The records and events are those of the command without flags: keys of sessions that began before the input are
// recovered. A file is read once more for them, when the first such session is met; in a pipe the keys help from where
// they are found.
//
// Errors are *dissect.FileError, but for those of the operating system when a file is opened.
package open

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/matchid"
)

// Records opens a file and gives its records, in the order of the packets. The protocols are those that are
// looked for: all.Protocols(), or fewer.
//
// A record is valid until the next one. An error comes last, with a nil record. Memory does not depend on the
// size of the file: see capture and engine.Records. Record.Events is only there with Options.Events, and says so with a
// panic otherwise.
func Records(name string, protocols []*dissect.Protocol, o dissect.Options) iter.Seq2[*dissect.Record, error] {
	return func(yield func(*dissect.Record, error) bool) {
		in, err := File(name, Options{Protocols: protocols, All: true})
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		for rec, err := range in.Records(o) {
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Options are how an input is read.
type Options struct {
	// Protocols are the protocols to look for. They also determine which recordings can be opened.
	Protocols []*dissect.Protocol

	// DemoProtocol is the protocol number of recordings that do not contain it, neither inside nor in the
	// suffix of their name; 0: not known.
	DemoProtocol int

	All bool // also the packets of captures that are not UDP datagrams
	// also the beginnings of datagrams with missing IP fragments: see capture.Options
	Partial bool
	Link    bool // fill in Packet.Link
	Raw     bool // fill in Packet.Raw
	NoText  bool // a text is no capture, even if it has hex dumps: for files in folders, which nobody named

	// Idle, if not nil, is called before every read of the input, which may block.
	Idle func()

	// Context, if not nil, ends the reading: its error then comes in place of the next packet. A pipe that File opened
	// is no longer waited for.
	Context context.Context
}

// An Input is an open file, pipe or other stream of bytes. It is for one goroutine. It must be closed.
type Input struct {
	raw       *capture.Input
	file      io.Closer // nil: the caller's
	capture   *capture.Reader
	recording dissect.Recording
	recorder  *dissect.Protocol // of it
	messages  uint64            // of the recording, so far
	again     *Source           // the same bytes once more; nil: a pipe
	options   Options
	collected any // of Collect
	closed    bool
	unwatch   func() bool // ends the watch over the context; nil: there is none
}

// File opens a file by its name. The error is the operating system's, or that of New.
func File(name string, o Options) (*Input, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close() // it was only read
		return nil, &dissect.FileError{Code: dissect.ReadFailed, Message: "is a folder; name its files"}
	}
	unwatch := watch(o.Context, f)
	in, err := New(osFile{f}, name, o)
	if err != nil {
		unwatch()
		f.Close() // it was only read
		return nil, cmp.Or(ended(o.Context), err)
	}
	in.file, in.unwatch = f, unwatch
	return in, nil
}

// watch ends the reads of a file with a context, where the system can: files on disk do not block. It returns what
// ends the watch.
func watch(ctx context.Context, f *os.File) (stop func() bool) {
	if ctx == nil {
		return func() bool { return true }
	}
	return context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) }) // not every file has deadlines
}

// ended returns the error of a context, nil while it has none.
func ended(ctx context.Context) error {
	if ctx == nil {
		return nil
	}
	return ctx.Err()
}

// An osFile is a file whose errors do not contain its name: the caller adds it.
type osFile struct{ *os.File }

func (f osFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	if e, ok := err.(*fs.PathError); ok {
		err = e.Err
	}
	return n, err
}

// New reads an input from r, which remains the caller's and open. The name, if there is one, may identify the
// protocol of a recording.
//
// The error is a *dissect.FileError: UnknownFormat for a file that is neither a capture nor a recording of one
// of the protocols.
func New(r io.Reader, name string, o Options) (*Input, error) {
	in := &Input{options: o}
	if again, ok := Again(r); ok {
		in.again = &Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(again), nil }}
	}
	raw, err := capture.Open(r, o.Idle)
	if err != nil {
		return nil, err
	}
	in.raw = raw
	if raw.Format() == capture.Unknown {
		head, _ := raw.Peek(dissect.RecordingHead) // a file may be shorter; the reader reports errors
		for _, p := range o.Protocols {
			if p.OpenRecording != nil {
				if recording, ok := p.OpenRecording(raw, head, name, o.DemoProtocol); ok {
					in.recording, in.recorder = recording, p
					return in, nil
				}
			}
		}
	}
	reading := capture.Options{All: o.All, Partial: o.Partial, Link: o.Link, Raw: o.Raw, NoText: o.NoText}
	if in.capture, err = capture.NewReader(raw, reading); err != nil {
		raw.Close()
		return nil, err
	}
	return in, nil
}

// Next returns the next packet, valid until the next call. The error is io.EOF at a proper end, and a
// *dissect.FileError if the input ends early or is damaged, and that of the context once it has one.
func (in *Input) Next() (*dissect.Packet, error) {
	if in.closed {
		return nil, fs.ErrClosed
	}
	if err := ended(in.options.Context); err != nil {
		return nil, err
	}
	next := in.recording
	if next == nil {
		next = in.capture
	}
	p, err := next.Next()
	switch {
	case err == nil && in.recording != nil:
		in.messages++
	case err != nil && err != io.EOF:
		err = cmp.Or(ended(in.options.Context), err) // of a read that was ended
	}
	return p, err
}

// Packets returns the remaining packets, and at the end an error with a nil packet if there is one.
func (in *Input) Packets() iter.Seq2[*dissect.Packet, error] {
	return func(yield func(*dissect.Packet, error) bool) {
		for {
			p, err := in.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// ErrNoProtocols is the error of records without protocols to look for.
var ErrNoProtocols = errors.New("no protocols to look for: all.Protocols() has every one")

// Collect says what is collected from Records: see engine.Config.Collected.
func (in *Input) Collect(into any) { in.collected = into }

// Records dissects the remaining packets, as engine.Records does, and the datagrams that ICMP errors quote, which need
// Options.All. Keys are recovered unless the options say how they are known. Matches are numbered over all streams.
func (in *Input) Records(o dissect.Options) iter.Seq2[*dissect.Record, error] {
	if len(in.options.Protocols) == 0 {
		return func(yield func(*dissect.Record, error) bool) { yield(nil, ErrNoProtocols) }
	}
	switch {
	case o.NoRecover || o.Recover || o.KeysOnly || o.Keys != nil:
	case in.again == nil:
		o.Recover = true
	default:
		o.Keys = (&Keys{Options: in.options, Sources: []Source{*in.again}}).Find
	}
	records := engine.Records(in.Packets(), engine.Config{
		Protocols: in.options.Protocols, Quotes: true, Options: o, Collected: in.collected,
	})
	if !o.Events {
		return records
	}
	return func(yield func(*dissect.Record, error) bool) {
		var numbers matchid.Numbers
		for rec, err := range records {
			if err == nil {
				numbers.Number(rec)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Events opens a file and gives what happened in its games: the events of Records, as values. An event is valid until
// the next one. An error comes last.
func Events(name string, protocols []*dissect.Protocol, o dissect.Options) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		o.Events = true
		for rec, err := range Records(name, protocols, o) {
			if err != nil {
				yield(event.Event{}, err)
				return
			}
			for e := range event.Of(rec) {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// Recording reports whether the input is a recording, and how many of its messages were read.
func (in *Input) Recording() (messages uint64, ok bool) { return in.messages, in.recording != nil }

// Tail returns the bytes of a recording's file after its last message, once that was read.
func (in *Input) Tail() []byte {
	if r, ok := in.recording.(interface{ Tail() []byte }); ok {
		return r.Tail()
	}
	return nil
}

// Recorder returns the protocol of a recording, nil of a capture.
func (in *Input) Recorder() *dissect.Protocol { return in.recorder }

// Stats returns the statistics of a capture as far as it was read. Those of a recording are empty.
func (in *Input) Stats() capture.Stats {
	if in.capture == nil {
		return capture.Stats{}
	}
	return in.capture.Stats()
}

// IsText reports whether the input is a text with hex dumps.
func (in *Input) IsText() bool {
	return in.capture != nil && in.capture.Stats().Format == capture.HexDump
}

// Close frees the memory, and closes the file that File opened. Nothing returned by the input is valid
// afterwards.
func (in *Input) Close() error {
	if in.closed {
		return nil
	}
	in.closed = true
	in.raw.Close()
	if in.unwatch != nil {
		in.unwatch()
	}
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}
