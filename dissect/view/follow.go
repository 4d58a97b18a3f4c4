package view

import (
	"cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Follow writes the records of one stream as rows of JSON. A Conversation is for reading.
type Follow struct{ File string } // of the records that do not name theirs

// A followRow is a line of the statistic follow.
type followRow struct {
	frame uint64
	times
	file       string
	from, text string
	counts     bool // of what is left out of a Talk
}

var followColumns = columns[*followRow]{
	{Column{Key: "frame", Type: "integer", Doc: "number of the packet, or of the message of a demo from 0"}, func(r *followRow) any { return r.frame }},
	{Column{Key: "time", Type: "number", Unit: "s", Doc: "since the first packet of the file"}, func(r *followRow) any { return r.start() }},
	{startTimeColumn, func(r *followRow) any { return r.startTime() }},
	{Column{Key: "from", Type: "string", Doc: "client or server; absent where that is not known"}, func(r *followRow) any { return orNil(r.from) }},
	{Column{Key: "text", Type: "string", Doc: "what was said: commands, chat, gamestates, snapshots"}, func(r *followRow) any { return r.text }},
	{fileColumn, func(r *followRow) any { return orNil(r.file) }},
}

// FollowKind describes the statistic follow, which is written record by record.
func FollowKind() Kind {
	return Kind{
		Name: "follow", Usage: "follow,[udp,FORM,]STREAM", Doc: "one stream as a conversation, both sides in order",
		Columns: followColumns.described(), Needs: Needs{Tree: true},
	}
}

// speakers are the sides of a stream.
var speakers = map[dissect.Direction]string{dissect.ClientToServer: "client", dissect.ServerToClient: "server"}

// Append appends a record.
func (f *Follow) Append(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		return dst
	}
	r := followRow{
		frame: rec.Number(), from: speakers[rec.Direction], text: wiretext.String(rec.Protocol.AppendInfo(nil, rec)),
	}
	r.times.add(rec)
	r.file = cmp.Or(rec.File, f.File)
	return followColumns.appendJSON(dst, "follow", &r)
}
