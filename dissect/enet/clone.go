package enet

import (
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/flows"
)

// Clone copies the state of the connection, see dissect.Cloner. What belongs to one packet alone is left out.
func (c *conversation) Clone() (clone dissect.Conversation, size int) {
	if c.conn == nil {
		return &conversation{}, cloneSize
	}
	e := c.conn
	d := &connection{generation: e.generation, checksums: e.checksums, ranged: e.ranged, id: e.id, hasID: e.hasID, challenge: e.challenge}
	size = cloneSize
	for i := range e.sides {
		var n int
		d.sides[i], n = e.sides[i].clone()
		size += n
	}
	return &conversation{conn: d}, size
}

// About how many bytes a copy takes: of a connection, of a channel, of a fragment without its data.
const (
	cloneSize    = 1 << 10
	channelSize  = 64
	fragmentSize = 64
)

// clone copies what is known of a direction. Both have the data of fragments, which never changes.
func (s *side) clone() (copied side, size int) {
	copied = side{channels: maps.Clone(s.channels), assembled: slices.Clone(s.assembled), size: s.size}
	for channel, w := range copied.channels {
		copied.channels[channel] = new(flows.Window)
		*copied.channels[channel] = *w
	}
	size = s.size + channelSize*len(copied.channels)
	for i := range copied.assembled {
		m := &copied.assembled[i]
		m.parts = slices.Clone(m.parts)
		size += fragmentSize * len(m.parts)
	}
	return copied, size
}
