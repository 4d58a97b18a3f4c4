package quake3

import (
	"cmp"
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/attacks"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/gate"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/huffcodec"
	"github.com/q3dissect/q3dissect/reassembly"
)

// A message is a complete message after the netchan, before it is deciphered.
type message struct {
	rec        *dissect.Record
	fromClient bool
	header     netchan.Header
	arrival    netchan.Arrival
	before     netchan.Arrivals // the window without the message
	checksumOK bool
	refusal    gate.Refusal // why the receiver does not act on it; "": it does
	body       []byte
	begin      prefix // of the body, if it was read
	begun      bool
	coding     huffcodec.Coding
	frames     []uint64 // of its fragments
	cut        int      // bytes missing at its end
	entries    []entry  // about the packet, for the netchan object
	alone      bool     // a piece: it has no packet
	uncompared bool     // a piece: nothing is known that its checksum can be compared with
}

// reset makes m another message, and keeps its memory.
func (m *message) reset(fromClient bool) {
	entries := m.entries[:0]
	*m = message{}
	m.fromClient, m.entries = fromClient, entries
}

// An entry is an expert entry that is added to the tree later.
type entry struct {
	severity dissect.Severity
	code     string
	text     string
}

// receive reads the netchan header of a packet into s.held and reassembles fragments. It reports whether s.held
// is a complete message; otherwise only the header is to be shown.
func (c *conversation) receive(rec *dissect.Record, s *side, fromClient bool, why gate.Refusal) bool {
	m := &s.held
	m.reset(fromClient)
	if m.refusal = why; why == "" {
		s.packets++
	}
	if c.encoding == netchan.Scrambled && rec.Truncated() {
		c.receiveCut(rec, s, m)
		return false
	}
	packet := c.plain(rec.Payload)
	if !m.header.Parse(packet, fromClient, c.encoding) {
		code, severity := expertTruncated, dissect.Fault
		if rec.Truncated() {
			code, severity = oob.ExpertTruncatedByCapture, dissect.Warning
		}
		m.addEntry(severity, code, "packet of %d bytes ends within its netchan header", len(rec.Payload))
		return false
	}
	if c.encoding == netchan.Unknown {
		m.addEntry(dissect.Note, expertKeyUnknown,
			"the session's handshake is not in the capture, and too little of it to tell how it is encoded")
		return false
	}
	m.checksumOK = m.header.HasChecksum && (m.header.Checksum == netchan.Checksum(c.challenge, m.header.Sequence) ||
		c.acceptByChecksum(&m.header) || c.confirmChallenge(&m.header, rec))
	if m.header.HasChecksum && !m.checksumOK {
		m.addEntry(dissect.Warning, expertChecksum, "the checksum does not fit the challenge %d: a receiver drops the packet",
			c.challenge)
		m.refusal = cmp.Or(m.refusal, "its checksum is not that of the session's challenge")
	}
	m.body, m.coding = packet[m.header.Length:], c.snapshots.Generation.Coding
	if rec.Truncated() {
		m.cut = rec.Length - len(rec.Payload)
		s.cut = true
	}
	if m.refusal != "" {
		return !m.header.Fragmented
	}
	s.heard, s.timed = rec.Time, rec.HasTime
	c.candidate = candidate{} // the session goes on
	doubt := false
	if m.header.Fragmented {
		if !c.assemble(rec, s, m) {
			return false
		}
	} else {
		// A sender that has begun a message in fragments sends no other one with its number.
		doubt = s.fragments.Assembling(m.header.Sequence) || c.unsealed(m)
		m.addLost(s.fragments.Advance(m.header.Sequence))
	}
	m.before = s.arrivals
	m.arrival = s.arrivals.Arrive(m.header.Sequence, !doubt && !c.replays(s, m))
	return true
}

// assemble adds a fragment to its message and reports whether that completes it.
func (c *conversation) assemble(rec *dissect.Record, s *side, m *message) bool {
	h := &m.header
	if most := c.snapshots.Generation.MaxMessage; m.fromClient && h.Start+h.Size > most {
		m.addEntry(dissect.Warning, attacks.ExpertFragmentOverflow,
			"a fragment up to byte %d, beyond the %d that the engine has room for", h.Start+h.Size, most)
	}
	r, err := s.fragments.Add(reassembly.Fragment{
		Sequence: h.Sequence, Start: h.Start, Length: h.Size, Data: m.body, Frame: rec.Frame, Truncated: rec.Truncated(),
	})
	if err != nil {
		m.addEntry(dissect.Fault, expertFragmentBad, "%v", err)
		return false
	}
	m.addLost(r.Abandoned)
	m.arrival.Duplicate = r.Duplicate
	if r.Conflict {
		m.addEntry(dissect.Warning, expertFragmentChanged, "the fragment differs from one of the same place that came before")
	}
	if r.Contested {
		r = c.contest(s, m, r)
	}
	if r.Message == nil {
		if rec.Truncated() {
			m.addEntry(dissect.Warning, oob.ExpertTruncatedByCapture, "the capture has %d of the fragment's %d bytes",
				len(m.body), h.Size)
		}
		return false
	}
	if r.ReceiverDropped {
		m.addEntry(dissect.Warning, expertFragmentOrder,
			"fragments came out of order: a receiver that saw them like this dropped the message")
	}
	if most := c.snapshots.Generation.MaxMessage; r.Length > most {
		m.addEntry(dissect.Note, expertOversize, "message of %d bytes, the original engine takes at most %d", r.Length, most)
	}
	m.body, m.frames, m.cut = r.Message, r.Frames, 0
	if r.Truncated {
		m.cut = r.Length - len(r.Message)
	}
	return true
}

// contest chooses between fragments that contradict each other: those count whose message can be read. r is what the
// fragments make that came first, which remains if none can.
func (c *conversation) contest(s *side, m *message, r reassembly.Result) reassembly.Result {
	if r.Message != nil && c.reads(m, r.Message) {
		return r
	}
	tried := false
	for n := range 1 << 4 {
		other, ok := s.fragments.Another(n)
		if !ok {
			break
		}
		if tried = true; !other.Truncated && c.reads(m, other.Message) {
			other.Duplicate, other.Conflict, other.Abandoned = r.Duplicate, r.Conflict, r.Abandoned
			return other
		}
	}
	if tried && r.Message == nil {
		s.fragments.Refuse()
	}
	return r
}

// dissectMessage decodes a complete message and updates the session.
func (c *conversation) dissectMessage(rec *dissect.Record, m *message) {
	tree := rec.Decoding()
	known, recovered := c.decipherMessage(m, 0), false
	if !known && c.encoding == netchan.Legacy {
		c.startRecovery(rec)
		known = c.recovered(m, rec)
		recovered = known
	}
	c.open(tree, rec)
	if recovered {
		tree.AddLabel(&keyField, string(c.recovery.origin), 0, 0)
	}
	if m.arrival.Reverts {
		c.revert(m)
	}
	if rec.Outline && c.rewriter != nil {
		rec.Outline = c.rewriter.outline(c, m)
	}
	var t attempt // filled field by field: a copy of what was just written waits for it
	t.rec, t.tree, t.m, t.known, t.recovered = rec, tree, m, known, recovered
	t.ours = m.refusal == ""
	t.begin.mark, t.begin.entries, t.begin.damaged = tree.Mark(), len(rec.Experts), rec.Damaged
	t.read(c)
	if !t.whole() && t.ours && !rec.Recorded() {
		t.doubt(c)
		c.judge(&t)
	}
	if s := &c.sides[netchan.SideIndex(m.fromClient)]; t.ours && ((known || c.challengeKnown) && !t.whole() ||
		m.arrival.Far && !m.header.Fragmented) {
		s.fragments.Refuse()
	}
	c.settle(m, t.good(c))
	c.rewrite(rec, m, t.taken.skip, known && t.ours && t.err == nil)
	if !t.known && t.ours { // else the beginning may be no header
		c.rewriter.blank(c, rec, m)
	}
	c.report(rec, m, t.err, known)
	refuse(rec, m.refusal)
	if t.ours && t.whole() {
		c.addAttacks(rec)
	}
	if recovered {
		c.noteRecovered(rec, m)
		c.logKey(m)
	}
	c.endings.note(&t)
	if t.ours && t.whole() {
		c.sides[netchan.SideIndex(m.fromClient)].reads.confirms()
		c.believe(m, recovered)
		c.commit(m)
		if c.encoding == netchan.Legacy {
			c.share(rec, m, recovered, t.taken.skip)
		}
	}
	if len(c.observers) > 0 {
		c.showObservers(rec, m, t.err, known)
	}
	if known {
		rec.Message = c.body
	}
	rec.MessageDone = true
	c.close(tree)
}

// read decodes the message in c.body.
func (c *conversation) read(rec *dissect.Record, tree *dissect.Tree, m *message, keep bool) *dissect.Error {
	c.enterWorld()
	c.log.Reset()
	c.found = c.found[:0]
	c.takeBack()
	c.endOp, c.lastOp = 0, 0
	c.dec.Reset(protocolName, c.body[:c.clear], c.snapshots.Generation.Coding, tree)
	if rec.Outline {
		c.dec.Outline()
	}
	if c.clear < len(c.body) {
		c.dec.Within(c.body)
	}
	if m.fromClient {
		c.readClientMessage(&c.dec, keep, rec)
	} else {
		c.readServerMessage(&c.dec, int32(m.header.Sequence), keep, rec)
	}
	return c.dec.Err()
}

// commit stores the reliable commands of the message that was read.
func (c *conversation) commit(m *message) {
	window := &c.server
	if m.fromClient {
		window = &c.client
	}
	for i := range c.log.Changes {
		s := &c.log.Changes[i]
		if s.Kind != observe.Command {
			continue
		}
		if c.encoding != netchan.Recorded && !window.believes(s.Number, m) {
			return
		}
		window.put(s.Number, c.log.Text(s))
	}
	if m.cut == 0 && !m.arrival.Far {
		window.in = max(window.in, m.header.Sequence)
	}
	if m.fromClient && !m.arrival.Behind() {
		c.joinGame(m.prefix().serverID)
	}
}

// report reports what stopped the decoding.
func (c *conversation) report(rec *dissect.Record, m *message, err *dissect.Error, known bool) {
	switch {
	case err == nil:
	case !known:
		err.Err = errors.New(c.missingKey(m))
		rec.Undeciphered = true
		rec.ExpertError(dissect.Warning, expertKeyUnknown, err)
	case m.cut > 0 && errors.Is(err, dissect.ErrTruncated):
		rec.ExpertError(dissect.Warning, oob.ExpertTruncatedByCapture, err)
	case errors.Is(err, dissect.ErrTruncated):
		rec.ExpertError(dissect.Fault, expertTruncated, err)
	default:
		rec.ExpertError(dissect.Fault, oob.ExpertMalformed, err)
	}
}
