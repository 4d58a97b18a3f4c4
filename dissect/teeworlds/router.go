package teeworlds

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
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
	ending   payloads.Ending
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
	hintRival   = 1 << 8  // the packet is of a session that would replace the one in progress, see rival
	hintToken   = 1 << 9  // the sender's token follows
	hintGoesOn  = 1 << 10 // the packet closes a session that goes on
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
	if pr.played && route.Decision == dissect.Mine && route.Hint&hintRival == 0 {
		src, sign := r.pairs.Sender(), signOf(p.Payload, pr.dialect)
		if pr.ending.Waits(p, src, sign, last) {
			route = dissect.Route{Decision: dissect.Undecided}
		} else if pr.ending.TakenBack(p, src, sign) {
			route.Hint |= hintGoesOn
		}
	}
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
