package teeworlds

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/connless"
	"github.com/q3dissect/q3dissect/dissect/teeworlds/internal/tables"
)

// A router finds the family's datagrams and their dialect. A conversation is a pair of endpoints.
// For each pair the router remembers which side is the server and what the handshake agreed on. The
// conversation receives the dialect as its hint.
type router struct {
	pairs    flows.Table[pair]
	requests flows.Map[question, struct{}] // tokens of 0.7 that clients asked for
	claims   flows.DecodeAs[tables.Dialect]
	tester   tester
}

// A question is a client's request for a token of 0.7, as the answer repeats it. The answer to a
// broadcast comes from another endpoint than the request went to, and a request captured before the
// system chose an address has no source address. The client's port and its token therefore identify
// the answer.
type question struct {
	port  uint16
	token uint32
}

// Hash returns a hash of the question.
func (q question) Hash(s *flows.Seed) uint64 { return s.Hash(uint64(q.port), uint64(q.token), 0, 0, 0) }

// A pair is what is known of the traffic between two endpoints.
type pair struct {
	stream    *dissect.Stream // its conversation; nil: none yet
	dialect   tables.Dialect  // of the connection, or of the last test
	server    flows.Side
	played    bool // a connection was seen
	answered  bool // both sides took part in its handshake
	evidence  flows.Evidence
	foreign   bool       // no candidate is left: the traffic is foreign
	heuristic *heuristic // nil if there is none

	asker    flows.Side // who sent the newest word of a handshake
	rival    rival
	dataAt   int64    // time of the last packet of the session that is not a control packet; 0: none
	learnt   [2]token // what the heuristic found to be the tokens in packets of the lower and of the higher endpoint
	asked06  flows.Side
	connless token // the server's, in connless packets of 0.7
}

// A rival is a session that a word announces while another one is in progress, which is anybody's to send. It counts
// once the other side answers.
type rival struct {
	dialect       tables.Dialect // Unknown: there is none
	server, asker flows.Side
}

// aliveFor is how long a session is in progress after its last packet of messages, in nanoseconds: games give up then.
const aliveFor = 10e9

// What Route.Hint has beside the dialect.
const (
	hintRival   = 1 << 8 // the packet is of a session that would replace the one in progress, see rival
	hintToken   = 1 << 9 // the sender's token follows
	hintTokenAt = 32
)

func newRouter() *router { return &router{} }

// Claim makes every datagram of a port the family's.
func (r *router) Claim(port uint16, as string) { r.claims.Add(port, dialectOf(as)) }

// Expire drops idle pairs without a connection.
func (r *router) Expire(before int64) {
	r.pairs.Expire(before)
	r.requests.Expire(before)
}

// Shown reports whether there are records of the pair.
func (p *pair) Shown() bool { return p.stream != nil }

// Route classifies a datagram.
func (r *router) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	if r.pairs.Unknown(p) && r.foreign(p) {
		return dissect.Route{}
	}
	return r.examine(p, now, last)
}

// examine is Route of a datagram that may be the family's.
func (r *router) examine(p *dissect.Packet, now int64, last bool) dissect.Route {
	pr := r.pairs.Visit(p, now)
	route := r.route(p, pr, now, last)
	if r.pairs.Leave(now, pr.stream != nil || pr.heuristic != nil, pr.played) && pr.stream != nil {
		pr.stream.MarkForgotten()
	}
	return route
}

// Recall returns the connection of a datagram's endpoints.
func (r *router) Recall(p *dissect.Packet) dissect.Route {
	e := r.pairs.Peek(flows.PairOf(p))
	if e == nil || e.Value.stream == nil || !e.Value.played || recognise(p.Payload, p.Length).connless {
		return dissect.Route{}
	}
	return e.Value.route(e.Value.server.Direction(flows.Sender(p)), e.Value.dialect)
}

// Owns reports whether a datagram's endpoints have a connection.
func (r *router) Owns(p *dissect.Packet) (session, fits bool) {
	e := r.pairs.Peek(flows.PairOf(p))
	if e == nil || e.Value.stream == nil || !e.Value.played || !e.Value.evidence.Proven() {
		return false, false
	}
	return true, plausible(p, e.Value.dialect)
}

// foreign reports, at little cost, that a datagram is foreign if nothing is known of its pair: it does not begin like
// one that shows the family by itself, and no dialect has packets like it.
func (r *router) foreign(p *dissect.Packet) bool {
	if _, claimed := r.claims.Of(p); claimed {
		return false
	}
	if len(p.Payload) < headerLen06 {
		return true
	}
	if signs[p.Payload[0]] {
		return false
	}
	for _, d := range candidateDialects {
		if plausible(p, d) {
			return false
		}
	}
	return true
}

func (r *router) route(p *dissect.Packet, pr *pair, now int64, last bool) dissect.Route {
	src := r.pairs.Sender()
	s := recognise(p.Payload, p.Length)
	as, claimed := r.claims.Of(p)
	switch {
	case s.dialect == tables.Unknown:
	case s.certain:
		if s.asks {
			r.ask(question{p.Src.Port(), s.token}, now)
		}
		return r.accept(pr, &s, src, now)
	case s.answers && (!pr.played || pr.rival.dialect == tables.V07) &&
		r.requests.Peek(question{p.Dst.Port(), s.token}) != nil:
		return r.accept(pr, &s, src, now)
	case s.answers && !pr.played && pr.connless == tokenOf(p.Payload[headerLen07+1:][:tokenLen]):
		return pr.route(s.direction, s.dialect)
	case pr.stream != nil && s.connless:
		return pr.route(s.direction, s.dialect)
	}
	if !pr.played && pr.asked06 == src.Other() && refuses06(p.Payload) {
		s = sign{dialect: tables.V06, direction: dissect.ServerToClient}
		return r.accept(pr, &s, src, now)
	}
	if s.asks06 {
		pr.asked06 = src
	}
	if pr.played {
		if s.accepts06() && pr.dialect == tables.DDNet && !pr.evidence.Proven() {
			pr.dialect = tables.V06 // the server has no tokens, so the session has none
			pr.answered = true
		}
		alone := !pr.answered && !claimed && !pr.evidence.Proven() // a word of one side, perhaps amid another session
		switch {
		case len(p.Payload) < headerLen06:
		case flagsOf(p.Payload[0], pr.dialect)&flagControl != 0 && (!alone || plausible(p, pr.dialect)):
			if isClose(p.Payload, pr.dialect) {
				pr.dataAt = 0
			}
		case alone:
			if route := r.try(p, pr, src, last, tables.Unknown, false); route.Decision != dissect.Foreign {
				return route
			}
			pr.dataAt = now + 1
		default:
			pr.dataAt = now + 1
		}
		route := pr.session(src)
		if !pr.evidence.Proven() && !claimed {
			route.Doubt = pr.evidence.Add(p, plausible(p, pr.dialect))
		}
		return route
	}
	if pr.foreign && !claimed {
		return dissect.Route{}
	}
	return r.try(p, pr, src, last, as, claimed)
}

// ask records a request for a token.
func (r *router) ask(q question, now int64) {
	if r.requests.Find(q, now) == nil {
		r.requests.Add(q, now)
	}
}

// accept takes a datagram that is certainly the family's.
func (r *router) accept(pr *pair, s *sign, src flows.Side, now int64) dissect.Route {
	pr.open()
	route := pr.route(s.direction, s.dialect)
	if s.connless {
		pr.connless = s.server
		return route
	}
	server := flows.Server(src, s.direction)
	if found := (rival{s.dialect, server, src.Other()}); pr.inProgress(now) &&
		(s.dialect != pr.dialect || server != pr.server) && pr.rival != found {
		pr.rival = rival{s.dialect, server, src}
		if server != pr.server || (s.dialect == tables.V07) != (pr.dialect == tables.V07) {
			route.Hint |= hintRival
		}
		return route
	}
	pr.answered = pr.asker == src.Other() && pr.played
	pr.dialect, pr.server, pr.played, pr.heuristic = s.dialect, server, true, nil
	pr.rival, pr.learnt, pr.asker = rival{}, [2]token{}, src
	return route
}

// inProgress reports whether packets of the session came lately, the end of it not included.
func (pr *pair) inProgress(now int64) bool { return pr.dataAt > 0 && now-pr.dataAt < aliveFor }

// isClose reports whether a control packet ends a connection.
func isClose(b []byte, d tables.Dialect) bool {
	n := headerLen(flagsOf(b[0], d), d)
	return len(b) > n && b[n] == controlClose
}

// refuses06 reports whether a packet is the close that a server of 0.6 sends in place of an answer to a connect, with a
// printable reason. The first releases compress control packets too.
func refuses06(b []byte) bool {
	var p packet
	if len(b) > 1<<8 || !p.parse(b, tables.V06) || p.fault != nil || !p.has(flagControl) || p.numChunks != 0 {
		return false
	}
	if len(p.payload) < 2 || p.payload[0] != controlClose {
		return false
	}
	reason, rest, ended := bytes.Cut(p.payload[1:], []byte{0})
	return ended && len(rest) == 0 && len(reason) > 0 && utf8.Valid(reason) &&
		!bytes.ContainsFunc(reason, unicode.IsControl)
}

// open creates the conversation of a pair.
func (pr *pair) open() {
	if pr.stream == nil {
		pr.stream = new(dissect.Stream)
	}
	pr.foreign = false
}

// session returns the route of a packet of the session.
func (pr *pair) session(src flows.Side) dissect.Route {
	route := pr.route(pr.server.Direction(src), pr.dialect)
	if t := pr.learnt[src.Index()]; t.some {
		route.Hint |= hintToken | uint64(binary.BigEndian.Uint32(t.bytes[:]))<<hintTokenAt
	}
	return route
}

func (pr *pair) route(d dissect.Direction, as tables.Dialect) dissect.Route {
	return dissect.Route{Decision: dissect.Mine, Stream: pr.stream, Direction: d, Hint: uint64(as)}
}

// A sign is what a single datagram shows.
type sign struct {
	dialect   tables.Dialect // Unknown: nothing
	direction dissect.Direction
	certain   bool // it cannot be anything else
	connless  bool
	bare06    bool  // an answer of 0.6 without a token
	asks06    bool  // a connect of its first releases
	server    token // the server's, in connless packets of 0.7

	// In 0.7: a request for a token, and a possible answer to one.
	asks, answers bool
	token         uint32 // the client's
}

// accepts06 reports whether a server without tokens accepts a connection.
func (s *sign) accepts06() bool { return s.bare06 }

// signs are the first bytes of datagrams that recognise looks at.
var signs = [256]bool{0xff: true, 'x': true, 0x20 | connlessVersion: true, 0x04: true, 0x10: true, 0x18: true}

// recognise looks for patterns that no other protocol has. wire is the length of the whole datagram
// in bytes.
func recognise(b []byte, wire int) sign {
	switch {
	case len(b) < headerLen06+1:
		return sign{}
	case bytes.HasPrefix(b, tenFF):
		return recogniseConnless(b, connlessLen06, tables.V06)
	case isExtended(b):
		return recogniseConnless(b, connlessLen06, tables.DDNet)
	case b[0] == 0x20|connlessVersion:
		return recogniseConnless(b, connlessLen07, tables.V07)
	case b[0] == 0x04 && b[1] == 0 && b[2] == 0 && len(b) > headerLen07:
		return recognise07(b, wire)
	case b[0] == 0x10 && b[1] == 0 && b[2] == 0:
		return recognise06(b, wire)
	case b[0] == 0x18 && b[1] == 0 && b[2] == 0 && len(b) == headerLenToken+1+tokenLen &&
		b[headerLenToken] == controlAccept:
		return sign{dialect: tables.V06, direction: dissect.ServerToClient, certain: true}
	}
	return sign{}
}

// tenFF is the beginning of connless packets in 0.6: header and mark.
var tenFF = bytes.Repeat([]byte{0xff}, connlessLen06+4)

// recogniseConnless looks at a packet without connection.
func recogniseConnless(b []byte, header int, d tables.Dialect) sign {
	if len(b) < header {
		return sign{}
	}
	tag, ok := connless.TagOf(b[header:])
	if !ok {
		return sign{}
	}
	s := sign{dialect: d, connless: true}
	if d == tables.V07 {
		s.server = tokenOf(b[1:][:tokenLen]) // the receiver's
	}
	if def := connless.Lookup(d, tag); def != nil {
		s.certain, s.direction = true, def.From
		if d == tables.V07 && def.From == dissect.ServerToClient {
			s.server = tokenOf(b[1+tokenLen:][:tokenLen])
		}
		if d == tables.V06 && ddnetTags[string(b[header+4:header+4+connless.TagLen])] {
			s.dialect = tables.DDNet
		}
	}
	return s
}

// ddnetTags are the tags that 0.6 does not have.
var ddnetTags = map[string]bool{"fstd": true, "dtsf": true, "iext": true, "iex+": true, "chal": true}

// recognise07 looks at a control packet of 0.7 without acknowledgement.
func recognise07(b []byte, wire int) sign {
	s := sign{dialect: tables.V07, direction: dissect.ClientToServer}
	token, id, rest := binary.BigEndian.Uint32(b[headerLen06:]), b[headerLen07], b[headerLen07+1:]
	switch {
	case wire == tokenRequestLen && len(rest) > tokenLen && (id == controlToken && token == noToken ||
		id == controlConnect) && zeros(rest[tokenLen:]):
		s.certain, s.asks, s.token = true, id == controlToken, binary.BigEndian.Uint32(rest)
	case id == controlToken && token != noToken && wire == headerLen07+1+tokenLen && len(rest) == tokenLen:
		s.direction, s.answers, s.token = dissect.ServerToClient, true, token
	case id == controlConnect && len(rest) == tokenLen && string(rest) == tokenMagic: // DDNet's repeated request
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
	s := sign{dialect: tables.V06, direction: dissect.ClientToServer, certain: true}
	switch {
	case id == controlConnect && marked:
		s.dialect = tables.DDNet
	case id == controlConnect && wire == headerLen06+1+connectUnusedBytes06+tokenLen+connectPadding06 &&
		len(rest) > connectUnusedBytes06+tokenLen && zeros(rest[connectUnusedBytes06+tokenLen:]):
	case id == controlAccept && marked:
		s.dialect, s.direction = tables.DDNet, dissect.ServerToClient
	case id == controlAccept && len(rest) == 0:
		return sign{bare06: true}
	case id == controlConnect && len(rest) == 0:
		return sign{asks06: true}
	default:
		return sign{}
	}
	return s
}

func zeros(b []byte) bool { return leadingZeros(b) == len(b) }

// leadingZeros counts the zero bytes at the start of b: requests of 0.7 have five hundred.
func leadingZeros(b []byte) int {
	n := 0
	for n+8 <= len(b) && binary.LittleEndian.Uint64(b[n:]) == 0 {
		n += 8
	}
	for n < len(b) && b[n] == 0 {
		n++
	}
	return n
}
