package router

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/flows"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gamespy"
)

// queryMark begins queries of GameSpy's server browsers.
const queryMark = '\\'

// routeGameSpy routes a query of GameSpy's server browsers or an answer. Many games have these, so a query waits for an
// answer that names the family.
func (pr *pair) routeGameSpy(a *datagram, server flows.Side) dissect.Route {
	s := pr.byServer[server.Index()]
	switch {
	case gamespy.Family(a.Payload):
		s = pr.at(server)
		s.gamespy = true
	case s == nil || !s.gamespy:
		if a.last {
			return dissect.Route{}
		}
		return dissect.Route{Decision: dissect.Undecided}
	}
	return s.route(server, a.src)
}
