// Package gate decides whether the receiver of a datagram would act on it. It is asked between decoding and everything
// that keeps state of a session or reports what happened in it: anybody can send a datagram in the name of a peer, and
// what a receiver passes over changes nothing.
package gate

import (
	"fmt"
	"time"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
)

// A Refusal is the reason why a receiver does not act on a datagram, in words for people; "": it does.
type Refusal string

// A Gate knows of a stream what its two receivers go by, beside the session's numbers and keys.
type Gate struct {
	hears   [2]bool // the input has datagrams of the server, of the client
	asked   bool    // the client asked for a challenge or a connection since its session began
	queries uint8   // of the client for the server's information that were not answered
	qport   qport
}

// A Session is what a conversation knows of the session at hand.
type Session struct {
	Plays   bool                       // messages of it have come
	Silence time.Duration              // since the server's last message; negative: not known
	Given   func(challenge int32) bool // the server gave the client this challenge for a connection
	GoesOn  bool                       // the server goes on with it after the word at hand
}

// patience is how long a client waits for the server before it believes a word that ends its session,
// CL_DisconnectPacket in code/client/cl_main.c.
const patience = 3 * time.Second

// OutOfBand decides on an out-of-band packet.
func (g *Gate) OutOfBand(p *oob.Packet, from dissect.Direction, s *Session) (why Refusal) {
	if p.Direction != dissect.Undecidable && from != dissect.Undecidable && p.Direction != from {
		if from == dissect.ServerToClient {
			return "a client passes over what is for a server"
		}
		return "a server passes over what is for a client"
	}
	switch from {
	case dissect.ServerToClient:
		why = g.ofServer(p, s)
	case dissect.ClientToServer:
		why = g.ofClient(p, s)
	default:
		return ""
	}
	if why == "" {
		g.hears[netchan.SideIndex(from == dissect.ClientToServer)] = true
	}
	return why
}

// ofServer has the rules of a client, CL_ConnectionlessPacket in code/client/cl_main.c.
func (g *Gate) ofServer(p *oob.Packet, s *Session) Refusal {
	hearsClient := g.hears[netchan.SideIndex(true)]
	switch p.Kind {
	case oob.ChallengeResponse, oob.ConnectResponse:
		if s.Plays && hearsClient && !g.asked {
			return "the client is connected, and has not asked for another connection"
		}
	case oob.InfoResponse, oob.StatusResponse:
		if g.queries == 0 && hearsClient {
			return "the client has not asked for the server's information"
		}
		g.queries = max(g.queries, 1) - 1
	case oob.Disconnect:
		if s.Plays && s.Silence >= 0 && s.Silence < patience {
			return "a client believes it only when nothing has come for three seconds"
		}
		if s.Plays && s.GoesOn {
			return "the server goes on with the session"
		}
	}
	return ""
}

// ofClient has the rules of a server, SV_ConnectionlessPacket in code/server/sv_main.c and SV_DirectConnect in
// code/server/sv_client.c.
func (g *Gate) ofClient(p *oob.Packet, s *Session) Refusal {
	switch p.Kind {
	case oob.GetInfo, oob.GetStatus:
		g.queries = min(g.queries, 1<<8-2) + 1
	case oob.GetChallenge:
		g.asked = true
	case oob.Connect:
		hearsServer := g.hears[netchan.SideIndex(false)]
		if s.Plays && p.HasChallenge && hearsServer && !s.Given(p.Challenge) {
			return "its challenge is none that the server gave the client"
		}
		g.asked = true
	case oob.Disconnect:
		if s.Plays {
			return "a server passes over the word of a client"
		}
	}
	return ""
}

// Begin notes that a session begins, of a client with a qport where that is known from its request.
func (g *Gate) Begin(number uint16, known bool) {
	g.asked = false
	g.qport = qport{number: number, agreed: known}
}

// Sequenced decides on a packet of the netchan by its sender.
func (g *Gate) Sequenced(h *netchan.Header) Refusal {
	if h.FromClient && !g.qport.admits(h) {
		return Refusal(fmt.Sprintf("its qport %d is not the client's, which is %d", h.Qport, g.qport.number))
	}
	if h.Sequence == 0 {
		return "its number is 0, and they begin with 1"
	}
	g.hears[netchan.SideIndex(h.FromClient)] = true
	return ""
}

// A qport is the number by which a server knows a client: the one of the client's request, or else the one that most of
// its packets have.
type qport struct {
	number uint16
	agreed bool // in a handshake
	votes  uint8
	other  uint32 // sequence number of the last packet with another one: copies are one witness
}

// admits counts a packet's number, and reports whether it is the client's.
func (q *qport) admits(h *netchan.Header) bool {
	switch {
	case q.agreed:
	case h.Qport == q.number && q.votes > 0:
		q.votes = min(q.votes, 1<<8-2) + 1
	case q.votes > 1 && h.Sequence == q.other:
	case q.votes > 1:
		q.votes, q.other = q.votes-1, h.Sequence
	default:
		q.number, q.votes = h.Qport, 1
	}
	return h.Qport == q.number
}

// Shows reports whether a packet's checksum is evidence for a challenge: that of number 1 is 0 for every challenge, and
// those of challenge 0 are 0 for every number. Checksum in package netchan.
func Shows(challenge int32, sequence uint32) bool { return challenge != 0 && sequence != 1 }
