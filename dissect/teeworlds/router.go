package teeworlds

import (
	"bytes"
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A router tells which datagrams are the family's, and which dialect they speak. A conversation is a pair of
// endpoints. The router remembers for each pair which side is the server and what was agreed; what it finds
// goes to the conversation as the hint, which is a dialect.
type router struct {
	pairs   map[pairKey]*pair
	claimed map[uint16]dialect // ports of -d
	streams int
	judge   judge
	fresh   pair // the pair that is being looked at for the first time
}

// A pairKey is two endpoints, the lower one first.
type pairKey struct{ low, high netip.AddrPort }

// A pair is what is known of the traffic between two endpoints.
type pair struct {
	stream  int     // its conversation; -1: none yet
	dialect dialect // of the connection, or of what was tried last
	server  int     // 0: the lower endpoint; 1: the higher; -1: not known
	played  bool    // a connection was there
	foreign bool    // it was tried, and is none of ours
	trial   *trial  // nil: none is going on
	last    int64
}

func newRouter() *router {
	return &router{pairs: map[pairKey]*pair{}, claimed: map[uint16]dialect{}}
}

// Claim makes every datagram of a port the family's.
func (r *router) Claim(port uint16, as string) { r.claimed[port] = dialectOf(as) }

// Expire forgets pairs without a connection that were idle.
func (r *router) Expire(before int64) {
	for key, p := range r.pairs {
		if p.last < before && !p.played {
			delete(r.pairs, key)
		}
	}
}

// Route says what a datagram is.
func (r *router) Route(p *dissect.Packet, last bool) dissect.Route {
	if p.Recorded() {
		if p.Recorder != protocolName {
			return dissect.Route{}
		}
		return dissect.Route{Verdict: dissect.Mine, Direction: dissect.ServerToClient, Hint: p.Hint}
	}
	key, src := pairKey{p.Src, p.Dst}, 0
	if p.Dst.Compare(p.Src) < 0 {
		key, src = pairKey{p.Dst, p.Src}, 1
	}
	if pr, ok := r.pairs[key]; ok {
		return r.route(p, pr, src, last)
	}
	// Most of a capture can be foreign: a pair is kept only once there is something to remember.
	r.fresh = pair{stream: -1, server: -1}
	route := r.route(p, &r.fresh, src, last)
	if r.fresh.stream >= 0 || r.fresh.trial != nil {
		pr := r.fresh
		r.pairs[key] = &pr
	}
	return route
}

func (r *router) route(p *dissect.Packet, pr *pair, src int, last bool) dissect.Route {
	if p.HasTime {
		pr.last = p.Time
	}
	s := recognise(p.Payload, p.Length)
	switch {
	case s.dialect == dialectUnknown:
	case s.certain:
		return r.accept(pr, &s, src)
	case pr.stream >= 0 && s.connless:
		return pr.route(s.direction, src, s.dialect)
	}
	if pr.played {
		if s.accepts06() && pr.dialect == ddnet {
			pr.dialect = v06 // the server knows no tokens, so there are none
		}
		return pr.route(pr.direction(src), src, pr.dialect)
	}
	claimed, ok := r.claim(p)
	if pr.foreign && !ok {
		return dissect.Route{}
	}
	return r.try(p, pr, src, last, claimed, ok)
}

// claim finds the dialect that -d gives a port of the packet.
func (r *router) claim(p *dissect.Packet) (dialect, bool) {
	if len(r.claimed) == 0 {
		return dialectUnknown, false
	}
	if d, ok := r.claimed[p.Src.Port()]; ok {
		return d, true
	}
	d, ok := r.claimed[p.Dst.Port()]
	return d, ok
}

// accept takes a datagram that is the family's beyond doubt.
func (r *router) accept(pr *pair, s *sign, src int) dissect.Route {
	r.open(pr)
	if !s.connless {
		pr.dialect, pr.played, pr.trial = s.dialect, true, nil
		pr.server = 1 - src
		if s.direction == dissect.ServerToClient {
			pr.server = src
		}
	}
	return pr.route(s.direction, src, s.dialect)
}

// open gives the pair a conversation.
func (r *router) open(pr *pair) {
	if pr.stream < 0 {
		pr.stream = r.streams
		r.streams++
	}
	pr.foreign = false
}

func (pr *pair) route(d dissect.Direction, src int, as dialect) dissect.Route {
	return dissect.Route{Verdict: dissect.Mine, Conversation: pr.stream, Direction: d, Hint: uint64(as)}
}

// direction is that of a datagram of the connection.
func (pr *pair) direction(src int) dissect.Direction {
	switch pr.server {
	case src:
		return dissect.ServerToClient
	case 1 - src:
		return dissect.ClientToServer
	}
	return dissect.Undecidable
}

// A sign is what a datagram shows by itself.
type sign struct {
	dialect   dialect // dialectUnknown: nothing
	direction dissect.Direction
	certain   bool // it cannot be anything else
	connless  bool
	bare06    bool // an answer of 0.6 without a token
}

// accepts06 reports whether a server without tokens accepts a connection.
func (s *sign) accepts06() bool { return s.bare06 }

// recognise looks for what no other protocol has.
// wire is the length of the whole datagram.
func recognise(b []byte, wire int) sign {
	switch {
	case len(b) < headerLen06+1:
		return sign{}
	case bytes.HasPrefix(b, tenFF):
		return recogniseConnless(b, connlessLen06, v06)
	case isExtended(b):
		return recogniseConnless(b, connlessLen06, ddnet)
	case b[0] == 0x20|connlessVersion:
		return recogniseConnless(b, connlessLen07, v07)
	case b[0] == 0x04 && b[1] == 0 && b[2] == 0 && len(b) > headerLen07:
		return recognise07(b, wire)
	case b[0] == 0x10 && b[1] == 0 && b[2] == 0:
		return recognise06(b, wire)
	case b[0] == 0x18 && b[1] == 0 && b[2] == 0 && len(b) == headerLenToken+1+tokenLen && b[headerLenToken] == controlAccept:
		return sign{dialect: v06, direction: dissect.ServerToClient, certain: true}
	}
	return sign{}
}

// tenFF begin the connless packets of 0.6: its header and the mark.
var tenFF = bytes.Repeat([]byte{0xff}, connlessLen06+4)

// recogniseConnless looks at a packet without connection.
func recogniseConnless(b []byte, header int, d dialect) sign {
	if len(b) < header {
		return sign{}
	}
	tag, ok := tagOf(b[header:])
	if !ok {
		return sign{}
	}
	s := sign{dialect: d, connless: true}
	if def := lookupConnless(d, tag); def != nil {
		s.certain, s.direction = true, def.from
		if d == v06 && ddnetTags[string(b[header+4:header+4+tagLen])] {
			s.dialect = ddnet
		}
	}
	return s
}

// ddnetTags are those that 0.6 does not know.
var ddnetTags = map[string]bool{"fstd": true, "dtsf": true, "iext": true, "iex+": true, "chal": true}

// recognise07 looks at a control packet of 0.7 without acknowledgement.
func recognise07(b []byte, wire int) sign {
	s := sign{dialect: v07, direction: dissect.ClientToServer}
	token, id, rest := binary.BigEndian.Uint32(b[headerLen06:]), b[headerLen07], b[headerLen07+1:]
	switch {
	case wire == tokenRequestLen && len(rest) > tokenLen && (id == controlToken && token == noToken || id == controlConnect) && zeros(rest[tokenLen:]):
		s.certain = true
	case id == controlConnect && len(rest) == tokenLen && string(rest) == tokenMagic: // DDNet repeats itself so
		s.certain = true
	default:
		return sign{}
	}
	return s
}

// recognise06 looks at a control packet of 0.6 without acknowledgement.
func recognise06(b []byte, wire int) sign {
	id, rest := b[headerLen06], b[headerLen06+1:]
	marked := len(rest) == len(tokenMagic)+tokenLen && string(rest[:len(tokenMagic)]) == tokenMagic
	s := sign{dialect: v06, direction: dissect.ClientToServer, certain: true}
	switch {
	case id == controlConnect && marked:
		s.dialect = ddnet
	case id == controlConnect && wire == headerLen06+1+connectUnusedBytes06+tokenLen+connectPadding06 && len(rest) > connectUnusedBytes06+tokenLen && zeros(rest[connectUnusedBytes06+tokenLen:]):
	case id == controlAccept && marked:
		s.dialect, s.direction = ddnet, dissect.ServerToClient
	case id == controlAccept && len(rest) == 0:
		return sign{bare06: true}
	default:
		return sign{}
	}
	return s
}

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
