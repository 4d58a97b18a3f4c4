package gamestudio

import (
	"hash/fnv"

	"github.com/q3dissect/q3dissect/dissect"
)

// What has to be seen of a connection of DirectPlay 8 until its payload is called GameStudio's: the
// messages have no mark, so what counts is that many different packets of both sides read to their end.
const (
	evidenceClean = 8  // packets that read to the end
	evidenceSide  = 2  // of them from each side
	evidenceKinds = 4  // kinds of messages
	evidenceRatio = 4  // clean packets for each that does not read to the end: some commands have no public length
	evidenceLimit = 64 // packets after which there is no more hope
	evidenceNone  = 4  // packets that do not read, with none that does
)

// Evidence is what speaks for an edition in one connection.
type evidence struct {
	frame    uint64 // newest packet that counted
	editions [editions]testimony
	newest   [2]uint64 // hash of each side's newest payload: one that comes again proves nothing
}

type testimony struct {
	clean, failed int
	sides         [2]int
	kinds         [2]uint64
}

// An evidenceReader looks into frames for the router.
type evidenceReader struct {
	walker walker
	bundle bundle
}

// judge looks at a datagram of a recognised connection. It answers false while what the payload is may
// become known from later datagrams, and this one has some.
func (e *evidenceReader) judge(p *dissect.Packet, pr *pair, src uint8) bool {
	e.handshake(p.Payload, pr)
	if pr.judged || pr.server == 0 || len(p.Payload) < minFrame || p.Payload[0]&commandData == 0 {
		return true
	}
	ev := pr.evidence
	if ev == nil {
		ev = &evidence{}
		pr.evidence = ev
	}
	var r reader
	r.reset(dplayName, p.Payload, 0, len(p.Payload), nil)
	var f dataFrame
	r.frameHeader(&f, int(pr.minor)-1, pr.signed)
	if r.failed() || f.keepAlive || r.rest() == 0 || p.Truncated() {
		return true
	}
	if f.command&commandWhole != commandWhole {
		return f.command&(commandUser1|commandUser2) != 0 // a part of a message tells nothing, and waits with the others
	}
	news := p.Frame > ev.frame
	ev.frame = max(ev.frame, p.Frame)
	some := false
	if f.coalesced && e.bundle.parse(p.Payload[r.at:]) == "" {
		for i := range e.bundle.count {
			if at := r.at + e.bundle.at[i]; e.bundle.flags[i]&(commandUser1|commandUser2) == 0 {
				some = true
				e.packet(ev, p.Payload, part{at: at, end: at + e.bundle.size[i]}, pr.server == 2-src, news)
			}
		}
	} else if f.command&(commandUser1|commandUser2) == 0 {
		some = true
		e.packet(ev, p.Payload, part{at: r.at, end: r.end}, pr.server == 2-src, news)
	}
	e.verdict(ev, pr)
	return pr.judged || !some
}

// judgePlayer looks at a DirectPlay 4 message between two endpoints. Who is the server is told by the first
// command that only one side has.
func (e *evidenceReader) judgePlayer(p *dissect.Packet, pr *pair, src uint8) {
	const at = dplay4Prefix + dplay4IDs
	b := p.Payload
	if pr.evidence == nil {
		pr.evidence = &evidence{}
	}
	ev := pr.evidence
	if len(b) <= at || string(b[dplay4Prefix:dplay4Prefix+4]) == dplay4System || p.Truncated() {
		return
	}
	if pr.server == 0 {
		pr.server = serverByContent(b[at:], src)
	}
	if pr.server == 0 {
		return
	}
	news := p.Frame > ev.frame
	ev.frame = max(ev.frame, p.Frame)
	e.packet(ev, b, part{at: at, end: len(b)}, pr.server == 2-src, news)
	e.verdict(ev, pr)
}

// handshake notes what frames are read by.
func (e *evidenceReader) handshake(b []byte, pr *pair) {
	if ok, _ := dplayMark(b); !ok {
		return
	}
	if b[1] == opConnect {
		pr.judged, pr.evidence, pr.signed = false, nil, false
		pr.hint &^= isGame | is2002
	}
	pr.minor = int8(b[4]) + 1
	pr.signed = pr.signed || b[1] == opSigned
}

// packet tries an application packet in both editions.
func (e *evidenceReader) packet(ev *evidence, b []byte, p part, fromClient, news bool) {
	side := 0
	if fromClient {
		side = 1
	}
	h := fnv.New64a()
	h.Write(b[p.at:p.end])
	sum := h.Sum64()
	if !news || sum == ev.newest[side] {
		return
	}
	ev.newest[side] = sum
	for i := range ev.editions {
		t := &ev.editions[i]
		if !e.clean(b, p, edition(i), fromClient) {
			t.failed++
			continue
		}
		t.clean++
		t.sides[side]++
		t.kinds[side] |= e.walker.commands
	}
}

// clean reports whether a packet reads to its end in one of the variants of an edition.
func (e *evidenceReader) clean(b []byte, p part, ed edition, fromClient bool) bool {
	if p.at == p.end {
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

// explains reports whether a packet reads to its end in either edition.
func (e *evidenceReader) explains(b []byte, p part, fromClient bool) bool {
	return e.clean(b, p, late, fromClient) || e.clean(b, p, edition2002, fromClient)
}

// framed reports whether a datagram is a data frame whose payload reads to its end.
func (e *evidenceReader) framed(b []byte, fromClient bool) bool {
	if len(b) <= minFrame || b[0]&commandData == 0 {
		return false
	}
	var r reader
	r.reset(dplayName, b, 0, len(b), nil)
	var f dataFrame
	r.frameHeader(&f, minorUnknown, false)
	if r.failed() || f.keepAlive || f.command&(commandUser1|commandUser2) != 0 {
		return false
	}
	if f.coalesced && e.bundle.parse(b[r.at:]) == "" {
		for i := range e.bundle.count {
			at := r.at + e.bundle.at[i]
			if !e.explains(b, part{at: at, end: at + e.bundle.size[i]}, fromClient) {
				return false
			}
		}
		return true
	}
	return e.explains(b, part{at: r.at, end: r.end}, fromClient)
}

// verdict decides when there is enough evidence.
func (e *evidenceReader) verdict(ev *evidence, pr *pair) {
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
			pr.judged, pr.evidence = true, nil
			pr.hint |= isGame
			if edition(i) == edition2002 {
				pr.hint |= is2002
			}
			return
		}
		if t.clean+t.failed < evidenceLimit && (t.clean > 0 || t.failed < evidenceNone) {
			hopeless = false
		}
	}
	if hopeless {
		pr.judged, pr.evidence = true, nil
	}
}
