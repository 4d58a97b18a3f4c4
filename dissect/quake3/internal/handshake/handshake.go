// Package handshake follows what the peers of a session agree on before it, by their out-of-band words: getchallenge,
// challengeResponse, connect, connectResponse. It keeps what was offered, and says when a session begins. What becomes
// of the session is the caller's.
//
// Anybody can send a packet of a handshake in the name of a peer. So the challenges that were offered beside the one
// that a session begins with are kept until a message of it could be read, and the one counts with which it can.
//
// Source: SV_GetChallenge, SV_DirectConnect and CL_ConnectionlessPacket, code/server/sv_client.c and
// code/client/cl_main.c.
package handshake

import (
	"iter"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// An Offer is a challenge that the server has given to a client.
type Offer struct {
	Challenge      int32
	Known          bool
	Fresh          bool // no session has begun with it
	Requested      bool // the client asked for it, and has not asked for a connection since
	Protocol       int  // requested by the client
	ServerProtocol int  // the server's own
	Qport          uint16
	HasQport       bool
}

// rivals are offers that another one has replaced before a session began with them, the newest first.
type rivals [2]Offer

// Offers are what the peers of one stream have offered each other. The zero value is before the first word.
type Offers struct {
	Offered  Offer // what the next session begins with
	rivals   rivals
	Declared uint8 // the game that the server's information shows before a session: see tables.GameOfInfo
}

// A Session is what the peers have agreed on so far.
type Session struct {
	Begun     bool  // there is one
	Challenge int32 // with which it began
	Version   int   // its protocol; 0: not known
	Plays     bool  // a sequenced packet came
}

// A Step is what a word changes for the session.
type Step struct {
	Begins  bool // a session begins with the offer
	Version int  // what the peers agreed on with the word, or have agreed on before; 0: it does not say
}

// See follows a word.
func (o *Offers) See(p *oob.Packet, s Session) (step Step) {
	if p.Sided {
		o.Declared = tables.GameOfSided
	}
	switch p.Kind {
	case oob.GetChallenge:
		if game := tables.GameOfWord(p.Word(1)); game != 0 {
			o.Declared = game
		}
		o.replace(Offer{Requested: true})
	case oob.ChallengeResponse:
		if p.HasChallenge && (!o.Offered.Known || o.Offered.Challenge != p.Challenge) {
			o.replace(Offer{Challenge: p.Challenge, Known: true, Fresh: true, Requested: o.Offered.Requested})
		}
		if p.Protocol != 0 && o.Offered.Protocol == 0 {
			o.Offered.ServerProtocol = p.Protocol
		}
	case oob.Connect:
		return o.connect(p, s)
	case oob.ConnectResponse:
		return o.answer(p, s)
	case oob.InfoResponse, oob.StatusResponse:
		if game := tables.GameOfInfo(p.ServerInfo()); game != 0 {
			o.Declared = game
		}
	}
	return Step{}
}

// connect follows the client's word. The answer may have come before it.
func (o *Offers) connect(p *oob.Packet, s Session) (step Step) {
	if o.Offered.Requested = false; !p.HasChallenge {
		return Step{}
	}
	if !o.Offered.Known || o.Offered.Challenge != p.Challenge {
		o.replace(Offer{Challenge: p.Challenge, Known: true, Fresh: true})
	}
	o.Offered.Protocol = p.Protocol
	o.Offered.Qport, o.Offered.HasQport = p.Qport, p.HasQport
	if !s.Begun || s.Challenge != p.Challenge {
		o.Offered.Fresh = true
	}
	if !o.Offered.Fresh && s.Version == 0 && s.Plays {
		step.Version = p.Protocol
	}
	return step
}

// answer follows the server's word, with which a session begins if it was not said before.
func (o *Offers) answer(p *oob.Packet, s Session) Step {
	if p.HasChallenge && s.Begun && s.Challenge == p.Challenge && !o.Offered.Fresh {
		return Step{} // repeated
	}
	if p.HasChallenge && !o.Offered.Known && o.rivals == (rivals{}) {
		o.Offered = Offer{Challenge: p.Challenge, Known: true, Fresh: true}
		if s.Plays { // nothing asked for it: its first packet shows whether there is such a session
			return Step{}
		}
	}
	o.Offered = o.rivals.answered(o.Offered, p)
	switch f := &o.Offered; {
	case !f.Known || !f.Fresh:
	case p.HasChallenge && f.Challenge != p.Challenge:
	case f.Requested && f.Protocol == 0: // the client has not asked for a connection yet
	default:
		return Step{Begins: true, Version: p.Protocol}
	}
	return Step{}
}

// replace makes an offer the one that the next session begins with.
func (o *Offers) replace(f Offer) {
	if o.Offered.Known && o.Offered.Fresh {
		o.rivals.add(o.Offered)
	}
	o.Offered = f
}

func (r *rivals) add(f Offer) {
	if r[0].Known && r[0].Challenge == f.Challenge {
		r[0] = f
		return
	}
	r[1], r[0] = r[0], f
}

// answered returns the offer that a connectResponse answers: the one with its challenge, else the newest with which the
// client asked for a connection. The others become rivals.
func (r *rivals) answered(f Offer, p *oob.Packet) Offer {
	for i := range r {
		q := r[i]
		if !q.Known {
			continue
		}
		better := !f.Known || f.Protocol == 0 && q.Protocol != 0
		if p.HasChallenge {
			better = q.Challenge == p.Challenge && (!f.Known || f.Challenge != p.Challenge)
		}
		if better {
			if r[i] = f; !f.Known || !f.Fresh {
				r[i] = Offer{}
			}
			q.Requested = q.Requested && q.Protocol == 0
			return q
		}
	}
	return f
}

// Forget forgets what was offered.
func (o *Offers) Forget() { o.Offered, o.rivals = Offer{}, rivals{} }

// Gave reports whether the server gave the client a challenge.
func (o *Offers) Gave(challenge int32) bool {
	for _, f := range [...]Offer{o.Offered, o.rivals[0], o.rivals[1]} {
		if f.Known && f.Challenge == challenge {
			return true
		}
	}
	return false
}

// Contested reports whether another challenge than the session's was offered for it.
func (o *Offers) Contested() bool {
	return o.rivals[0].Known || o.Offered.Known && o.Offered.Fresh
}

// Others are the offers beside that of a session's challenge.
func (o *Offers) Others(challenge int32) iter.Seq[Offer] {
	return func(yield func(Offer) bool) {
		for _, f := range [...]Offer{o.Offered, o.rivals[0], o.rivals[1]} {
			if f.Known && f.Fresh && f.Challenge != challenge && !yield(f) {
				return
			}
		}
	}
}

// Accept makes an offer that of a session which began with a wrong challenge.
func (o *Offers) Accept(f Offer, wrong int32) {
	o.Settle()
	if o.Offered.Challenge == f.Challenge || o.Offered.Challenge == wrong {
		o.Offered = f
		o.Offered.Fresh = false
	}
}

// Settle notes that the session has the right challenge: a message of it could be read.
func (o *Offers) Settle() { o.rivals = rivals{} }
