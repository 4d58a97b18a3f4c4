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
	evidenceLimit = 64 // packets after which the trial ends
	evidenceNone  = 4  // packets after which the trial ends if none was clean
)

// Evidence counts what speaks for each edition in one connection. It is a dissect.PayloadTrial.
type evidence struct {
	judge    *judge
	verdict  dissect.Verdict
	edition  edition // once the connection is recognised
	editions [editions]testimony
	newest   [2]uint64 // hash of each side's newest payload: a repeated one proves nothing
}

type testimony struct {
	clean, failed int
	sides         [2]int
	kinds         [2]uint64
}

// A judge recognises the game's messages. It is a dissect.PayloadJudge, and its trials share its
// buffers.
type judge struct{ walker walker }

// NewTrial begins to collect evidence about a connection.
func (e *judge) NewTrial() dissect.PayloadTrial {
	return &evidence{judge: e, verdict: dissect.Undecided}
}

// Try tries an application packet in both editions.
func (ev *evidence) Try(b []byte, p *dissect.Payload) {
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
		if !ev.judge.clean(b, *p, edition(i), fromClient) {
			t.failed++
			continue
		}
		t.clean++
		t.sides[side]++
		t.kinds[side] |= ev.judge.walker.commands
	}
}

// clean reports whether a packet can be read to its end in one of an edition's variants.
func (e *judge) clean(b []byte, p dissect.Payload, ed edition, fromClient bool) bool {
	if p.At == p.End {
		return false
	}
	g := game{edition: ed}
	for v := range variant(serverVariantsOld) {
		e.walker.try(b, p, g.dialect(v, fromClient))
		if e.walker.stop == atEnd {
			return true
		}
	}
	return false
}

// explains reports whether a packet can be read to its end in either edition.
func (e *judge) explains(b []byte, p dissect.Payload, fromClient bool) bool {
	return e.clean(b, p, late, fromClient) || e.clean(b, p, edition2002, fromClient)
}

// Verdict decides when there is enough evidence.
func (ev *evidence) Verdict() (v dissect.Verdict, h uint64) {
	if ev.verdict == dissect.Undecided {
		ev.decide()
	}
	if ev.edition == edition2002 {
		h = uint64(is2002)
	}
	return ev.verdict, h
}

// decide judges the evidence collected so far.
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
		if t.clean >= evidenceClean && t.sides[0] >= evidenceSide && t.sides[1] >= evidenceSide && kinds >= evidenceKinds && t.clean >= evidenceRatio*t.failed {
			ev.verdict, ev.edition = dissect.Mine, edition(i)
			return
		}
		if t.clean+t.failed < evidenceLimit && (t.clean > 0 || t.failed < evidenceNone) {
			hopeless = false
		}
	}
	if hopeless {
		ev.verdict = dissect.Foreign
	}
}
