package gamestudio

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/cursor"
)

// A hint is what is known about the messages of a connection before they are read.
type hint uint64

const (
	is2002        hint = 1 << iota // of the 2002 edition
	mayLackZ                       // positions may lack z
	isDirectPlay4                  // Record.Hint alone: the datagrams are player messages of DirectPlay 4
)

// A conversation is the traffic between two endpoints that use no transport with a dissector of its
// own: messages directly in UDP, or in messages of DirectPlay 4.
type conversation struct {
	reader  payloadReader
	carried dissect.Carried
}

// Shrink drops everything: a session that resumes is read from its next datagram.
func (c *conversation) Shrink() (kept any) { return nil }

// Dissect decodes one datagram.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	c.carried = dissect.Carried{Space: rec.Payload, Payloads: c.carried.Payloads[:0]}
	whole := dissect.Payload{End: len(rec.Payload), Direction: rec.Direction, Cut: rec.Truncated()}
	if h := hint(rec.Hint); h&isDirectPlay4 == 0 {
		c.carried.Payloads = append(c.carried.Payloads, whole)
		c.reader.read(rec, &c.carried, h, nil)
	} else {
		c.reader.read(rec, &c.carried, h, c)
	}
	return true
}

// A payloadReader reads the messages of one connection.
type payloadReader struct {
	opts dissect.Options
	game *game // nil before the first payload
	left bool  // the connection's end was reported
}

// readPayloads reads the payloads of a transport.
func (g *payloadReader) readPayloads(rec *dissect.Record) bool {
	return g.read(rec, rec.Carried, hint(rec.Reading.Hint), nil)
}

// read reads the packets of a datagram, and reports whether there were any. prefix is not nil if a
// DirectPlay 4 header has to be read first.
func (g *payloadReader) read(rec *dissect.Record, carried *dissect.Carried, h hint, prefix *conversation) bool {
	if carried.Begins {
		g.begin()
	}
	read := len(carried.Payloads) > 0 || prefix != nil
	if read {
		g.messages(rec, carried, h, prefix)
	}
	g.disconnect(rec, carried)
	cursor.ReportCut(rec)
	return read
}

// messages reads the packets into an object of their own.
func (g *payloadReader) messages(rec *dissect.Record, carried *dissect.Carried, h hint, prefix *conversation) {
	if g.game == nil {
		g.game = &game{wantsEvents: g.opts.Events}
	}
	game, tree := g.game, rec.Decoding()
	if game.hints.player == "" {
		game.hints.player = carried.Client
	}
	game.hints.names = carried.Players
	game.noZ = h&mayLackZ != 0
	if h&is2002 != 0 {
		game.edition = edition2002
	}
	root := &rootField
	if carried.Joined {
		root, rec.Message = &joinedField, carried.Space
	}
	tree.Open(root, 0)
	switch {
	case prefix != nil && !prefix.dissectDirectPlay4(rec, tree):
		game.bare(rec, tree)
		tree.CloseAll(len(carried.Space) << 3)
		return
	case rec.Direction == dissect.Undecidable:
		game.undirected(rec, carried.Space, carried.Payloads)
	default:
		game.dissect(rec, carried.Space, carried.Payloads, rec.Direction == dissect.ClientToServer)
	}
	tree.CloseAll(len(carried.Space) << 3)
	rec.MessageDone = true
}
