package render

import (
	"errors"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// eventHead is what stands before the keys of an event: the common part of the record of the datagram
// that told it, without what concerns the datagram alone.
var eventHead = func() []member {
	var members []member
	for _, m := range head {
		switch m.key {
		case "length", "captured_length", "ip_fragments", "info":
		default:
			members = append(members, m)
		}
	}
	return append(members, eventServer)
}()

// eventServer says of which server's game an event is, whichever side sent the datagram.
var eventServer = member{
	key: "server", typ: "string", append: appendServer, doc: "address and port of the server; absent of a recording and where the direction is not known",
}

func appendServer(dst []byte, rec *dissect.Record, _ int) ([]byte, bool) {
	server, ok := rec.Server()
	if !ok {
		return dst, false
	}
	return server.AppendTo(dst), true
}

// eventInfo is the last key of an event.
var eventInfo = member{key: "info", typ: "string", text: true, doc: "the event in words"}

// AppendEventsJSON appends the events of a record, one line of JSON each, with line feeds. Of opts only
// NoNames counts. The same record gives the same bytes.
func AppendEventsJSON(dst []byte, rec *dissect.Record, opts JSON) []byte {
	events := &rec.Events
	source := rec.EventSource()
	if source == nil {
		return dst
	}
	e := encoder{tree: events, names: !opts.NoNames}
	for i := 0; i < len(events.Nodes); i = int(events.Nodes[i].End) {
		dst = append(dst, '{')
		for m := range eventHead {
			dst = eventHead[m].appendJSON(dst, rec, 0)
		}
		dst = e.members(dst, i+1, int(events.Nodes[i].End))
		dst = append(appendKey(dst, eventInfo.key), '"')
		from := len(dst)
		dst = source.AppendEvent(dst, events, i)
		dst = append(closeString(dst, from), '}', '\n')
	}
	return dst
}

// An EventList writes one line for each event: number of the packet or message, time of capture, server
// time, stream, kind and the event in words. What an input does not have stays empty. It may serve
// several goroutines.
type EventList struct {
	Time  TimeFormat
	Width int  // cells of the terminal, longer lines are wrapped if there is room for it; 0: lines stay whole
	Color bool // the kinds of events in cyan

	// Previous is that of List.
	Previous func(*dissect.Record) (at int64, ok bool)
}

// Widths of the event list's columns in cells, as those of List.
const (
	serverTimeWidth = len("12345.678")
	streamWidth     = len("stream")
	kindWidth       = len("connect_request")
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
	list := List{Time: l.Time, Previous: l.Previous}
	time := list.appendTime(at[:0], rec) // once: the time before is there for a record, not for each event
	for i := 0; i < len(rec.Events.Nodes); i = int(rec.Events.Nodes[i].End) {
		dst = l.appendEvent(dst, rec, source, i, time)
	}
	return dst
}

func (l *EventList) appendEvent(dst []byte, rec *dissect.Record, source dissect.EventSource, event int, time []byte) []byte {
	start, events := len(dst), &rec.Events
	number := rec.Frame
	if rec.Recorded() {
		number--
	}
	dst = append(padLeft(appendUint(dst, number), start, numberWidth), ' ')
	dst = append(append(dst, time...), ' ')
	from := len(dst)
	if !l.narrow() {
		if n := events.Child(event, &dissect.EventServerTime); n >= 0 {
			dst = appendMilliseconds(dst, events.Nodes[n].Int())
		}
		dst = append(padLeft(dst, from, serverTimeWidth), ' ')
		from = len(dst)
	}
	dst, _ = appendStream(dst, rec, 0)
	dst = append(padLeft(dst, from, streamWidth), "  "...)
	kind := len(dst)
	if n := events.Child(event, &dissect.EventKind); n >= 0 {
		dst = append(dst, events.Bytes(&events.Nodes[n])...)
	}
	kindEnd := len(dst)
	dst = append(padRight(dst, kind, kindWidth), "  "...)
	from = len(dst)
	dst = makeVisible(source.AppendEvent(dst, events, event), from)
	switch before := byteCells(dst[start:from]); {
	case l.Width == 0:
	case l.Width < before+leastWidth:
		dst = cut(dst, start, l.Width)
	default:
		dst = wrapFrom(dst, start, l.Width, before)
	}
	if l.Color {
		dst = surround(dst, min(kind, len(dst)), min(kindEnd, len(dst)), cyan)
	}
	return append(dst, '\n')
}

// narrow reports whether the server's time gives way to what happened.
func (l *EventList) narrow() bool { return l.Width > 0 && l.Width < narrowestAddresses }

// appendMilliseconds appends a time in milliseconds as seconds.
func appendMilliseconds(dst []byte, ms int64) []byte {
	if ms < 0 {
		dst = append(dst, '-')
		ms = -ms
	}
	dst = append(appendInt(dst, ms/1000), '.')
	return appendPadded(dst, int(ms%1000), 3)
}

// eventShapes joins what the protocols' events are made of.
func eventShapes(protocols []dissect.Protocol) []*shape {
	var shapes []*shape
	for _, p := range protocols {
		if source, ok := p.(dissect.EventSource); ok {
			for _, f := range source.EventRoot().Children {
				shapes = addShape(shapes, f)
			}
		}
	}
	return shapes
}

// ListEventFields describes every path that events can have, in their order. See ListFields.
func ListEventFields(protocols []dissect.Protocol) []FieldInfo {
	list := listMembers(nil, "", eventHead)
	for _, s := range eventShapes(protocols) {
		list = listShape(list, s.key, s)
	}
	return listMembers(list, "", []member{eventInfo})
}

// EventSchema describes the lines of AppendEventsJSON as a JSON Schema. See Schema.
func EventSchema(protocols []dissect.Protocol) []byte {
	event := memberSchemas(eventHead)
	event.set("protocol", protocolSchema(protocols))
	event = append(event, shapeSchemas(eventShapes(protocols))...)
	event = append(event, pair{eventInfo.key, memberSchema(&eventInfo)})
	return schemaDocument("q3dissect event", "one line of q3dissect events --json", closed(event, "protocol", dissect.EventKind.Key, "info"))
}

// CheckEventFields is CheckFields for the fields of events.
func CheckEventFields(protocols []dissect.Protocol) error {
	var c fieldChecker
	taken := []string{eventInfo.key}
	for _, m := range eventHead {
		taken = append(taken, m.key)
	}
	c.object("", eventShapes(protocols), taken)
	return errors.Join(c.problems...)
}
