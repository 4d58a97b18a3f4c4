package engine

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/idle"
)

// askOwner asks the other routers than the one that is in doubt about a datagram: those that have a session of its
// endpoints and can have sent it, and all if it is unlikely to be the first one's. It reports whether one takes the
// datagram, or may once more is known.
func (f *front) askOwner(a *answer, p *dissect.Packet, at idle.Moment, doubts int, doubt dissect.Doubt,
	last bool,
) bool {
	a.again = 0
	for i, r := range f.routers {
		if i == doubts {
			continue
		}
		if doubt == dissect.Unproven {
			owner, ok := r.(dissect.Owner)
			if !ok {
				continue
			}
			if session, fits := owner.Owns(p); !session || !fits {
				continue
			}
		}
		switch route := r.Route(p, int64(at.Elapsed), last); {
		case route.Decision == dissect.Mine && route.Doubt != dissect.Unlikely:
			f.take(a, &route, i)
			return true
		case route.Decision == dissect.Undecided && !last:
			a.again |= 1 << i
		}
	}
	if a.again != 0 { // if none of them takes it, it is the first one's
		a.again |= 1 << doubts
	}
	return a.again != 0
}
