package run

import (
	"fmt"
	"slices"

	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/terminal"
	"github.com/q3dissect/q3dissect/dissect/engine"
	"github.com/q3dissect/q3dissect/dissect/incomplete"
	"github.com/q3dissect/q3dissect/dissect/open"
)

// account ends the account of the present engine's inputs, and returns it. stats is nil if no engine was started.
func (r *pass) account(stats *engine.Stats) (lacks incomplete.List) {
	for i, a := range r.accounts {
		if stats != nil && i == len(r.accounts)-1 {
			a.Engine(stats)
		}
		lacks = append(lacks, a.List()...)
	}
	r.accounts = nil
	r.lacks = append(r.lacks, lacks...)
	return lacks
}

// missed adds the inputs that the run did not come to before a signal ended it.
func (r *pass) missed(paths []open.Path) {
	if !r.interrupt.Happened() {
		return
	}
	var lacks incomplete.List
	for _, path := range paths[min(r.seen, len(paths)):] {
		a := incomplete.Account{File: path.Name}
		a.Interrupt(0, 0)
		lacks = append(lacks, a.List()...)
	}
	r.lacks = append(r.lacks, lacks...)
	r.printLacks(lacks)
}

// interruption is what a signal did: it may come when the input was read, and only its result was not printed yet.
func (r *pass) interruption() string {
	cut := func(reason incomplete.Reason) bool { return reason.Code == incomplete.Interrupted }
	if r.begun > 0 && !slices.ContainsFunc(r.lacks, cut) {
		return "interrupted: all of the input was read"
	}
	return "interrupted: the rest of the input was not read"
}

// printLacks prints after the records of an input what it did not give. restOfLacks does it for results that come at
// the end of the run.
func (r *pass) printLacks(lacks incomplete.List) {
	if r.noResult() || r.joining != nil || r.follow != nil || !r.prints() {
		return
	}
	r.lackOf(r.inForm(lacks))
}

// noResult reports whether the only input could not be read: then there is nothing to be incomplete.
func (r *pass) noResult() bool {
	return r.begun == 0 && len(r.sources) == 1 && r.status == exit.Unreadable
}

// prints reports whether records or events are printed one by one.
func (pl *plan) prints() bool {
	create := pl.form.records
	if pl.Events {
		create = pl.form.events
	}
	return create != nil && !pl.form.folder
}

// inForm returns what the form has to say: records show some reasons themselves, events and statistics none.
func (pl *plan) inForm(lacks incomplete.List) incomplete.List {
	if pl.Events {
		return lacks.Missing()
	}
	return lacks.Whole()
}

// lackOf prints reasons in the form of the records, or as comments on standard error.
func (r *pass) lackOf(lacks incomplete.List) {
	switch {
	case len(lacks) == 0:
	case r.form.lack == nil || r.query != nil:
		r.comment(lacks)
	case r.form == formText && terminal.Is(r.Stdout): // standard error has said it, just below
	default:
		_ = r.out.Records(r.separated(nil, func(dst []byte) []byte { return r.form.lack(lacks, dst) }))
	}
}

// comment prints reasons on standard error, for a table that has no place for them.
func (r *pass) comment(lacks incomplete.List) {
	r.progress.Clear()
	for _, line := range lacks.Comments() {
		fmt.Fprintln(r.Stderr, line)
	}
}

// restOfLacks prints what inputs did not give where the result comes at the end of the run: events of several
// recordings of one match, a conversation, statistics.
func (r *pass) restOfLacks() {
	lacks := r.lacks.Missing()
	switch {
	case len(lacks) == 0 || r.noResult():
	case r.follow != nil && r.follow.asRows, len(r.statistics) > 0 && r.rows:
		if r.prints() && r.follow == nil {
			lacks = lacks.InRecords() // the others are among the records
		}
		_ = r.out.Text(lacks.AppendLine(nil))
	case r.joining != nil && r.stopped: // they are not of one match
	case r.joining != nil:
		r.lackOf(lacks)
	case len(r.statistics) > 0 && r.sheets != nil && r.csv:
		r.comment(lacks)
	case r.follow != nil, len(r.statistics) > 0 && r.export == nil:
		_ = r.out.Text(lacks.AppendText([]byte("\n")))
	}
}
