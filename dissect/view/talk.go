package view

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/wiretext"
)

// A Talk is a Conversation as rows of JSON, for pages: a row for each text, and one for what both sides sent all the
// time in between.
type Talk struct{ c Conversation }

// NewTalk returns a Talk of one stream.
func NewTalk() *Talk { return &Talk{Conversation{Form: "text"}} }

// Prepare appends what Append needs of a record, as Conversation.Prepare does.
func (t *Talk) Prepare(dst []byte, rec *dissect.Record) (out []byte, mark int) {
	return t.c.Prepare(dst, rec)
}

var talkColumns = append(slices.Clone(followColumns), column[*followRow]{
	Column{Key: "routine", Type: "boolean", Doc: "counts of what both sides send all the time"},
	func(r *followRow) any {
		if !r.counts {
			return nil
		}
		return true
	},
})

// Append appends the rows of a record. prepared and mark are the results of Prepare.
func (t *Talk) Append(dst []byte, rec *dissect.Record, prepared []byte, mark int) []byte {
	side := 0
	if rec.Direction == dissect.ServerToClient {
		side = 1
	}
	if mark > 0 {
		r := followRow{frame: rec.Number(), from: speakers[rec.Direction], text: wiretext.String(prepared[:mark])}
		r.times.add(rec)
		dst = talkColumns.appendJSON(t.Rest(dst), "follow", &r)
	}
	if word := string(prepared[mark:]); word != "" {
		t.c.fold(rec, side, word)
	}
	return dst
}

// Counts reports whether there are counts since the last row: the next one begins with theirs.
func (t *Talk) Counts() bool { return len(t.c.folded[0])+len(t.c.folded[1]) > 0 }

// Rest appends the counts since the last row, if there are any.
func (t *Talk) Rest(dst []byte) []byte {
	if !t.Counts() {
		return dst
	}
	r := t.c.since
	r.counts, r.text = true, string(t.c.appendCounts(nil))
	return talkColumns.appendJSON(dst, "follow", &r)
}
