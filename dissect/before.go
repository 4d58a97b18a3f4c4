package dissect

// A Fate is what becomes of a datagram before it is dissected.
type Fate uint8

// The fates.
const (
	// Shown: it is dissected and handed to Finish.
	Shown Fate = iota
	// StateOnly: it is dissected for the state of its conversation alone.
	StateOnly
	// LeftOut: its conversation is not dissected at all. It counts at a conversation's first datagram, for all
	// that follow; at a later one it is StateOnly.
	LeftOut
)

// A Routed packet is what is known before dissecting.
type Routed struct {
	*Packet
	File      string   // as in Record
	FirstTime int64    // as in Record
	Protocol  Protocol // nil: no known protocol
	// Possible are the protocols that records of the stream can get, Protocol among them: that of what a
	// transport carries, or of the transport where what it carries is not known. Empty: Protocol alone.
	Possible  []Protocol
	Stream    int       // -1: none
	First     bool      // of its stream: LeftOut counts here alone, at a later one it is StateOnly
	Direction Direction //
}

// fate asks Config.Before about a routed packet.
func (f *front) fate(p *Packet, a *answer, stream int, first bool) Fate {
	routed := Routed{Packet: p, File: f.file, FirstTime: f.firstTime, Stream: stream, First: first, Direction: a.route.Direction}
	if a.router < 0 {
		if f.cfg.Before(&routed) != Shown {
			return LeftOut
		}
		return Shown
	}
	if !first && a.route.Stream.leftOut {
		return LeftOut
	}
	routed.Protocol, routed.Possible = f.cfg.Protocols[a.router], f.possible[a.router]
	fate := f.cfg.Before(&routed)
	if first {
		a.route.Stream.leftOut = fate == LeftOut
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

// possible gives the protocols that records of a stream of each protocol can get.
func possible(protocols []Protocol) [][]Protocol {
	var carried []Protocol // transports and readers of what they carry
	reads := false
	for _, p := range protocols {
		_, transport := p.(Transport)
		_, reader := p.(PayloadReader)
		if reads = reads || reader; transport || reader {
			carried = append(carried, p)
		}
	}
	list := make([][]Protocol, len(protocols))
	for i, p := range protocols {
		list[i] = []Protocol{p}
		_, transport := p.(Transport)
		if _, reader := p.(PayloadReader); reader || transport && reads {
			list[i] = carried
		}
	}
	return list
}
