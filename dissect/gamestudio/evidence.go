package gamestudio

import (
	"hash/fnv"

	"github.com/q3dissect/q3dissect/dissect"
)

// What has to be seen of a connection before its payload is called GameStudio's. The messages have
// no magic number, so the evidence is that many different packets of both sides can be read to
// their end.
const (
	evidenceClean = 8  // packets that can be read to their end
	evidenceSide  = 2  // of them from each side
	evidenceKinds = 4  // kinds of messages
	evidenceRatio = 4  // clean packets for each one that is not: some commands have no public length
	evidenceLimit = 64 // packets after which the search ends
	evidenceNone  = 4  // packets after which the search ends if none was clean
)

// Evidence counts what speaks for each edition in one connection. It is a dissect.PayloadDetector.
type evidence struct {
	checker  *checker
	decision dissect.Decision
	edition  edition // once the connection is recognised
	editions [editions]counts
	newest   [2]uint64 // hash of each side's newest payload: a repeated one proves nothing
}

type counts struct {
	clean, failed int
	sides         [2]int
	kinds         [2]uint64
}

// A checker recognises the game's messages. Evidence about several connections shares its buffers.
type checker struct{ walker walker }

func newEvidence(c *checker) *evidence { return &evidence{checker: c, decision: dissect.Undecided} }

// Examine adds application packets, and decides when there is enough evidence.
func (ev *evidence) Examine(b []byte, payloads []dissect.Payload) (d dissect.Decision, h uint64) {
	for i := range payloads {
		ev.add(b, &payloads[i])
	}
	if ev.decision == dissect.Undecided {
		ev.decide()
	}
	if ev.edition == edition2002 {
		h = uint64(is2002)
	}
	return ev.decision, h
}

// add tries to read an application packet in both editions.
func (ev *evidence) add(b []byte, p *dissect.Payload) {
	fromClient := p.Direction == dissect.ClientToServer
	side := 0
	if fromClient {
		side = 1
	}
	h := fnv.New64a()
	h.Write(b[p.At:p.End])
	sum := h.Sum64()
	if sum == ev.newest[side] {
		return
	}
	ev.newest[side] = sum
	for i := range ev.editions {
		t := &ev.editions[i]
		if !ev.checker.clean(b, *p, edition(i), fromClient) {
			t.failed++
			continue
		}
		t.clean++
		t.sides[side]++
		t.kinds[side] |= ev.checker.walker.commands
	}
}

// clean reports whether a packet can be read to its end in one of an edition's variants.
func (c *checker) clean(b []byte, p dissect.Payload, ed edition, fromClient bool) bool {
	if p.At == p.End {
		return false
	}
	g := game{edition: ed}
	for v := range variant(serverVariantsOld) {
		c.walker.try(b, p, g.dialect(v, fromClient))
		if c.walker.stop == atEnd {
			return true
		}
	}
	return false
}

// explains reports whether a packet can be read to its end in either edition.
func (c *checker) explains(b []byte, p dissect.Payload, fromClient bool) bool {
	return c.clean(b, p, late, fromClient) || c.clean(b, p, edition2002, fromClient)
}

// decide weighs the evidence collected so far.
func (ev *evidence) decide() {
	hopeless := true
	for i := range ev.editions {
		t := &ev.editions[i]
		kinds := 0
		for _, set := range t.kinds {
			for ; set != 0; set &= set - 1 {
				kinds++
			}
		}
		if t.clean >= evidenceClean && t.sides[0] >= evidenceSide && t.sides[1] >= evidenceSide && kinds >= evidenceKinds &&
			t.clean >= evidenceRatio*t.failed {
			ev.decision, ev.edition = dissect.Mine, edition(i)
			return
		}
		if t.clean+t.failed < evidenceLimit && (t.clean > 0 || t.failed < evidenceNone) {
			hopeless = false
		}
	}
	if hopeless {
		ev.decision = dissect.Foreign
	}
}
