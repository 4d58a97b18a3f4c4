package quake3

import (
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/reassembly"
)

// A message is a complete message after the netchan, before it is deciphered.
type message struct {
	rec        *dissect.Record
	fromClient bool
	header     header
	arrival    arrival
	checksumOK bool
	body       []byte
	begin      prefix // of the body, if it was read
	begun      bool
	frames     []uint64 // of its fragments
	cut        int      // bytes missing at its end
	entries    []entry  // about the packet, for the netchan object
}

// An entry is an expert entry that is added to the tree later.
type entry struct {
	severity dissect.Severity
	code     string
	text     string
}

// receive reads the netchan header of a packet into s.held and reassembles fragments. It reports whether s.held
// is a complete message; otherwise only the header is to be shown.
func (c *conversation) receive(rec *dissect.Record, s *side, fromClient bool) bool {
	m := &s.held
	*m = message{fromClient: fromClient, entries: m.entries[:0]}
	s.packets++
	if !m.header.parse(rec.Payload, fromClient, c.encoding) {
		code, severity := expertTruncated, dissect.Fault
		if rec.Truncated() {
			code, severity = oob.ExpertTruncatedByCapture, dissect.Warning
		}
		m.addEntry(severity, code, "packet of %d bytes ends within its netchan header", len(rec.Payload))
		return false
	}
	if c.encoding == encodingUnknown {
		m.addEntry(dissect.Note, expertKeyUnknown, "the session's handshake is not in the capture, and too little of it to tell how it is encoded")
		return false
	}
	m.checksumOK = m.header.hasChecksum && (m.header.checksum == checksum(c.challenge, m.header.sequence) || c.confirmChallenge(&m.header))
	if m.header.hasChecksum && !m.checksumOK {
		m.addEntry(dissect.Warning, expertChecksum, "the checksum does not fit the challenge %d: a receiver drops the packet", c.challenge)
	}
	m.body = rec.Payload[m.header.length:]
	if rec.Truncated() {
		m.cut = rec.Length - len(rec.Payload)
	}
	if m.header.hasChecksum && !m.checksumOK {
		return !m.header.fragmented
	}
	if m.header.fragmented {
		if !c.assemble(rec, s, m) {
			return false
		}
	} else {
		m.addLost(s.fragments.Advance(m.header.sequence))
	}
	m.arrival = s.arrivals.arrive(m.header.sequence)
	return true
}

// assemble adds a fragment to its message and reports whether that completes it.
func (c *conversation) assemble(rec *dissect.Record, s *side, m *message) bool {
	h := &m.header
	r, err := s.fragments.Add(reassembly.Fragment{
		Sequence: h.sequence, Start: h.start, Length: h.size, Data: m.body, Frame: rec.Frame, Truncated: rec.Truncated(),
	})
	if err != nil {
		m.addEntry(dissect.Fault, expertFragmentBad, "%v", err)
		return false
	}
	m.addLost(r.Abandoned)
	m.arrival.duplicate = r.Duplicate
	if r.Conflict {
		m.addEntry(dissect.Warning, expertFragmentChanged, "the fragment differs from one of the same place that came before, which counts")
	}
	if r.Message == nil {
		if rec.Truncated() {
			m.addEntry(dissect.Warning, oob.ExpertTruncatedByCapture, "the capture has %d of the fragment's %d bytes", len(m.body), h.size)
		}
		return false
	}
	if r.ReceiverDropped {
		m.addEntry(dissect.Warning, expertFragmentOrder, "fragments came out of order: a receiver that saw them like this dropped the message")
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

// dissectMessage decodes a complete message and updates the session.
func (c *conversation) dissectMessage(rec *dissect.Record, m *message) {
	tree := rec.Decoding()
	known, recovered := c.decipherMessage(m, 0), false
	if !known && c.encoding == legacy && !c.challengeKnown {
		c.startRecovery(rec)
		known = c.recovered(m, rec)
		recovered = known
	}
	c.open(tree, rec)
	if recovered {
		tree.AddLabel(&keyField, string(c.recovery.origin), 0, 0)
	}
	c.showNetchan(tree, rec, m)
	ours := c.encoding != native || m.checksumOK
	keep := ours && !m.arrival.duplicate && !m.arrival.late
	c.cut = m.cut
	start, entries, damaged := tree.Mark(), len(rec.Experts), rec.Damaged // with those about the packet itself
	err := c.read(rec, tree, m, keep && known)
	used := int32(0)
	if err != nil && known && c.retryTables(rec, tree, m, func() {
		tree.Rollback(start)
		rec.Experts, rec.Damaged = rec.Experts[:entries], damaged
	}) {
		err = nil
	}
	for skip := int32(1); err != nil && known && skip <= c.alternatives(m); skip++ {
		if c.decipherMessage(m, skip) {
			used = skip
			tree.Rollback(start)
			rec.Experts, rec.Damaged = rec.Experts[:entries], damaged
			err = c.read(rec, tree, m, keep)
		}
	}
	c.rewrite(rec, m, used, known && ours && err == nil && !recovered)
	c.report(rec, m, err, known)
	if recovered {
		c.noteRecovered(rec)
	}
	if known && ours && (err == nil || m.cut > 0) {
		c.commit(m.fromClient)
	}
	if len(c.observers) > 0 {
		c.showObservers(rec, m, err, known)
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
	c.dec.Reset(protocolName, c.body[:c.clear], c.snapshots.Generation.Coding, tree)
	if c.clear < len(c.body) {
		c.dec.Within(c.body)
	}
	if m.fromClient {
		c.readClientMessage(&c.dec, keep, rec)
	} else {
		c.readServerMessage(&c.dec, int32(m.header.sequence), keep, rec)
	}
	return c.dec.Err()
}

// commit stores the reliable commands of the message that was read.
func (c *conversation) commit(fromClient bool) {
	window := &c.server
	if fromClient {
		window = &c.client
	}
	for i := range c.log.Changes {
		if s := &c.log.Changes[i]; s.Kind == observe.Command {
			window.put(s.Number, c.log.Text(s))
		}
	}
}

// report reports what stopped the decoding.
func (c *conversation) report(rec *dissect.Record, m *message, err *dissect.Error, known bool) {
	switch {
	case err == nil:
	case !known:
		err.Err = errors.New(c.missingKey(m))
		rec.ExpertError(dissect.Warning, expertKeyUnknown, err)
	case m.cut > 0 && errors.Is(err, dissect.ErrTruncated):
		rec.ExpertError(dissect.Warning, oob.ExpertTruncatedByCapture, err)
	case errors.Is(err, dissect.ErrTruncated):
		rec.ExpertError(dissect.Fault, expertTruncated, err)
	default:
		rec.ExpertError(dissect.Fault, oob.ExpertMalformed, err)
	}
}
