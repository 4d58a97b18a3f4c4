package enet

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
)

// save copies the state of the connection, see dissect.Protocol. What belongs to one packet alone is left out.
func save(of dissect.Conversation) (state any, size int) {
	c := of.(*conversation)
	e, copied := &c.conn, &conversation{begun: c.begun}
	d := &copied.conn
	*d = connection{
		usual: e.usual, strange: e.strange, checksums: e.checksums, ranged: e.ranged, id: e.id, hasID: e.hasID,
		challenge: e.challenge, carries: e.carries,
		names: e.names, asked: e.asked, worded: e.worded, proven: e.proven, sound: e.sound,
	}
	size = cloneSize
	for i := range e.sides {
		var n int
		d.sides[i], n = e.sides[i].clone()
		size += n
	}
	if e.next != nil {
		next := request{id: e.next.id, by: e.next.by}
		for i := range next.sides {
			next.sides[i], _ = e.next.sides[i].clone()
		}
		d.next = &next
	}
	return copied, size
}

// rest gives back the memory that reading a packet uses.
func rest(of dissect.Conversation) {
	c := of.(*conversation)
	c.conn.scan, c.carried = scanner{}, payloads.Collector{}
}

// restore returns a conversation that continues from a copy.
func restore(_ dissect.Options, state any) dissect.Conversation {
	c, _ := save(state.(*conversation))
	return c.(*conversation)
}

// About how many bytes a copy takes: of a connection, of a channel, of a fragment without its data.
const (
	cloneSize    = 1 << 10
	channelSize  = 1 << 10
	fragmentSize = 64
)

// clone copies what is known of a direction. Both have the data of fragments, which never changes.
func (s *side) clone() (copied side, size int) {
	copied = side{channels: slices.Clone(s.channels), assembled: slices.Clone(s.assembled), size: s.size}
	size = s.size + channelSize*len(copied.channels)
	for i := range copied.assembled {
		m := &copied.assembled[i]
		m.parts = slices.Clone(m.parts)
		size += fragmentSize * len(m.parts)
	}
	return copied, size
}
