package view

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Follow writes the records of one stream as a conversation: a line each, with the sender.
type Follow struct {
	JSON bool // lines of JSON
}

// A followRow is a line of the statistic follow.
type followRow struct {
	frame uint64
	times
	from, text string
}

var followColumns = columns[*followRow]{
	{Column{Key: "frame", Type: "integer", Doc: "number of the packet, or of the message of a demo from 0"}, func(r *followRow) any { return r.frame }},
	{Column{Key: "time", Type: "number", Unit: "s", Doc: "since the first packet of the file"}, func(r *followRow) any { return r.start() }},
	{Column{Key: "from", Type: "string", Doc: "client or server; absent where that is not known"}, func(r *followRow) any { return orNil(r.from) }},
	{Column{Key: "text", Type: "string", Doc: "what was said: commands, chat, gamestates, snapshots"}, func(r *followRow) any { return r.text }},
}

// FollowKind describes the statistic follow, which is written record by record.
func FollowKind() Kind {
	return Kind{
		Name: "follow", Usage: "follow,STREAM", Doc: "one stream as a conversation, both sides in order",
		Columns: followColumns.described(), Needs: Needs{Tree: true},
	}
}

// Append appends a record.
func (f *Follow) Append(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		return dst
	}
	r := followRow{frame: rec.Number(), text: wiretext.String(rec.Protocol.AppendInfo(nil, rec))}
	r.times.add(rec)
	r.from = map[dissect.Direction]string{
		dissect.ClientToServer: "client",
		dissect.ServerToClient: "server",
	}[rec.Direction]
	if f.JSON {
		return followColumns.appendJSON(dst, "follow", &r)
	}
	at := len(dst)
	if seconds, ok := r.start().(float64); ok {
		dst = strconv.AppendFloat(dst, seconds, 'f', 3, 64)
	} else {
		dst = strconv.AppendUint(dst, r.frame, 10)
	}
	if gap := 10 - (len(dst) - at); gap > 0 {
		number := bytes.Clone(dst[at:])
		dst = append(append(dst[:at], bytes.Repeat([]byte{' '}, gap)...), number...)
	}
	mark := map[string]string{"client": "  C> ", "server": "  S> "}[r.from]
	if mark == "" {
		mark = "  -- "
	}
	dst = append(dst, mark...)
	return append(append(dst, wiretext.Visible(r.text)...), '\n')
}
