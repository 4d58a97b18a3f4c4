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
	File      string    // as in Record
	FirstTime int64     // as in Record
	Protocol  Protocol  // nil: no known protocol
	Stream    int       // -1: none
	Direction Direction //
}

// fate asks Config.Before about a routed packet.
func (f *front) fate(p *Packet, a *answer, stream int, first bool) Fate {
	routed := Routed{Packet: p, File: f.file, FirstTime: f.firstTime, Stream: stream, Direction: a.route.Direction}
	if a.router < 0 {
		if f.cfg.Before(&routed) != Shown {
			return LeftOut
		}
		return Shown
	}
	if !first && f.leftOut[stream] {
		return LeftOut
	}
	routed.Protocol = f.cfg.Protocols[a.router]
	fate := f.cfg.Before(&routed)
	if first {
		f.leftOut = append(f.leftOut, fate == LeftOut)
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

// A Carrier is a Protocol whose conversations may give Record.Protocol another one: that of what a transport carries,
// or of the transport where what it carries is not known.
type Carrier interface {
	Protocol
	// Carries gives every protocol that a record of its conversations can get.
	Carries() []Protocol
}
