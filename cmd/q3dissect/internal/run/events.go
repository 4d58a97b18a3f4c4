package run

import (
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/exit"
	"github.com/q3dissect/q3dissect/cmd/q3dissect/internal/table"
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/render"
	"github.com/q3dissect/q3dissect/dissect/view/merge"
)

// eventText is the list of events.
func (pl *plan) eventText() appender {
	if pl.merge != nil {
		return pl.mergedText()
	}
	return pl.eventList().Append
}

// eventLines are lines of JSON.
func (pl *plan) eventLines() appender {
	opts := pl.jsonOptions()
	if pl.merge != nil {
		return pl.mergedLines(opts)
	}
	return func(dst []byte, rec *dissect.Record) []byte { return render.AppendEventsJSON(dst, rec, opts) }
}

// eventRowsOf are the rows of --csv.
func (pl *plan) eventRowsOf() appender {
	if len(pl.sources) == 1 {
		pl.eventRows.File = pl.sources[0] // records name their input only where there are several
	}
	return pl.eventRows.Append
}

// chooseEventColumns prepares the rows of --csv.
func (pl *plan) chooseEventColumns() error {
	if pl.merge != nil || pl.Merge {
		return exit.Usagef("--csv has an event of each stream: leave --merge out, or add --json")
	}
	pl.eventRows = &render.EventRows{Columns: table.CSV()}
	return SetColumns(&pl.eventRows.Columns, pl.Columns)
}

// textHeader heads the list of events. That of records has no header.
func (pl *plan) textHeader() []byte {
	switch {
	case !pl.Events:
		return nil
	case pl.joining != nil:
		return []byte(merge.JoinHeader)
	case pl.merge != nil:
		return []byte(merge.MergeHeader)
	}
	return pl.eventList().AppendHeader(nil)
}

// eventList returns the list as text, fitted to the terminal.
func (pl *plan) eventList() *render.EventList {
	return &render.EventList{Time: pl.list.Time, Width: pl.list.Width, Color: pl.list.Color}
}
