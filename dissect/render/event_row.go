package render

import (
	"cmp"
	"strconv"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// EventColumns are the columns of EventRows.
var EventColumns = []string{
	"file", "time", "server_time", "match_time", "event", "who", "whom", "with", "text",
}

// The keys of what an event has in a column; the first one that it has is shown.
var (
	eventWho  = []string{"killer", "client"}
	eventWhom = []string{"victim", "target"}
	eventWith = []string{"means_of_death", "weapon", "item", "flag", "voice", "reason"}
	eventText = []string{"text_clean", "text"}
)

// EventRows writes events as rows for spreadsheets: who did what to whom, with what. Times on the game's clocks are in
// seconds, so that spreadsheets calculate with them; the time of capture is in RFC 3339, in UTC.
type EventRows struct {
	Columns Columns
	File    string // name of the input of records that have none
}

// AppendHeader appends the names of the columns, if they are wanted.
func (r *EventRows) AppendHeader(dst []byte) []byte {
	if r.Columns.BOM {
		dst = append(dst, "\ufeff"...)
	}
	if !r.Columns.Header {
		return dst
	}
	return r.Columns.AppendRow(dst, EventColumns)
}

// Append appends a row for each event of a record. The text is what was said, or else the sentence about the event.
func (r *EventRows) Append(dst []byte, rec *dissect.Record) []byte {
	source := rec.EventSource()
	if source == nil {
		return dst
	}
	at := ""
	if rec.HasTime {
		at = time.Unix(0, rec.Time).UTC().Format("2006-01-02T15:04:05.000000000Z")
	}
	for e := range rec.Events.Top().Children() {
		text := firstOf(e, eventText)
		if text == "" {
			text = string(source.AppendEvent(nil, &rec.Events, nodeOf(&rec.Events, e)))
		}
		dst = r.Columns.AppendRow(dst, []string{
			cmp.Or(rec.File, r.File), at, secondsOf(e.Get("server_time")), secondsOf(e.Get("match_time")),
			e.Get("event").String(), firstOf(e, eventWho), firstOf(e, eventWhom), firstOf(e, eventWith), text,
		})
	}
	return dst
}

// nodeOf returns the index of a value's node.
func nodeOf(t *dissect.Tree, v dissect.Value) int {
	for i := range t.Nodes {
		if &t.Nodes[i] == v.Node() {
			return i
		}
	}
	return 0
}

// firstOf returns the first value under some keys that is not empty: a player's name, the name of a number, or the
// number.
func firstOf(e dissect.Value, keys []string) string {
	for _, key := range keys {
		v := e.Get(key)
		if !v.Exists() {
			continue
		}
		if v.Field().Kind.Container() {
			if name := v.Get("name_clean").String(); name != "" {
				return name
			}
			if number := v.Get("client_num"); number.Exists() {
				return "client " + number.String()
			}
			continue
		}
		if text := cmp.Or(v.Name(), v.String()); text != "" {
			return text
		}
	}
	return ""
}

// secondsOf returns a time in milliseconds as seconds.
func secondsOf(v dissect.Value) string {
	if !v.Exists() {
		return ""
	}
	return strconv.FormatFloat(float64(v.Int())/1000, 'f', 3, 64)
}
