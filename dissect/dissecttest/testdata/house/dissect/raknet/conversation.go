package raknet

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// A conversation decodes the datagrams of one stream. None of them depends on another: there is nothing to remember
// but the memory of the reader.
type conversation struct{ reader cursor.Reader }

// Shrink drops everything: there is nothing to keep.
func (c *conversation) Shrink() (kept any) { return nil }

// Dissect decodes one datagram.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	r := &c.reader
	r.Reset(rootField.Key, rec.Payload, 0, len(rec.Payload), rec.Decoding())
	r.Cut = rec.Truncated()
	r.Enter(&rootField)
	switch r.Network(&idField) {
	case idPing:
		r.Network(&timeField)
		r.Hex(&magicField, len(magic))
		r.Network(&clientField)
	case idPong:
		r.Network(&timeField)
		r.Network(&serverField)
		r.Hex(&magicField, len(magic))
		length := int(r.Network(&lengthField))
		at := r.At
		if text := r.Take(&textField, length); text != nil {
			r.Tree.AddBytes(&textField, text, at<<3, length<<3)
		}
	default: // of a port that the user named
		r.Malformed(&idField, 0, "the message is neither ping nor pong")
	}
	if r.Rest() > 0 {
		r.Malformed(&dissect.Undecoded, r.At, "%d bytes after the message", r.Rest())
	}
	rec.MessageDone = !r.Failed()
	r.Report(rec)
	r.Leave()
	return true
}
