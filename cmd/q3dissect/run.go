package main

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// A run is one pass over the inputs.
type run struct {
	*plan
	out      output
	progress progress
	total    total

	interrupt interrupt
	status    int  // highest so far
	many      bool // records carry the name of their file

	engine   *dissect.Engine
	tallies  []tally             // by worker of the present engine
	previous *previousTimes      // nil where nobody asks
	packets  uint64              // read from the inputs before
	selected selected            // of the present engine's inputs
	broken   []byte              // with --continue: the records about inputs that broke off
	stopped  bool                // nobody takes the output any more
	replacer *anonymize.Replacer // with --anonymize
	proof    *evidence           // with --evidence

	fragments []uint64 // memory for renumbered IP fragments
}

// run reads the inputs and prints their records. The error carries the exit status.
func (pl *plan) run(inputs []string) error {
	r := &run{plan: pl, out: output{file: pl.stdout, separated: pl.form == formArray}, progress: pl.newProgress()}
	r.many, r.total.filtered = len(inputs) > 1, pl.display != nil && !pl.writing.context
	pl.sources = inputs
	defer r.interrupt.watch(slices.Contains(inputs, standardInput))()
	if r.proof = pl.newEvidence(); r.proof != nil {
		r.out.hash = r.proof.stdout
		r.writing.hash = r.proof.file
	}
	if r.anonymize != "" {
		if err := r.learn(inputs); err != nil {
			return err
		}
	}
	if r.writing.name != "" {
		if err := r.writing.begin(pl.program); err != nil {
			return err
		}
	}
	r.stopped = r.out.text(pl.opening()) != nil
	for _, name := range inputs {
		if !r.wantsMore() {
			break
		}
		r.input(name)
	}
	r.endEngine(r.broken)
	_ = r.out.text(pl.closing(r.out.any)) // the output keeps its error
	_ = r.out.text(pl.results())
	r.progress.clear()
	if r.writing.name != "" {
		if err := r.writing.end(); err != nil {
			return err
		}
		r.total.written = r.writing.packets.Frames()
	}
	if err := r.out.err; err != nil {
		if isClosedPipe(err) {
			return err
		}
		return &statusError{statusUnreadable, "standard output: " + failure(err)}
	}
	if err := r.proof.write(pl.program, pl.evidence, &r.total, r.writing.name); err != nil {
		return err
	}
	if !pl.quiet {
		r.total.print(pl.program, pl.decodeAs)
	}
	if pl.query.report(pl.program) {
		r.status = max(r.status, statusUsage)
	}
	if r.interrupt.happened() {
		return &statusError{status: r.interrupt.status()}
	}
	if r.status == statusDone && pl.exitStatus && r.total.records == 0 {
		r.status = statusNoMatch
	}
	if r.status != statusDone {
		return &statusError{status: r.status}
	}
	return nil
}

// wantsMore reports whether another input is to be opened.
func (r *run) wantsMore() bool {
	return !r.stopped && !r.interrupt.happened() && (r.count.value == 0 || r.packets < r.count.value)
}

// input dissects one input.
func (r *run) input(name string) {
	src, err := r.open(name)
	if err != nil {
		r.fail(statusUnreadable, name, err.Error())
		return
	}
	defer src.close()
	r.proof.begin(src)
	defer r.proof.end(src)
	if r.writing.context {
		if err := r.survey(name); err != nil {
			r.fail(statusUnreadable, name, err.Error())
			return
		}
	}
	if r.engine == nil {
		r.startEngine(name, src.live)
	}
	var idle func()
	var from io.Reader = src
	if src.live {
		idle, from = r.engine.Idle, r.interrupt.reader(src)
	}
	in, err := open.New(from, name, open.Options{
		Protocols: r.protocols, DemoProtocol: int(r.demoProtocol.value), All: true, Link: r.linked, Raw: r.writing.name != "", Idle: idle,
	})
	begun := err == nil
	if begun {
		defer in.Close()
		packets, done := r.source(in)
		err = r.read(src, packets)
		done()
		r.addInput(in)
	}
	var broken []byte
	var fault *dissect.FileError
	switch {
	case r.interrupt.happened(): // where it broke off is of no interest
	case errors.As(err, &fault):
		broken = r.broke(name, fault, begun)
	case err != nil:
		r.fail(statusUnreadable, name, err.Error())
	}
	if r.continueInputs {
		r.broken = append(r.broken, broken...)
	} else {
		r.endEngine(broken)
	}
}

// addInput counts an input that was read.
func (r *run) addInput(in *open.Input) {
	if messages, ok := in.Recording(); ok {
		r.packets += messages
		r.total.addRecording(r.selected.packets)
	} else {
		stats := in.Stats()
		r.packets += stats.Packets
		r.total.addCapture(&stats, r.selected.packets)
	}
	r.selected.packets = 0
}

// read gives the packets of one input to the engine. The error is the reader's; that of the output stays
// there.
func (r *run) read(src *source, packets packetSource) error {
	end := stop{packets: math.MaxUint64, frame: r.frames.last()}
	var offset uint64
	if r.continueInputs {
		offset = r.packets
	}
	if r.count.value > 0 {
		end.packets = r.count.value - r.packets + offset
	}
	for {
		p, err := packets.Next()
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		r.proof.note(p)
		r.renumber(p, offset)
		r.selected.count(p, r.frames)
		if r.previous != nil {
			r.previous.note(p)
		}
		if r.engine.Packet(p) != nil {
			r.stopped = true
			return nil
		}
		if end.after(p) || r.interrupt.happened() {
			return nil
		}
		r.progress.tick(src, r.packets+p.Frame-offset)
	}
}

// renumber makes the packets of all inputs one sequence for --continue.
func (r *run) renumber(p *dissect.Packet, offset uint64) {
	if offset == 0 {
		return
	}
	p.Frame += offset
	if len(p.IPFragments) > 0 {
		r.fragments = r.fragments[:0]
		for _, frame := range p.IPFragments {
			r.fragments = append(r.fragments, frame+offset)
		}
		p.IPFragments = r.fragments
	}
}

// config is what an engine needs to dissect as the settings say.
func (r *run) config() dissect.Config {
	return dissect.Config{
		Protocols: r.protocols,
		Workers:   int(r.workers.value),
		Memory:    int(r.memory),
		Options:   dissect.Options{State: r.state, Events: r.events, Secrets: r.secrets},
		NoTree:    r.events,
		NoWait:    r.lineBuffered,
		All:       r.all,
		Before:    r.before(),
		Select:    r.selection(),
		Output:    r.out.write,
		DecodeAs:  r.decodeAs,
	}
}

// startEngine starts what dissects one input, or all of them with --continue.
func (r *run) startEngine(name string, live bool) {
	if r.time != "" && r.tables.Time.Delta() {
		r.previous = newPreviousTimes(r.all)
	}
	cfg := r.config()
	if needs := r.collects(); needs.Events {
		cfg.Options.Events, cfg.Options.Secrets = true, true // statistics mask passwords themselves
	}
	if r.form != formNothing || r.exitStatus || r.writing.name != "" || len(r.statistics) > 0 {
		r.tallies = make([]tally, r.workers.value)
		cfg.Finish = r.finish(r.renderer(r.previous))
	}
	if r.writing.name != "" {
		r.writing.prepare(&cfg)
	}
	if r.export != nil {
		r.export.prepare(&cfg, name, r.many && !r.continueInputs)
	}
	r.recovering(&cfg, name, live)
	engine, err := dissect.NewEngine(cfg)
	if err != nil {
		panic(err) // the plan checked the protocols of -d
	}
	if r.many && !r.continueInputs {
		engine.File(name)
	}
	r.engine = engine
}

// selection is the engine's Select.
func (r *run) selection() func(frame uint64) bool {
	frames, previous := r.frames, r.previous
	switch {
	case previous != nil:
		return func(frame uint64) bool {
			if !frames.contains(frame) {
				return false
			}
			previous.selected(frame)
			return true
		}
	case len(frames) > 0:
		return frames.contains
	}
	return nil
}

// finish is the engine's Finish: it counts a record and renders it, if it is to be printed.
func (r *run) finish(render func(dst []byte, rec *dissect.Record) []byte) func(int, []byte, *dissect.Record) ([]byte, error) {
	tallies, previous, accepter := r.tallies, r.previous, r.newAccepter()
	return func(worker int, dst []byte, rec *dissect.Record) ([]byte, error) {
		tallies[worker].seen(rec, r.decodeAs)
		if r.events && len(rec.Events.Nodes) == 0 || !accepter.accepts(worker, rec) {
			if previous != nil {
				previous.of(rec) // nobody else takes it
			}
			return dst, nil
		}
		tallies[worker].printed(rec)
		r.collect(rec)
		if render == nil {
			return dst, nil
		}
		return render(dst, rec), nil
	}
}

// endEngine prints everything that is left of the present engine's input, and then what is to be said
// about the input itself.
func (r *run) endEngine(broken []byte) {
	if r.engine != nil {
		stats, err := r.engine.Close()
		r.stopped = r.stopped || err != nil
		r.total.addEngine(&stats, r.tallies, r.selected.of(r.frames))
		r.engine, r.selected = nil, selected{}
		if r.export != nil {
			r.stopped = r.export.endInput() != nil || r.stopped
		}
	}
	if r.out.write(broken) != nil {
		r.stopped = true
	}
}

// broke tells about an input that cannot be read, or not to its end. begun says that it is of a known kind.
// The result is the record for it, if there is one.
func (r *run) broke(name string, fault *dissect.FileError, begun bool) []byte {
	if !begun && (fault.Code == capture.UnknownFormat || fault.Code == capture.ReadFailed) {
		r.fail(statusUnreadable, name, unreadable(fault))
		return nil
	}
	r.fail(statusBrokenOff, name, fault.Error())
	file := ""
	if r.many {
		file = name
	}
	return r.fileError(nil, file, fault.Code, fault.Offset, fault.Message)
}

// fail tells about an input and remembers the status.
func (r *run) fail(status int, name, message string) {
	r.progress.clear()
	if name == standardInput {
		name = "standard input"
	}
	r.complain(name + ": " + message)
	r.status = max(r.status, status)
}
