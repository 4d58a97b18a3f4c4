package recover

import (
	"bytes"
	"net/netip"
	"slices"
)

// A Server is what the sessions of one server have in common: its game, its clock, and the commands that it sends to
// all clients. A command that one session read is the key of another, which has too little for a search.
type Server struct {
	m     *model // the game whose tables read a session; nil: none does yet
	clock []offsetAt
	heard []heardText // by time
}

// A heardText is a command of the server, and when it was read first.
type heardText struct {
	at   int64 // capture time in milliseconds
	text []byte
}

const (
	maxServers = 1 << 8 // that a Finder remembers
	maxHeard   = 1 << 7 // commands of each
	mostRecent = 64     // commands that messages may acknowledge
	againAfter = 5_000  // milliseconds after which a command that is the same is another one
	earliest   = 500    // how much later than an acknowledgement its command may be read in another session
)

// Server returns what is common to the sessions of a server, which one goroutine uses. nil: there are too many servers,
// or the Finder is of several goroutines.
func (f *Finder) Server(of netip.AddrPort) *Server {
	if f.credit == nil {
		return nil
	}
	s := f.servers[of]
	if s == nil && len(f.servers) < maxServers {
		if f.servers == nil {
			f.servers = map[netip.AddrPort]*Server{}
		}
		s = &Server{}
		f.servers[of] = s
	}
	return s
}

// Join sets the server of a session; nil: it is alone.
func (s *Session) Join(server *Server) { s.server = server }

// Hear notes a command of the server that a session read at a time.
func (v *Server) Hear(text []byte, at int64) {
	if v == nil || len(text) < order {
		return
	}
	i, _ := slices.BinarySearchFunc(v.heard, at+1, func(h heardText, at int64) int { return int(h.at - at) })
	for k := i - 1; k >= 0 && v.heard[k].at > at-againAfter; k-- {
		if bytes.Equal(v.heard[k].text, text) {
			return
		}
	}
	for k := i; k < len(v.heard) && v.heard[k].at < at+againAfter; k++ {
		if bytes.Equal(v.heard[k].text, text) {
			v.heard[k].at = at // it was read later before: the list stays nearly in order
			return
		}
	}
	v.heard = slices.Insert(v.heard, i, heardText{at, bytes.Clone(text)})
	if len(v.heard) > maxHeard {
		v.heard = slices.Delete(v.heard, 0, maxHeard/4)
	}
}

// recent returns the commands that messages from a time on may acknowledge, the newest first, each once.
func (v *Server) recent(at int64) (list [][]byte) {
	for _, h := range slices.Backward(v.heard) {
		same := func(other []byte) bool { return bytes.Equal(h.text, other) }
		if h.at > at+earliest || slices.ContainsFunc(list, same) {
			continue
		}
		if list = append(list, h.text); len(list) == mostRecent {
			break
		}
	}
	return list
}

// consult takes the game of the server, if another session of it showed that.
func (s *Session) consult() {
	if v := s.server; v != nil && v.m != nil && len(s.rivals) > 0 && s.keys.Challenge < 0 {
		s.m, s.rivals = v.m, nil
	}
}

// tell notes the game of the session's server, once that is certain.
func (s *Session) tell() {
	if s.server != nil && s.server.m == nil && s.keys.Proven && len(s.rivals) == 0 {
		s.server.m = s.m
	}
}
