package quake3

import (
	"bytes"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
)

// save copies a conversation, see dissect.Protocol. One that observes or recovers keys has no copy.
func save(c dissect.Conversation) (state any, size int) {
	c.(*conversation).wake()
	if clone, size := c.(*conversation).clone(); clone != nil {
		return clone, size
	}
	return nil, 0
}

// clone returns a conversation that continues from the same state by itself, and about how many bytes it takes. nil:
// one that observes or recovers keys is not copied.
func (c *conversation) clone() (clone *conversation, size int) {
	if len(c.observers) > 0 || c.rewriter != nil || c.play != nil && c.recovery != nil {
		return nil, 0
	}
	d := &conversation{
		opts: c.opts, worlds: c.worlds, oobs: c.oobs, finders: c.finders, candidate: c.candidate, gate: c.gate,
		agreement: c.agreement,
	}
	if c.passwords != nil {
		d.passwords = c.passwords.Clone()
	}
	if c.play != nil {
		d.play, size = c.play.clone()
		if d.snapshots.Family != nil {
			d.snapshots.Family = &d.family
		}
	}
	return d, size + conversationSize
}

// rest packs the world, and gives back the memory that reading a message uses, until the next datagram.
func rest(of dissect.Conversation) {
	c := of.(*conversation)
	if c.oob = nil; c.play == nil {
		return
	}
	if c.world != nil {
		packed := c.world.Pack()
		c.leaveWorld()
		c.packed = packed
	}
	for i := range c.sides {
		if s := &c.sides[i]; s.held.rec == nil { // no message waits
			s.held = message{}
			s.fragments.Trim()
		}
	}
	c.dec, c.reader, c.log, c.shown = decode.Decoder{}, commandReader{}, observe.Log{}, observe.Message{}
	c.found, c.body, c.text, c.unscrambled = nil, nil, nil, nil
	c.snapshots.Trim()
	c.moves.Trim()
	if !c.effects.saved {
		c.effects.before = values{}
	}
}

// wake unpacks the world.
func (c *conversation) wake() {
	if c.play == nil || c.packed == nil {
		return
	}
	c.enterWorld()
	c.packed.Unpack(c.world)
	c.packed = nil
}

// Bytes of memory, about.
const (
	conversationSize = 1 << 10
	playSize         = 16 << 10
)

// clone returns the state without the memory that decoding uses, and about how many bytes it takes.
func (p *play) clone() (clone *play, size int) {
	q := &play{
		feeds: p.feeds, serverID: p.serverID, feed: p.feed, clientServerID: p.clientServerID,
		gamename: bytes.Clone(p.gamename), fsGame: bytes.Clone(p.fsGame), gameVersion: bytes.Clone(p.gameVersion),
		snapshots: p.snapshots.Clone(), downloads: p.downloads, moves: p.moves.Clone(),
		sought: p.sought, deciphered: p.deciphered, greeted: p.greeted, proven: p.proven, ident: p.ident,
		endings: p.endings, order: p.order,
	}
	for i := range p.sides {
		s := &p.sides[i]
		q.sides[i] = side{
			fragments: s.fragments.Clone(), arrivals: s.arrivals, replays: s.replays, packets: s.packets,
			heard: s.heard, timed: s.timed, cut: s.cut, reads: s.reads, acks: s.acks,
		}
	}
	if p.choice != nil {
		q.choice = &gameChoice{excluded: p.choice.excluded}
	}
	size = playSize
	for _, from := range []struct{ to, from *commands }{{&q.server, &p.server}, {&q.client, &p.client}} {
		size += from.from.cloneInto(from.to)
	}
	if p.world != nil {
		w, n := p.world.Clone()
		q.world, q.snapshots.World = w, w
		size += n
	}
	return q, size
}

// cloneInto makes to equal to c, with texts of its own, and gives about how many bytes it takes.
func (c *commands) cloneInto(to *commands) (size int) {
	*to = commands{ring: slices.Clone(c.ring), window: c.window, newest: c.newest, known: c.known, in: c.in}
	for i := range to.ring {
		to.ring[i].text = bytes.Clone(to.ring[i].text)
		size += 48 + len(to.ring[i].text)
	}
	return size
}
