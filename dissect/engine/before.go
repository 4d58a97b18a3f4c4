package engine

import "github.com/q3dissect/q3dissect/dissect"

// A Fate is the decision about a datagram before it is dissected.
type Fate uint8

// The fates.
const (
	// Shown: it is dissected and passed to Finish.
	Shown Fate = iota
	// StateOnly: it is dissected only for the state of its conversation.
	StateOnly
	// LeftOut: its conversation is not dissected at all. Returned for a conversation's first datagram, it is
	// valid for all that follow; for a later one it means StateOnly.
	LeftOut
)

// A Routed packet is what is known of a packet before it is dissected.
type Routed struct {
	*dissect.Packet
	File      string            // as in Record
	FirstTime int64             // as in Record
	Protocol  *dissect.Protocol // nil: no known protocol
	// Possible are the protocols that records of the stream can get, Protocol among them: that of a transport's
	// payload, or of the transport itself while the payload is not known. Empty: Protocol alone.
	Possible  []*dissect.Protocol
	Stream    int               // -1: none
	First     bool              // the stream's first packet; only for it LeftOut has an effect on the stream
	Direction dissect.Direction //
}

// fate asks Config.Before about a routed packet.
func (f *front) fate(p *dissect.Packet, a *answer, stream int, first bool) Fate {
	routed := Routed{
		Packet: p, File: f.file, FirstTime: f.firstTime, Stream: stream, First: first,
		Direction: a.route.Direction,
	}
	if a.router < 0 {
		if f.cfg.Before(&routed) != Shown {
			return LeftOut
		}
		return Shown
	}
	if !first && a.route.Stream.Engine.LeftOut {
		return LeftOut
	}
	routed.Protocol, routed.Possible = f.cfg.Protocols[a.router], f.possible[a.router]
	fate := f.cfg.Before(&routed)
	if first {
		a.route.Stream.Engine.LeftOut = fate == LeftOut
	} else if fate == LeftOut {
		fate = StateOnly
	}
	return fate
}

// leaveOut counts a datagram that is not dissected.
func (f *front) leaveOut(router int) {
	if router < 0 {
		return
	}
	if f.left == nil {
		f.left = make([]uint64, len(f.cfg.Protocols))
	}
	f.left[router]++
	f.stats.LeftOut++
}

// possible returns, for each protocol, those that records of its streams can get.
func possible(protocols []*dissect.Protocol) [][]*dissect.Protocol {
	var carried []*dissect.Protocol // transports and readers of their payloads
	reads := false
	for _, p := range protocols {
		transport, reader := p.NewTransportRouter != nil, p.NewPayloadRouter != nil
		if reads = reads || reader; transport || reader {
			carried = append(carried, p)
		}
	}
	list := make([][]*dissect.Protocol, len(protocols))
	for i, p := range protocols {
		list[i] = []*dissect.Protocol{p}
		if p.NewPayloadRouter != nil || p.NewTransportRouter != nil && reads {
			list[i] = carried
		}
	}
	return list
}
