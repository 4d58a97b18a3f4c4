package gamestudio

import (
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect"
)

// A router tells which datagrams belong to one of the three protocols, and which conversation they belong
// to: that of their two endpoints. It keeps a pair only once there is something to remember of it.
type router struct {
	own     transport // what is recognised; rawUDP: the game on claimed ports, whatever carries it
	pairs   map[pairKey]*pair
	claimed map[uint16]hint
	streams int
	fresh   pair // the pair that is being looked at for the first time
	judge   evidenceReader
	enet    enetScan

	glimpses []glimpse // of pairs that are not on trial; nil before the first
}

// A pairKey is two endpoints, the lower one first.
type pairKey struct{ low, high netip.AddrPort }

// A pair is what is known of the traffic between two endpoints.
type pair struct {
	stream    int // number of the conversation + 1, or 0
	hint      hint
	sure      bool               // the transport was recognised by a mark of its own
	server    uint8              // 1: the lower endpoint is the server; 2: the higher; 0: not known
	carried   bool               // what carries the claimed port's datagrams is settled
	votes     [directPlay4]uint8 // before: how many datagrams each carrier explains
	connected bool               // there is more than queries between the two
	foreign   bool
	trial     *trial // of ENet
	last      int64

	// Of DirectPlay 8: what its frames are read by, and whether they carry the game.
	minor    int8 // of the version + 1; 0: not known
	signed   bool
	judged   bool
	evidence *evidence

	// The same without a handshake.
	dplayTrial *dplayTrial
	tried      uint64 // newest packet that was tested: one that is asked about anew proves nothing
	strikes    uint8  // trials that failed
}

func newRouter(own transport) *router {
	return &router{own: own, pairs: map[pairKey]*pair{}, claimed: map[uint16]hint{}}
}

// Claim makes every datagram of a port the protocol's.
func (r *router) Claim(port uint16, as string) {
	switch as {
	case gameName:
		r.claimed[port] = isGame
	case asGame2002:
		r.claimed[port] = isGame | is2002
	case asGameSendZ:
		r.claimed[port] = isGame | mayLackZ
	default:
		r.claimed[port] = hint(r.own)
	}
}

// Expire forgets pairs without a connection that were idle: queries, and what was tried in vain.
func (r *router) Expire(before int64) {
	for key, p := range r.pairs {
		if p.last < before && !p.connected {
			delete(r.pairs, key)
		}
	}
}

// Route says what a datagram is.
func (r *router) Route(p *dissect.Packet, last bool) dissect.Route {
	if p.Recorded() || !p.UDP {
		return dissect.Route{}
	}
	claim, claimed := r.claim(p)
	if r.own == rawUDP && !claimed && !isDirectPlay4(p) {
		return dissect.Route{}
	}
	key, src := pairKey{p.Src, p.Dst}, uint8(0)
	if p.Dst.Compare(p.Src) < 0 {
		key, src = pairKey{p.Dst, p.Src}, 1
	}
	pr, known := r.pairs[key]
	if !known {
		r.fresh = pair{}
		pr = &r.fresh
	}
	if p.HasTime {
		pr.last = p.Time
	}
	var route dissect.Route
	switch {
	case claimed:
		route = r.routeClaimed(p, pr, src, claim)
	case r.own == rawUDP:
		route = r.routeDirectPlay4(p, pr, src, last)
	default:
		route = r.recognise(p, pr, src, last)
	}
	if !known && r.fresh != (pair{last: r.fresh.last}) {
		kept := r.fresh
		r.pairs[key] = &kept
	}
	return route
}

// claim finds the claim on either port.
func (r *router) claim(p *dissect.Packet) (h hint, ok bool) {
	if len(r.claimed) == 0 {
		return 0, false
	}
	if h, ok = r.claimed[p.Dst.Port()]; ok {
		return h, true
	}
	h, ok = r.claimed[p.Src.Port()]
	return h, ok
}

// route gives the pair's route for a datagram of one side.
func (r *router) route(pr *pair, src uint8) dissect.Route {
	if pr.stream == 0 {
		r.streams++
		pr.stream = r.streams
		pr.foreign = false
	}
	direction := dissect.Undecidable
	switch pr.server {
	case 0:
	case src + 1:
		direction = dissect.ServerToClient
	default:
		direction = dissect.ClientToServer
	}
	return dissect.Route{Verdict: dissect.Mine, Conversation: pr.stream - 1, Direction: direction, Hint: uint64(pr.hint)}
}

// routeClaimed routes a datagram of a port that the user named. What carries the game is recognised by its
// marks, and else by what explains the datagram.
func (r *router) routeClaimed(p *dissect.Packet, pr *pair, src uint8, claim hint) dissect.Route {
	pr.connected = true
	if r.strong(p, pr, src) || pr.stream != 0 && pr.sure {
		pr.hint |= claim &^ transportMask
	} else if pr.stream == 0 || r.own == rawUDP {
		carrier := r.own
		if r.own == rawUDP {
			carrier = r.carrier(p, pr, src)
		}
		pr.hint = pr.hint&^transportMask | claim&^transportMask | hint(carrier)
		if r.own != rawUDP {
			r.generation(p, pr)
		}
	}
	if pr.server == 0 {
		pr.server = r.serverByPort(p, src)
	}
	if pr.server == 0 && pr.hint.transport() == rawUDP {
		pr.server = serverByContent(p.Payload, src)
	}
	return r.route(pr, src)
}

// serverByPort finds the server by the port that was claimed, if only one side has it.
func (r *router) serverByPort(p *dissect.Packet, src uint8) uint8 {
	_, from := r.claimed[p.Src.Port()]
	_, to := r.claimed[p.Dst.Port()]
	switch {
	case from == to:
		return 0
	case from:
		return src + 1
	}
	return 2 - src
}

// serverByContent finds the server by a command that only one side has.
func serverByContent(payload []byte, src uint8) uint8 {
	if len(payload) == 0 {
		return 0
	}
	switch code := payload[0]; {
	case code == 0x02 || code == 0x09:
		return 2 - src
	case code >= 0x40 || code == 0x05 || code == 0x06 || code == 0x12:
		return src + 1
	}
	return 0
}

// carrier finds out what carries the game on a port that was claimed for it, where no mark tells: what explains most of
// the datagrams to their end. Messages can begin like frames and the other way round, so one datagram decides nothing
// for good, unless it has what hardly anything but a frame of DirectPlay 8 has. Without an answer, as from a datagram
// that the capture cut, it is what it was before, and bare UDP at first.
func (r *router) carrier(p *dissect.Packet, pr *pair, src uint8) transport {
	current := pr.hint.transport()
	if pr.carried || p.Truncated() {
		return current
	}
	if standingOf(p.Payload, false) == telling {
		pr.carried = true
		return directPlay8
	}
	fromClient := r.serverByPort(p, src) == 2-src
	if r.judge.explains(p.Payload, part{end: len(p.Payload)}, fromClient) {
		pr.votes[rawUDP]++
	}
	for _, l := range enetLayouts {
		if r.enet.explains(p.Payload, l) {
			pr.votes[enetUDP]++
			pr.hint |= l.generation.hint()
			break
		}
	}
	if r.judge.framed(p.Payload, fromClient) {
		pr.votes[directPlay8]++
	}
	second := uint8(0)
	for t, n := range pr.votes {
		switch best := pr.votes[current]; {
		case transport(t) == current:
		case n > best:
			second, current = best, transport(t)
		default:
			second = max(second, n)
		}
	}
	pr.carried = pr.votes[current] >= second+carrierLead
	return current
}

// carrierLead is how many datagrams more than anything else a carrier has to explain until it is settled.
const carrierLead = 3

// generation finds out which ENet an unmarked packet of a claimed port is.
func (r *router) generation(p *dissect.Packet, pr *pair) {
	if r.own != enetUDP || pr.stream != 0 {
		return
	}
	for _, l := range enetLayouts {
		if r.enet.scan(p.Payload, l) {
			pr.hint |= l.generation.hint()
			return
		}
	}
}

// routeDirectPlay4 routes a DirectPlay 4 message of a port that nobody claimed: it is the game's once the
// packets of the two endpoints read as messages.
func (r *router) routeDirectPlay4(p *dissect.Packet, pr *pair, src uint8, last bool) dissect.Route {
	pr.mark(directPlay4, 0)
	if !pr.judged {
		r.judge.judgePlayer(p, pr, src)
	}
	switch {
	case pr.hint&isGame != 0:
		pr.connected = true
		return r.route(pr, src)
	case pr.judged || last:
		return dissect.Route{}
	}
	return dissect.Route{Verdict: dissect.Undecided}
}
