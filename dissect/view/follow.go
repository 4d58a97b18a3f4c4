package view

import (
	"bytes"
	"strconv"

	"github.com/q3dissect/q3dissect/dissect"
)

// A Follow writes the records of one stream as a conversation: a line each, with the sender.
type Follow struct {
	JSON bool // lines of JSON
}

// followColumns describe the lines of JSON.
var followColumns = []Column{
	{Key: "frame", Type: "integer", Doc: "number of the packet, or of the message of a demo from 0"},
	{Key: "time", Type: "number", Unit: "s", Doc: "since the first packet of the file"},
	{Key: "from", Type: "string", Doc: "client or server; absent where that is not known"},
	{Key: "text", Type: "string", Doc: "what was said: commands, chat, gamestates, snapshots"},
}

// FollowKind describes the statistic follow, which is written record by record.
func FollowKind() Kind {
	return Kind{Name: "follow", Usage: "follow,STREAM", Doc: "one stream as a conversation, both sides in order", Columns: followColumns, Needs: Needs{Tree: true}}
}

// Append appends a record.
func (f *Follow) Append(dst []byte, rec *dissect.Record) []byte {
	if rec.Protocol == nil {
		return dst
	}
	text := wireText(rec.Protocol.AppendInfo(nil, rec))
	frame := rec.Number()
	t := times{}
	t.add(rec)
	from := map[dissect.Direction]string{dissect.ClientToServer: "client", dissect.ServerToClient: "server"}[rec.Direction]
	if f.JSON {
		table := Table{Name: "follow", Columns: followColumns, Rows: [][]any{{frame, t.start(), orNil(from), text}}}
		return table.AppendJSON(dst)
	}
	at := len(dst)
	if seconds, ok := t.start().(float64); ok {
		dst = strconv.AppendFloat(dst, seconds, 'f', 3, 64)
	} else {
		dst = strconv.AppendUint(dst, frame, 10)
	}
	if gap := 10 - (len(dst) - at); gap > 0 {
		number := bytes.Clone(dst[at:])
		dst = append(append(dst[:at], bytes.Repeat([]byte{' '}, gap)...), number...)
	}
	mark := map[string]string{"client": "  C> ", "server": "  S> "}[from]
	if mark == "" {
		mark = "  -- "
	}
	dst = append(dst, mark...)
	return append(append(dst, visible(text)...), '\n')
}
