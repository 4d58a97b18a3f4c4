package gamestudio

import (
	"encoding/binary"

	"github.com/q3dissect/q3dissect/dissect"
)

// DirectPlay's registered port for discovery. It decides only about queries that name no application.
const discoveryPort = 6073

// strong looks for a mark that no other protocol has. It notes what the mark tells: the transport, its
// generation, and who is the server.
func (r *router) strong(p *dissect.Packet, pr *pair, src uint8) bool {
	toServer, fromServer := 2-src, src+1
	if r.own == directPlay8 || r.own == rawUDP {
		if connects, byServer := dplayMark(p.Payload); connects {
			pr.mark(directPlay8, 0)
			pr.connected, pr.server = true, toServer
			if byServer {
				pr.server = fromServer
			}
			return true
		}
		if dplayEnd(p.Payload) {
			pr.mark(directPlay8, 0)
			pr.connected = true
			return true
		}
		switch discoveryMark(p.Payload) {
		case queryOfOne:
			pr.mark(directPlay8, 0)
			return pr.setServer(toServer)
		case discoveryResponse:
			pr.mark(directPlay8, 0)
			return pr.setServer(fromServer)
		}
	}
	if r.own == enetUDP || r.own == rawUDP {
		if g, ok := r.enet.connects(p.Payload); ok {
			pr.mark(enetUDP, g.hint())
			pr.connected, pr.server = true, toServer
			return true
		}
	}
	if r.own == rawUDP && isDirectPlay4(p) {
		pr.mark(directPlay4, 0)
		return true
	}
	return false
}

func (pr *pair) mark(t transport, h hint) {
	pr.sure, pr.trial, pr.dplayTrial, pr.foreign = true, nil, nil, false
	pr.hint = pr.hint&^(transportMask|enetMask) | hint(t) | h
}

// setServer notes the server unless a connection told who it is.
func (pr *pair) setServer(server uint8) bool {
	if pr.server == 0 {
		pr.server = server
	}
	return true
}

// dplayMark recognises the handshake of DirectPlay 8: 16 bytes, or 48 of a signed one, of a version 1.0 to
// 1.6. byServer says that the listener sent it.
func dplayMark(b []byte) (ok, byServer bool) {
	if len(b) < controlBytes || b[4] > minorSigned || b[5] != 0 || b[6] != 1 || b[7] != 0 {
		return false, false
	}
	switch {
	case len(b) == controlBytes && b[0] == 0x88 && b[1] == opConnect && b[3] == 0:
		return true, false
	case len(b) == controlBytes && b[1] == opConnected && (b[0] == 0x88 || b[0] == 0x80):
		return true, b[0] == 0x88
	case len(b) == signedBytes && b[1] == opSigned && (b[0] == 0x88 || b[0] == 0x80):
		return true, b[0] == 0x88
	}
	return false, false
}

// dplayEnd recognises HARD_DISCONNECT of a version 1.0 to 1.6, with its signature or without.
func dplayEnd(b []byte) bool {
	return (len(b) == controlBytes || len(b) == controlBytes+signatureSize) &&
		b[0]&^commandPoll == 0x80 && b[1] == opDisconnect && b[4] <= minorSigned && b[5] == 0 && b[6] == 1 && b[7] == 0
}

// discoveryMark recognises discovery: queryOfOne, discoveryResponse, queryOfAny (which is weak), or 0.
func discoveryMark(b []byte) int {
	switch {
	case len(b) < 5 || b[0] != 0:
	case b[1] == discoveryQuery && b[4] == queryOfOne && len(b) >= 5+guidBytes:
		return queryOfOne
	case b[1] == discoveryQuery && b[4] == queryOfAny:
		return queryOfAny
	case b[1] == discoveryResponse && len(b) >= responseBytes && binary.LittleEndian.Uint32(b[12:]) == descriptionBytes:
		return discoveryResponse
	}
	return 0
}

// recognise routes a datagram of a port that nobody claimed.
func (r *router) recognise(p *dissect.Packet, pr *pair, src uint8, last bool) dissect.Route {
	if len(p.Payload) == 0 {
		return dissect.Route{}
	}
	marked := r.strong(p, pr, src)
	if r.own == directPlay8 && !marked && p.Payload[0] == 0 {
		return r.weakDiscovery(p, pr, src, last)
	}
	if !marked && !pr.connected && !r.try(p, pr, src) { // queries make no connection
		if (pr.trial != nil || pr.dplayTrial != nil) && !last {
			return dissect.Route{Verdict: dissect.Undecided}
		}
		return dissect.Route{}
	}
	if r.own == directPlay8 && !r.judge.judge(p, pr, src) && !last {
		return dissect.Route{Verdict: dissect.Undecided}
	}
	return r.route(pr, src)
}

// weakDiscovery routes a query that names no application, which is DirectPlay's if it goes to its port or
// to an endpoint known to speak it.
func (r *router) weakDiscovery(p *dissect.Packet, pr *pair, src uint8, last bool) dissect.Route {
	if discoveryMark(p.Payload) != queryOfAny {
		if pr.connected {
			return r.route(pr, src)
		}
		return dissect.Route{}
	}
	if p.Dst.Port() == discoveryPort || pr.stream != 0 {
		pr.mark(directPlay8, 0)
		pr.setServer(2 - src)
		return r.route(pr, src)
	}
	return dissect.Route{}
}
