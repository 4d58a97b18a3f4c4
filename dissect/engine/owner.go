package engine

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/internal/lifetime"
)

// askOwner asks another router than the one that is in doubt, if it has a session of the datagram's endpoints or if the
// datagram begins one. It reports whether that takes the datagram, or needs to know more.
func (f *front) askOwner(a *answer, p *dissect.Packet, at lifetime.Moment, doubts int, doubt dissect.Doubt,
	last bool,
) bool {
	for i, r := range f.routers {
		owner, ok := r.(dissect.Owner)
		if !ok || i == doubts {
			continue
		}
		session, fits := owner.Owns(p)
		if doubt == dissect.Unproven && !(session && fits) {
			continue
		}
		if f.askOne(a, p, at, i, last) {
			return true
		}
		if session && a.again>>i&1 != 0 {
			a.again = 1 << i
			return true
		}
	}
	a.again = 0
	return false
}
