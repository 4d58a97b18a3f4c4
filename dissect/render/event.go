package render

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/event"
	"github.com/q3dissect/q3dissect/dissect/internal/recordhead"
	"github.com/q3dissect/q3dissect/dissect/render/internal/member"
	"github.com/q3dissect/q3dissect/dissect/render/internal/text"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// AppendEventsJSON appends the events of a record, one line of JSON each, with line feeds. Of opts only NoNames and
// CommunityID count. The same record gives the same bytes.
func AppendEventsJSON(dst []byte, rec *dissect.Record, opts JSON) []byte {
	events := &rec.Events
	source := rec.EventSource()
	if source == nil {
		return dst
	}
	e := encoder{tree: events, names: !opts.NoNames}
	for i := 0; i < len(events.Nodes); i = int(events.Nodes[i].End) {
		dst = append(dst, '{')
		for m := range recordhead.Event {
			dst = member.AppendJSON(dst, &recordhead.Event[m], rec, 0)
		}
		dst = opts.asked(dst, rec)
		dst = e.members(dst, i+1, int(events.Nodes[i].End))
		dst = append(text.AppendKey(dst, recordhead.EventInfo.Key), '"')
		from := len(dst)
		dst = source.AppendEvent(dst, events, i)
		dst = append(text.CloseJSON(dst, from), '}', '\n')
	}
	return dst
}

// AppendMergedEvent appends one event as AppendEventsJSON does, but without its stream and its line feed. at is
// the index at which the members about its streams are to be inserted, each with a comma after it.
func AppendMergedEvent(dst []byte, rec *dissect.Record, event int, opts JSON) (out []byte, at int) {
	events := &rec.Events
	source := rec.EventSource()
	if source == nil {
		return dst, len(dst)
	}
	e := encoder{tree: events, names: !opts.NoNames}
	dst = append(dst, '{')
	for m := range recordhead.Event {
		if recordhead.Event[m].Key != "stream" {
			dst = member.AppendJSON(dst, &recordhead.Event[m], rec, 0)
		}
	}
	at = len(dst)
	dst = e.members(dst, event+1, int(events.Nodes[event].End))
	dst = append(text.AppendKey(dst, recordhead.EventInfo.Key), '"')
	from := len(dst)
	dst = source.AppendEvent(dst, events, event)
	return append(text.CloseJSON(dst, from), '}'), at
}

// An EventList writes one line for each event: number of the packet or message, time, server time, stream, kind and
// description of the event. The time is that of capture; recordings have none, and theirs is the match's clock, in
// minutes and seconds; without one, on a terminal too narrow for the server's time, that one. Values that an
// input does not have stay empty. It is safe for concurrent use.
type EventList struct {
	Time  TimeFormat
	Width int  // cells of the terminal, longer lines are wrapped if there is room for it; 0: lines stay whole
	Color bool // the kinds of events in cyan
}

// Widths of the event list's columns in cells, as those of List.
const (
	serverTimeWidth = len("12345.678")
	streamWidth     = len("stream")
	kindWidth       = len(event.ConnectRequest)
)

// AppendHeader appends the line with the names of the columns.
func (l *EventList) AppendHeader(dst []byte) []byte {
	start := len(dst)
	columns := []struct {
		name  string
		width int
	}{
		{"number", numberWidth},
		{"time", l.Time.width()},
		{"server", serverTimeWidth},
		{"stream", streamWidth},
	}
	if l.narrow() {
		columns = slices.Delete(columns, 2, 3)
	}
	for _, column := range columns {
		from := len(dst)
		dst = append(padLeft(append(dst, column.name...), from, column.width), ' ')
	}
	from := len(dst)
	dst = padRight(append(dst, " event"...), from, 1+kindWidth)
	dst = append(dst, "  what happened"...)
	if l.Width > 0 {
		dst = cut(dst, start, l.Width)
	}
	return append(dst, '\n')
}

// Append appends the lines of a record's events, with line feeds.
func (l *EventList) Append(dst []byte, rec *dissect.Record) []byte {
	source := rec.EventSource()
	if source == nil || len(rec.Events.Nodes) == 0 {
		return dst
	}
	var at [48]byte
	list := List{Time: l.Time}
	time := list.appendTime(at[:0], rec)
	for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
		if rec.Recorded() {
			time = l.appendClock(at[:0], i, &rec.Events)
		}
		dst = l.appendEvent(dst, rec, source, i, time)
	}
	return dst
}

func (l *EventList) appendEvent(dst []byte, rec *dissect.Record, source *dissect.Protocol,
	event int, time []byte,
) []byte {
	start, events := len(dst), &rec.Events
	dst = append(padLeft(text.AppendUint(dst, rec.Number()), start, numberWidth), ' ')
	dst = append(append(dst, time...), ' ')
	from := len(dst)
	if !l.narrow() {
		if n := events.Child(event, &dissect.EventServerTime); n >= 0 {
			dst = appendMilliseconds(dst, events.Nodes[n].Int())
		}
		dst = append(padLeft(dst, from, serverTimeWidth), ' ')
		from = len(dst)
	}
	dst = member.AppendStream(dst, rec)
	dst = append(padLeft(dst, from, streamWidth), "  "...)
	kind := len(dst)
	if n := events.Child(event, &dissect.EventKind); n >= 0 {
		dst = append(dst, events.Bytes(&events.Nodes[n])...)
	}
	kindEnd := len(dst)
	dst = append(padRight(dst, kind, kindWidth), "  "...)
	from = len(dst)
	dst = wiretext.MakeVisible(source.AppendEvent(dst, events, event), from)
	switch before := byteCells(dst[start:from]); {
	case l.Width == 0:
	case l.Width < before+leastWidth:
		dst = cut(dst, start, l.Width)
	default:
		dst = wrapFrom(dst, start, l.Width, before)
	}
	if l.Color {
		dst = colourText(dst, from, events, event)
		dst = surround(dst, min(kind, len(dst)), min(kindEnd, len(dst)), cyan)
	}
	return append(dst, '\n')
}

// appendClock appends the time of an event of a recording: the match's clock, 3:20.500, or nothing without one.
// If there is no room for the server's column, it is then the server's.
func (l *EventList) appendClock(dst []byte, event int, events *dissect.Tree) []byte {
	if node := events.Find(event, "match_time"); node >= 0 {
		const minute = 60_000
		ms := events.Nodes[node].Int()
		if ms < 0 {
			dst, ms = append(dst, '-'), -ms
		}
		dst = append(text.AppendInt(dst, ms/minute), ':')
		dst = text.AppendPadded(dst, int(ms%minute/1000), 2)
		dst = text.AppendPadded(append(dst, '.'), int(ms%1000), 3)
	} else if node := events.Child(event, &dissect.EventServerTime); node >= 0 && l.narrow() {
		dst = appendMilliseconds(dst, events.Nodes[node].Int())
	}
	return padLeft(dst, 0, l.Time.width())
}

// narrow reports whether the server's time is left out to make room for the description.
func (l *EventList) narrow() bool { return l.Width > 0 && l.Width < narrowestAddresses }

// appendMilliseconds appends a time in milliseconds as seconds.
func appendMilliseconds(dst []byte, ms int64) []byte {
	if ms < 0 {
		dst = append(dst, '-')
		ms = -ms
	}
	dst = append(text.AppendInt(dst, ms/1000), '.')
	return text.AppendPadded(dst, int(ms%1000), 3)
}
