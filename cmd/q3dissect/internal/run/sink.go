package run

import (
	"os"
	"sync"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/console"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/evidence"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/summary"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/view"
)

// A sink is one output of a pass. The pass reads; a sink has the engine of each input give it the records, takes the
// end of each input with what that did not give, and gets its name when it is closed. No sink knows another. They are
// begun and closed in the order of addSinks.
type sink interface {
	begin() error
	prepare(cfg *engine.Config, name string)
	end(lacks incomplete.List) error
	close(of *ending) error
}

// An ending is what is known when all inputs are read.
type ending struct {
	total       *summary.Total
	lacks       incomplete.List
	readAny     bool
	interrupted bool
	paths       []open.Path
}

// A watcher is a sink that goes by the bytes and packets of the inputs.
type watcher interface {
	opened(src *input.Source)
	packet(p *dissect.Packet)
	closed(src *input.Source)
}

// addSinks makes the sinks that the settings ask for.
func (r *pass) addSinks() {
	if r.Write != "" {
		r.sinks = append(r.sinks, &packetSink{r})
	}
	if r.form.folder || r.Manifest != "" {
		r.sinks = append(r.sinks, &tableSink{r})
	}
	r.sinks = append(r.sinks, &printedSink{r})
	if r.export != nil {
		r.sinks = append(r.sinks, &exportSink{r.export, r.many && !r.ContinueInputs, r.gathers})
	}
	taker, takes := r.export.(EvidenceTaker)
	if r.Evidence == "" && !takes {
		return
	}
	proof := &proofSink{
		Evidence: evidence.New(os.Args[1:]), console: r.Console, name: r.Evidence, written: string(r.Write),
		original: !r.rewrites(), together: r.ContinueInputs,
	}
	if takes {
		proof.taker = taker
	}
	r.out.Copy, r.writing.copy = proof.Stdout, proof.File
	r.sinks, r.watchers = append(r.sinks, proof), append(r.watchers, proof)
}

// closeSinks closes the sinks after the last input, in their order.
func (r *pass) closeSinks(paths []open.Path) error {
	of := &ending{&r.total, r.lacks, r.begun > 0, r.interrupt.Status() != 0, paths}
	for _, s := range r.sinks {
		if err := s.close(of); err != nil {
			return err
		}
	}
	return nil
}

// An exportSink has an Exporter write files.
type exportSink struct {
	Exporter
	many    bool // names distinguish the inputs
	gathers bool // it keeps in memory what it writes at the end
}

func (s *exportSink) begin() error { return nil }

func (s *exportSink) prepare(cfg *engine.Config, name string) {
	s.Prepare(cfg, name, s.many)
	if s.gathers && !isSmall(name) {
		saveMemory(25)
	}
}

func (s *exportSink) end(lacks incomplete.List) error { return s.EndInput(lacks) }

// close leaves the rest to whoever made the Exporter.
func (s *exportSink) close(*ending) error { return nil }

// A proofSink writes the file of --evidence, or gives the evidence to an Exporter.
type proofSink struct {
	*evidence.Evidence
	console *console.Console
	name    output.Name // "": no file
	written string      // the file of -w
	taker   EvidenceTaker

	original bool // the records are of the bytes that were read
	together bool // the inputs are one capture
	checks   *checks
}

func (s *proofSink) opened(src *input.Source) { s.Begin(src) }
func (s *proofSink) packet(p *dissect.Packet) { s.Note(p) }
func (s *proofSink) closed(src *input.Source) { s.End(src) }

func (s *proofSink) begin() error { return nil }

// prepare has the records of an input checked for consistency, where all of them are made, with all fields.
func (s *proofSink) prepare(cfg *engine.Config, name string) {
	s.checks = nil
	parts := cfg.NoTree || cfg.Outline || cfg.Select != nil || cfg.Before != nil
	if parts || !s.original || cfg.Finish != nil {
		return
	}
	if s.together {
		name = ""
	}
	s.checks = newChecks(name)
	next := cfg.FinishTo
	cfg.FinishTo = func(out *engine.Out, rec *dissect.Record) error {
		if s.checks.add(rec); next == nil {
			return nil
		}
		return next(out, rec)
	}
}

func (s *proofSink) end(incomplete.List) error {
	if s.checks != nil {
		s.Consistency = s.checks.appendTo(s.Consistency)
	}
	return nil
}

// A checks is the statistic of consistency, for several workers. What is counted does not depend on their order.
type checks struct {
	chosen
	name  string // of the input
	using sync.Mutex
}

func newChecks(name string) *checks {
	kind, args, err := view.Find("consistency")
	if err != nil {
		panic(err) // it exists
	}
	s, err := kind.New(args, &view.Env{})
	if err != nil {
		panic(err) // it takes no arguments
	}
	return &checks{chosen: chosen{s, kind.Needs}, name: name}
}

func (c *checks) add(rec *dissect.Record) {
	if rec.Uncollected || !c.needs.Counts(rec) {
		return
	}
	c.using.Lock()
	defer c.using.Unlock()
	c.Add(rec)
}

// close writes the evidence, unless there was nothing to be read.
func (s *proofSink) close(of *ending) error {
	s.Count(of.total, s.written)
	s.Interrupted, s.Incomplete = of.interrupted, of.lacks
	if !of.readAny {
		return nil
	}
	if s.taker != nil {
		s.taker.TakeEvidence(s.Evidence)
	}
	if s.name == "" {
		return nil
	}
	return s.Save(s.console, s.name)
}

// appendTo appends the rows by key, with the name of the input.
func (c *checks) appendTo(list []map[string]any) []map[string]any {
	for _, t := range c.Tables() {
		for _, row := range t.Rows {
			entry := map[string]any{}
			if c.name != "" {
				entry["file"] = c.name
			}
			for i := range t.Columns {
				if row[i] != nil {
					entry[t.Columns[i].Key] = row[i]
				}
			}
			list = append(list, entry)
		}
	}
	return list
}

// A packetSink writes the file of -w.
type packetSink struct{ run *pass }

func (s *packetSink) begin() error {
	s.run.writing.name = s.run.Write
	return s.run.writing.begin(s.run.Console, s.run.WriteFormat)
}

func (s *packetSink) prepare(cfg *engine.Config, _ string) { s.run.finishWriting(cfg) }

func (s *packetSink) end(incomplete.List) error { return nil }

// close gives the file its name, and reads it as somebody will who has it alone.
func (s *packetSink) close(of *ending) error {
	r := s.run
	r.writing.note(of.lacks.Whole(), r.replacer != nil)
	written, err := r.endWriting()
	if err != nil {
		return err
	}
	of.total.Written, of.total.Unaddressed = r.writing.packets.Frames(), r.writing.unaddressed
	switch {
	case r.Quiet || !written:
	case r.writing.demo != nil:
		r.checkDemo()
	default:
		r.check()
	}
	return nil
}

// A tableSink writes tables, the manifest, or both.
type tableSink struct{ run *pass }

func (s *tableSink) begin() error { return s.run.openTables() }

// prepare leaves the tables to the pass over one input, which has files of its own.
func (s *tableSink) prepare(*engine.Config, string) {}

func (s *tableSink) end(incomplete.List) error { return nil }

func (s *tableSink) close(of *ending) error { return s.run.endManifest(of.paths) }

// A printedSink is standard output: records, events, conversations, statistics.
type printedSink struct{ run *pass }

// begin prints what precedes the first record.
func (s *printedSink) begin() error {
	if r := s.run; r.joining == nil {
		r.stopped = !(r.Resume && r.done.Output > 0) && r.out.Text(r.opening()) != nil
	}
	return nil
}

func (s *printedSink) prepare(*engine.Config, string) {}

func (s *printedSink) end(incomplete.List) error { return nil }

func (s *printedSink) close(*ending) error {
	if err := s.run.out.Err; err != nil {
		return exit.Unwritable("standard output", err)
	}
	return nil
}
