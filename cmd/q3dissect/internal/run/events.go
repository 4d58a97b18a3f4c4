package run

import (
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
