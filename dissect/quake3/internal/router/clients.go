package router

import (
	"encoding/binary"
	"net/netip"

	"github.com/q3dissect/q3dissect/dissect/flows"
)

// A clientKey is how a server identifies a client.
type clientKey struct {
	server flows.Endpoint
	client flows.IP
	qport  uint16
}

// Hash makes a hash of the client.
func (k clientKey) Hash(s *flows.Seed) uint64 {
	high, low := k.client.Parts()
	return s.Hash(k.server.Hash(s), high, low, uint64(k.qport), 0)
}

func clientOf(server netip.AddrPort, client netip.Addr, qport uint16) clientKey {
	return clientKey{flows.EndpointOf(server), flows.IPOf(client), qport}
}

// claimedServer returns the server's side if the user named a port: the one with the port, and of two the
// sender.
func (r *Router) claimedServer(a *datagram) flows.Side {
	if server := r.claims.Server(a.Packet); server != flows.Unknown {
		return server
	}
	return a.src
}

func (r *Router) isServer(endpoint netip.AddrPort) bool {
	return r.servers.Peek(flows.EndpointOf(endpoint)) != nil
}

// noteServer records that an endpoint is a server: it answered, or was connected to with its challenge. Anybody can
// send a query of the family to any endpoint.
func (r *Router) noteServer(endpoint netip.AddrPort, now int64) {
	if key := flows.EndpointOf(endpoint); r.servers.Find(key, now) == nil {
		r.servers.Add(key, now)
		r.ports.Add(endpoint.Port())
	}
}

// client returns the stream of a client that a server knows, or nil.
func (r *Router) client(key clientKey, now int64) *stream {
	if e := r.clients.Find(key, now); e != nil {
		return e.Value
	}
	return nil
}

// noteClient records the stream of a new client.
func (r *Router) noteClient(key clientKey, now int64, s *stream) {
	s.qport, s.hasQport = key.qport, true
	e := r.clients.Add(key, now)
	e.Value = s
	r.clients.Keep(e)
}

// connect records the qport that a client connects with, and finds the stream that it had before under another
// port. The stream of a session continues until the server answers: anybody can send a connect.
func (r *Router) connect(a *datagram, pr *pair, s *stream, server flows.Side) *stream {
	s.asked = true
	if other := pr.byServer[server.Other().Index()]; other != nil && other.plays && !s.plays {
		return s // a client takes no connects: it counts when it is answered
	}
	given := !r.oob.HasChallenge || r.oob.Challenge == pr.given[0] || r.oob.Challenge == pr.given[1]
	if s.holdsSession() && !given && (pr.hears || pr.given != [2]int32{}) {
		return s // a server takes none with another challenge
	}
	s.plays = true
	if !r.oob.HasQport || s.hasQport && s.qport == r.oob.Qport {
		return s
	}
	was := s
	key := clientOf(a.Dst, a.Src.Addr(), r.oob.Qport)
	if old := r.client(key, a.now); old != nil {
		s = old
	} else {
		if s.hasQport { // another client at the same port
			s = &stream{plays: true}
		}
		r.noteClient(key, a.now, s)
	}
	if pr.pending = nil; s != was {
		pr.pending, pr.asks, pr.silent = s, server.Other(), true
		return s
	}
	pr.byServer[server.Index()] = s
	return s
}

// follow keeps a client in its stream by the qport: another client may use the port now.
func (r *Router) follow(a *datagram, pr *pair, s *stream, server flows.Side) *stream {
	if len(a.Payload) < 6 {
		return s
	}
	qport := binary.LittleEndian.Uint16(a.Payload[4:])
	if s.hasQport && s.qport == qport {
		return s
	}
	key := clientOf(a.Dst, a.Src.Addr(), qport)
	if s.hasQport {
		if other := r.client(key, a.now); other != nil {
			pr.byServer[server.Index()] = other
			return other
		}
		return s
	}
	if e := r.clients.Peek(key); e != nil {
		e.Value, s.qport, s.hasQport = s, qport, true
		return s
	}
	r.noteClient(key, a.now, s)
	return s
}

// moved finds the stream of a client that sends from another port than before.
func (r *Router) moved(a *datagram) *stream {
	if len(a.Payload) < minSequenced || !r.isServer(a.Dst) {
		return nil
	}
	s := r.client(clientOf(a.Dst, a.Src.Addr(), binary.LittleEndian.Uint16(a.Payload[4:])), a.now)
	if s != nil && s.evidence.givenUp {
		return nil
	}
	return s
}
