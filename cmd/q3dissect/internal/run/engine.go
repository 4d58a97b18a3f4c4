package run

import (
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/summary"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
)

// config returns an engine's configuration after the settings.
func (r *pass) config() engine.Config {
	workers := int(r.Workers.Value)
	if r.small {
		workers = 0 // the other inputs keep the processors busy
	}
	LimitHeap(int(r.Memory))
	return engine.Config{
		Protocols: r.protocols,
		Workers:   workers,
		Memory:    int(r.Memory),
		Collected: r.collected(),
		Options: dissect.Options{
			State: r.State, Framing: r.framing, Events: r.Events, ShotEvents: r.Shots, Secrets: r.Secrets,
			Highlights: r.Highlights.Rules(r.Settings.Filter),
		},
		NoTree:   r.Events,
		NoWait:   r.LineBuffered,
		All:      r.All,
		Quotes:   !r.Events && r.export == nil,
		Before:   r.meeting(r.before()),
		Select:   r.selection(),
		Output:   r.out.Records,
		DecodeAs: r.DecodeAs,
	}
}

// startEngine starts the engine for one input, or for all of them with --continue.
func (r *pass) startEngine(name string, live bool) {
	cfg := r.config()
	needs := r.collects()
	cfg.Options.Inputs, cfg.Options.Files, cfg.Options.Shots = needs.Inputs, needs.Files, needs.Shots
	cfg.Options.MatchTimes = r.Window.Given()
	if needs.Events {
		cfg.Options.Events, cfg.Options.Secrets = true, true // statistics mask passwords themselves
	}
	if r.form != formNothing || r.ExitStatus || r.Write != "" || len(r.statistics) > 0 {
		r.tallies = make([]summary.Tally, r.Workers.Value+1) // the last one is that of the output
		for i := range r.tallies {
			r.tallies[i].Meets = r.display != nil
		}
		if cfg.FinishTo = r.finish(r.renderer()); r.Events {
			r.finishEvents(&cfg)
		}
	}
	if r.follow != nil && r.Write == "" {
		r.finishFollow(&cfg)
	}
	for _, s := range r.sinks {
		s.prepare(&cfg, name)
	}
	r.recovering(&cfg, name, live)
	if r.set != nil {
		r.beginTables(&cfg, name)
	}
	if r.many && !r.ContinueInputs {
		cfg.File, r.out.Heading = name, r.heading(name)
	}
	e, err := engine.New(cfg)
	if err != nil {
		panic(err) // the plan checked the protocols of -d
	}
	r.engine = e
}

// heading names an input above its records, for people who read several: the other forms have the name in each record.
func (r *pass) heading(name string) []byte {
	if r.form != formText || r.merge != nil {
		return nil
	}
	return []byte(terminal.Visible(name) + ":\n")
}

// selection is the engine's Select.
func (r *pass) selection() func(frame uint64) bool {
	if len(r.Frames) == 0 {
		return nil
	}
	return r.Frames.Contains
}

// finish is the engine's FinishTo: it counts a record and renders it, if it is to be printed.
func (r *pass) finish(render func(dst []byte, rec *dissect.Record) []byte) func(*engine.Out, *dissect.Record) error {
	tallies, accepter := r.tallies, r.newAccepter()
	return func(out *engine.Out, rec *dissect.Record) error {
		if rec.Closing {
			if len(r.Frames) == 0 && (accepter == nil || accepter.inWindow(out.Worker, rec)) {
				r.collect(rec)
			}
			return nil
		}
		tallies[out.Worker].Seen(rec, r.DecodeAs)
		if !accepter.accepts(out.Worker, rec) {
			return nil
		}
		tallies[out.Worker].Printed(rec)
		r.frame(rec)
		r.collect(rec)
		switch {
		case r.Write != "":
			if r.keepWritten(out, rec); r.PrintToo && render != nil {
				out.Bytes = render(out.Bytes, rec)
			}
		case render != nil:
			out.Bytes = render(out.Bytes, rec)
		}
		return nil
	}
}

// frame prepares what frames the fields of a record for those that show it, or removes what only statistics or a filter
// needed.
func (r *pass) frame(rec *dissect.Record) {
	for _, s := range r.statistics {
		if s.needs.Framing && s.needs.Counts(rec) && !rec.Uncollected {
			s.Add(rec)
		}
	}
	switch {
	case r.Framing:
		rec.Tree.Separate()
	case r.framing && r.selector == nil:
		rec.Tree.Unframe()
	}
}

// endEngine prints the rest of the present engine's input, and then the messages about the input itself.
func (r *pass) endEngine(broken []byte) {
	var lacks incomplete.List
	if r.engine == nil {
		lacks = r.account(nil)
	} else {
		stats, err := r.engine.Close()
		if note := r.accepter.noteTimes(); note != "" && !r.Quiet && len(r.accounts) == 1 {
			r.complain(r.accounts[0].File + ": " + note)
		}
		r.stopped = r.stopped || err != nil
		lacks = r.account(&stats)
		r.endTables(err, lacks)
		r.total.AddEngine(&stats, r.tallies, r.selected.Datagrams(r.Frames))
		r.engine, r.selected = nil, summary.Selected{}
		for _, s := range r.sinks {
			r.stopped = s.end(lacks) != nil || r.stopped
		}
	}
	if r.out.Records(r.restOfMerge()) != nil || r.out.Records(broken) != nil {
		r.stopped = true
	}
	r.printLacks(lacks)
}
