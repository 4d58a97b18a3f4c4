package gamestudio

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/internal/payloads"
)

// A router finds the game's datagrams that no transport's router finds: those of ports that the
// user named, whatever carries them, and messages of DirectPlay 4. A conversation is the traffic
// between two endpoints.
type router struct {
	protocol *dissect.Protocol // the reader that it finds datagrams for
	pairs    flows.Table[pair]
	claims   flows.DecodeAs[hint]
	carriers []dissect.Carrier
	checker  checker
	reads    func(b []byte, p *dissect.Payload) bool
	readings map[hint]*dissect.Reading
	sender   dissect.Direction // of the datagram that reads examines
}

// Numbers of carriers. The carriers given to the router have their position in that list, from 1.
const (
	bareUDP     = 0          // none: messages are the UDP payload
	directPlay4 = maxCarrier // player messages in UDP
	maxCarrier  = 7
)

// A pair is what is known about the traffic between two endpoints.
type pair struct {
	stream  *dissect.Stream // nil before the first datagram that is the game's
	server  flows.Side
	carrier uint8                  // what carries the messages
	sure    bool                   // the carrier was recognised by its mark
	settled bool                   // the carrier of a claimed port is settled
	isGame  bool                   // the messages of DirectPlay 4 are the game's
	votes   [maxCarrier + 1]uint8  // until then: how many datagrams fit each carrier
	hints   [maxCarrier + 1]uint64 // for the carriers' conversations
	ending  payloads.Ending

	// For DirectPlay 4 on ports that the user did not name.
	decided  bool
	evidence *evidence
	frame    uint64 // newest packet that was tried
	hint     hint
}

func newRouter(p *dissect.Protocol, carriers []dissect.Carrier) *router {
	r := &router{protocol: p, carriers: carriers[:min(len(carriers), maxCarrier-1)], readings: map[hint]*dissect.Reading{}}
	r.reads = func(b []byte, p *dissect.Payload) bool {
		return r.checker.explains(b, *p, r.sender == dissect.ClientToServer)
	}
	return r
}

// Claim makes every datagram of a port the game's.
func (r *router) Claim(port uint16, as string) {
	switch as {
	case asGame2002:
		r.claims.Add(port, is2002)
	case asGameSendZ:
		r.claims.Add(port, mayLackZ)
	default:
		r.claims.Add(port, 0)
	}
}

// Expire drops idle pairs that are not the game's.
func (r *router) Expire(before int64) { r.pairs.Expire(before) }

// Route classifies a datagram.
func (r *router) Route(p *dissect.Packet, now int64, last bool) dissect.Route {
	claim, claimed := r.claims.Of(p)
	if !claimed && !hasDirectPlay4Prefix(p) {
		return dissect.Route{}
	}
	e := r.pairs.Find(p, now)
	if e == nil {
		e = r.pairs.Add(p, now)
	}
	pr, src := &e.Value, r.pairs.Sender()
	if !claimed {
		return r.routeDirectPlay4(p, e, src, last)
	}
	r.pairs.Keep(e)
	return r.routeClaimed(p, pr, src, claim, last)
}

// route returns the pair's route for a datagram of one side.
func (r *router) route(pr *pair, src flows.Side) dissect.Route {
	if pr.stream == nil {
		pr.stream = new(dissect.Stream)
	}
	route := dissect.Route{
		Decision: dissect.Mine, Stream: pr.stream, Direction: pr.server.Direction(src),
		Hint: uint64(pr.hint),
	}
	switch pr.carrier {
	case bareUDP:
	case directPlay4:
		route.Hint |= uint64(isDirectPlay4)
	default:
		route.Carrier, route.Hint, route.Reading = pr.carrier, pr.hints[pr.carrier], r.reading(pr.hint)
	}
	return route
}

// reading returns what the engine needs to know about the connections of a claimed port. They share
// one value.
func (r *router) reading(h hint) *dissect.Reading {
	if r.readings[h] == nil {
		r.readings[h] = &dissect.Reading{Reader: r.protocol, Hint: uint64(h)}
	}
	return r.readings[h]
}

// routeClaimed routes a datagram of a port that the user named. The carrier is recognised by its
// mark, or else by which one fits the datagrams.
func (r *router) routeClaimed(p *dissect.Packet, pr *pair, src flows.Side, claim hint, last bool) dissect.Route {
	pr.hint |= claim
	if !r.readMark(p, pr, src) && !pr.sure {
		pr.carrier = r.carrier(p, pr, src)
	}
	if pr.server == flows.Unknown {
		pr.server = r.claims.Server(p)
	}
	if pr.server == flows.Unknown && pr.carrier == bareUDP {
		pr.server = serverByContent(p.Payload, src)
	}
	route := r.route(pr, src)
	if route.Carrier == 0 {
		return route
	}
	c := r.carriers[route.Carrier-1]
	sign := c.Sign(p, route.Hint, pr.ending.Pending())
	if pr.ending.Waits(p, src, sign, last) {
		return dissect.Route{Decision: dissect.Undecided}
	}
	if pr.ending.TakenBack(p, src, sign) {
		route.Hint = c.TakenBack(route.Hint)
	}
	return route
}

// readMark looks for the mark of a carrier, and records what it shows.
func (r *router) readMark(p *dissect.Packet, pr *pair, src flows.Side) bool {
	for i, c := range r.carriers {
		h, d, firm, ok := c.Mark(p)
		if !ok {
			continue
		}
		pr.carrier, pr.hints[i+1], pr.sure = uint8(i+1), h, true
		if server := flows.Server(src, d); firm || pr.server == flows.Unknown {
			pr.server = server
		}
		return true
	}
	if hasDirectPlay4Prefix(p) {
		pr.carrier, pr.sure = directPlay4, true
		return true
	}
	return false
}

// serverByContent finds the server by a command that only one side has.
func serverByContent(payload []byte, src flows.Side) flows.Side {
	if len(payload) == 0 {
		return flows.Unknown
	}
	switch code := payload[0]; {
	case code == 0x02 || code == 0x09:
		return src.Other()
	case code >= 0x40 || code == 0x05 || code == 0x06 || code == 0x12:
		return src
	}
	return flows.Unknown
}

// carrierLead is the lead in fitting datagrams that a carrier needs over all others to be settled.
const carrierLead = 3

// carrier finds the carrier on a claimed port when no mark shows it: the one that fits most
// datagrams exactly. Messages can begin like frames and vice versa, so a single datagram settles
// nothing, unless it has a pattern that is rare outside the carrier. A datagram without an answer,
// such as one that the capture cut, leaves the carrier as it was; at first it is bare UDP.
func (r *router) carrier(p *dissect.Packet, pr *pair, src flows.Side) uint8 {
	current := pr.carrier
	if pr.settled || p.Truncated() {
		return current
	}
	r.sender = r.claims.Server(p).Direction(src)
	if r.reads(p.Payload, &dissect.Payload{End: len(p.Payload)}) {
		pr.votes[bareUDP]++
	}
	for i, c := range r.carriers {
		h, explained, certain := c.Explains(p, r.reads)
		if !explained {
			continue
		}
		pr.hints[i+1] = h
		if certain {
			pr.settled = true
			return uint8(i + 1)
		}
		pr.votes[i+1]++
	}
	second := uint8(0)
	for t, n := range pr.votes {
		switch best := pr.votes[current]; {
		case uint8(t) == current:
		case n > best:
			second, current = best, uint8(t)
		default:
			second = max(second, n)
		}
	}
	pr.settled = pr.votes[current] >= second+carrierLead
	return current
}

// routeDirectPlay4 routes a DirectPlay 4 message on a port that the user did not name: it is the
// game's once the packets of the two endpoints can be read as messages.
func (r *router) routeDirectPlay4(p *dissect.Packet, e *flows.Entry[flows.Pair, pair], src flows.Side,
	last bool,
) dissect.Route {
	pr := &e.Value
	pr.carrier = directPlay4
	if !pr.decided {
		r.examinePlayer(p, pr, src)
	}
	switch {
	case pr.isGame:
		r.pairs.Keep(e)
		return r.route(pr, src)
	case pr.decided || last:
		return dissect.Route{}
	}
	return dissect.Route{Decision: dissect.Undecided}
}

// examinePlayer examines a DirectPlay 4 message between two endpoints. The first command that only
// one side sends shows who the server is.
func (r *router) examinePlayer(p *dissect.Packet, pr *pair, src flows.Side) {
	const at = dplay4Prefix + dplay4IDs
	b := p.Payload
	if len(b) <= at || string(b[dplay4Prefix:dplay4Prefix+4]) == dplay4System || p.Truncated() {
		return
	}
	if pr.server == flows.Unknown {
		pr.server = serverByContent(b[at:], src)
	}
	if pr.server == flows.Unknown || p.Frame <= pr.frame {
		return
	}
	pr.frame = p.Frame
	if pr.evidence == nil {
		pr.evidence = newEvidence(&r.checker)
	}
	whole := [1]dissect.Payload{{At: at, End: len(b), Direction: pr.server.Direction(src)}}
	if d, h := pr.evidence.Examine(b, whole[:]); d != dissect.Undecided {
		pr.decided, pr.isGame, pr.hint, pr.evidence = true, d == dissect.Mine, hint(h), nil
	}
}
