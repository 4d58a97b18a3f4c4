package directplay8

import (
	"maps"
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
)

// save copies the state of the connection, see dissect.Protocol. What belongs to one datagram alone is left out.
func save(of dissect.Conversation) (state any, size int) {
	c := of.(*conversation)
	if c.conn == nil {
		return &conversation{}, cloneSize
	}
	d := &conversation{}
	d.conn, size = c.conn.clone()
	if c.asked != nil {
		asked, more := c.asked.clone()
		d.asked, size = asked, size+more
	}
	return d, size
}

// restore returns a conversation that continues from a copy.
func restore(_ dissect.Options, state any) dissect.Conversation {
	c, _ := save(state.(*conversation))
	return c.(*conversation)
}

// clone copies a connection.
func (d *connection) clone() (clone *connection, size int) {
	e := &connection{
		minor: d.minor, session: d.session, signing: d.signing, begunBy: d.begunBy,
		carries: d.carries, agreed: d.agreed, sound: d.sound, names: d.names,
	}
	e.signing.sum = nil // each has its own
	e.names.players = maps.Clone(d.names.players)
	size = cloneSize + playerSize*len(e.names.players)
	for i := range d.sides {
		from := &d.sides[i]
		e.sides[i] = *from
		e.sides[i].joins = from.joins.clone()
		size += from.joins.size()
	}
	return e, size
}

// About how many bytes a copy takes: of a connection, of a player's name.
const (
	cloneSize  = 1 << 11
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
