package filter

import (
	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/engine"
)

// Before returns the part of the filter that can be decided before a packet is dissected, for engine.Config;
// nil if there is none. Packets that it accepts still have to be matched. The function is for one goroutine.
//
// A packet that cannot match is dissected only for the state of its conversation, and a conversation without a
// packet that can match is not dissected at all: its number, addresses and protocol do not change, ports and
// direction may.
func (f *Filter) Before() func(*engine.Routed) engine.Fate {
	root := f.build()
	if !decides(root) {
		return nil
	}
	e := &early{root: root}
	return e.fate
}

// decides reports whether some condition needs no dissection.
func decides(n node) bool {
	switch n := n.(type) {
	case *junction:
		for _, inner := range n.nodes {
			if decides(inner) {
				return true
			}
		}
	case *exclusive:
		return decides(n.l) || decides(n.r)
	case *opposite:
		return decides(n.node)
	case *valueTest:
		return n.facts&dissection == 0
	}
	return false
}

// An early evaluates a filter on packets that are routed and not dissected.
type early struct {
	root  node
	state evaluation
	rec   dissect.Record
	tree  dissect.Tree // empty
}

func (e *early) fate(r *engine.Routed) engine.Fate {
	e.rec.Packet, e.rec.File, e.rec.FirstTime = *r.Packet, r.File, r.FirstTime
	e.rec.Stream, e.rec.Direction = r.Stream, r.Direction
	e.state.rec, e.state.tree = &e.rec, &e.tree
	// The packet is the caller's.
	defer func() { e.rec.Packet = dissect.Packet{} }()

	if e.fits(r, beforehand) != no {
		return engine.Shown
	}
	if !r.First { // the first packet has decided whether the whole stream is left out
		return engine.StateOnly
	}
	const constant = endpoints | stream | protocol
	if e.fits(r, constant) != no {
		return engine.StateOnly
	}
	e.rec.Src, e.rec.Dst = e.rec.Dst, e.rec.Src
	if e.fits(r, constant) != no {
		return engine.StateOnly
	}
	return engine.LeftOut
}

// fits evaluates the condition for each protocol that the record may get.
func (e *early) fits(r *engine.Routed, known facts) verdict {
	if len(r.Possible) == 0 {
		e.rec.Protocol = r.Protocol
		return e.root.predict(&e.state, known)
	}
	result := no
	for i, p := range r.Possible {
		e.rec.Protocol = p
		if v := e.root.predict(&e.state, known); i == 0 {
			result = v
		} else if v != result {
			return perhaps
		}
	}
	return result
}
