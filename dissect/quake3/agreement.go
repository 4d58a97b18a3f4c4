package quake3

import (
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gate"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/handshake"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
)

// An agreement is the state of a conversation before anything is played. Where nothing ever is, nothing else is kept.
type agreement struct {
	handshake.Offers
	session        int // -1 before the first
	version        int // protocol number, 0: unknown
	challenge      int32
	challengeKnown bool
	parked         bool // there is a session, and play is nil
	encoding       netchan.Encoding
	family         uint8
}

// A keptAgreement is an agreement in less memory, if its numbers are not too large.
type keptAgreement struct {
	offered                           int32
	version, session, challenge       int32
	protocol, serverProtocol          int16
	known, fresh, requested, hasQport bool
	qport                             uint16
	challengeKnown, parked            bool
	encoding                          netchan.Encoding
	family, declared                  uint8
}

func (a *agreement) compact() keptAgreement {
	return keptAgreement{
		offered: a.Offered.Challenge, protocol: int16(a.Offered.Protocol), serverProtocol: int16(a.Offered.ServerProtocol),
		known: a.Offered.Known, fresh: a.Offered.Fresh, requested: a.Offered.Requested,
		qport: a.Offered.Qport, hasQport: a.Offered.HasQport,
		session: int32(a.session), version: int32(a.version), challenge: a.challenge, challengeKnown: a.challengeKnown,
		parked: a.parked, encoding: a.encoding, family: a.family, declared: a.Declared,
	}
}

func (k *keptAgreement) agreement() agreement {
	return agreement{
		Offers: handshake.Offers{Declared: k.declared, Offered: handshake.Offer{
			Challenge: k.offered, Known: k.known, Fresh: k.fresh, Requested: k.requested,
			Qport: k.qport, HasQport: k.hasQport,
			Protocol: int(k.protocol), ServerProtocol: int(k.serverProtocol),
		}},
		session: int(k.session), version: int(k.version), challenge: k.challenge, challengeKnown: k.challengeKnown,
		parked: k.parked, encoding: k.encoding, family: k.family,
	}
}

// accept makes an offer the session's, which began with another one.
func (c *conversation) accept(o handshake.Offer) {
	c.Accept(o, c.challenge)
	c.challenge = o.Challenge
	if o.Protocol != 0 && o.Protocol != c.version {
		c.setVersion(o.Protocol)
	}
}

// acceptByChecksum accepts the challenge that matches the checksum of a packet.
func (c *conversation) acceptByChecksum(h *netchan.Header) bool {
	if !c.Contested() {
		return false
	}
	for o := range c.Others(c.challenge) {
		if h.Checksum == netchan.Checksum(o.Challenge, h.Sequence) && gate.Shows(o.Challenge, h.Sequence) {
			c.accept(o)
			return true
		}
	}
	return false
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
	c.Settle()
	if c.encoding == netchan.Legacy && c.challengeKnown && !recovered {
		c.proven = true
	}
}
