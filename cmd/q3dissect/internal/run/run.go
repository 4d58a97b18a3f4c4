// Package run reads inputs and prints their contents: the settings that commands share, the plan that they
// amount to, and one pass over the inputs.
package run

import (
	"errors"
	"hash"
	"io"
	"math"
	"os"
	"slices"

	"github.com/q3dissect/q3dissect/cmd/internal/parquet"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/manifest"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/output"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/summary"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/anonymize"
	"github.com/q3dissect/q3dissect/dissect/capture"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/keys"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/quantity"
)

// A pass is one pass over the inputs.
type pass struct {
	*plan
	out      output.Stream
	progress input.Progress
	bar      *input.FileProgress // over several inputs
	total    summary.Total
	rowCount int // of statistics

	searches  *keys.Share // of the present input
	interrupt *input.Interrupt
	status    int  // highest so far
	many      bool // records carry the name of their file

	engine   *engine.Engine
	tallies  []summary.Tally            // by worker of the present engine
	accepter *accepter                  // of the present engine's records; nil: all are shown
	packets  uint64                     // read from the inputs before
	names    []string                   // of the inputs that were read, for statistics
	begun    int                        // inputs whose kind is known
	seen     int                        // inputs that the run came to
	selected summary.Selected           // of the present engine's inputs
	broken   []byte                     // with --continue: the records about inputs that ended with an error
	accounts []*incomplete.Account      // of the present engine's inputs: what they did not give
	lacks    incomplete.List            // of all inputs before
	stopped  bool                       // the output accepts no more
	replacer *anonymize.Replacer        // with --anonymize and --remove
	learnt   map[string]dissect.Options // with them, by input: how its keys are known
	sinks    []sink                     // the outputs, beside the records and what is made of them
	watchers []watcher                  // those that go by the bytes of the inputs
	writing  writing                    // with -w

	fragments []uint64 // memory for renumbered IP fragments

	done    *manifest.Manifest // with --manifest
	folder  *os.File           // of -T parquet, which is locked
	written int64              // bytes of standard output before this run
	noted   int64              // bytes of it that the manifest has
	sum     hash.Hash          // of those after them

	finished map[string]bool // with -T parquet: the inputs that are not read
	shared   shared

	// For a pass over one of many inputs.
	alone      bool
	small      bool           // the goroutine that reads it does everything
	found      bool           // it was found in a folder
	noInput    bool           // and is of another kind
	complaints []string       // to be printed when it is its turn
	reason     string         // the last of them
	sheet      *parquet.Input // with -T parquet, while an engine runs and until its turn
	files      []parquet.File // what was written of it alone
}

// Run reads the inputs and prints their records. The error carries the exit status.
func (pl *plan) Run(inputs []string) error {
	r := &pass{
		plan: pl, out: output.Stream{File: terminal.Output(pl.Stdout), Separated: pl.form.array},
		interrupt: &input.Interrupt{},
	}
	paths := r.expand(inputs)
	inputs = inputs[:0:0]
	for _, path := range paths {
		inputs = append(inputs, path.Name)
	}
	r.many, r.total.Filtered = len(inputs) > 1 || pl.Recursive, (pl.display != nil || pl.Window.Given()) && !pl.WithContext
	pl.sources = inputs
	if !pl.Quiet || len(pl.statistics) > 0 { // -q -z reads as long as any
		r.progress = input.NewProgress(pl.Console, pl.form.folder || pl.form == formNothing && pl.follow == nil)
	}
	defer r.interrupt.Watch(slices.Contains(inputs, input.Standard))()
	r.query.Until(r.interrupt.Working())
	if !pl.Quiet {
		for _, note := range pl.notes {
			pl.Complain(note)
		}
	}
	if !r.anyReadable(paths) {
		return r.report()
	}
	if err := r.checkRecordings(inputs); err != nil {
		return err
	}
	r.prepareJoin(len(inputs))
	if err := r.begin(inputs); err != nil {
		return err
	}
	if pl.apart() && (len(paths) > 1 || pl.Manifest != "") {
		r.concurrently(paths)
	} else {
		for _, path := range paths {
			if !r.wantsMore() {
				break
			}
			r.found, r.searches = !path.Given, r.KeyShare()
			r.input(path.Name)
			r.seen++
		}
	}
	r.endEngine(r.broken)
	r.missed(paths)
	if r.joining != nil {
		r.printJoined()
	}
	r.progress.Clear()
	_ = r.out.Text(r.restOfFollow()) // the output keeps its error
	_ = r.out.Text(pl.closing(r.out.Any))
	_ = r.out.Text(r.results())
	r.restOfLacks()
	r.progress.Clear()
	pl.read = r.begun > 0
	if err := r.closeSinks(paths); err != nil {
		return err
	}
	return r.report()
}

// anyReadable reports whether an input can be read, as far as that can be known before it is; if none can, it complains
// about each. It is known before any output: what a mistyped name gives is no result, not even an empty one.
func (r *pass) anyReadable(paths []open.Path) bool {
	faults := make([]error, len(paths))
	for i, path := range paths {
		if faults[i] = r.readable(path.Name); faults[i] == nil {
			return true
		}
	}
	for i, path := range paths {
		var fault *dissect.FileError
		if path.Given || !errors.As(faults[i], &fault) || fault.Code != dissect.UnknownFormat {
			r.fail(exit.Unreadable, path.Name, exit.Reason(faults[i]))
		}
	}
	return len(paths) == 0
}

// readable returns the error of an input that cannot be read at all. What can be read only once is not looked at, and
// nothing is if there are no files to be written.
func (r *pass) readable(name string) error {
	if err := input.Check(name); err != nil {
		return err
	}
	if r.Write == "" && r.Evidence == "" && r.Manifest == "" && !r.form.folder && r.export == nil {
		return nil
	}
	if info, err := os.Stat(name); name == input.Standard || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	in, err := open.File(name, r.reading())
	var fault *dissect.FileError
	switch {
	case err == nil:
		in.Close() // it was not read
		return nil
	case errors.As(err, &fault) && fault.Code != dissect.UnknownFormat && fault.Code != dissect.ReadFailed:
		return nil // something of it is known
	}
	return err
}

// begin prepares what the pass writes, and the names that --anonymize and --remove replace.
func (r *pass) begin(inputs []string) error {
	r.addSinks()
	if r.total.Removing = r.Remove.Given(); r.rewrites() {
		if err := r.learn(inputs); err != nil {
			return err
		}
	}
	for _, s := range r.sinks {
		if err := s.begin(); err != nil {
			return err
		}
	}
	return nil
}

// report prints the summary and returns the exit status as an error, nil if everything was done.
func (r *pass) report() error {
	if r.interrupt.Status() != 0 {
		r.total.Interrupted()
	}
	if !r.Quiet {
		r.total.Stopped = r.Count.Value > 0 && r.packets >= r.Count.Value && !r.All
		r.total.Hidden = !r.All
		r.total.Print(r.Console, r.DecodeAs)
	}
	if line := r.unmet(); line != "" {
		r.Complain(line)
	}
	if r.total.Stopped && r.total.Filtered && !r.Quiet && r.total.Records < r.Count.Value && r.interrupt.Status() == 0 {
		r.Complain("-c ends the reading after " + quantity.Count(r.Count.Value, "packet") +
			", shown or not; for the first lines that are shown leave it out, and add | head")
	}
	if r.interrupt.Status() != 0 {
		r.Complain(r.interruption())
	}
	if faults := r.query.Faults(); faults != "" {
		r.Complain(faults)
		r.status = max(r.status, exit.Usage)
	}
	if status := r.interrupt.Status(); status != 0 {
		return exit.With(status)
	}
	if r.status == exit.Done && r.ExitStatus && (r.total.Records == 0 || r.RowsCount && r.rowCount == 0) {
		r.status = exit.NoMatch
	}
	return exit.Highest(r.status)
}

// wantsMore reports whether another input is to be opened.
func (r *pass) wantsMore() bool {
	return !r.stopped && !r.interrupt.Happened() && (r.Count.Value == 0 || r.packets < r.Count.Value)
}

// input dissects one input.
func (r *pass) input(name string) {
	defer r.searches.End() // inputs after it wait for that; if they continue each other, the first has the share of all
	account := &incomplete.Account{File: name}
	r.accounts = append(r.accounts, account)
	src, err := input.Open(r.Stdin, name)
	if err != nil {
		r.fail(exit.Unreadable, name, err.Error())
		account.Fault(err)
		return
	}
	defer src.Close()
	for _, w := range r.watchers {
		w.opened(src)
		defer w.closed(src)
	}
	if r.WithContext {
		if err := r.survey(name); err != nil {
			r.fail(exit.Unreadable, name, err.Error())
			return
		}
	}
	if r.engine == nil {
		r.startEngine(name, src.Live)
	}
	var idle func()
	var from io.Reader = src
	if src.Live {
		idle, from = r.engine.Idle, r.interrupt.Reader(src)
	}
	reading := r.reading()
	reading.Link, reading.Raw, reading.Idle, reading.NoText = r.linked, r.Write != "" || r.framed, idle, r.found
	in, err := open.New(from, name, reading)
	begun := err == nil
	if begun {
		r.begun++
		defer in.Close()
		if r.refuses(name, in) {
			return
		}
		r.beginJoin(name)
		packets, done := r.source(in, name)
		err = r.read(src, packets)
		done(account)
		if demo, ok := r.writing.packets.(*demoWriter); ok {
			demo.end = append(demo.end, in.Tail()...)
		}
		r.addInput(name, in)
		stats := in.Stats()
		account.Capture(&stats)
	}
	var broken []byte
	var fault *dissect.FileError
	switch {
	case !begun && r.interrupt.Status() != 0, r.interrupt.Happened(): // the reader's place is of no interest
		account.Interrupt(src.Progress())
	case errors.As(err, &fault):
		if broken = r.broke(name, fault, begun); !r.noInput {
			account.Fault(fault)
		}
	case err != nil:
		r.fail(exit.Unreadable, name, err.Error())
		account.Fault(err)
	}
	if r.ContinueInputs {
		r.broken = append(r.broken, broken...)
	} else {
		r.endEngine(broken)
	}
}

// reading is how inputs are read.
func (pl *plan) reading() open.Options {
	return open.Options{
		Protocols: pl.protocols, DemoProtocol: int(pl.DemoProtocol.Value), All: true, Partial: pl.All,
	}
}

// addInput counts an input that was read.
func (r *pass) addInput(name string, in *open.Input) {
	if len(r.statistics) > 0 {
		r.names = append(r.names, name)
	}
	if messages, ok := in.Recording(); ok {
		if r.Window.Dated() {
			r.complain(name + ": a recording has no capture times; --from and --to select by the game's clocks: --from 60 " +
				"by the server's, --from 1:00 by the match's")
		}
		r.packets += messages
		r.total.AddRecording(r.selected.Packets)
	} else {
		if len(r.Frames) > 0 && r.Frames.Last() == 0 {
			r.complain(name + ": packets of a capture count from 1, so --frames 0 selects none")
		}
		stats := in.Stats()
		r.packets += stats.Packets
		r.total.AddCapture(&stats, r.selected.Packets)
	}
	r.selected.Packets = 0
}

// read passes the packets of one input to the engine. The error is the reader's; the output keeps its own.
func (r *pass) read(src *input.Source, packets open.Packets) error {
	end := stop{packets: math.MaxUint64, frame: r.Frames.Last()}
	var offset uint64
	if r.ContinueInputs {
		offset = r.packets
	}
	if r.Count.Value > 0 {
		end.packets = r.Count.Value - r.packets + offset
	}
	times := r.newSpan()
	err := open.Feed(r.engine, packets, func(p *dissect.Packet) bool {
		for _, w := range r.watchers {
			w.packet(p)
		}
		times.add(p)
		r.renumber(p, offset)
		r.selected.Count(p, r.Frames)
		r.progress.Tick(src, r.packets+p.Frame-offset)
		return !end.after(p) && !r.interrupt.Happened()
	})
	if note := times.note(); note != "" && !r.ContinueInputs && !r.Quiet {
		r.complain(src.Name + ": " + note)
	}
	r.stopped = r.stopped || r.engine.Err() != nil
	return err
}

// renumber numbers the packets of all inputs in one sequence for --continue.
func (r *pass) renumber(p *dissect.Packet, offset uint64) {
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

// broke reports an input that cannot be read, or not to its end. begun is true if its kind is known. It returns
// the record about the fault, if the form has one.
func (r *pass) broke(name string, fault *dissect.FileError, begun bool) []byte {
	if !begun && fault.Code == capture.UnknownFormat && r.found {
		r.noInput = true
		return nil
	}
	if !begun && (fault.Code == capture.UnknownFormat || fault.Code == capture.ReadFailed) {
		r.fail(exit.Unreadable, name, exit.Reason(fault))
		return nil
	}
	r.fail(exit.BrokenOff, name, fault.Error())
	file := ""
	if r.many {
		file = name
	}
	return r.fileError(file, fault.Code, fault.Offset, fault.Message)
}

// fail reports an error of an input and keeps the status.
func (r *pass) fail(status int, name, message string) {
	if name == input.Standard {
		name = "standard input"
	}
	r.reason = message
	r.complain(name + ": " + message)
	r.status = max(r.status, status)
}

// complain writes a line to standard error, or keeps it until it is the input's turn.
func (r *pass) complain(line string) {
	if r.alone {
		r.complaints = append(r.complaints, line)
		return
	}
	r.progress.Clear()
	r.Complain(line)
}
