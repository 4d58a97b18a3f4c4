package command

import (
	"cmp"
	"slices"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/input"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/compare"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// checkSession checks the flags and the names of the views of a session.
func (o *compareFlags) checkSession(args []string) error {
	switch {
	case o.merge || o.write != "" || o.seconds:
		return exit.Usagef("--session compares inputs and places; leave out --merge, --seconds and -w")
	case o.packets && !o.json:
		return exit.Usagef("--packets is for --json")
	case len(args) < 2:
		return exit.Usagef("compare --session takes what a server recorded and a capture or demo of it, not %d file",
			len(args))
	case slices.Contains(args, input.Standard):
		return exit.Usagef("compare reads files, not standard input")
	}
	return nil
}

// compareSession compares captures and demos with what the server recorded of the session.
func (p *program) compareSession(o *compareFlags, args []string) error {
	if err := o.checkSession(args); err != nil {
		return err
	}
	var views, records []*compare.View
	status := exit.Done
	defer p.watch(len(args), false)()
	for _, name := range args {
		v, fault := p.sessionView(name)
		status = max(status, fault)
		switch {
		case v == nil:
			return exit.With(status)
		case v.IsRecord():
			records = append(records, v)
		default:
			views = append(views, v)
		}
	}
	switch {
	case len(records) == 0:
		return exit.Usagef("--session: none of the files is what a server recorded of all players, as a teehistorian file " +
			"is")
	case len(views) == 0:
		return exit.Usagef("--session: all of the files are what a server recorded; name a capture, a demo or a ghost " +
			"too")
	}
	s := compare.CompareSession(views, records)
	var out []byte
	if o.json {
		out = s.AppendJSON(out, o.packets)
	} else {
		out = terminal.Fold(s.AppendText(out), terminal.Width(p.Stdout))
	}
	if err := cmp.Or(p.Print(out), p.printLacks(o.json)); err != nil {
		return err
	}
	return exit.Highest(status)
}

// sessionView reads an input as a view of a session. nil: it cannot be read, which was reported.
func (p *program) sessionView(name string) (v *compare.View, status int) {
	in, err := open.File(name, open.Options{Protocols: p.protocols})
	if err != nil {
		p.Complain(name + ": " + exit.Reason(err))
		return nil, exit.Unreadable
	}
	defer in.Close()
	v = compare.NewView(terminal.Visible(name))
	lacks, read := incomplete.Account{File: name}, 0
	defer func() {
		p.bar.Tick()
		stats := in.Stats()
		lacks.Capture(&stats)
		p.lack(&lacks)
	}()
	for rec, err := range engine.Records(in.Packets(), engine.Config{
		Protocols: p.protocols, Options: dissect.Options{Events: true, Inputs: true, Secrets: true},
	}) {
		if err == nil {
			lacks.Record(rec)
			err = v.Add(rec)
			read++
		}
		if err == nil && p.ends(name, &lacks, read) {
			return v, p.interrupt.Status()
		}
		if err != nil { // what came before it is compared
			lacks.Fault(err)
			p.Complain(name + ": " + exit.Reason(err))
			return v, exit.BrokenOff
		}
	}
	return v, exit.Done
}
