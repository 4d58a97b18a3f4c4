// Package flows has what the routers of all protocols share: they remember pairs of endpoints and forget idle
// ones, know which side of a pair is the server, keep the ports that the user named, and detect numbered
// datagrams that arrive twice.
//
//	e := r.pairs.Find(p, now)
//	if e == nil {
//		e = r.pairs.Add(p, now)
//	}
//	return dissect.Route{Decision: dissect.Mine, Stream: e.Value.stream, Direction: e.Value.server.Direction(flows.Sender(p))}
package flows
