package quake3

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"

// An agreement is the state of a conversation before anything is played. Where nothing ever is, nothing else is kept.
type agreement struct {
	offered        offer
	rivals         rivals
	session        int // -1 before the first
	version        int // protocol number, 0: unknown
	challenge      int32
	challengeKnown bool
	parked         bool // there is a session, and play is nil
	encoding       netchan.Encoding
	family         uint8
	declared       uint8 // the game that the server's information shows before a session
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
		offered: a.offered.challenge, protocol: int16(a.offered.protocol), serverProtocol: int16(a.offered.serverProtocol),
		known: a.offered.known, fresh: a.offered.fresh, requested: a.offered.requested,
		qport: a.offered.qport, hasQport: a.offered.hasQport,
		session: int32(a.session), version: int32(a.version), challenge: a.challenge, challengeKnown: a.challengeKnown,
		parked: a.parked, encoding: a.encoding, family: a.family, declared: a.declared,
	}
}

func (k *keptAgreement) agreement() agreement {
	return agreement{
		offered: offer{
			challenge: k.offered, known: k.known, fresh: k.fresh, requested: k.requested,
			qport: k.qport, hasQport: k.hasQport,
			protocol: int(k.protocol), serverProtocol: int(k.serverProtocol),
		},
		session: int(k.session), version: int(k.version), challenge: k.challenge, challengeKnown: k.challengeKnown,
		parked: k.parked, encoding: k.encoding, family: k.family, declared: k.declared,
	}
}
