package quake3

import (
	"errors"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/netchan"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/observe"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/oob"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/reassembly"
)

// A message is a complete message after the netchan, before it is deciphered.
type message struct {
	rec        *dissect.Record
	fromClient bool
	header     netchan.Header
	arrival    netchan.Arrival
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
	if !m.header.Parse(rec.Payload, fromClient, c.encoding) {
		code, severity := expertTruncated, dissect.Fault
		if rec.Truncated() {
			code, severity = oob.ExpertTruncatedByCapture, dissect.Warning
		}
		m.addEntry(severity, code, "packet of %d bytes ends within its netchan header", len(rec.Payload))
		return false
	}
	if c.encoding == netchan.Unknown {
		m.addEntry(dissect.Note, expertKeyUnknown, "the session's handshake is not in the capture, and too little of it to tell how it is encoded")
		return false
	}
	m.checksumOK = m.header.HasChecksum && (m.header.Checksum == netchan.Checksum(c.challenge, m.header.Sequence) || c.confirmChallenge(&m.header))
	if m.header.HasChecksum && !m.checksumOK {
		m.addEntry(dissect.Warning, expertChecksum, "the checksum does not fit the challenge %d: a receiver drops the packet", c.challenge)
	}
	m.body = rec.Payload[m.header.Length:]
	if rec.Truncated() {
		m.cut = rec.Length - len(rec.Payload)
	}
	if m.header.HasChecksum && !m.checksumOK {
		return !m.header.Fragmented
	}
	if m.header.Fragmented {
		if !c.assemble(rec, s, m) {
			return false
		}
	} else {
		m.addLost(s.fragments.Advance(m.header.Sequence))
	}
	m.arrival = s.arrivals.Arrive(m.header.Sequence)
	return true
}

// assemble adds a fragment to its message and reports whether that completes it.
func (c *conversation) assemble(rec *dissect.Record, s *side, m *message) bool {
	h := &m.header
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
		m.addEntry(dissect.Warning, expertFragmentChanged, "the fragment differs from one of the same place that came before, which counts")
	}
	if r.Message == nil {
		if rec.Truncated() {
			m.addEntry(dissect.Warning, oob.ExpertTruncatedByCapture, "the capture has %d of the fragment's %d bytes", len(m.body), h.Size)
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
	if !known && c.encoding == netchan.Legacy && !c.challengeKnown {
		c.startRecovery(rec)
		known = c.recovered(m, rec)
		recovered = known
	}
	c.open(tree, rec)
	if recovered {
		tree.AddLabel(&keyField, string(c.recovery.origin), 0, 0)
	}
	c.showNetchan(tree, rec, m)
	ours := c.encoding != netchan.Native || m.checksumOK
	keep := ours && !m.arrival.Duplicate && !m.arrival.Late
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
		c.logKey(m)
	}
	if known && ours && (err == nil || m.cut > 0) {
		c.commit(m)
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
	if m.cut == 0 {
		window.in = max(window.in, m.header.Sequence)
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

// retryTables reads a message that could not be read again with the other tables that are possible, and keeps
// those that fit. back removes from the record what the first reading added.
func (c *conversation) retryTables(rec *dissect.Record, tree *dissect.Tree, m *message, back func()) bool {
	first := c.snapshots.Generation
	keep := (c.encoding != netchan.Native || m.checksumOK) && !m.arrival.Duplicate && !m.arrival.Late
	if first.Vehicle != nil && c.snapshots.Assumed {
		back()
		c.snapshots.AssumeVehicle = !c.snapshots.AssumeVehicle
		if c.read(rec, tree, m, keep) == nil {
			return true
		}
	}
	if c.version != 0 || c.encoding != netchan.Native {
		return false
	}
	for _, version := range [...]int{71, nativeRTCW} {
		gen := tables.GenerationOf(version)
		if gen == first || gen.Version != version {
			continue
		}
		back()
		c.snapshots.Generation = gen
		if c.read(rec, tree, m, keep) == nil {
			c.setFamily()
			return true
		}
		c.snapshots.Generation = first
	}
	back()
	c.read(rec, tree, m, keep)
	return false
}

// A judge decodes messages on trial, for the router.
type judge struct{ c *conversation }

// decodes reports whether a native message can be decoded to its end.
func (j *judge) decodes(body []byte, fromClient bool) bool {
	if j.c == nil {
		j.c = newConversation(dissect.Options{})
		j.c.restart(false)
	}
	c, rec := j.c, &dissect.Record{NoTree: true}
	c.body = append(c.body[:0], body...)
	c.clear = len(c.body)
	m := message{fromClient: fromClient}
	for _, version := range [...]int{71, nativeRTCW} {
		if c.setVersion(version); c.read(rec, nil, &m, false) == nil {
			return true
		}
	}
	return false
}
