package quake3

import (
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gate"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// Anybody can send a packet of a handshake in the name of a peer. So the challenges that were offered beside the one
// that a session begins with are kept until a message of it could be read, and the one counts with which it can.

// An offer is a challenge that the server has given to a client.
type offer struct {
	challenge      int32
	known          bool
	fresh          bool // no session has begun with it
	requested      bool // the client asked for it, and has not asked for a connection since
	protocol       int  // requested by the client
	serverProtocol int  // the server's own
	qport          uint16
	hasQport       bool
}

// rivals are offers that another one has replaced before a session began with them, the newest first.
type rivals [2]offer

// replaceOffer makes an offer the one that the next session begins with.
func (c *conversation) replaceOffer(o offer) {
	if c.offered.known && c.offered.fresh {
		c.rivals.add(c.offered)
	}
	c.offered = o
}

func (r *rivals) add(o offer) {
	if r[0].known && r[0].challenge == o.challenge {
		r[0] = o
		return
	}
	r[1], r[0] = r[0], o
}

// answered returns the offer that a connectResponse answers: the one with its challenge, else the newest with which the
// client asked for a connection. The others become rivals.
func (r *rivals) answered(o offer, p *oob.Packet) offer {
	for i := range r {
		q := r[i]
		if !q.known {
			continue
		}
		better := !o.known || o.protocol == 0 && q.protocol != 0
		if p.HasChallenge {
			better = q.challenge == p.Challenge && (!o.known || o.challenge != p.Challenge)
		}
		if better {
			if r[i] = o; !o.known || !o.fresh {
				r[i] = offer{}
			}
			q.requested = q.requested && q.protocol == 0
			return q
		}
	}
	return o
}

// candidates calls f with the challenges that were offered beside the session's, until f returns true.
func (c *conversation) candidates(f func(o offer) bool) bool {
	for _, o := range [...]offer{c.offered, c.rivals[0], c.rivals[1]} {
		if o.known && o.fresh && o.challenge != c.challenge && f(o) {
			return true
		}
	}
	return false
}

// contested reports whether another challenge than the session's was offered for it.
func (c *conversation) contested() bool {
	return c.rivals[0].known || c.offered.known && c.offered.fresh
}

// accept makes an offer the session's, which began with another one.
func (c *conversation) accept(o offer) {
	wrong := c.challenge
	c.challenge = o.challenge
	if o.protocol != 0 && o.protocol != c.version {
		c.setVersion(o.protocol)
	}
	c.rivals = rivals{}
	if c.offered.challenge == o.challenge || c.offered.challenge == wrong {
		c.offered = o
		c.offered.fresh = false
	}
}

// acceptByChecksum accepts the challenge that matches the checksum of a packet.
func (c *conversation) acceptByChecksum(h *netchan.Header) bool {
	return c.contested() && c.candidates(func(o offer) bool {
		if h.Checksum != netchan.Checksum(o.challenge, h.Sequence) || !gate.Shows(o.challenge, h.Sequence) {
			return false
		}
		c.accept(o)
		return true
	})
}

// believe notes that a message could be read: the session has the right challenge. One without enciphered bytes can be
// read with any.
func (c *conversation) believe(m *message, recovered bool) {
	if c.encoding == netchan.Native { // without the right challenge the checksum would be wrong
		c.proven = true
		if !gate.Shows(c.challenge, m.header.Sequence) {
			return
		}
	}
	const enough = netchan.ClientClearBytes + 4
	if len(m.body) <= enough {
		return
	}
	c.rivals = rivals{}
	if c.encoding == netchan.Legacy && c.challengeKnown && !recovered {
		c.proven = true
	}
}
