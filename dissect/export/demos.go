package export

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"strings"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/extract"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// Demos writes the demos that the records of engines hold (Options.Demos): one file for each client and
// each game that it was sent, of the same bytes whatever the number of workers.
//
// The inputs come one after the other: BeginInput, then Add from the engine's Finish, then EndInput when the
// engine is closed, and in the end Close. A demo is written under a name that ends with ".part" until it is complete
// and on the disk. After an error no further demo gets its name.
type Demos struct {
	folder folder[*demoStream]
	result Manifest

	skipped []SkippedSession // of this export
	earlier Manifest         // of the folder
	before  int              // demos of it in the result
}

// A demoStream is the state of one stream.
type demoStream struct {
	number         int
	server, client netip.AddrPort
	session        int
	messages       uint64 // of the session
	left           map[extract.DemoLeft]uint64
	clock          *TimeSpan // of the session's snapshots; nil: none
	open           *demoFile
	names          map[string]bool // of its demos, in lower case and without extension
	demos          []Demo
	present        bool // the folder had the last one already
	skipped        []SkippedSession
}

// flush writes the collected bytes of the open demo, if there is one.
func (s *demoStream) flush() error {
	if s.open == nil || len(s.open.buf) == 0 {
		return nil
	}
	return s.open.flush()
}

// NewDemos checks whether demos can be written to a folder, which is created with the first of them.
func NewDemos(cfg Config) (*Demos, error) { return newDemos(cfg, openStore) }

func newDemos(cfg Config, open func(dir string, create bool) (store, error)) (*Demos, error) {
	d := new(Demos)
	if err := d.folder.open(cfg, open); err != nil {
		return nil, err
	}
	if err := d.readEarlier(); err != nil {
		return nil, errors.Join(err, d.folder.release())
	}
	return d, nil
}

// BeginInput begins an input. If there are several, each has a name, with which the names of its files begin.
func (d *Demos) BeginInput(name string) { d.folder.begin(name) }

// Add writes a record's part of a demo. It is called like the engine's Finish.
func (d *Demos) Add(worker int, rec *dissect.Record) {
	if p := &rec.Demo; (p.Message || p.End) && d.Err() == nil {
		d.folder.fail(d.add(&d.folder.workers[worker], rec, p))
	}
}

func (d *Demos) add(w *worker[*demoStream], rec *dissect.Record, p *extract.Demo) error {
	s := w.streams[max(rec.Stream, 0)]
	if s == nil {
		s = &demoStream{
			number: max(rec.Stream, 0), session: p.Session, left: map[extract.DemoLeft]uint64{},
			names: map[string]bool{},
		}
		w.streams[s.number] = s
	}
	if p.Session != s.session {
		if err := d.endSession(s); err != nil {
			return err
		}
		s.session, s.messages, s.clock = p.Session, 0, nil
	}
	switch {
	case !p.HasTime:
	case s.clock == nil:
		s.clock = &TimeSpan{First: p.ServerTime, Last: p.ServerTime}
	default:
		s.clock.First, s.clock.Last = min(s.clock.First, p.ServerTime), max(s.clock.Last, p.ServerTime)
	}
	s.server, s.client = rec.Src, rec.Dst
	s.messages++
	if p.Left != "" {
		s.left[p.Left]++
	}
	switch {
	case p.Begin != nil && p.Begin.Again && s.open != nil:
		if err := s.open.restart(p.Begin); err != nil {
			return err
		}
	case p.End || p.Begin != nil:
		if err := d.endDemo(s); err != nil {
			return err
		}
		if p.Begin == nil {
			break
		}
		f, err := d.create(rec, s, p)
		if err != nil {
			return err
		}
		s.open = f
	}
	if s.open == nil || len(p.Data) == 0 {
		return nil
	}
	return errors.Join(s.open.add(rec, p), w.wait(len(p.Data)))
}

// create begins a demo.
func (d *Demos) create(rec *dissect.Record, s *demoStream, p *extract.Demo) (*demoFile, error) {
	end := rec.Protocol.DemoEnd
	if end == nil {
		return nil, fmt.Errorf("%s tells of a demo and has none", rec.Protocol.Name)
	}
	files, err := d.folder.files()
	if err != nil {
		return nil, err
	}
	base := fmt.Sprintf("%s%03d-%d-%s", d.folder.prefix, s.number, s.session, safeName(p.Begin.Map))
	if player := wiretext.String(p.Begin.Player); d.folder.beside() && player != "" {
		base += "-" + safeName(player)
	}
	if p.Begin.Part != nil {
		base = partName(d.folder.prefix, s, p)
	}
	name := d.folder.uniqueName(base, "", s.names) + "." + p.Begin.Extension
	if err := d.folder.vacant(name); err != nil {
		return nil, err
	}
	f := &demoFile{file: partFile{store: files, name: name + d.folder.partSuffix}, end: end}
	f.demo = Demo{File: name, Input: wiretext.String([]byte(d.folder.input)), Stream: s.number, Session: s.session}
	if !rec.Recorded() {
		f.demo.Server, f.demo.Client = s.server.String(), s.client.String()
	}
	return f, f.restart(p.Begin)
}

// partName returns the name of a demo of moments: without the map it is short enough for the engine. Names of one
// player's demos are in the order of the clock.
func partName(prefix string, s *demoStream, p *extract.Demo) string {
	player, at := safeName(wiretext.String(p.Begin.Player)), int64(p.ServerTime)
	if moments := p.Begin.Part.Moments; len(moments) > 0 {
		at = moments[0].ServerTime
	}
	before, after := fmt.Sprintf("%s%03d-%d-", prefix, s.number, s.session), fmt.Sprintf("-%010d", at)
	room := maxPath - len("demos/") - len(before) - len(after) - len("-2.") - len(p.Begin.Extension)
	return before + player[:min(len(player), maxPlayer, max(room, 1))] + after
}

// maxPlayer is the most characters of a player's name in the name of a part.
const maxPlayer = 12

// endDemo completes the open demo, if there is one.
func (d *Demos) endDemo(s *demoStream) error {
	if s.open == nil {
		return nil
	}
	demo, err := s.open.close(d.folder.findPresent, d.folder.publish)
	s.open = nil
	if err != nil {
		return err
	}
	if s.present = demo.SHA256 == ""; !s.present {
		s.demos = append(s.demos, demo)
	}
	return nil
}

// endSession completes the open demo, and accounts for the messages that are in no demo.
func (d *Demos) endSession(s *demoStream) error {
	err := d.endDemo(s)
	if n := len(s.demos); n > 0 && s.demos[n-1].Session == s.session {
		s.demos[n-1].LeftOut = s.left
	} else if s.messages > 0 && !s.present {
		skipped := SkippedSession{
			Input: wiretext.String([]byte(d.folder.input)), Stream: s.number, Session: s.session,
			Messages: s.messages, LeftOut: s.left,
		}
		for reason, n := range s.left {
			if most := s.left[skipped.Reason]; n > most || n == most && reason < skipped.Reason {
				skipped.Reason = reason
			}
		}
		if skipped.Reason == "" { // there is the gamestate, and nothing after it
			skipped.Reason = extract.DemoNoSnapshot
		}
		if skipped.Reason == extract.DemoOutside {
			skipped.ServerTime = s.clock
		}
		if s.server.IsValid() {
			skipped.Server, skipped.Client = s.server.String(), s.client.String()
		}
		s.skipped = append(s.skipped, skipped)
	}
	s.left, s.present = map[extract.DemoLeft]uint64{}, false
	return err
}

// EndInput completes the demos of the input. It returns the first error so far.
func (d *Demos) EndInput() error {
	for _, s := range d.folder.end() {
		if d.Err() != nil && s.open != nil { // records of it may be missing
			_ = s.open.file.discard() // the first error counts
			s.open = nil
		} else {
			d.folder.fail(d.endSession(s))
		}
		maps.Copy(d.folder.taken, s.names)
		d.result.Demos = append(d.result.Demos, s.demos...)
		d.result.Skipped = append(d.result.Skipped, s.skipped...)
	}
	return d.Err()
}

// Lacks adds what an input did not give to the manifest. It is called before EndInput.
func (d *Demos) Lacks(lacks incomplete.List) {
	d.result.Incomplete = append(d.result.Incomplete, lacks...)
}

// Abandon ends an export without a manifest. It takes the place of Close where no input could be read.
func (d *Demos) Abandon() error { return d.folder.abandon() }

// Err returns the first error so far: nothing is written after it.
func (d *Demos) Err() error { return d.folder.first() }

// Close writes the manifest, and returns it, even after an error. It lists the demos of an earlier export in the folder
// first. Without a demo of its own it leaves the folder as it was, or absent.
func (d *Demos) Close() (*Manifest, error) {
	if err := d.Err(); err != nil {
		if d.result.Demos == nil {
			return &d.result, errors.Join(err, d.folder.release())
		}
		d.result.Error = err.Error()
	}
	nothing := len(d.result.Demos) == 0
	if d.join(); nothing {
		return &d.result, d.folder.abandon()
	}
	return &d.result, d.folder.describe(&d.result)
}

// maxPath is the most bytes of a demo's whole name, with "demos/": the engine finds none with a longer one.
const maxPath = 63

// maxName is the most characters of a file's name that come from the wire.
const maxName = 20

// safeName makes a file name from a text of the wire: small letters, digits, - and _.
func safeName(s string) string {
	b := make([]byte, 0, len(s))
	for _, c := range []byte(strings.ToLower(s)) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			c = '_'
		}
		b = append(b, c)
	}
	if len(b) == 0 {
		return "unknown"
	}
	return string(b[:min(len(b), maxName)])
}
