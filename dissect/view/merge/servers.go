package merge

import (
	"net/netip"
	"strings"
)

// servers finds endpoints that are one server, which has an IPv4 and an IPv6 address: clients of both are in one game.
type servers struct {
	byPort map[uint16][]*endpoint
	names  map[netip.AddrPort]string // of endpoints that are another one's server
}

// An endpoint is an address of a server, and the clock of the game there.
type endpoint struct {
	at      netip.AddrPort
	mapName string
	zero    int64 // capture time at which the game's clock was 0, ms
	timed   bool
}

const (
	sameZero    = 500 // ms by which the clocks of one game may differ: packets take their time
	maxSamePort = 64  // endpoints of a port that are remembered
)

// nameOf returns the name of an endpoint's server.
func (s *servers) nameOf(at netip.AddrPort) string {
	if name, ok := s.names[at]; ok {
		return name
	}
	return at.String()
}

// begin notes that a map begins at an endpoint. The clock begins again.
func (s *servers) begin(at netip.AddrPort, mapName string) {
	if e := s.endpoint(at); e != nil {
		e.mapName, e.timed = mapName, false
	}
}

// note takes the game's clock and the time of capture of an event, in milliseconds. It returns true if the endpoint
// turns out to be that of a server that is known by another address: the same port, map and clock. A server whose clock
// agrees within half a second by chance is rare, as it counts from the start of the map.
func (s *servers) note(at netip.AddrPort, clock, captured int64) (found bool) {
	e := s.endpoint(at)
	if e == nil {
		return false
	}
	e.zero, e.timed = captured-clock, true
	if _, ok := s.names[at]; ok {
		return false
	}
	for _, o := range s.byPort[at.Port()] {
		if o == e {
			return false // those that follow were seen later, and find this one
		}
		if o.timed && o.mapName == e.mapName && apart(o.zero, e.zero) <= sameZero &&
			o.at.Addr().Unmap().Is4() != at.Addr().Unmap().Is4() {
			s.names[at] = s.nameOf(o.at)
			return true
		}
	}
	return false
}

// endpoint returns what is known of an endpoint; nil: there are too many.
func (s *servers) endpoint(at netip.AddrPort) *endpoint {
	list := s.byPort[at.Port()]
	for _, e := range list {
		if e.at == at {
			return e
		}
	}
	if len(list) == maxSamePort {
		return nil
	}
	if s.byPort == nil {
		s.byPort, s.names = map[uint16][]*endpoint{}, map[netip.AddrPort]string{}
	}
	e := &endpoint{at: at}
	s.byPort[at.Port()] = append(list, e)
	return e
}

// renameServer gives what was seen of an endpoint to the server that it turned out to be of, and joins the happenings
// that wait.
func (m *Merge) renameServer(from, to string) {
	for _, s := range m.streams {
		if s.server == from {
			s.server = to
		}
	}
	waiting := m.pending
	m.pending = nil
	for _, h := range waiting {
		if h.server == from {
			h.server, h.key = to, to+strings.TrimPrefix(h.key, from)
			if m.join(h) {
				continue
			}
		}
		m.pending = append(m.pending, h)
	}
}
