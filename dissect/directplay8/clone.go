package directplay8

import (
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// Clone copies the state of the connection, see dissect.Cloner. What belongs to one datagram alone is left out.
func (c *conversation) Clone() (clone dissect.Conversation, size int) {
	if c.conn == nil {
		return &conversation{}, cloneSize
	}
	d := &connection{minor: c.conn.minor, session: c.conn.session, signing: c.conn.signing, names: c.conn.names}
	d.signing.sum = nil // each has its own
	d.names.players = maps.Clone(c.conn.names.players)
	size = cloneSize + playerSize*len(d.names.players)
	for i := range c.conn.sides {
		from := &c.conn.sides[i]
		d.sides[i] = direction{arrived: from.arrived, joins: from.joins.clone()}
		size += from.joins.size()
	}
	return &conversation{conn: d}, size
}

// About how many bytes a copy takes: of a connection, of a player's name.
const (
	cloneSize  = 1 << 10
	playerSize = 128
)

// clone copies the pieces of unfinished messages. Both have the bytes that are there; what is appended goes elsewhere.
func (j *joins) clone() joins {
	pieces := slices.Clone(j.pieces)
	for i := range pieces {
		pieces[i].data, pieces[i].frames = slices.Clip(pieces[i].data), slices.Clip(pieces[i].frames)
	}
	return joins{pieces: pieces}
}
