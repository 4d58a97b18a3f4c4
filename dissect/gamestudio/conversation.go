package gamestudio

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// A transport is what carries messages.
type transport uint8

const (
	rawUDP      transport = iota // nothing: messages stand in the UDP payload
	directPlay8                  //
	enetUDP                      //
	directPlay4                  // player messages in UDP
)

// A hint is what the router found out about a stream, as it stands in Record.Hint.
type hint uint64

const (
	transportMask hint = 3
	isGame        hint = 1 << 2 // the payload is GameStudio's
	is2002        hint = 1 << 3 // of the 2002 edition
	mayLackZ      hint = 1 << 4
	oldENet       hint = 1 << 5 // ENet 1.1 or 1.2
	firstENet     hint = 1 << 6 // ENet 1.0
	enetMask           = oldENet | firstENet
)

func (h hint) transport() transport { return transport(h & transportMask) }

// generation is that of ENet.
func (h hint) generation() generation {
	switch {
	case h&firstENet != 0:
		return enet10
	case h&oldENet != 0:
		return enet12
	}
	return enet13
}

// hint says which generation it is.
func (g generation) hint() hint { return [enetGenerations]hint{0, oldENet, firstENet}[g] }

// A conversation is the traffic between two endpoints.
type conversation struct {
	opts  dissect.Options
	game  *game  // nil before the first payload that is the game's
	dplay *dplay // nil before the first frame
	enet  *enet
	left  bool // the connection's end was told

	// What the transport found in the record at hand: the bytes that places count in, and the application
	// packets in them.
	space  []byte
	parts  []part
	joined bool   // space is not the datagram
	buffer []byte // memory for space when it is put together

	unpacked bool // space begins with what the datagram was decompressed to
}

func newConversation(opts dissect.Options) *conversation { return &conversation{opts: opts} }

// Shrink drops everything: no key has to outlive an idle time, and a session that goes on counts from
// wherever it is.
func (c *conversation) Shrink() bool { return false }

// Dissect decodes one datagram.
func (c *conversation) Dissect(rec *dissect.Record) bool {
	h := hint(rec.Hint)
	tree := rec.Decoding()
	c.space, c.parts, c.joined, c.unpacked = rec.Payload, c.parts[:0], false, false
	game, end := h&isGame != 0, ""
	switch h.transport() {
	case directPlay8:
		rec.Protocol = DirectPlay8{}
		c.dissectDirectPlay8(rec, tree, h)
		end = c.dplay.ended
	case enetUDP:
		rec.Protocol = ENet{}
		c.dissectENet(rec, tree, h)
		if game {
			end = c.enetEnds()
		}
	case rawUDP:
		c.parts = append(c.parts, part{end: len(rec.Payload), cut: rec.Truncated()})
	}
	if game && (len(c.parts) > 0 || h.transport() == directPlay4) {
		c.dissectGame(rec, tree, h)
	}
	if game {
		c.disconnect(rec, end)
	}
	sayTruncated(rec)
	return true
}

// sayTruncated makes sure that a record of a datagram that the capture cut says so, even where what is there
// ends with a message.
func sayTruncated(rec *dissect.Record) {
	says := func(e dissect.Expert) bool { return e.Code == expertTruncatedByCapture }
	if rec.Truncated() && !slices.ContainsFunc(rec.Experts, says) {
		rec.Expert(dissect.Warning, expertTruncatedByCapture, nil, len(rec.Payload)<<3,
			"the capture has %d of the datagram's %d bytes", len(rec.Payload), rec.Length)
	}
}

// dissectGame reads the application packets that the transport left in parts.
func (c *conversation) dissectGame(rec *dissect.Record, tree *dissect.Tree, h hint) {
	rec.Protocol = Protocol{}
	if c.game == nil {
		c.game = &game{told: c.opts.Events}
	}
	g := c.game
	if g.hints.player == "" {
		g.hints.player = c.playerName()
	}
	if c.dplay != nil {
		g.hints.names = &c.dplay.names
	}
	g.noZ = h&mayLackZ != 0
	if h&is2002 != 0 {
		g.edition = edition2002
	}
	root := &rootField
	if c.joined {
		root, rec.Message = &joinedField, c.space
	}
	tree.Open(root, 0)
	if h.transport() == directPlay4 && !c.dissectDirectPlay4(rec, tree) {
		g.bare(rec, tree)
		tree.CloseAll(len(c.space) << 3)
		return
	}
	if rec.Direction == dissect.Undecidable {
		g.undirected(rec, c.space, c.parts)
	} else {
		g.dissect(rec, c.space, c.parts, rec.Direction == dissect.ClientToServer)
	}
	tree.CloseAll(len(c.space) << 3)
	rec.MessageDone = true
}

// joinPayload adds the application packet of a joined message. Places count in what is put together then:
// the packets of the record one after the other.
func (c *conversation) joinPayload(payload []byte, p part) {
	if !c.joined {
		c.joined = true
		whole := c.space
		c.buffer = c.buffer[:0]
		for i, p := range c.parts {
			at := len(c.buffer)
			c.buffer = append(c.buffer, whole[p.at:p.end]...)
			c.parts[i].at, c.parts[i].end = at, len(c.buffer)
		}
	}
	at := len(c.buffer)
	c.buffer = append(c.buffer, payload...)
	c.space = c.buffer
	p.at, p.end = at, len(c.buffer)
	c.parts = append(c.parts, p)
}

// addPayload adds an application packet that stands in the datagram, or in what it was decompressed to.
func (c *conversation) addPayload(datagram []byte, p part) {
	if c.joined && !c.unpacked {
		c.joinPayload(datagram[p.at:p.end], p)
		return
	}
	c.parts = append(c.parts, p)
}
